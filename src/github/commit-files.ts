/**
 * All files of a commit from its archive: from the store, else from the host, and then into the store on the way.
 * Owns the proof: an archive that comes in is hashed file by file and its root tree compared with the commit's; where they
 * differ, the differing files are read as blobs. An archive of the store was proven before and is checked part by part.
 * Refuses to give out anything that rests on an archive before that is settled: `read` runs, but its result waits.
 */

import { type ArchiveKey, type ArchiveStore, StoredArchiveDamaged } from "../cache/archive/archive-store.ts";
import { type ByteSource, streamOf } from "../cache/archive/byte-source.ts";
import { archiveBytes, type Manifest, type TooLargeNote } from "../cache/archive/manifest.ts";
import { archiveKey } from "../cache/keys.ts";
import { type ArchiveDifference, archiveDifference } from "../core/archive/archive-difference.ts";
import { CommitArchive } from "../core/archive/commit-archive.ts";
import { archiveTooLarge, corruptArchive } from "../core/archive/corrupt.ts";
import { gunzip } from "../core/archive/gunzip.ts";
import { type BlobSource, patchedFiles } from "../core/archive/patched-files.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import { callerLeft, GitpinError } from "../errors.ts";
import type { FilesReader, FilesVisit, StreamProgress } from "../ports/commit-files.ts";
import type { Assurance, Commit } from "../ports/repository-reader.ts";
import { type ArchiveOptions, openArchive } from "./archive.ts";
import type { ArchiveQueue } from "./archive-queue.ts";
import { knownBlob, readBlob } from "./blobs.ts";
import { tooLarge, unexpected } from "./failure.ts";
import { type Repository, repeatIfDamaged } from "./repository.ts";
import { listPaths } from "./tree-walk.ts";

/** Blobs that stand in for what an archive lacks or changes, in one visit: how many, and bytes in all. */
export const REPLACED_AT_MOST = { files: 50, bytes: 20_000_000 } as const;

export interface CommitFilesOptions extends ArchiveOptions {
  store: ArchiveStore;
  queue: ArchiveQueue;
  progress?: StreamProgress | undefined;
}

export async function visitFiles<T>(
  repository: Repository,
  commit: Commit,
  read: FilesReader<T>,
  options: CommitFilesOptions,
): Promise<FilesVisit<T>> {
  const { queue, signal } = options;
  const turn = { repository: String(repository.keys.repositoryId), signal };
  const work = queue.run(turn, (alive) => new Visit(repository, commit, read, options, alive).run());
  // The turn must be given back even if the caller goes.
  repository.tiers.background.keepAlive(Promise.allSettled([work]));
  return await work;
}

/** Compressed bytes of an archive that is read on the way of something else. */
const STORED_AT_MOST = 32_000_000;

/** The same from the store alone, without a request; null where it is not there, too large, or needs a blob that is not known. */
export async function visitStoredFiles<T>(
  repository: Repository,
  commit: Commit,
  read: FilesReader<T>,
  options: CommitFilesOptions,
): Promise<FilesVisit<T> | null> {
  const manifest = await options.store.find(archiveKey(repository.keys, commit.sha));
  if (manifest === null || !("parts" in manifest) || archiveBytes(manifest) > STORED_AT_MOST) return null;
  const turn = { repository: String(repository.keys.repositoryId), signal: options.signal };
  const work = options.queue.run(turn, (alive) =>
    new Visit(repository, commit, read, options, alive, readKnownBlob).fromStore(manifest),
  );
  repository.tiers.background.keepAlive(Promise.allSettled([work]));
  try {
    return await work;
  } catch (error) {
    if (error instanceof BlobNotKnown) return null;
    throw error;
  }
}

/** A blob that only the host could give. */
class BlobNotKnown extends Error {
  override readonly name = "BlobNotKnown";
}

async function readKnownBlob(repository: Repository, id: ObjectId, maxBytes: number): Promise<Uint8Array> {
  const bytes = await knownBlob(repository, id);
  if (bytes === null) throw new BlobNotKnown(id);
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

/** How an archive stands to the tree: equal, or not and where. */
type Difference = (ArchiveDifference & { tree: Assurance }) | null;

const needsBlobs = (difference: Difference): difference is NonNullable<Difference> =>
  difference !== null && difference.toRead.length + difference.extra.length > 0;

class Visit<T> {
  readonly #repository: Repository;
  readonly #commit: Commit;
  readonly #read: FilesReader<T>;
  readonly #options: CommitFilesOptions;
  readonly #alive: () => void;
  readonly #key: ArchiveKey;
  readonly #readBlob: typeof readBlob;

  constructor(
    repository: Repository,
    commit: Commit,
    read: FilesReader<T>,
    options: CommitFilesOptions,
    alive: () => void,
    blobReader = readBlob,
  ) {
    this.#repository = repository;
    this.#commit = commit;
    this.#read = read;
    this.#options = options;
    this.#alive = alive;
    this.#readBlob = blobReader;
    this.#key = archiveKey(repository.keys, commit.sha);
  }

  async run(): Promise<FilesVisit<T>> {
    const { store, maxBytes } = this.#options;
    const known = await store.find(this.#key);
    if (known !== null && "parts" in known) {
      const visit = await this.fromStore(known);
      if (visit !== null) return visit;
    } else if (known !== null && known.tooLargeFor >= maxBytes) {
      throw archiveTooLarge(known.limit, known.bound);
    }
    try {
      return await repeatIfDamaged(() => this.#fromHost());
    } catch (error) {
      if (error instanceof GitpinError && error.code === "archive_too_large") await this.#note(error);
      throw error;
    }
  }

  /** Null: the stored archive is damaged, and was dropped. */
  async fromStore(manifest: Manifest): Promise<FilesVisit<T> | null> {
    const { store } = this.#options;
    const bytes = archiveBytes(manifest);
    try {
      const source = this.#told(store.open(manifest), bytes);
      const { difference } = manifest;
      const { result } = await this.#pass(source, { of: manifest.commit, hash: false, difference });
      this.#repository.tiers.ledger.cacheHits += 1;
      return this.#visit(result, "store", bytes, difference);
    } catch (error) {
      if (!(error instanceof StoredArchiveDamaged)) throw error;
      await store.drop(this.#key);
      return null;
    }
  }

  async #fromHost(): Promise<FilesVisit<T>> {
    const { store } = this.#options;
    const recording = store.record(this.#key, this.#commit.sha);
    const counter = { bytes: 0 };
    try {
      const source = await openArchive(this.#repository, this.#commit.sha, this.#options);
      const { result, archive } = await this.#pass(this.#recorded(source, recording.add, counter), {
        of: this.#commit.sha,
        hash: true,
        difference: null,
      });
      const root = archive.rootTree();
      const difference = root === this.#commit.tree ? null : await this.#difference(archive);
      const manifest = await recording.keep(difference);
      if (!needsBlobs(difference)) return this.#visit(result, "host", counter.bytes, difference);
      const again = await this.#again(manifest, difference, root);
      return this.#visit(again, "host", counter.bytes, difference);
    } catch (error) {
      await recording.abandon();
      throw error;
    }
  }

  /** The second reading, now that it is known which files are to be replaced. */
  async #again(manifest: Manifest | null, difference: Difference, root: ObjectId): Promise<T> {
    if (manifest !== null) {
      const stored = await this.fromStore(manifest);
      if (stored !== null) return stored.result;
    }
    const source = await openArchive(this.#repository, this.#commit.sha, this.#options);
    const { result, archive } = await this.#pass(this.#told(source, null), {
      of: this.#commit.sha,
      hash: true,
      difference,
    });
    if (archive.rootTree() !== root) throw corruptArchive("it is another one each time it is asked for");
    return result;
  }

  /** Reads one archive, `of` a commit: to its end where it is hashed, else as far as `read` wants. */
  async #pass(
    source: ByteSource,
    { of, hash, difference }: { of: ObjectId; hash: boolean; difference: Difference },
  ): Promise<{ result: T; archive: CommitArchive }> {
    const { stream, failure } = streamOf(source);
    const unpacked = gunzip(stream);
    const archive = new CommitArchive(unpacked.next, { commit: of, hash });
    const files = needsBlobs(difference)
      ? patchedFiles(archive.files(), difference, this.#blobs())
      : archive.files();
    try {
      // Lent without its end: a reader that has enough must not keep the rest from being hashed.
      const result = await this.#read({ [Symbol.asyncIterator]: () => ({ next: () => files.next() }) });
      if (hash) while (!(await files.next()).done) this.#alive();
      else await unpacked.cancel();
      return { result, archive };
    } catch (error) {
      await unpacked.cancel();
      await source.cancel();
      throw failure() ?? error;
    }
  }

  #blobs(): BlobSource {
    let left: number = REPLACED_AT_MOST.bytes;
    return {
      maxReads: REPLACED_AT_MOST.files,
      read: async (id) => {
        if (left <= 0) throw tooLarge(REPLACED_AT_MOST.bytes);
        const bytes = await this.#readBlob(this.#repository, id, left);
        left -= bytes.byteLength;
        this.#alive();
        return bytes;
      },
    };
  }

  async #difference(archive: CommitArchive): Promise<Difference> {
    const listing = await listPaths(this.#repository, this.#commit.tree);
    if (listing.complete)
      return { ...archiveDifference(archive.record, listing.entries), tree: listing.assurance };
    throw unexpected(
      "the archive of a commit",
      "it is not the commit's tree, and that is too large to find out where",
    );
  }

  #visit(result: T, from: FilesVisit<T>["from"], bytes: number, difference: Difference): FilesVisit<T> {
    const replacedFiles = Math.min(difference?.toRead.length ?? 0, REPLACED_AT_MOST.files);
    return {
      result,
      from,
      archiveBytes: bytes,
      tree: difference?.tree ?? "hashed",
      replacedFiles,
      submodules: difference?.submodules ?? [],
    };
  }

  /** The source, with signs of life and of progress, and an end when the caller has gone. */
  #told(source: ByteSource, total: number | null): ByteSource {
    const { signal, progress } = this.#options;
    let bytes = 0;
    return {
      cancel: source.cancel,
      next: async () => {
        if (signal?.aborted) throw callerLeft();
        this.#alive();
        const piece = await source.next();
        this.#alive();
        bytes += piece?.byteLength ?? 0;
        progress?.(bytes, total);
        return piece;
      },
    };
  }

  #recorded(
    source: ByteSource,
    record: (bytes: Uint8Array) => Promise<void>,
    counter: { bytes: number },
  ): ByteSource {
    const told = this.#told(source, null);
    return {
      cancel: told.cancel,
      next: async () => {
        const piece = await told.next();
        if (piece !== null) {
          counter.bytes += piece.byteLength;
          await record(piece);
        }
        return piece;
      },
    };
  }

  async #note(error: GitpinError): Promise<void> {
    const { limit, bound } = error.data;
    const note: Omit<TooLargeNote, "expiresAt"> = {
      tooLargeFor: this.#options.maxBytes,
      limit: String(limit),
      bound: Number(bound),
    };
    await this.#options.store.noteTooLarge(this.#key, note);
  }
}
