/**
 * For tests: a hosted repository in memory, with true object ids, as the service sees it through its ports. Every step a writer
 * takes is recorded by name, and any of them can be made to fail or to be overtaken by somebody else.
 */
import { type ArchiveFile, heldFile } from "../../src/core/archive/archive-file.ts";
import { rawPathOfText } from "../../src/core/archive/raw-path.ts";
import { objectId } from "../../src/core/git/hash.ts";
import { encodeTree, inGitOrder, type TreeItem } from "../../src/core/git/tree.ts";
import { kindOfMode, type TreeEntry } from "../../src/core/git/tree-entry.ts";
import { GitpinError } from "../../src/errors.ts";
import type { FilesReader, FilesVisit } from "../../src/ports/commit-files.ts";
import type { Commit, Head, RepositoryReader } from "../../src/ports/repository-reader.ts";
import type {
  BranchInTheWay,
  CommitFile,
  CommitRequest,
  PullRequestInput,
  RefMove,
  RepositoryWriter,
} from "../../src/ports/repository-writer.ts";

const encoder = new TextEncoder();
const person = { name: "A", email: "a@example.org", date: "2026-01-01T00:00:00Z" };

interface FileState {
  mode: string;
  bytes: Uint8Array;
}
type Snapshot = ReadonlyMap<string, FileState>;

/** A text is a plain file; null takes the file away. */
export type Change = Record<string, string | { mode: string; text: string } | null>;

export const emptyError = (): GitpinError =>
  new GitpinError("repository_empty", "No commit yet.", "Make one.");

export class MemoryHost {
  readonly id = 4711;
  readonly defaultBranch = "main";
  readonly refs = new Map<string, string>();
  readonly snapshots = new Map<string, Snapshot>();
  readonly commits = new Map<string, Commit>();
  readonly #trees = new Map<string, TreeEntry[]>();
  readonly #blobs = new Map<string, Uint8Array>();
  /** Steps of writers in order, e.g. `advance main`; and blobs that were read. */
  readonly steps: string[] = [];
  readonly blobsRead: string[] = [];
  readonly pulls: PullRequestInput[] = [];
  /** Commits whose archives are stored. */
  readonly archived = new Set<string>();
  /** Run before a step, by its name (`tip`, `prepare`, `advance`, ...); what it throws the step throws. */
  before: Partial<Record<string, () => void | Promise<void>>> = {};
  /** Run after a step that did what it was to do: an answer that does not arrive. */
  after: Partial<Record<string, () => void | Promise<void>>> = {};

  /** Commits to a branch as somebody outside would; gives the commit. */
  push(branch: string, change: Change, parent = this.refs.get(branch)): string {
    const files = new Map(parent === undefined ? [] : this.snapshots.get(parent));
    for (const [path, content] of Object.entries(change)) {
      if (content === null) files.delete(path);
      else if (typeof content === "string")
        files.set(path, { mode: "100644", bytes: encoder.encode(content) });
      else files.set(path, { mode: content.mode, bytes: encoder.encode(content.text) });
    }
    const sha = this.#store(files, parent ?? null, `push ${this.commits.size}`);
    this.refs.set(branch, sha);
    return sha;
  }

  text(branch: string, path: string): string | null {
    const file = this.snapshots.get(this.refs.get(branch) ?? "")?.get(path);
    return file === undefined ? null : new TextDecoder().decode(file.bytes);
  }

  /** First parents of a branch, its tip first. */
  history(branch: string): Commit[] {
    const line: Commit[] = [];
    for (let at = this.refs.get(branch); at !== undefined; ) {
      const commit = this.commits.get(at);
      if (commit === undefined) break;
      line.push(commit);
      at = commit.parents[0];
    }
    return line;
  }

  #store(files: Snapshot, parent: string | null, message: string): string {
    const tree = this.#tree(files, "");
    const parents = parent === null ? [] : [parent];
    // As time makes them: no two commits are the same.
    const made = `made ${this.commits.size}`;
    const text = [`tree ${tree}`, ...parents.map((id) => `parent ${id}`), made, "", message].join("\n");
    const sha = objectId("commit", encoder.encode(text));
    this.commits.set(sha, {
      sha,
      tree,
      parents,
      author: person,
      committer: person,
      message,
      assurance: "hashed",
    });
    this.snapshots.set(sha, files);
    return sha;
  }

  #tree(files: Snapshot, directory: string): string {
    const prefix = directory === "" ? "" : `${directory}/`;
    const items = new Map<string, TreeItem>();
    for (const [path, { mode, bytes }] of files) {
      if (!path.startsWith(prefix)) continue;
      const [name = "", ...more] = path.slice(prefix.length).split("/");
      if (more.length > 0) {
        if (!items.has(name)) items.set(name, { name, mode: "040000", id: this.#tree(files, prefix + name) });
        continue;
      }
      const id = objectId("blob", bytes);
      this.#blobs.set(id, bytes);
      items.set(name, { name, mode, id });
    }
    const ordered = inGitOrder([...items.values()]);
    const id = objectId("tree", encodeTree(ordered));
    this.#trees.set(
      id,
      ordered.map(({ name, mode, id: child }) => ({
        path: name,
        mode,
        kind: kindOfMode(mode) ?? "file",
        id: child,
        size: this.#blobs.get(child)?.byteLength ?? null,
      })),
    );
    return id;
  }

  /** Everything the service reads; what a mutation has no use for throws. */
  reader(): RepositoryReader {
    const entryAt = (commit: Commit, path: string): TreeEntry | null => {
      let entry: TreeEntry = { path: "", mode: "040000", kind: "directory", id: commit.tree, size: null };
      for (const name of path === "" ? [] : path.split("/")) {
        const child = this.#trees.get(entry.id)?.find((one) => one.path === name);
        if (child === undefined || entry.kind !== "directory") return null;
        entry = { ...child, path: entry.path === "" ? name : `${entry.path}/${name}` };
      }
      return entry;
    };
    const children = (commit: Commit, path: string): TreeEntry[] | null => {
      const entry = entryAt(commit, path);
      if (entry?.kind !== "directory") return null;
      const prefix = path === "" ? "" : `${path}/`;
      return (this.#trees.get(entry.id) ?? []).map((child) => ({ ...child, path: prefix + child.path }));
    };
    const all = (commit: Commit, path: string): TreeEntry[] =>
      (children(commit, path) ?? []).flatMap((entry) =>
        entry.kind === "directory" ? all(commit, entry.path) : [entry],
      );
    const visit = async <T>(
      commit: Commit,
      read: FilesReader<T>,
      from: FilesVisit<T>["from"],
    ): Promise<FilesVisit<T>> => {
      const files = [...(this.snapshots.get(commit.sha) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
      async function* each(): AsyncGenerator<ArchiveFile> {
        for (const [path, { mode, bytes }] of files) {
          const kind = mode === "100755" ? "executable" : mode === "120000" ? "symlink" : "file";
          yield heldFile({ path, rawPath: rawPathOfText(path), kind }, bytes);
        }
      }
      const result = await read(each());
      return {
        result,
        from,
        archiveBytes: 1,
        tree: "hashed",
        replacedFiles: 0,
        submodules: [],
      };
    };
    const known: Partial<RepositoryReader> = {
      identity: async () => ({
        id: this.id,
        fullName: "octo/app",
        defaultBranch: this.defaultBranch,
        visibility: "private",
        archived: false,
        webUrl: "https://github.example/octo/app",
      }),
      head: async (ref = this.defaultBranch): Promise<Head> => {
        const sha = this.refs.get(ref);
        if (this.refs.size === 0) throw emptyError();
        if (sha === undefined) throw new GitpinError("ref_not_registered", "No such ref.", "Name another.");
        return { ref: `refs/heads/${ref}`, sha, checkedAt: "2026-01-01T00:00:00Z", stale: null };
      },
      commit: async (sha) => this.commits.get(sha) ?? null,
      entry: async (commit, path) => {
        const entry = entryAt(commit, path);
        return entry === null ? null : { entry, assurance: "hashed" };
      },
      directory: async (commit, path) => {
        const entries = children(commit, path);
        return entries === null ? null : { entries, assurance: "hashed", complete: true };
      },
      paths: async (commit) => ({ entries: all(commit, ""), assurance: "hashed", complete: true }),
      blob: async (id) => {
        this.blobsRead.push(id);
        const bytes = this.#blobs.get(id);
        if (bytes === undefined) throw new Error(`no blob ${id}`);
        return bytes;
      },
      files: async <T>(commit: Commit, read: FilesReader<T>) => {
        this.steps.push("archive");
        return await visit(commit, read, "host");
      },
      storedFiles: async <T>(commit: Commit, read: FilesReader<T>) =>
        this.archived.has(commit.sha) ? await visit(commit, read, "store") : null,
    };
    return new Proxy(known as RepositoryReader, {
      get(target, name) {
        const operation: unknown = Reflect.get(target, name);
        if (operation === undefined) throw new Error(`a mutation asked for ${String(name)}`);
        return operation;
      },
    });
  }

  async #step<T>(name: string, about: string, work: () => T | Promise<T>): Promise<T> {
    this.steps.push(about === "" ? name : `${name} ${about}`);
    await this.before[name]?.();
    const done = await work();
    await this.after[name]?.();
    return done;
  }

  #inTheWayOf(branch: string): string | null {
    const clashes = (other: string) => branch.startsWith(`${other}/`) || other.startsWith(`${branch}/`);
    return [...this.refs.keys()].find(clashes) ?? null;
  }

  writer(): RepositoryWriter {
    return {
      tip: (branch) => this.#step("tip", branch, () => this.refs.get(branch) ?? null),
      prepare: (request) => this.#step("prepare", "", () => this.#prepare(request)),
      advance: (branch, from, to) =>
        this.#step("advance", branch, (): RefMove => {
          if (this.refs.get(branch) !== from) return "raced";
          this.refs.set(branch, to);
          return "moved";
        }),
      inTheWayOf: (branch) => this.#step("inTheWayOf", branch, () => this.#inTheWayOf(branch)),
      createBranch: (branch, at) =>
        this.#step("createBranch", branch, (): RefMove | BranchInTheWay => {
          const inTheWay = this.#inTheWayOf(branch);
          if (inTheWay !== null) return { inTheWay };
          const there = this.refs.get(branch);
          if (there !== undefined && there !== at) return "raced";
          this.refs.set(branch, at);
          return "moved";
        }),
      firstCommit: (file, branch, message) =>
        this.#step("firstCommit", branch, () => {
          if (this.refs.size > 0) return null;
          const sha = this.#store(new Map([[file.path, file]]), null, message);
          this.refs.set(branch, sha);
          return sha;
        }),
      firstLanded: (branch, tree, message) =>
        this.#step("firstLanded", branch, () => {
          const root = this.history(branch).at(-1);
          return root?.tree === tree && root.message === message ? root.sha : null;
        }),
      landed: (branch, commit) =>
        this.#step("landed", branch, () =>
          this.refs.has(branch) ? this.history(branch).some(({ sha }) => sha === commit) : null,
        ),
      openPullRequest: (input) =>
        this.#step("openPullRequest", `${input.head} to ${input.base}`, () => {
          this.pulls.push(input);
          return {
            number: this.pulls.length,
            url: `https://github.example/octo/app/pull/${this.pulls.length}`,
          };
        }),
      wrote: (branch, commit, files) => {
        this.steps.push(`wrote ${branch} ${files.length}`);
        if (!this.commits.has(commit)) throw new Error("told of a commit that is not there");
      },
    };
  }

  #prepare({ parent, parentTree, files, tree, message }: CommitRequest): string {
    const before = this.commits.get(parent);
    if (before?.tree !== parentTree) throw new Error("the parent's tree is another one");
    const after = new Map(this.snapshots.get(parent));
    for (const { path, mode, bytes, blob } of files as readonly CommitFile[]) {
      if (objectId("blob", bytes) !== blob) throw new Error("a blob id is not that of its bytes");
      after.set(path, { mode, bytes });
    }
    const sha = this.#store(after, parent, message);
    if (this.commits.get(sha)?.tree !== tree) throw new Error("the tree is not the one that was computed");
    return sha;
  }
}
