// By hand: `node src/local/serve.ts --repo PATH [--repo PATH …] [--owner NAME] [--port N]` serves clones until it is
// interrupted and prints the base URL. Each repository is named after its folder.
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startLocalHost } from "./host.ts";

const { values } = parseArgs({
  options: {
    repo: { type: "string", multiple: true, default: ["."] },
    owner: { type: "string", default: "local" },
    port: { type: "string", default: "0" },
  },
});

const repositories = values.repo.map((path) => ({
  owner: values.owner,
  name: basename(resolve(path)).replace(/\.git$/, "") || "repository",
  path,
}));

const host = await startLocalHost({ repositories, port: Number(values.port) });
console.log(host.url);
for (const { owner, name } of repositories) console.log(`${host.url}/repos/${owner}/${name}`);

const stop = (): void => {
  host.close().catch((reason: unknown) => {
    console.error(reason);
    process.exitCode = 1;
  });
};
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
