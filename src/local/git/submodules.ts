// Which address belongs to a submodule's path, read from `.gitmodules` of the same tree by `git config`.
import type { GitRepository } from "./repository.ts";
import { locate } from "./tree-path.ts";

/** Path to URL; empty without a (readable) `.gitmodules`. */
export async function submoduleUrls(git: GitRepository, tree: string): Promise<Map<string, string>> {
  const file = await locate(git, tree, ".gitmodules");
  if (!file || file.mode.startsWith("04")) return new Map();
  const ask = ["config", `--blob=${file.sha}`, "-z", "--get-regexp", "^submodule\\..*\\.(path|url)$"];
  // 1: nothing matches; 3 and 128: not a configuration file.
  const { exitCode, stdout } = await git.run(ask, [0, 1, 3, 128]);
  if (exitCode !== 0) return new Map();
  const modules = new Map<string, { path?: string; url?: string }>();
  for (const line of stdout.toString("utf8").split("\0").filter(Boolean)) {
    const newline = line.indexOf("\n");
    const dot = line.lastIndexOf(".", newline);
    const name = line.slice(0, dot);
    const key = line.slice(dot + 1, newline);
    modules.set(name, { ...modules.get(name), [key]: line.slice(newline + 1) });
  }
  const known = [...modules.values()].map(({ path, url }) => [path ?? "", url ?? ""] as const);
  return new Map(known.filter(([path, url]) => path !== "" && url !== ""));
}
