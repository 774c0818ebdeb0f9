/**
 * Archives in an R2 bucket: one object for the archive, written in parts (R2 takes no stream of unknown length), and a small
 * one for its manifest, last. R2 expires nothing by itself: a lifecycle rule of the bucket removes old objects, and the
 * manifest says how long it holds.
 */
import type { ArchiveStorage, PartWriter } from "./storage.ts";

/** The part of a bucket that is used. */
export type Bucket = Pick<R2Bucket, "get" | "put" | "delete" | "createMultipartUpload">;

export function r2ArchiveStorage(bucket: Bucket, newName: () => string): ArchiveStorage {
  return {
    async readManifest(key) {
      const object = await bucket.get(`${key}/manifest`);
      return object === null ? null : new Uint8Array(await object.arrayBuffer());
    },
    async writeManifest(key, bytes) {
      await bucket.put(`${key}/manifest`, bytes);
    },
    async dropManifest(key) {
      await bucket.delete(`${key}/manifest`).catch(() => undefined);
    },
    async readPart(place, { offset, bytes }) {
      const object = await bucket.get(place, { range: { offset, length: bytes } });
      return object === null ? null : new Uint8Array(await object.arrayBuffer());
    },
    // A name of its own for each upload: two isolates that store one commit do not write over each other.
    writer: (key) => writerOf(bucket, `${key}/${newName()}.tar.gz`),
  };
}

function writerOf(bucket: Bucket, name: string): PartWriter {
  let upload: R2MultipartUpload | null = null;
  const parts: R2UploadedPart[] = [];
  return {
    async write(part, bytes) {
      upload ??= await bucket.createMultipartUpload(name);
      parts.push(await upload.uploadPart(part.index + 1, bytes));
    },
    async finish() {
      await upload?.complete(parts);
      return name;
    },
    async abort() {
      await upload?.abort().catch(() => undefined);
    },
  };
}
