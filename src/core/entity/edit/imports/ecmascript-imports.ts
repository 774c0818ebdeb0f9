/**
 * JavaScript and TypeScript imports: entries are whole statements, kept as written. A new one goes behind the last import
 * of its kind (built-in, package, alias, parent, sibling); formatters leave the order of imports alone, so do we.
 */
import type { Span } from "../../declaration.ts";
import type { SourceUnit } from "../../entity.ts";
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

interface Clause {
  source: string;
  quote: string;
  /** `import type`. */
  typeOnly: boolean;
  /** Default name, or `* as name`, as written. */
  bare: string[];
  /** Names in braces: `a`, `a as b`, `type T`. */
  named: string[];
  /** `with { type: "json" }`, as written. */
  attributes: string;
}

const NAME = "[\\p{L}\\p{Nl}_$][\\p{L}\\p{Nl}\\p{Mn}\\p{Nd}_$]*";
const SOURCE = /^import (["'])([^"']+)\1( with \{.*\})?;?$/;
const FROM = /^import (type (?!from\b)(?!,))?(.+?) ?from ?(["'])([^"']+)\3( with \{.*\})?;?$/;
const REQUIRE = new RegExp(`^import (?:type )?${NAME} ?= ?require ?\\( ?(["'])([^"']+)\\1 ?\\);?$`, "u");
const BARE = new RegExp(`^(?:${NAME}|\\* ?as ${NAME})$`, "u");
const NAMED = new RegExp(`^(?:type )?(?:${NAME}|"[^"]*"|'[^']*')(?: as ${NAME})?$`, "u");

export function addEcmascriptImport(unit: SourceUnit, entry: ImportEntry): Splice[] {
  assertModule(unit, entry);
  const wanted = parseEntry(entry);
  const held = new Set(statements(unit).flatMap(({ clause }) => facts(clause)));
  const missing = (name: string, kind: "bare" | "named") => !held.has(fact(wanted, kind, name));
  const all = facts(wanted);
  if (all.every((one) => held.has(one))) return [];
  const whole = all.every((one) => !held.has(one));
  const text = whole
    ? entry.text.replace(/\r?\n/g, unit.source.lineEnding)
    : render({
        ...wanted,
        bare: wanted.bare.filter((name) => missing(name, "bare")),
        named: wanted.named.filter((name) => missing(name, "named")),
      });
  return [place(unit, wanted.source, text)];
}

export function removeEcmascriptImport(unit: SourceUnit, entry: ImportEntry): Splice[] {
  const unwanted = new Set(facts(parseEntry(entry)));
  const splices: Splice[] = [];
  for (const { span, clause } of statements(unit)) {
    const own = facts(clause);
    if (!own.some((one) => unwanted.has(one))) continue;
    if (own.every((one) => unwanted.has(one))) {
      splices.push(withoutStatement(unit, span));
      continue;
    }
    const text = unit.source.text.slice(span.start, span.end);
    if (holdsComment(unit, span)) throw commentsRefused(entry.operation, text);
    const kept = {
      ...clause,
      bare: clause.bare.filter((name) => !unwanted.has(fact(clause, "bare", name))),
      named: clause.named.filter((name) => !unwanted.has(fact(clause, "named", name))),
    };
    splices.push({ ...span, text: rewritten(unit, text, kept) });
  }
  return splices;
}

const EXPORTS = /^\s*(?:module\.exports|exports\.[\w$]+)\s*=/m;

/** `import` is a syntax error for Node in a CommonJS file, which the grammar does not know. */
function assertModule(unit: SourceUnit, entry: ImportEntry): void {
  const { path, spec, outline, source } = unit;
  const written = spec.name === "javascript" && outline.imports.length === 0 && EXPORTS.test(source.text);
  if (!written && !/\.cjs$/i.test(path)) return;
  throw invalidImport(
    entry.operation,
    `${path} is CommonJS, where import statements do not run.`,
    "Create or update a `require` constant there instead.",
  );
}

function fact(clause: Clause, kind: "bare" | "named", name: string): string {
  const typed = clause.typeOnly || name.startsWith("type ");
  return [clause.source, kind, typed ? "type" : "value", name.replace(/^type /, "")].join("\0");
}

function facts(clause: Clause): string[] {
  const all = [
    ...clause.bare.map((name) => fact(clause, "bare", name)),
    ...clause.named.map((name) => fact(clause, "named", name)),
  ];
  // `import "x"` and `import {} from "x"` only run the module.
  return all.length > 0 ? all : [`${clause.source}\0runs`];
}

function render(clause: Clause): string {
  const named = clause.named.length > 0 ? [`{ ${clause.named.join(", ")} }`] : [];
  const names = [...clause.bare, ...named].join(", ");
  const source = `${clause.quote}${clause.source}${clause.quote}`;
  return `import ${clause.typeOnly ? "type " : ""}${names} from ${source}${clause.attributes};`;
}

/** The statement with fewer names, in its own layout: one a line stays one a line, no semicolon stays none. */
function rewritten(unit: SourceUnit, before: string, clause: Clause): string {
  const { lineEnding } = unit.source;
  let text = render(clause);
  if (!before.endsWith(";")) text = text.slice(0, -1);
  if (!/\{\s/.test(before)) text = text.replace("{ ", "{").replace(" }", "}");
  const indentation = /\{[ \t]*\r?\n([ \t]+)/.exec(before)?.[1];
  if (indentation === undefined || clause.named.length === 0) return text;
  const comma = /,\s*\}/.test(before) ? "," : "";
  const lines = clause.named.map((name) => indentation + name).join(`,${lineEnding}`);
  return text.replace(/\{.*?\}/, () => `{${lineEnding}${lines}${comma}${lineEnding}}`);
}

function parse(statement: string): Clause | null {
  if (statement.length > STATEMENT_UNITS) return null;
  const text = statement
    .replace(/\/\*[\s\S]*?\*\//g, " ")
    .replace(/\/\/[^\n]*/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const plain = { typeOnly: false, bare: [] as string[], named: [] as string[] };
  const runs = SOURCE.exec(text);
  if (runs !== null) {
    return { ...plain, quote: runs[1] ?? '"', source: runs[2] ?? "", attributes: runs[3] ?? "" };
  }
  const required = REQUIRE.exec(text);
  if (required !== null) {
    const name = text.replace(/;$/, "").replace(/^import /, "");
    return { ...plain, bare: [name], quote: required[1] ?? '"', source: required[2] ?? "", attributes: "" };
  }
  const from = FROM.exec(text);
  if (from === null) return null;
  const list = from[2] ?? "";
  const braces = /\{(.*)\}/.exec(list);
  const outside = braces === null ? list : list.replace(braces[0], "");
  const split = (names: string): string[] =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "");
  const bare = split(outside);
  const named = split(braces?.[1] ?? "");
  if (!bare.every((name) => BARE.test(name)) || !named.every((name) => NAMED.test(name))) return null;
  return {
    typeOnly: from[1] !== undefined,
    bare,
    named,
    quote: from[3] ?? '"',
    source: from[4] ?? "",
    attributes: from[5] ?? "",
  };
}

function parseEntry({ text, operation }: ImportEntry): Clause {
  const clause = /\/[/*]/.test(text.replace(/(["'])[^"']*\1/g, "")) ? null : parse(text);
  if (clause !== null) return clause;
  throw invalidImport(
    operation,
    `${JSON.stringify(text.slice(0, 200))} is not one import statement.`,
    'Give a whole statement, e.g. `import { z } from "zod";`, without comments.',
  );
}

const statements = (unit: SourceUnit): { span: Span; clause: Clause }[] =>
  unit.outline.imports.flatMap((span) => {
    const clause = parse(unit.source.text.slice(span.start, span.end));
    return clause === null ? [] : [{ span, clause }];
  });

function rank(source: string): number {
  if (/^node:/.test(source)) return 0;
  if (source === "." || source.startsWith("./")) return 4;
  if (source.startsWith(".")) return 3;
  return /^(@\/|~|#|\/)/.test(source) ? 2 : 1;
}

function place(unit: SourceUnit, source: string, text: string): Splice {
  const leading = leadingImports(unit);
  const block = leading.flatMap((span) => {
    const clause = parse(unit.source.text.slice(span.start, span.end));
    return clause === null ? [] : [{ span, rank: rank(clause.source) }];
  });
  const first = leading[0];
  if (first === undefined) return insertFirst(unit, text, () => 1);
  const before = block.findLast((held) => held.rank <= rank(source));
  return before === undefined ? insertBefore(unit, first, text) : insertBehind(unit, before.span, text);
}
