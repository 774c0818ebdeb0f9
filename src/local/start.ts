// `npm start`: the Worker in workerd on this machine, over local clones (or github.com), without an account or network; with
// PUBLIC_URL set, a service for others, behind a proxy (docs/how-to/self-host.md).
// Owns start-up and stopping: one interrupt, at any moment, ends everything that was started.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { report, startFault } from "./report.ts";
import {
  readServiceOptions,
  SERVICE_OBJECTS,
  type ServiceOptions,
  WRITING_OBJECTS,
} from "./service-options.ts";
import { readStartOptions, USAGE } from "./start-options.ts";
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
  if (args.includes("--help") || args.includes("-h")) {
    console.log(USAGE);
    return;
  }
  const service = readServiceOptions(args, process.env, checkout);
  if (service === null) await startForOwner(args);
  else await startService(service);
}

/** What the Worker logs is this process's output: one line for each request. */
async function startService({ port, stateFolder, publicUrl, vars }: ServiceOptions): Promise<void> {
  const [{ ENTITIES_ENTRY, startWorker }, { assertFree }] = await Promise.all([
    import("./workerd.ts"),
    import("./port.ts"),
  ]);
  try {
    await assertFree(port);
    await mkdir(stateFolder, { recursive: true });
    const worker = await startWorker({
      entry: "src/worker.ts",
      entities: ENTITIES_ENTRY,
      ...(port === 0 ? {} : { port }),
      stateFolder,
      vars,
      durableObjects: SERVICE_OBJECTS,
      onLog: (line) => console.log(line),
    });
    started.push(() => worker.close());
    const health = await fetch(`${worker.url}/healthz`);
    // A Worker whose first line throws answers with what it threw.
    if (!health.ok) throw new Error(await health.text());
    console.error(`GitPin Edge listens at ${worker.url} for ${publicUrl}. Ctrl-C stops it.`);
  } catch (cause) {
    throw startFault(cause, port, stateFolder);
  }
}

async function startForOwner(args: string[]): Promise<void> {
  const options = readStartOptions(args, checkout);
  for (const note of options.notes) console.error(note);
  // Loaded late, for it takes a while: an interrupt is heard from the first moment on.
  const [{ ENTITIES_ENTRY, startWorker }, { assertFree, freePort }, { startUpstream }, { welcome }] =
    await Promise.all([
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
      entities: ENTITIES_ENTRY,
      port,
      stateFolder: options.stateFolder,
      ...(options.write ? { durableObjects: WRITING_OBJECTS } : {}),
      vars: { ...vars, PUBLIC_URL: "{url}" },
      // For its owner's own calls; nobody reads them.
      onLog: () => undefined,
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
