// Which repositories the host serves, by id and by name, and where former names lead.
// Owns: GitHub's naming rules (case-insensitive, ids stable over renames). Refuses: two repositories of one id or name.
import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import type { View } from "./git/environment.ts";
import { GitRepository } from "./git/repository.ts";

export interface LocalRepository {
  owner: string;
  name: string;
  /** The clone: bare or not, a linked work tree, shallow. */
  path: string;
  /** Default: derived from the path, so it stays the same over restarts. */
  id?: number;
  private?: boolean;
  /** `owner/old`: asked for by such a name, the answer is 301. */
  formerNames?: string[];
  archived?: boolean;
  /** Branches that change through pull requests alone: nobody writes to them, nor makes one of that name. */
  protectedBranches?: string[];
  /** Default: the branch HEAD names when the host starts. */
  defaultBranch?: string;
  /** The default branch is whatever HEAD names at each request; a detached HEAD counts as it stands. Not with the former. */
  followHead?: boolean;
}

export interface ServedRepository {
  id: number;
  owner: string;
  name: string;
  private: boolean;
  archived: boolean;
  protectedBranches: string[];
  defaultBranch: string;
  followHead: boolean;
  git: GitRepository;
}

/** 31 bits of the path's SHA-256: positive, and exact in JSON and 32-bit databases. */
export function idOfPath(path: string): number {
  return createHash("sha256").update(path).digest().readUInt32BE(0) >>> 1 || 1;
}

async function chooseDefaultBranch(git: GitRepository): Promise<string> {
  const head = await git.headBranch();
  if (head !== null) return head;
  const branches = (await git.refs("refs/heads")).map(({ name }) => name.slice("refs/heads/".length));
  return ["main", "master"].find((name) => branches.includes(name)) ?? branches[0] ?? "main";
}

/** For a repository that follows HEAD: where HEAD stands now. No branch bears the name of a detached HEAD, `HEAD`. */
export async function followHead(served: ServedRepository): Promise<void> {
  if (!served.followHead) return;
  const detached = (await served.git.headBranch()) === null && (await served.git.headSha()) !== null;
  served.defaultBranch = detached ? "HEAD" : await chooseDefaultBranch(served.git);
}

export class Directory {
  readonly #view: View;
  readonly #byId = new Map<number, ServedRepository>();
  /** Lower-case `owner/name`, current and former, to id. */
  readonly #names = new Map<string, number>();

  constructor(view: View) {
    this.#view = view;
  }

  async add(entry: LocalRepository): Promise<ServedRepository> {
    const names = [`${entry.owner}/${entry.name}`, ...(entry.formerNames ?? [])];
    for (const name of names) {
      if (!/^[\w.-]+\/[\w.-]+$/.test(name)) throw new Error(`${name} is not a repository name`);
      if (this.#names.has(name.toLowerCase())) throw new Error(`${name} is served already`);
    }
    const git = await GitRepository.open(entry.path, this.#view);
    const id = entry.id ?? idOfPath(await realpath(entry.path));
    const same = this.#byId.get(id);
    if (same) {
      git.close();
      throw new Error(`${names[0]} has the id ${id} of ${same.owner}/${same.name}`);
    }
    const served: ServedRepository = {
      id,
      owner: entry.owner,
      name: entry.name,
      private: entry.private ?? false,
      archived: entry.archived ?? false,
      protectedBranches: entry.protectedBranches ?? [],
      defaultBranch: entry.defaultBranch ?? (await chooseDefaultBranch(git)),
      followHead: entry.followHead ?? false,
      git,
    };
    this.#byId.set(id, served);
    for (const name of names) this.#names.set(name.toLowerCase(), id);
    return served;
  }

  byId(id: number): ServedRepository | undefined {
    return this.#byId.get(id);
  }

  /** Found by its present name, or (`moved`) by a former one. */
  byName(owner: string, name: string): { repository: ServedRepository; moved: boolean } | undefined {
    const asked = `${owner}/${name}`.toLowerCase();
    const repository = this.#byId.get(this.#names.get(asked) ?? Number.NaN);
    if (!repository) return undefined;
    return { repository, moved: `${repository.owner}/${repository.name}`.toLowerCase() !== asked };
  }

  all(): ServedRepository[] {
    return [...this.#byId.values()];
  }

  /** Gives a repository a new name; the old one leads to it from now on. */
  rename(from: string, to: string): void {
    const [owner = "", name = ""] = from.split("/");
    const found = this.byName(owner, name);
    const [newOwner = "", newName = ""] = to.split("/");
    if (!found || found.moved) throw new Error(`${from} is not served`);
    const taken = this.byName(newOwner, newName);
    if (taken && taken.repository !== found.repository) throw new Error(`${to} is served already`);
    found.repository.owner = newOwner;
    found.repository.name = newName;
    this.#names.set(to.toLowerCase(), found.repository.id);
  }

  /** No longer served: 404 under every name. */
  remove(fullName: string): void {
    const [owner = "", name = ""] = fullName.split("/");
    const found = this.byName(owner, name);
    if (!found) throw new Error(`${fullName} is not served`);
    this.#byId.delete(found.repository.id);
    for (const [known, id] of this.#names) if (id === found.repository.id) this.#names.delete(known);
    found.repository.git.close();
  }

  close(): void {
    for (const { git } of this.#byId.values()) git.close();
  }
}
