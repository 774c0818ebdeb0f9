/**
 * A bare repository at a local host that takes writes, for tests of the writer: what is planned on it, and what git says of it after.
 * Each has a host and a folder of its own, since writing changes both.
 */
import { dirname, join } from "node:path";
import { editedTree, touchedDirectories } from "../../src/core/git/edited-tree.ts";
import { objectId } from "../../src/core/git/hash.ts";
import type { TreeEntry } from "../../src/core/git/tree-entry.ts";
import type { LocalHostOptions } from "../../src/local/host.ts";
import type { RepositoryReader } from "../../src/ports/repository-reader.ts";
import type { CommitFile, CommitRequest } from "../../src/ports/repository-writer.ts";
import { GitRepository } from "./git.ts";
import { type Hosted, hosted, REPOSITORY_ID } from "./hosted.ts";

export const MAIN_FILES = {
  "README.md": "# Here\n",
  "src/app.ts": "export const answer = 42;\n",
  "src/deep/er/file.go": "package er\n",
  "run.sh": "#!/bin/sh\n",
};

export class Writing {
  readonly repository: GitRepository;
  readonly at: Hosted;
  /** Tip of `main` at the start. */
  readonly head: string;

  constructor(repository: GitRepository, at: Hosted, head: string) {
    this.repository = repository;
    this.at = at;
    this.head = head;
  }

  /** git in the bare repository that the host serves. */
  git(...args: string[]): string {
    return this.repository.git("-C", bareOf(this.repository), ...args);
  }

  bytes(...args: string[]): Buffer {
    return this.repository.bytes("-C", bareOf(this.repository), ...args);
  }

  feed(input: string | Uint8Array, ...args: string[]): string {
    return this.repository.feed(input, "-C", bareOf(this.repository), ...args);
  }

  /** A commit by somebody else, on top of `parent`, with `text` at `path`; no branch moves. */
  foreign(parent: string, path: string, text: string): string {
    const blob = this.feed(text, "hash-object", "-w", "--stdin");
    this.git("read-tree", parent);
    this.git("update-index", "--add", "--cacheinfo", `100644,${blob},${path}`);
    return this.git("commit-tree", this.git("write-tree"), "-p", parent, "-m", `foreign ${path}`);
  }

  /** `METHOD path status` of every request since the last `forget`, without the repository's own address. */
  asked(): string[] {
    return this.at.host.requests.map(
      ({ method, path, status }) =>
        `${method} ${path.replace(`/repositories/${REPOSITORY_ID}`, "")} ${status}`,
    );
  }

  async close(): Promise<void> {
    await this.at.host.close();
    this.repository.remove();
  }
}

const bareOf = (repository: GitRepository): string => join(dirname(repository.path), "bare.git");

export async function writing(
  options: Partial<LocalHostOptions> = {},
  files: Readonly<Record<string, string>> | null = MAIN_FILES,
  served: { archived?: boolean; protectedBranches?: string[] } = {},
): Promise<Writing> {
  const repository = new GitRepository();
  let head = "";
  if (files !== null) {
    for (const [path, text] of Object.entries(files)) repository.write(path, text);
    repository.git("add", "--all");
    if ("run.sh" in files) repository.git("update-index", "--chmod=+x", "run.sh");
    head = repository.commit("files");
  }
  if (files === null)
    repository.git("init", "--quiet", "--bare", "--initial-branch=main", bareOf(repository));
  else repository.git("clone", "--quiet", "--bare", "--no-local", ".", bareOf(repository));
  const path = bareOf(repository);
  const at = await hosted(path, {
    writable: true,
    repositories: [{ owner: "octo", name: "awkward", path, id: REPOSITORY_ID, private: true, ...served }],
    ...options,
  });
  return new Writing(repository, at, head);
}

export function commitFile(path: string, content: string | Uint8Array, mode = "100644"): CommitFile {
  const bytes = Buffer.from(content);
  return { path, mode, bytes, blob: objectId("blob", bytes) };
}

/** What is asked of the writer for these files on top of a commit; reads what it takes through `reader`. */
export async function planned(
  reader: RepositoryReader,
  parent: string,
  files: readonly CommitFile[],
  message = "Change files",
): Promise<CommitRequest> {
  const commit = await reader.commit(parent);
  if (commit === null) throw new Error(`there is no commit ${parent}`);
  const levels = new Map<string, readonly TreeEntry[]>();
  for (const directory of touchedDirectories(files.map(({ path }) => path))) {
    const listing = await reader.directory(commit, directory);
    if (listing !== null) levels.set(directory, listing.entries);
  }
  const made = editedTree(commit.tree, levels, files);
  if (!("root" in made)) throw new Error(made.fault);
  return { parent, parentTree: commit.tree, files, tree: made.root, message };
}
