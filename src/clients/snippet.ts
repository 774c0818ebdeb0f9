/** A client's configuration as it stands in an otherwise empty file: what a person copies from a page or a terminal. */
import { stringify } from "smol-toml";
import type { Configuration } from "./client.ts";

export function snippet({ content }: Configuration): string {
  if (content.format === "yaml") return content.text;
  if (content.format === "toml") {
    const [group, name] = content.table;
    return `[${group}.${name}]\n${stringify({ ...content.values }).trimEnd()}\n`;
  }
  const root: Record<string, unknown> = {};
  for (const { path, value } of content.insert) {
    let node = root;
    for (const key of path.slice(0, -1)) {
      node[key] ??= {};
      node = node[key] as Record<string, unknown>;
    }
    node[path.at(-1) ?? ""] = value;
  }
  return `${JSON.stringify(root, null, 2)}\n`;
}
