// One local clone: opens it (bare, with a work tree, linked work tree, shallow) and reads its objects and refs.
// Owns: finding the object store and refs, the long-lived object readers, and the host's own store, whose objects are read
// as if they were the clone's. Refuses: SHA-256 repositories, folders inside a repository, and writing to the clone
// (`ref-moves.ts` alone does). Refs are asked for anew each time: a change in the clone is seen at once.
import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { CatFile, type GitObject, type ObjectInfo } from "./cat-file.ts";
import {
  cleanEnvironment,
  createStore,
  type Environment,
  type Store,
  type View,
  viewEnvironment,
} from "./environment.ts";
import { ObjectWriter } from "./object-writer.ts";
import { type Commit, parseCommit, parseTag, parseTree, type Tag, type TreeEntry } from "./objects.ts";
import { isRefName } from "./ref-name.ts";
import { GitFailure, type RunResult, runGit, startGit } from "./run.ts";

export interface Ref {
  /** Full name, `refs/heads/main`. */
  name: string;
  sha: string;
}

// What lives in a clone for the clone's sake; a hosted repository has none of it.
const CLONE_ONLY = /^refs\/(?:remotes|stash|worktree|bisect|rewritten|original|prefetch)(?:\/|$)/;

/** Where the parts of a clone are. */
export interface ClonePlaces {
  gitDirectory: string;
  commonDirectory: string;
  bare: boolean;
  /** Its object store, and those that it borrows from. */
  objects: readonly string[];
}

export class GitRepository {
  readonly path: string;
  readonly places: ClonePlaces;
  /** Makes objects in the host's own store. */
  readonly writer: ObjectWriter;
  /** Environments: to read everything, and to work in the host's own store, which borrows the clone's. */
  readonly storeEnvironment: Environment;
  readonly #view: View;
  readonly #env: Environment;
  readonly #contents: CatFile;
  readonly #infos: CatFile;

  private constructor(path: string, places: ClonePlaces, view: View, store: Store) {
    this.path = path;
    this.places = places;
    this.#view = view;
    const shallow = join(places.commonDirectory, "shallow");
    const [own = "", ...others] = places.objects;
    this.#env = viewEnvironment(view, own, [store.objects], shallow);
    this.storeEnvironment = viewEnvironment(view, store.objects, [own, ...others], shallow);
    this.writer = new ObjectWriter(store, this.storeEnvironment);
    this.#contents = new CatFile("--batch", view.directory, this.#env);
    this.#infos = new CatFile("--batch-check", view.directory, this.#env);
  }

  /** Opens the clone at `path`, which must be its top folder (or its git directory). */
  static async open(path: string, view: View): Promise<GitRepository> {
    const folder = resolve(path);
    if (!(await stat(folder).catch(() => null))?.isDirectory()) throw new Error(`${path} is not a folder`);
    const env = cleanEnvironment({ GIT_CEILING_DIRECTORIES: dirname(folder) });
    const ask = [
      "rev-parse",
      "--path-format=absolute",
      "--git-dir",
      "--git-common-dir",
      "--show-object-format",
      "--is-bare-repository",
    ];
    const { stdout } = await runGit(["-c", "safe.directory=*", ...ask], { cwd: folder, env }).catch(
      (reason: unknown) => {
        if (reason instanceof GitFailure)
          throw new Error(`${path} is not a git repository`, { cause: reason });
        throw reason;
      },
    );
    const [gitDirectory = "", commonDirectory = "", format = "", bare] = stdout.toString().split("\n");
    if (format !== "sha1") {
      throw new Error(`${path} uses the ${format} object format; only SHA-1 repositories can be served`);
    }
    const objects = await objectStores(join(commonDirectory, "objects"));
    const places = { gitDirectory, commonDirectory, bare: bare === "true", objects };
    return new GitRepository(folder, places, view, await createStore(view));
  }

  close(): void {
    this.writer.close();
    this.#contents.close();
    this.#infos.close();
  }

  /** Runs git on the objects of the clone, without its configuration and without its refs. */
  run(args: string[], allowed?: number[], onOutput?: (piece: Buffer) => boolean): Promise<RunResult> {
    const options = { cwd: this.#view.directory, env: this.#env };
    return runGit(args, { ...options, ...(allowed && { allowed }), ...(onOutput && { onOutput }) });
  }

  /** As `run`, with the output as a stream. */
  start(args: string[]): ReturnType<typeof startGit> {
    return startGit(args, { cwd: this.#view.directory, env: this.#env });
  }

  object(sha: string): Promise<GitObject | null> {
    return this.#contents.read(sha);
  }

  info(sha: string): Promise<ObjectInfo | null> {
    return this.#infos.read(sha);
  }

  async commit(sha: string): Promise<Commit | null> {
    const found = await this.object(sha);
    return found?.type === "commit" ? parseCommit(found.content) : null;
  }

  async tag(sha: string): Promise<Tag | null> {
    const found = await this.object(sha);
    return found?.type === "tag" ? parseTag(found.content) : null;
  }

  async tree(sha: string): Promise<TreeEntry[] | null> {
    const found = await this.object(sha);
    return found?.type === "tree" ? parseTree(found.content) : null;
  }

  /** Follows annotated tags (of tags) to what they mark. */
  async peel(sha: string): Promise<ObjectInfo | null> {
    let info = await this.info(sha);
    while (info?.type === "tag") {
      const tag = await this.tag(info.sha);
      info = tag ? await this.info(tag.object) : null;
    }
    return info;
  }

  /** Refs under any of the given prefixes (whole path segments, as `refs/heads`), in byte order. */
  async refs(...prefixes: string[]): Promise<Ref[]> {
    const { stdout } = await this.runOnClone([
      "for-each-ref",
      "--format=%(objectname) %(refname)",
      "--",
      ...(prefixes.length > 0 ? prefixes : ["refs/"]),
    ]);
    const lines = stdout.toString("utf8").split("\n").slice(0, -1);
    const found = lines.map((line) => ({ sha: line.slice(0, 40), name: line.slice(41) }));
    return found.filter(({ name }) => !CLONE_ONLY.test(name));
  }

  /** The first of these full names that exists. */
  async firstRef(...names: string[]): Promise<Ref | null> {
    const valid = names.filter(isRefName);
    if (valid.length === 0) return null;
    const found = new Map((await this.refs(...valid)).map((ref) => [ref.name, ref]));
    for (const name of valid) {
      const ref = found.get(name);
      if (ref) return ref;
    }
    return null;
  }

  /** The branch HEAD names (`main`), whether or not it exists; null when HEAD is detached. */
  async headBranch(): Promise<string | null> {
    const { stdout } = await this.runOnClone(["symbolic-ref", "--quiet", "HEAD"], [0, 1]);
    const name = stdout.toString().trim();
    return name.startsWith("refs/heads/") ? name.slice("refs/heads/".length) : null;
  }

  /** The object HEAD stands on; null when there is none yet. */
  async headSha(): Promise<string | null> {
    const { stdout } = await this.runOnClone(["rev-parse", "--verify", "--quiet", "HEAD"], [0, 1]);
    return stdout.toString().trim() || null;
  }

  /** Commits whose name starts with these hex digits. */
  async commitsStartingWith(prefix: string): Promise<string[]> {
    if (!/^[0-9a-f]{4,40}$/.test(prefix)) return [];
    const { stdout } = await this.run(["rev-parse", `--disambiguate=${prefix}`]);
    const names = stdout.toString().split("\n").filter(Boolean);
    const infos = await Promise.all(names.map((name) => this.info(name)));
    return infos.flatMap((info) => (info?.type === "commit" ? [info.sha] : []));
  }

  /** Neither a branch, a tag nor a commit under HEAD. */
  async isEmpty(): Promise<boolean> {
    return (await this.headSha()) === null && (await this.refs()).length === 0;
  }

  /** Runs git on the clone itself: its refs. No hook runs. */
  runOnClone(args: string[], allowed?: number[], input?: string): Promise<RunResult> {
    const env = cleanEnvironment({ GIT_DIR: this.places.gitDirectory });
    const settings = ["-c", "core.fsmonitor=false", "-c", `core.hooksPath=${this.noHooks}`];
    const options = { cwd: this.#view.directory, env, ...(allowed && { allowed }) };
    return runGit([...settings, ...args], { ...options, ...(input !== undefined && { input }) });
  }

  /** A folder without hooks. */
  get noHooks(): string {
    return this.#view.directory;
  }
}

/** A store and those it borrows from (gitrepository-layout(5), objects/info/alternates); relative paths are the store's. */
async function objectStores(objects: string): Promise<string[]> {
  const text = await readFile(join(objects, "info/alternates"), "utf8").catch((reason: unknown) => {
    if ((reason as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw reason;
  });
  const lines = text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#") && !line.startsWith('"'));
  return [objects, ...lines.map((line) => resolve(objects, line))];
}
