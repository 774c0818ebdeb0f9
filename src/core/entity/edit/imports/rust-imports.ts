/**
 * Rust imports: entries are whole `use` statements. A new one goes into the group (lines without a blank between) that
 * holds its kind (std, other crates, this crate), at the place rustfmt sorts it to. Statements there are not reordered.
 */
import { attachedStart } from "../../attached.ts";
import type { Span } from "../../declaration.ts";
import type { SourceUnit } from "../../entity.ts";
import { refused } from "../outcome.ts";
import type { Splice } from "../splice.ts";
import {
  commentsRefused,
  holdsComment,
  type ImportEntry,
  insertBefore,
  insertBehind,
  insertFirst,
  invalidImport,
  leadingImports,
  STATEMENT_UNITS,
  withoutStatement,
} from "./import-edit.ts";

interface Use {
  /** `pub`, `pub(crate)`, or empty. */
  visibility: string;
  /** The tree as written, blanks collapsed. */
  tree: string;
  /** Every path it brings in: `a::b`, `a::b as c`, `a::*`. */
  leaves: string[];
}

const USE = /^(pub(?:\s*\([^)]*\))?\s+)?use\s+([\s\S]+?)\s*;$/;
const LEAF =
  /^(?:::)?(?:r#)?[\p{L}_][\p{L}\p{Nd}_]*(?:::(?:r#)?[\p{L}_][\p{L}\p{Nd}_]*)*(?:::\*)?(?: as (?:r#)?[\p{L}_][\p{L}\p{Nd}_]*)?$/u;
const DEPTH = 32;

export function addRustImport(unit: SourceUnit, entry: ImportEntry): Splice[] {
  const wanted = parseEntry(entry);
  const held = new Set(statements(unit).flatMap(({ use }) => facts(use)));
  const missing = wanted.leaves.filter((leaf) => !held.has(fact(wanted, leaf)));
  if (missing.length === 0) return [];
  const whole = missing.length === wanted.leaves.length;
  const prefix = wanted.visibility === "" ? "" : `${wanted.visibility} `;
  const text = whole
    ? entry.text.replace(/\r?\n/g, unit.source.lineEnding)
    : missing.map((leaf) => `${prefix}use ${leaf};`).join(unit.source.lineEnding);
  return [place(unit, whole ? wanted.tree : (missing[0] as string), text)];
}

export function removeRustImport(unit: SourceUnit, entry: ImportEntry): Splice[] {
  const unwanted = new Set(facts(parseEntry(entry)));
  const splices: Splice[] = [];
  for (const { span, use } of statements(unit)) {
    const kept = use.leaves.filter((leaf) => !unwanted.has(fact(use, leaf)));
    if (kept.length === use.leaves.length) continue;
    if (kept.length === 0) {
      const start = attachedStart(unit.spec, unit.source.text, unit.outline.trivia, span.start);
      const attributed = /^\s*#\[/.test(unit.source.text.slice(start, span.start));
      splices.push(withoutStatement(unit, attributed ? { start, end: span.end } : span));
      continue;
    }
    const text = unit.source.text.slice(span.start, span.end);
    if (holdsComment(unit, span)) throw commentsRefused(entry.operation, text);
    splices.push({ ...span, text: rewritten(use, kept, entry.operation) });
  }
  return splices;
}

const fact = ({ visibility }: Use, leaf: string): string => `${visibility}\0${leaf}`;
const facts = (use: Use): string[] => use.leaves.map((leaf) => fact(use, leaf));

/** `use a::{b, c};` with fewer names. Nested braces are not taken apart. */
function rewritten(use: Use, kept: readonly string[], operation: number): string {
  const brace = use.tree.indexOf("{");
  const prefix = use.tree.slice(0, brace);
  const visibility = use.visibility === "" ? "" : `${use.visibility} `;
  const names = split(use.tree.slice(brace + 1, -1)).filter((name) =>
    leavesOf(prefix + name, 0).some((leaf) => kept.includes(leaf)),
  );
  const [only] = names;
  const one = only === "self" ? prefix.replace(/::$/, "") : `${prefix}${only}`;
  const line = `${visibility}use ${names.length === 1 ? one : `${prefix}{${names.join(", ")}}`};`;
  if (!names.some((name) => name.includes("{")) && line.length <= 100) return line;
  throw refused(
    "import_conflict",
    operation,
    `The statement \`use ${use.tree.slice(0, 80)}\` is not taken apart.`,
    "Remove the whole statement and add what should stay.",
  );
}

/** At the commas outside braces. */
function split(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= list.length; at++) {
    const character = list[at];
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (at === list.length || (character === "," && depth === 0)) {
      const part = list.slice(start, at).trim();
      if (part !== "") parts.push(part);
      start = at + 1;
    }
  }
  return parts;
}

function leavesOf(tree: string, depth: number): string[] {
  const brace = tree.indexOf("{");
  if (brace < 0) return [tree.replace(/::self$/, "").replace(/::self as /, " as ")];
  if (!tree.endsWith("}") || depth > DEPTH) return ["?"];
  const prefix = tree.slice(0, brace);
  return split(tree.slice(brace + 1, -1)).flatMap((part) => leavesOf(prefix + part, depth + 1));
}

function parse(text: string): Use | null {
  if (text.length > STATEMENT_UNITS) return null;
  const plain = text
    .replace(/\/\*[\s\S]*?\*\//g, " ")
    .replace(/\/\/[^\n]*/g, " ")
    .trim();
  const match = USE.exec(plain);
  if (match === null) return null;
  const tree = (match[2] ?? "")
    .replace(/\s+/g, " ")
    .replace(/ ?(::|[{},]) ?/g, "$1")
    .replace(/,\}/g, "}");
  const leaves = leavesOf(tree, 0);
  if (leaves.length === 0 || !leaves.every((leaf) => LEAF.test(leaf) || leaf === "*")) return null;
  return { visibility: (match[1] ?? "").replace(/\s+/g, ""), tree, leaves };
}

function parseEntry({ text, operation }: ImportEntry): Use {
  const use = /\/[/*]/.test(text) ? null : parse(text);
  if (use !== null) return use;
  throw invalidImport(
    operation,
    `${JSON.stringify(text.slice(0, 200))} is not one Rust use statement.`,
    "Give a whole statement, e.g. `use std::fmt;`, without comments.",
  );
}

const statements = (unit: SourceUnit): { span: Span; use: Use }[] =>
  unit.outline.imports.flatMap((span) => {
    const use = parse(unit.source.text.slice(span.start, span.end));
    return use === null ? [] : [{ span, use }];
  });

const segments = (tree: string): string[] =>
  tree
    .replace(/^::/, "")
    .split("{")[0]
    ?.replace(/ as .*/, "")
    .split("::")
    .filter((segment) => segment !== "") ?? [];

/** 0 the standard library, 1 other crates, 2 this crate. */
function category(tree: string): number {
  const root = segments(tree)[0] ?? "";
  if (root === "std" || root === "core" || root === "alloc") return 0;
  return root === "crate" || root === "self" || root === "super" ? 2 : 1;
}

/** As rustfmt: `self`, `super`, `crate`, then snake_case, CamelCase, SCREAMING; lists behind single names. */
function compare(a: string, b: string): number {
  const left = segments(a);
  const right = segments(b);
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const x = left[at];
    const y = right[at];
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    if (x === y) continue;
    const difference = weight(x) - weight(y);
    return difference !== 0 ? difference : x < y ? -1 : 1;
  }
  return Number(a.includes("{")) - Number(b.includes("{"));
}

function weight(segment: string): number {
  const special = ["self", "super", "crate"].indexOf(segment);
  if (special >= 0) return special;
  if (segment === "*") return 6;
  if (!/^\p{Lu}/u.test(segment)) return 3;
  return /\p{Ll}/u.test(segment) ? 4 : 5;
}

function place(unit: SourceUnit, tree: string, text: string): Splice {
  const groups = groupsOf(unit);
  if (groups.length === 0) return insertFirst(unit, text, () => 1);
  const own = groups.findLast((group) => group.some((held) => category(held.tree) === category(tree)));
  if (own !== undefined) {
    const later = own.find((held) => compare(held.tree, tree) > 0);
    if (later !== undefined) return insertBefore(unit, later.span, text);
    return insertBehind(unit, (own.at(-1) as Held).span, text);
  }
  const last = groups.at(-1) as Held[];
  return insertBehind(unit, (last.at(-1) as Held).span, text, 1);
}

interface Held {
  span: Span;
  tree: string;
}

function groupsOf(unit: SourceUnit): Held[][] {
  const groups: Held[][] = [];
  let end = -1;
  for (const span of leadingImports(unit)) {
    const { text } = unit.source;
    const tree = parse(text.slice(span.start, span.end))?.tree ?? "";
    const gap = end < 0 ? "\n\n" : text.slice(end, span.start);
    if (/\n\s*\n/.test(gap)) groups.push([]);
    groups.at(-1)?.push({ span, tree });
    end = span.end;
  }
  return groups;
}
