/**
 * The command line in this process, against the whole product: hosted (the Worker in workerd) and direct (a registry file,
 * GITHUB_API_URL at the local host). Owns one repository with every kind of verdict in it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../src/cli/main.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";

export interface Ran {
  code: number;
  out: string;
  error: string;
  /** Milliseconds that the command would have waited. */
  waited: number[];
}

export async function gitpin(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Ran> {
  const ran: Ran = { code: 0, out: "", error: "", waited: [] };
  const output = {
    out: (text: string) => {
      ran.out += text;
    },
    error: (text: string) => {
      ran.error += text;
    },
  };
  ran.code = await run(args, environment, output, async (milliseconds) => void ran.waited.push(milliseconds));
  return ran;
}

export interface CommandLineStack {
  stack: Stack;
  repository: GitRepository;
  /** First commit, cited by tests, and HEAD. */
  old: string;
  head: string;
  hosted: Readonly<Record<string, string>>;
  direct: Readonly<Record<string, string>>;
  /** A file in a temporary folder. */
  file(name: string, content: string): string;
  close(): Promise<void>;
}

/** At `old`: line 2 of moved.md stands on line 3 at HEAD, line 1 of changed.md differs, gone.md is gone. */
export async function commandLineStack(): Promise<CommandLineStack> {
  const repository = new GitRepository("notes");
  repository
    .write("README.md", "# Notes\n\nFirst line of evidence.\n")
    .write("moved.md", "one\ntwo\nthree\n")
    .write("changed.md", "before\nsame\n")
    .write("gone.md", "was here\n")
    .write("with space.md", "spaced\n")
    .write(".env", "SECRET=1\n");
  const old = repository.commit("first");
  repository.write("moved.md", "zero\none\ntwo\nthree\n").write("changed.md", "after\nsame\n");
  repository.git("rm", "--quiet", "gone.md");
  const head = repository.commit("second");
  const folder = mkdtempSync(join(tmpdir(), "gitpin-cli-"));
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const registry = [{ name: "notes", owner: "octo", repo: "notes" }];
  const stack = await startStack({
    host: { repositories: [{ owner: "octo", name: "notes", path: repository.path }] },
    registry,
  });
  return {
    stack,
    repository,
    old,
    head,
    hosted: { GITPIN_URL: stack.worker.url },
    direct: {
      GITPIN_REGISTRY: file("registry.json", JSON.stringify({ version: 1, repositories: registry })),
      GITHUB_API_URL: stack.host.url,
      GITHUB_WEB_URL: "https://github.example",
    },
    file,
    async close() {
      await stack.close();
      repository.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
