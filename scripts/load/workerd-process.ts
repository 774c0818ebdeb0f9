/**
 * The workerd that this process started, as Linux sees it: CPU time and memory. Found among our own children by its name;
 * null on other systems, where there is no /proc.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** `sysconf(_SC_CLK_TCK)` of every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

export interface ProcessMeter {
  pid: number;
  /** User and system time since its start, milliseconds, to the tick of 10. */
  cpuMs(): number;
  /** Resident memory, bytes. */
  rssBytes(): number;
}

/** Fields of /proc/PID/stat from the third on; the second, a name in brackets, may hold spaces. */
const statOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
};

function isChild(pid: number, name: string): boolean {
  try {
    return (
      statOf(pid)[1] === String(process.pid) && readFileSync(`/proc/${pid}/comm`, "utf8").trim() === name
    );
  } catch {
    // It ended while we looked.
    return false;
  }
}

const meter = (pid: number): ProcessMeter => ({
  pid,
  cpuMs() {
    const fields = statOf(pid);
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
  },
  rssBytes() {
    const [, kibibytes = "0"] =
      /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kibibytes) * 1024;
  },
});

/** The newest of them; null where there is none. */
export function workerdProcess(): ProcessMeter | null {
  if (!existsSync("/proc/self/stat")) return null;
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  const own = pids.filter((pid) => isChild(pid, "workerd"));
  return own.length === 0 ? null : meter(Math.max(...own));
}
