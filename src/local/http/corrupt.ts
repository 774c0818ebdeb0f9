// Alters the content of an answer by one byte such that its form stays valid: JSON still parses, base64 still
// decodes. Only a reader that checks hashes can tell.
import { wrapBase64 } from "../shapes/base64.ts";
import type { Answer } from "./answer.ts";

function isJson(answer: Answer): boolean {
  return answer.headers["content-type"]?.startsWith("application/json") ?? false;
}

function flip(content: Buffer, offset = Math.floor(content.length / 2)): Buffer {
  const copy = Buffer.from(content);
  const at = Math.min(offset, copy.length - 1);
  if (at >= 0) copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

/** Applies `change` to the decoded content of a blob or file in JSON; null when the answer is no such thing. */
function onDecoded(body: Buffer, change: (content: Buffer) => Buffer): Buffer | null {
  const value: unknown = JSON.parse(body.toString("utf8"));
  if (typeof value !== "object" || value === null || !("content" in value)) return null;
  if (!("encoding" in value) || value.encoding !== "base64" || typeof value.content !== "string") return null;
  const content = wrapBase64(change(Buffer.from(value.content, "base64")));
  return Buffer.from(JSON.stringify({ ...value, content }));
}

/**
 * In the JSON of a blob or file: one byte of its content. In other JSON: one digit of the last full SHA, which is one
 * of an entry and not of the whole. Elsewhere: the byte at `offset`.
 */
export function corruptOneByte(body: Buffer, answer: Answer, offset?: number): Buffer {
  if (!isJson(answer)) return flip(body, offset);
  const decoded = onDecoded(body, (content) => flip(content, offset));
  if (decoded) return decoded;
  const text = body.toString("utf8");
  const at = [...text.matchAll(/"[0-9a-f]{40}"/g)].at(-1)?.index;
  if (at === undefined) return flip(body, offset);
  const digit = text.charAt(at + 1) === "0" ? "1" : "0";
  return Buffer.from(text.slice(0, at + 1) + digit + text.slice(at + 2));
}

/** One byte of content less, in a valid frame. */
export function dropLastByte(body: Buffer, answer: Answer): Buffer {
  const decoded = isJson(answer) ? onDecoded(body, (content) => content.subarray(0, -1)) : null;
  return decoded ?? body.subarray(0, -1);
}
