/** Adds a table at the end of TOML text. What is there stays byte for byte; a table of that name is never replaced. */
import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "smol-toml";
import { TakenError } from "./insert-json.ts";

export interface TomlInsert {
  table: readonly [string, string];
  values: Readonly<Record<string, string>>;
}

/** The same text when the table is there already. Throws what smol-toml says of text that is no TOML, and `TakenError`. */
export function appendToml(text: string, { table: [group, name], values }: TomlInsert): string {
  const before = parse(text);
  const tables = before[group];
  const isTable = typeof tables === "object" && tables !== null && !Array.isArray(tables);
  const present = isTable ? (tables as Record<string, unknown>)[name] : tables;
  if (present !== undefined) {
    if (isTable && isDeepStrictEqual({ ...(present as object) }, { ...values })) return text;
    throw new TakenError(`${group}.${name} holds something else`);
  }
  const gap = text.trim() === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  const after = `${text}${gap}${tomlTable({ table: [group, name], values })}`;
  // An inline table cannot be added to: then TOML itself says so here.
  parse(after);
  return after;
}

export const tomlTable = ({ table: [group, name], values }: TomlInsert): string =>
  `[${group}.${name}]\n${stringify({ ...values }).trimEnd()}\n`;
