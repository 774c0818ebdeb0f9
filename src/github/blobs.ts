/**
 * Blobs: exact bytes, hashed against their id wherever they come from, bounded in size.
 * Refuses bytes of another hash: asked for once more, then `upstream_corrupt`.
 */
import { objectKey } from "../cache/keys.ts";
import { type Form, keep, readKnown, readThrough } from "../cache/tiered.ts";
import { objectId } from "../core/git/hash.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import type { HostRequest } from "./client.ts";
import { corrupt, tooLargeWhole, unexpected } from "./failure.ts";
import { type Repository, repeatIfDamaged } from "./repository.ts";

const RAW_TYPE = "application/vnd.github.raw+json";

const blobForm = (id: ObjectId): Form<Uint8Array> => ({
  decode: (_, bytes) => (objectId("blob", bytes) === id ? bytes : null),
  encode: (_, bytes) => bytes,
  weigh: (bytes) => bytes.byteLength,
});

/** The bytes as they come, not hashed yet; none where `consume` takes them. */
export async function requestBlob(
  repository: Repository,
  id: ObjectId,
  how: Pick<HostRequest, "maxBytes" | "excess" | "consume" | "timeoutMs">,
): Promise<Uint8Array> {
  const what = "a blob";
  const answer = await repository.get({ path: `/git/blobs/${id}`, what, accept: RAW_TYPE, ...how });
  if (answer.status === 404) await repository.confirm();
  if (answer.status !== 200) throw unexpected(what, `HTTP ${answer.status} for one that a tree names`);
  return answer.bytes;
}

const blobKey = (repository: Repository, id: ObjectId) => objectKey<Uint8Array>(repository.keys, "blob", id);

/** Keeps a blob that was made here; `id` is that of `bytes`. */
export const keepBlob = (repository: Repository, id: ObjectId, bytes: Uint8Array): void =>
  keep(repository.tiers, blobKey(repository, id), blobForm(id), bytes);

/** The same where it is known without asking the host; null where it is not. */
export const knownBlob = (repository: Repository, id: ObjectId): Promise<Uint8Array | null> =>
  readKnown(repository.tiers, blobKey(repository, id), blobForm(id));

/** `maxBytes` bounds what is read from the host and what is served. Throws `blob_too_large`. */
export async function readBlob(repository: Repository, id: ObjectId, maxBytes: number): Promise<Uint8Array> {
  const what = "a blob";
  const excess = () => tooLargeWhole(maxBytes);
  const fetch = (): Promise<Uint8Array> =>
    repeatIfDamaged(async () => {
      const bytes = await requestBlob(repository, id, { maxBytes, excess });
      if (objectId("blob", bytes) !== id)
        throw corrupt(what, "it does not have the hash it was asked for by");
      return bytes;
    });
  const bytes = await readThrough(repository.tiers, blobKey(repository, id), blobForm(id), fetch);
  if (bytes === null) throw unexpected(what, "there is no such blob");
  if (bytes.byteLength > maxBytes) throw excess();
  return bytes;
}
