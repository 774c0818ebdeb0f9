/** Names the arguments of a call: equal arguments have equal digests whatever the order of their keys; lists keep theirs. */
import { sha256 } from "../../core/git/hash.ts";

/** JSON values; a key without a value counts as left out. */
export const argumentsDigest = (value: unknown): string => sha256(canonicalJson(value));

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`;
}
