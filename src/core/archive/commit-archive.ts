/**
 * The archive of one commit as its files: top folder stripped, links and modes as git has them, each file hashed.
 * Owns: the check that the archive names the commit, git's order, legal paths, and the record that proves the tree.
 * Refuses: an archive of another commit, a path twice or out of order. Contents changed by `export-ignore`,
 * `export-subst`, line-ending attributes or LFS are no fault here: they show as another root tree.
 */
import { objectHasher, objectId } from "../git/hash.ts";
import type { ObjectId } from "../git/object-id.ts";
import { type ArchiveFile, type FileKind, type FileRecord, heldFile } from "./archive-file.ts";
import type { NextChunk } from "./byte-queue.ts";
import { corruptArchive } from "./corrupt.ts";
import { pathText, type RawPath } from "./raw-path.ts";
import { rootTreeId } from "./root-tree.ts";
import { TAR_LIMITS, type TarEntry, type TarLimits, TarReader } from "./tar.ts";

export interface CommitArchiveOptions {
  /** Full id; the archive must name it. */
  commit: ObjectId;
  /** Whether to hash each file and keep the record. Once an archive is proven, its stored copy needs no second proof. */
  hash: boolean;
  limits?: TarLimits;
}

/** The executable bit of the owner is all that git keeps of a mode. */
const OWNER_EXECUTES = 0o100;

export class CommitArchive {
  readonly #tar: TarReader;
  readonly #options: CommitArchiveOptions;
  readonly #record = new Map<RawPath, FileRecord>();
  #finished = false;

  /** `next` gives the unpacked tar (see `gunzip`). */
  constructor(next: NextChunk, options: CommitArchiveOptions) {
    this.#tar = new TarReader(next, options.limits ?? TAR_LIMITS);
    this.#options = options;
  }

  /** Every file, in git's order, one at a time. Throws `upstream_corrupt` or `archive_too_large`. To be run once. */
  async *files(): AsyncGenerator<ArchiveFile> {
    let top: string | null = null;
    let last: RawPath = "";
    for (;;) {
      const entry = await this.#tar.next();
      if (top === null) this.#checkCommit();
      if (entry === null) break;
      const slash: number = entry.rawPath.indexOf("/");
      top ??= entry.rawPath.slice(0, slash + 1);
      if (slash < 0 || !entry.rawPath.startsWith(top))
        throw corruptArchive("a path is outside its top folder");
      const kind = kindOf(entry);
      if (kind === null) continue;
      const rawPath = entry.rawPath.slice(top.length);
      checkPath(rawPath);
      if (rawPath <= last) throw corruptArchive("its paths are not in git's order");
      last = rawPath;
      yield* this.#file(entry, rawPath, kind);
    }
    this.#finished = true;
  }

  /** Path to mode, blob id and size, in git's order; whole once `files()` has ended. Empty without `hash`. */
  get record(): ReadonlyMap<RawPath, FileRecord> {
    return this.#record;
  }

  /** The id of the tree that these files make. Equal to the commit's tree: the archive is the tree, bit for bit. */
  rootTree(): ObjectId {
    if (!this.#finished || !this.#options.hash)
      throw new Error("The archive was not read to its end with hashing.");
    return rootTreeId(this.#record);
  }

  #checkCommit(): void {
    if (this.#tar.globals.get("comment") !== this.#options.commit) {
      throw corruptArchive("it does not name the commit it was asked for by");
    }
  }

  async *#file(entry: TarEntry, rawPath: RawPath, kind: FileKind): AsyncGenerator<ArchiveFile> {
    const place = { rawPath, path: pathText(rawPath), kind };
    const bytes = entry.target === null ? entry.bytes : Buffer.from(entry.target, "latin1");
    if (bytes !== null) {
      if (this.#options.hash) this.#remember(rawPath, kind, bytes.byteLength, objectId("blob", bytes));
      yield heldFile(place, bytes);
      return;
    }
    const hasher = this.#options.hash ? objectHasher("blob", entry.size) : null;
    const tar = this.#tar;
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (let piece = await tar.piece(); piece !== null; piece = await tar.piece()) {
        hasher?.update(piece);
        yield piece;
      }
    }
    yield { ...place, size: entry.size, bytes: null, pieces, missing: null };
    if (hasher === null) return;
    // What the reader of this file left is still part of its hash.
    for (let rest = await tar.piece(); rest !== null; rest = await tar.piece()) hasher.update(rest);
    this.#remember(rawPath, kind, entry.size, hasher.id());
  }

  #remember(rawPath: RawPath, kind: FileKind, size: number, id: ObjectId): void {
    this.#record.set(rawPath, { kind, id, size });
  }
}

/** Null for what is no file of a tree: directories, and kinds that `git archive` never writes. */
function kindOf(entry: TarEntry): FileKind | null {
  if (entry.kind === "symlink") return "symlink";
  if (entry.kind !== "file") return null;
  return (entry.mode & OWNER_EXECUTES) === 0 ? "file" : "executable";
}

const ILLEGAL = /(?:^|\/)(?:\.{0,2})(?:\/|$)/;

function checkPath(rawPath: RawPath): void {
  if (ILLEGAL.test(rawPath)) throw corruptArchive("it holds a path that no git tree can hold");
}
