// `npm start`: the Worker in workerd on this machine, over local clones (or github.com), without an account or network.
// Owns start-up and stopping: one interrupt ends everything that was started. Configuration goes in as in production.
import { join } from "node:path";
import { asGitpinError, GitpinError } from "../errors.ts";
import { type LocalHost, startLocalHost } from "./host.ts";
import { readStartOptions, type StartOptions } from "./start-options.ts";
import { welcome } from "./welcome.ts";
import { startWorker } from "./workerd.ts";

const OWNER = "local";
const checkout = join(import.meta.dirname, "../..");

/** Where answers come from: the local host over clones, or github.com with the caller's own token. */
async function upstream(
  options: StartOptions,
): Promise<{ vars: Record<string, string>; host: LocalHost | null }> {
  if (options.github.length > 0) {
    const token = process.env.GITHUB_TOKEN;
    return { vars: token === undefined || token === "" ? {} : { GITHUB_TOKEN: token }, host: null };
  }
  const host = await startLocalHost({
    repositories: options.clones.map(({ name, path }) => ({ owner: OWNER, name, path })),
  });
  // Local requests cost nothing, so a commit shows within a second.
  return { vars: { GITHUB_API_URL: host.url, GITHUB_WEB_URL: host.url, HEAD_MAX_AGE: "1" }, host };
}

function registryOf({ clones, github }: StartOptions): string {
  const repositories = [...clones.map(({ name }) => ({ name, owner: OWNER, repo: name })), ...github];
  return JSON.stringify({ version: 1, repositories });
}

async function start(args: string[]): Promise<void> {
  const options = readStartOptions(args, checkout);
  const { vars, host } = await upstream(options);
  const worker = await startWorker({
    entry: "src/worker.ts",
    port: options.port,
    stateFolder: options.stateFolder,
    vars: {
      ...vars,
      PUBLIC_URL: "{url}",
      ALLOWED_HOSTS: `localhost:${options.port}`,
      ALLOWED_ORIGINS: `http://localhost:${options.port}`,
      // Only this machine can reach it, so its owner sees all that is registered.
      ANONYMOUS_ACCESS: "all",
      REGISTRY: registryOf(options),
    },
  }).catch(async (cause: unknown) => {
    await host?.close();
    throw startFault(cause, options.port);
  });
  const stop = async () => {
    await worker.close();
    await host?.close();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      stop().catch(report);
    });
  }
  const name = [...options.clones, ...options.github][0]?.name ?? "";
  console.log(await welcome(worker.url, name));
}

function startFault(cause: unknown, port: number): unknown {
  const text = cause instanceof Error ? cause.message : String(cause);
  return /in use|EADDRINUSE/i.test(text)
    ? new GitpinError(
        "invalid_argument",
        `Port ${port} is in use.`,
        "Stop what listens there, or choose another: npm start -- --port 8788",
        {},
        { cause },
      )
    : cause;
}

function report(thrown: unknown): void {
  const error = asGitpinError(thrown);
  const unknown = error.code === "internal" && error.cause instanceof Error ? `\n${error.cause.stack}` : "";
  console.error(`${error.message} ${error.nextStep}${unknown}`);
  process.exitCode = 1;
}

await start(process.argv.slice(2)).catch(report);
