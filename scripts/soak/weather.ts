/**
 * Faults of the host, switched on and off during a soak run. Tells what may have kept a call from its answer: the faults that held
 * at any moment of it, and for a while after them, since the service waits as long as a limit asks.
 */
import type { FaultKind, FaultRule, LocalHost } from "../../src/local/host.ts";

interface Spell {
  name: string;
  from: number;
  /** Null: it still holds. */
  until: number | null;
}

type Fault = Omit<FaultRule, "match"> & { kind: FaultKind };

/** `hang` is not among them: a call that hangs is bounded by UPSTREAM_TIMEOUT_MS, which `delay` tries. */
const FAULTS: Fault[] = [
  { kind: "status", status: 500 },
  { kind: "status", status: 502 },
  { kind: "html-503" },
  { kind: "reset" },
  { kind: "cut" },
  { kind: "wrong-length" },
  { kind: "flip-byte" },
  { kind: "short" },
  { kind: "bad-json" },
  { kind: "delay", ms: 50 },
  { kind: "delay", ms: 2500 },
  { kind: "secondary-limit", retryAfterSeconds: 1 },
];

/** Longest time for which a fault that is over may still show: a limit's wait, a request that began under it. */
const AFTERMATH_MS = 4000;

export class Weather {
  readonly #spells: Spell[] = [];
  readonly #host: LocalHost;
  readonly #random: () => number;

  constructor(host: LocalHost, random: () => number) {
    this.#host = host;
    this.#random = random;
  }

  /** Clear sky turns into a fault that a part of all requests meets, and the other way round. */
  change(): string {
    this.#host.faults.clear();
    const last = this.#spells.at(-1);
    if (last !== undefined && last.until === null) {
      last.until = Date.now();
      return "clear";
    }
    const fault = FAULTS[Math.floor(this.#random() * FAULTS.length)] ?? { kind: "reset" };
    const share = [0.1, 0.5, 1][Math.floor(this.#random() * 3)] ?? 1;
    this.#host.faults.add({ ...fault, match: () => this.#random() < share });
    const detail = fault.status ?? fault.ms ?? "";
    const name = `${fault.kind}${detail === "" ? "" : ` ${detail}`} for ${share * 100} %`;
    this.#spells.push({ name, from: Date.now(), until: null });
    return name;
  }

  /** Faults that may have touched a call between these moments; empty: it has no excuse. */
  during(from: number, until: number): string[] {
    return this.#spells
      .filter((spell) => spell.from <= until && (spell.until === null || spell.until + AFTERMATH_MS >= from))
      .map(({ name }) => name);
  }
}
