/**
 * What is kept of an archive beside its bytes: its parts, and how it stands to the commit's tree. Written last, sealed;
 * without it there is no archive. Written once the archive was proven: later readers check each part's SHA-256 only.
 * The parts may be another commit's, that this one was made from here: then the difference holds what the edit wrote.
 */
import * as z from "zod";
import { seal, unseal } from "../sealed.ts";

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const count = z.number().int().min(0);

const fileToRead = z.object({
  rawPath: z.string(),
  path: z.string(),
  kind: z.enum(["file", "executable", "symlink"]),
  id: hex(40),
  size: count.nullable(),
});

const manifest = z.object({
  /** Milliseconds since the Unix epoch. */
  expiresAt: z.number(),
  /** Whose archive it is: this commit's, or one's that it was made from. */
  commit: hex(40),
  /** Where the parts lie, see `PartWriter.finish`. */
  place: z.string(),
  parts: z.array(z.object({ index: count, offset: count, bytes: count, sha256: hex(64) })),
  /** Where the archive is not the tree; null where it is. */
  difference: z
    .object({
      toRead: z.array(fileToRead),
      extra: z.array(z.string()),
      submodules: z.array(z.string()),
      /** Whether the listing it was compared with was re-hashed. */
      tree: z.enum(["hashed", "attested"]),
    })
    .nullable(),
});

/** In place of an archive: it is larger than this bound on its compressed bytes, or than what may be unpacked. */
const tooLarge = z.object({ expiresAt: z.number(), tooLargeFor: count, limit: z.string(), bound: count });

const kept = z.union([manifest, tooLarge]);

export type Manifest = z.infer<typeof manifest>;
export type TooLargeNote = z.infer<typeof tooLarge>;

export const encodeManifest = (key: string, value: Manifest | TooLargeNote): Uint8Array =>
  seal(key, JSON.stringify(value));

/** Null: damaged, or written under another key. */
export function decodeManifest(key: string, bytes: Uint8Array): Manifest | TooLargeNote | null {
  const text = unseal(key, bytes);
  if (text === null) return null;
  const checked = kept.safeParse(JSON.parse(text));
  return checked.success ? checked.data : null;
}

export const archiveBytes = ({ parts }: Manifest): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);
