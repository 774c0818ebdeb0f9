/**
 * What the planner reads of the commit that is planned on. Owns the gate: a path that policy denies is refused before it is
 * looked up, so that neither its content nor whether it is there can be told from the answer. Blobs are read when they are
 * asked for; those that the bases of the call name are read side by side from the first request on.
 */
import type { FileAtHead, HeadView } from "../../core/entity/edit/head-view.ts";
import { SOURCE_BYTES_PER_CALL } from "../../core/entity/edit/workspace.ts";
import { sourceRefused } from "../../core/entity/source-refused.ts";
import { SOURCE_BYTES } from "../../core/entity/source-text.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import type { TreeEntry } from "../../core/git/tree-entry.ts";
import { GitpinError } from "../../errors.ts";
import type { RepositoryReader } from "../../ports/repository-reader.ts";
import { sideBySide } from "../side-by-side.ts";
import { wholeTree } from "../whole-tree.ts";
import type { PlannedHead } from "./planned-head.ts";

const NOTHING = new Uint8Array(0);

/** What git writes for a file: the odd modes of old trees become plain when the file is written again. */
const writtenMode = ({ kind, mode }: TreeEntry): string =>
  kind === "file" ? "100644" : kind === "executable" ? "100755" : mode;

export class CommitView implements HeadView {
  readonly #reader: RepositoryReader;
  readonly #head: PlannedHead;
  readonly #expected: readonly string[];
  readonly #files = new Map<string, Promise<FileAtHead | null>>();
  #started = false;
  #bytes = 0;

  /** `expected`: paths that will be asked for. */
  constructor(reader: RepositoryReader, head: PlannedHead, expected: readonly string[]) {
    this.#reader = reader;
    this.#head = head;
    this.#expected = expected;
  }

  /** Throws `write_not_allowed` for what policy denies, `source_refused` for what is too large to be source. */
  async file(path: string): Promise<FileAtHead | null> {
    if (!this.#started) {
      this.#started = true;
      void sideBySide(this.#expected, (one) => this.#readAhead(one));
    }
    assertShown(this.#head, path);
    return await this.#read(path);
  }

  async directory(path: string): Promise<readonly { path: string; mode: string }[]> {
    const { commit } = this.#head;
    const listing = commit === null ? null : await this.#reader.directory(commit, path);
    return listing?.entries.map(({ path: at, mode }) => ({ path: at, mode })) ?? [];
  }

  async directoryId(sha: ObjectId, path: string): Promise<ObjectId | null> {
    const commit = sha === this.#head.commit?.sha ? this.#head.commit : await this.#reader.commit(sha);
    if (commit === null) return null;
    const found = await this.#reader.entry(commit, path);
    return found?.entry.kind === "directory" ? found.entry.id : null;
  }

  async goModules(): Promise<readonly string[]> {
    const { commit } = this.#head;
    if (commit === null) return [];
    const { entries } = await wholeTree(this.#reader, commit);
    return entries.filter(({ path }) => /(?:^|\/)go\.mod$/.test(path)).map(({ path }) => path);
  }

  /** Never throws: who asks for the file hears of its failure. Stops where planning would refuse to take more. */
  async #readAhead(path: string): Promise<void> {
    if (this.#bytes > SOURCE_BYTES_PER_CALL || !this.#head.policy.decide(path).allowed) return;
    await this.#read(path).then(ignore, ignore);
  }

  #read(path: string): Promise<FileAtHead | null> {
    const known = this.#files.get(path) ?? this.#readOnce(path);
    this.#files.set(path, known);
    return known;
  }

  async #readOnce(path: string): Promise<FileAtHead | null> {
    const { commit } = this.#head;
    const found = commit === null ? null : await this.#reader.entry(commit, path);
    if (found === null) return null;
    const { entry } = found;
    const mode = writtenMode(entry);
    if (entry.kind !== "file" && entry.kind !== "executable") return { mode, bytes: NOTHING };
    if ((entry.size ?? 0) > SOURCE_BYTES) throw sourceRefused("too_large", path);
    const bytes = await this.#reader.blob(entry.id);
    this.#bytes += bytes.byteLength;
    return { mode, bytes };
  }
}

const ignore = (): void => undefined;

/** Throws `write_not_allowed`: what may not be seen is neither edited nor made. */
export function assertShown({ policy }: PlannedHead, path: string): void {
  const decision = policy.decide(path);
  if (decision.allowed) return;
  throw new GitpinError(
    "write_not_allowed",
    decision.reason,
    "Leave this path out, or ask an admin; nothing was changed.",
    { path, rule: decision.rule },
  );
}
