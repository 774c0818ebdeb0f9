/**
 * Commit objects: encoding and decoding of their exact bytes. Pure.
 * Follows git's object format: header lines, continuation lines that start with a space, a blank line, the message.
 * Refuses nothing about odd headers (`encoding`, `mergetag`, `gpgsig` and unknown ones are kept as they stand).
 */
import type { ObjectId } from "./object-id.ts";

/** An author or committer line, taken apart. `zone` as git writes it: `+0200`. `seconds` since the Unix epoch. */
export interface Signature {
  name: string;
  email: string;
  seconds: number;
  zone: string;
}

export interface DecodedCommit {
  tree: ObjectId;
  parents: ObjectId[];
  author: Signature;
  committer: Signature;
  /** All after the blank line, as UTF-8 text. */
  message: string;
}

const signatureLine = ({ name, email, seconds, zone }: Signature): string =>
  `${name} <${email}> ${seconds} ${zone}`;

/** The text of a commit without further headers; its UTF-8 bytes are the object. */
export function encodeCommit(commit: DecodedCommit): string {
  return [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${signatureLine(commit.author)}`,
    `committer ${signatureLine(commit.committer)}`,
    "",
    commit.message,
  ].join("\n");
}

function decodeSignature(line: string): Signature | null {
  const found = /^(?<name>.*?) ?<(?<email>[^<>]*)> ?(?<seconds>-?\d+) (?<zone>[+-]\d{4,})$/s.exec(line);
  if (found?.groups === undefined) return null;
  const { name = "", email = "", seconds = "", zone = "" } = found.groups;
  return { name, email, seconds: Number(seconds), zone };
}

/** Null when the bytes are not a commit, or hold a signature line that cannot be read. */
export function decodeCommit(bytes: Uint8Array): DecodedCommit | null {
  const text = new TextDecoder("utf-8", { ignoreBOM: true, fatal: false }).decode(bytes);
  const end = text.indexOf("\n\n");
  const header = end < 0 ? text.replace(/\n$/, "") : text.slice(0, end);
  const fields = header.split("\n").filter((line) => !line.startsWith(" "));
  const all = (name: string): string[] =>
    fields.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const [tree] = all("tree");
  const author = decodeSignature(all("author")[0] ?? "");
  const committer = decodeSignature(all("committer")[0] ?? "");
  if (tree === undefined || author === null || committer === null) return null;
  return { tree, parents: all("parent"), author, committer, message: end < 0 ? "" : text.slice(end + 2) };
}
