/**
 * Puts a value into JSON text at a path, and nothing else: comments, order, spacing and line ends stay. Objects on the way
 * are made; where an array stands, the given array's items are added to it. Refuses to replace what is there.
 */
import { isDeepStrictEqual } from "node:util";
import { type JsonNode, readJsonText } from "./json-text.ts";

export interface JsonInsert {
  path: readonly string[];
  value: unknown;
}

/** Something else stands at the path. */
export class TakenError extends Error {}

/** The same text when the value is there already. Throws `SyntaxError` and `TakenError`. */
export function insertJson(text: string, { path, value }: JsonInsert, comments: boolean): string {
  const empty = text.trim() === "" ? `{}${lineEnd(text)}` : text;
  const root = readJsonText(empty, comments);
  let node = root;
  for (const [depth, name] of path.entries()) {
    if (node.members === undefined)
      throw new TakenError(`${path.slice(0, depth).join(".") || "the top"} is no object`);
    const member = node.members.find((known) => known.name === name);
    if (member === undefined) {
      const rest = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
      return put(empty, node, depth + 1, `${JSON.stringify(name)}: `, rest);
    }
    node = member.node;
  }
  if (isDeepStrictEqual(node.value, value)) return text;
  if (node.items === undefined || !Array.isArray(value))
    throw new TakenError(`${path.join(".")} holds something else`);
  const present = node.items.map((item) => item.value);
  const lacking = value.filter((item) => !present.some((known) => isDeepStrictEqual(known, item)));
  const [first, ...others] = lacking;
  if (first === undefined) return text;
  const added = put(empty, node, path.length + 1, "", first);
  return others.length === 0 ? added : insertJson(added, { path, value }, comments);
}

/** A member or item behind the last one of `container`, `depth` levels in. */
function put(text: string, container: JsonNode, depth: number, label: string, value: unknown): string {
  const newLine = lineEnd(text);
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  const indent = unit.repeat(depth);
  const written = JSON.stringify(value, null, unit).replaceAll("\n", newLine + indent);
  const last = (container.members ?? []).at(-1)?.node ?? container.items?.at(-1);
  const close = container.end - 1;
  // Behind a comment that follows the last one, so that it stays with what it speaks of.
  const end = text.slice(0, close).trimEnd().length;
  const comma = last === undefined || container.finalComma ? "" : ",";
  const commaAt = last?.end ?? end;
  return (
    text.slice(0, commaAt) +
    comma +
    text.slice(commaAt, end) +
    newLine +
    indent +
    label +
    written +
    newLine +
    unit.repeat(depth - 1) +
    text.slice(close)
  );
}

const lineEnd = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");
