// `npm start`: the Worker in workerd on this machine, over local clones (or github.com), without an account or network.
// Owns start-up and stopping: one interrupt, at any moment, ends everything that was started.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { report, startFault } from "./report.ts";
import { readStartOptions } from "./start-options.ts";
import { untilStopped } from "./until-stopped.ts";

/** How long a start that is interrupted may take to come to its end. */
const PATIENCE_MS = 1000;

const checkout = join(import.meta.dirname, "../..");

/** What was started, the last first. */
const started: (() => Promise<void>)[] = [];
let stopped = false;

async function stop(): Promise<void> {
  stopped = true;
  // What is being started right now adds itself and is stopped in its turn; what takes long (a runtime that is not up
  // yet) is killed as the process ends.
  await Promise.race([running, sleep(PATIENCE_MS, undefined, { ref: false })]);
  for (let close = started.pop(); close !== undefined; close = started.pop()) await close();
}

async function start(args: string[]): Promise<void> {
  const options = readStartOptions(args, checkout);
  for (const note of options.notes) console.error(note);
  // Loaded late, for it takes a while: an interrupt is heard from the first moment on.
  const [{ startWorker }, { assertFree, freePort }, { startUpstream }, { welcome }] = await Promise.all([
    import("./workerd.ts"),
    import("./port.ts"),
    import("./upstream.ts"),
    import("./welcome.ts"),
  ]);
  const port = options.port === 0 ? await freePort() : options.port;
  await assertFree(port).catch((cause: unknown) => {
    throw startFault(cause, port, options.stateFolder);
  });
  const { vars, host } = await startUpstream(options, port);
  if (host !== null) started.push(() => host.close());
  if (stopped) return;
  try {
    await mkdir(options.stateFolder, { recursive: true });
    const worker = await startWorker({
      entry: "src/worker.ts",
      port,
      stateFolder: options.stateFolder,
      vars: { ...vars, PUBLIC_URL: "{url}" },
    });
    started.push(() => worker.close());
    if (stopped) return;
    const names = [...options.clones, ...options.github].map(({ name }) => name);
    console.log(await welcome(worker.url, names));
  } catch (cause) {
    throw startFault(cause, port, options.stateFolder);
  }
}

untilStopped(stop, report);
const running = start(process.argv.slice(2)).catch(async (thrown: unknown) => {
  // Interrupted while starting: that it failed then is no news.
  if (!stopped) report(thrown);
  for (let close = started.pop(); close !== undefined; close = started.pop()) await close();
});
