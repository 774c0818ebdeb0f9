// When a local run has to end: an interrupt, a signal, or the death of the npm that started it (npm hands no signal on when
// it is killed itself). Owns that, and that stopping happens once: npm repeats the interrupt that the terminal sent to all.

/** How long stopping may take before the process ends anyway. */
const DEADLINE_MS = 10_000;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const isSignal = (event: string | symbol): boolean => SIGNALS.some((signal) => signal === event);

/** Calls `stop` once, then lets the process end. May be called before there is anything to stop. */
export function untilStopped(stop: () => Promise<void>, report: (thrown: unknown) => void): void {
  let stopping = false;
  const begin = (): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), DEADLINE_MS).unref();
    stop()
      .catch(report)
      .finally(() => process.exit());
  };
  for (const signal of SIGNALS) process.on(signal, begin);
  // Miniflare ends the process at each signal by itself, before the rest is stopped; here that is ours to do.
  process.on("newListener", (event, listener) => {
    if (!isSignal(event)) return;
    queueMicrotask(() => process.removeListener(event, listener));
  });
  // Started by hand, the run may outlive its shell; started by npm, it ends with it.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined) {
    setInterval(() => {
      if (process.ppid !== parent) begin();
    }, 500).unref();
  }
  // A reader that went away (`npm start | head`) is no reason to end.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
    });
  }
}
