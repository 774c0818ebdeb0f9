/**
 * Lines of a blob, however large GitHub lets it be: one that may be read whole is; a larger one passes through once, hashed to its
 * end before any of it is given. Its lines are kept, sealed, under the blob's id and their numbers, as they never change.
 */
import * as z from "zod";
import { linesKey } from "../cache/keys.ts";
import { seal, unseal } from "../cache/sealed.ts";
import { type Form, readThrough } from "../cache/tiered.ts";
import { LineExtractor } from "../core/git/line-extract.ts";
import { countLines, type LineRange, sliceLines } from "../core/git/lines.ts";
import type { TreeEntry } from "../core/git/tree-entry.ts";
import type { BlobLines } from "../ports/repository-reader.ts";
import { readBlob, requestBlob } from "./blobs.ts";
import { corrupt, tooLarge, tooManyLines } from "./failure.ts";
import { type Repository, repeatIfDamaged } from "./repository.ts";

/** GitHub gives no larger blobs. */
export const HOST_BLOB_BYTES = 100 * 1024 * 1024;
/** Lines that are held at a time. */
const HELD_AT_MOST = 8 * 1024 * 1024;
/** A hundred megabytes take longer than any other answer. */
const PATIENCE_MS = 120_000;

const stored = z.object({ totalLines: z.number(), bytes: z.string().nullable(), start: z.string() });

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const fromText = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "base64"));

const linesForm: Form<BlobLines> = {
  decode(key, sealed) {
    const text = unseal(key, sealed);
    const value = text === null ? null : stored.safeParse(JSON.parse(text)).data;
    if (!value) return null;
    const { totalLines, bytes, start } = value;
    return { totalLines, bytes: bytes === null ? null : fromText(bytes), start: fromText(start) };
  },
  encode(key, { totalLines, bytes, start }) {
    const value = { totalLines, bytes: bytes === null ? null : toText(bytes), start: toText(start) };
    return seal(key, JSON.stringify(value));
  },
  weigh: ({ bytes, start }) => (bytes?.length ?? 0) + start.length + 100,
};

/** `maxBytes`: largest blob that is read whole. */
export async function readBlobLines(
  repository: Repository,
  { id, size }: TreeEntry,
  range: LineRange,
  maxBytes: number,
): Promise<BlobLines> {
  if (size === null || size <= maxBytes) {
    const blob = await readBlob(repository, id, maxBytes);
    return {
      bytes: sliceLines(blob, range.start, range.end),
      totalLines: countLines(blob),
      start: blob.subarray(0, 8000),
    };
  }
  if (size > HOST_BLOB_BYTES) throw tooLarge(HOST_BLOB_BYTES);
  const key = linesKey<BlobLines>(repository.keys, id, range.start, range.end);
  const lines = await readThrough(repository.tiers, key, linesForm, () =>
    repeatIfDamaged(() => passThrough(repository, id, size, range)),
  );
  return lines ?? { bytes: null, totalLines: 0, start: new Uint8Array() };
}

async function passThrough(
  repository: Repository,
  id: string,
  size: number,
  range: LineRange,
): Promise<BlobLines> {
  let extractor = new LineExtractor(size, range, HELD_AT_MOST);
  await requestBlob(repository, id, {
    maxBytes: size,
    excess: () => corrupt("a blob", "it is longer than the tree says"),
    timeoutMs: PATIENCE_MS,
    consume: () => {
      extractor = new LineExtractor(size, range, HELD_AT_MOST);
      return (piece) => (extractor.push(piece) ? null : tooManyLines(HELD_AT_MOST));
    },
  });
  const { id: actual, bytes, totalLines, start } = extractor.end();
  if (actual !== id) throw corrupt("a blob", "it does not have the hash it was asked for by");
  return { bytes, totalLines, start };
}
