/**
 * Opaque page cursors: base64url of a small JSON array. Owns encoding and the error for a damaged one.
 * A cursor is a position, never an authorization: whoever reads one checks access again.
 */
import type * as z from "zod";
import { GitpinError } from "../errors.ts";
import { sha256 } from "./git/hash.ts";

const toBase64Url = (text: string): string => Buffer.from(text, "utf8").toString("base64url");

export function encodeCursor(kind: string, position: readonly (string | number)[]): string {
  return toBase64Url(JSON.stringify([kind, ...position]));
}

/** Throws `invalid_argument` for anything that `encodeCursor` did not make for this kind. */
export function decodeCursor<T extends z.ZodTuple>(kind: string, shape: T, cursor: string): z.infer<T> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    value = null;
  }
  const [first, ...rest] = Array.isArray(value) ? value : [];
  const checked = shape.safeParse(rest);
  if (first === kind && checked.success) return checked.data;
  throw foreignCursor();
}

/** A kind that is bound to the arguments a cursor was given out for: with others it is refused, not read from another place. */
export const boundKind = (kind: string, ...given: readonly string[]): string =>
  `${kind}:${sha256(JSON.stringify(given)).slice(0, 12)}`;

/** A cursor of another call, or a position that is beyond what there is. */
export const foreignCursor = (): GitpinError =>
  new GitpinError(
    "invalid_argument",
    "cursor is none that this tool gave out for these arguments.",
    "Pass `nextCursor` of the answer before unchanged, or leave cursor out to start at the first page.",
    { field: "cursor" },
  );
