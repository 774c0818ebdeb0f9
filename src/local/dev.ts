// `npm run dev`: as `npm start`, under wrangler, which bundles again whenever a file of the Worker changes.
// Owns wrangler's process group: one interrupt ends it and the local host. Refuses nothing of its own; options as `npm start`.
// The local host itself is not reloaded: restart after a change in `src/local`.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { GitpinError } from "../errors.ts";
import { report, startFault } from "./report.ts";
import { readStartOptions } from "./start-options.ts";
import { untilStopped } from "./until-stopped.ts";

const checkout = join(import.meta.dirname, "../..");
const binaries = join(checkout, "node_modules/.bin");

/** How long wrangler may take to end by itself before its group is killed. */
const PATIENCE_MS = 3000;
/** How long the first bundle may take. A build that fails leaves wrangler waiting for a better one. */
const READY_MS = 60_000;

/** Without these, wrangler asks the network for things that nobody needs here. */
const QUIET = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_WRITE_LOGS: "false",
};

const started: (() => Promise<void>)[] = [];
let stopped = false;

async function stop(): Promise<void> {
  stopped = true;
  for (let close = started.pop(); close !== undefined; close = started.pop()) await close();
}

/** The variables as a file that only this user can read: arguments can be seen by everybody on the machine. */
async function variablesFile(vars: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gitpin-dev-"));
  started.push(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "vars.env");
  const lines = Object.entries(vars).map(([name, value]) => `${name}='${value}'\n`);
  await writeFile(path, lines.join(""), { mode: 0o600 });
  return path;
}

function wrangler(port: number, stateFolder: string, variables: string): ChildProcess {
  // The first configuration is reached over HTTP, the second by the first alone.
  const args = [
    "dev",
    "--config",
    "wrangler.toml",
    "--config",
    "wrangler.entities.toml",
    "--local",
    "--ip",
    "127.0.0.1",
    "--port",
    String(port),
  ];
  args.push("--persist-to", stateFolder, "--env-file", variables, "--show-interactive-dev-session=false");
  return spawn(join(binaries, "wrangler"), args, {
    cwd: checkout,
    // A group of its own: wrangler's helpers do not end with it otherwise.
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...QUIET, PATH: `${binaries}${delimiter}${process.env.PATH ?? ""}` },
  });
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-(child.pid as number), name);
    } catch (thrown) {
      // Nobody of the group is left.
      if ((thrown as NodeJS.ErrnoException).code !== "ESRCH") throw thrown;
    }
  };
  signal("SIGTERM");
  if (child.exitCode === null && child.signalCode === null) {
    await Promise.race([once(child, "exit"), sleep(PATIENCE_MS, undefined, { ref: false })]);
  }
  signal("SIGKILL");
}

/** Resolves when the Worker answers; false when it does not in time, or wrangler ended. */
async function answers(url: string, child: ChildProcess): Promise<boolean> {
  const until = Date.now() + READY_MS;
  while (Date.now() < until && child.exitCode === null && !stopped) {
    const response = await fetch(`${url}/healthz`).catch(() => null);
    if (response?.ok) return true;
    await sleep(250);
  }
  return false;
}

async function dev(args: string[]): Promise<void> {
  const options = readStartOptions(args, checkout);
  for (const note of options.notes) console.error(note);
  const [{ assertFree, freePort }, { startUpstream }, { welcome }] = await Promise.all([
    import("./port.ts"),
    import("./upstream.ts"),
    import("./welcome.ts"),
  ]);
  const port = options.port === 0 ? await freePort() : options.port;
  const url = `http://127.0.0.1:${port}`;
  await assertFree(port).catch((cause: unknown) => {
    throw startFault(cause, port, options.stateFolder);
  });
  const { vars, host } = await startUpstream(options, port);
  if (host !== null) started.push(() => host.close());
  await mkdir(options.stateFolder, { recursive: true }).catch((cause: unknown) => {
    throw startFault(cause, port, options.stateFolder);
  });
  const variables = await variablesFile({ ...vars, PUBLIC_URL: url });
  if (stopped) return await stop();
  const child = wrangler(port, options.stateFolder, variables);
  started.push(() => endGroup(child));
  child.once("exit", (code) => {
    if (stopped) return;
    process.exitCode = code === 0 ? 0 : 1;
    stop()
      .catch(report)
      .finally(() => process.exit());
  });
  if (await answers(url, child)) {
    const names = [...options.clones, ...options.github].map(({ name }) => name);
    console.log(await welcome(url, names));
  } else if (!stopped) {
    throw new GitpinError(
      "invalid_argument",
      "The Worker does not answer under wrangler; its own output above says why.",
      "Correct the fault and start again.",
    );
  }
}

untilStopped(stop, report);
await dev(process.argv.slice(2)).catch(async (thrown: unknown) => {
  if (!stopped) report(thrown);
  await stop();
});
