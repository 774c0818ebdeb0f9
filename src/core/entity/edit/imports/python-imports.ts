/**
 * Python imports: entries are whole statements. A new one goes to its section (`__future__`, standard library, others,
 * relative), `import` before `from`, by module name, as isort and ruff order them. Statements there are not reordered.
 */
import type { Span } from "../../declaration.ts";
import type { SourceUnit } from "../../entity.ts";
import { isBlank, textStart } from "../lines.ts";
import type { Splice } from "../splice.ts";
import { uncovered } from "../uncovered.ts";
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
import { PYTHON_MODULES } from "./python-modules.ts";

interface Statement {
  /** Module of a `from`; null for a plain `import`. */
  from: string | null;
  /** `name` or `name as alias`, blanks collapsed. */
  names: string[];
}

const NAME = "[\\p{L}_][\\p{L}\\p{Nd}_]*";
const DOTTED = `${NAME}(?:\\.${NAME})*`;
const FROM = new RegExp(`^from (\\.*${DOTTED}|\\.+) import (.+)$`, "u");
const ITEM = new RegExp(`^(?:${DOTTED}(?: as ${NAME})?|\\*)$`, "u");

export function addPythonImport(unit: SourceUnit, entry: ImportEntry): Splice[] {
  const wanted = parseEntry(entry);
  const held = new Set(statements(unit).flatMap(({ statement }) => facts(statement)));
  const missing = wanted.names.filter((name) => !held.has(fact(wanted.from, name)));
  if (missing.length === 0) return [];
  const statement = { from: wanted.from, names: missing };
  const text = missing.length === wanted.names.length ? tidy(unit, entry.text) : render(statement);
  return [place(unit, statement, text)];
}

export function removePythonImport(unit: SourceUnit, entry: ImportEntry): Splice[] {
  const unwanted = new Set(facts(parseEntry(entry)));
  const splices: Splice[] = [];
  for (const { span, statement } of statements(unit)) {
    const kept = statement.names.filter((name) => !unwanted.has(fact(statement.from, name)));
    if (kept.length === statement.names.length) continue;
    if (kept.length === 0) splices.push(withoutStatement(unit, span));
    else {
      const text = unit.source.text.slice(span.start, span.end);
      if (holdsComment(unit, span)) throw commentsRefused(entry.operation, text);
      splices.push({ ...span, text: rewritten(unit, text, { from: statement.from, names: kept }) });
    }
  }
  return splices;
}

const fact = (from: string | null, name: string): string => `${from ?? ""}\0${name}`;
const facts = ({ from, names }: Statement): string[] => names.map((name) => fact(from, name));
const render = ({ from, names }: Statement): string =>
  from === null ? `import ${names.join(", ")}` : `from ${from} import ${names.join(", ")}`;

const tidy = (unit: SourceUnit, text: string): string => text.replace(/\r?\n/g, unit.source.lineEnding);

/** One name a line where it was so before, with a comma behind each. */
function rewritten(unit: SourceUnit, before: string, statement: Statement): string {
  if (!before.includes("\n") || statement.from === null) return render(statement);
  const { lineEnding } = unit.source;
  const indentation = /\n([ \t]+)\S/.exec(before)?.[1] ?? "    ";
  const lines = statement.names.map((name) => `${indentation}${name},`);
  return [`from ${statement.from} import (`, ...lines, ")"].join(lineEnding);
}

function parse(text: string): Statement | null {
  if (text.length > STATEMENT_UNITS) return null;
  const plain = text
    .replace(/#[^\n]*/g, "")
    .replace(/\\\r?\n/g, " ")
    .replace(/[()]/g, " ")
    .replace(/;\s*$/, "")
    .replace(/\s+/g, " ")
    .trim();
  const from = FROM.exec(plain.replace(/^from (\.+) (?!import)/, "from $1"));
  const list = from === null ? /^import (.+)$/.exec(plain)?.[1] : from[2];
  if (list === undefined) return null;
  const names = list
    .replace(/,\s*$/, "")
    .split(",")
    .map((name) => name.trim());
  return names.every((name) => ITEM.test(name)) ? { from: from?.[1] ?? null, names } : null;
}

function parseEntry({ text, operation }: ImportEntry): Statement {
  const statement = parse(text);
  if (statement !== null && !text.includes("#")) return statement;
  throw invalidImport(
    operation,
    `${JSON.stringify(text.slice(0, 200))} is not one Python import statement.`,
    "Give a whole statement, e.g. `import os` or `from typing import Any`, without comments.",
  );
}

const statements = (unit: SourceUnit): { span: Span; statement: Statement }[] =>
  unit.outline.imports.flatMap((span) => {
    const statement = parse(unit.source.text.slice(span.start, span.end));
    return statement === null ? [] : [{ span, statement }];
  });

/** Section, then `import` before `from`, then the module's name without regard to case. */
function rank({ from, names }: Statement): [number, number, string] {
  const module = from ?? (names[0] ?? "").split(" ")[0] ?? "";
  const root = module.split(".")[0] ?? "";
  const section = module === "__future__" ? 0 : module.startsWith(".") ? 3 : PYTHON_MODULES.has(root) ? 1 : 2;
  return [section, from === null ? 0 : 1, module.toLowerCase()];
}

function order(a: Statement, b: Statement): number {
  const left = rank(a);
  const right = rank(b);
  const at = left.findIndex((part, index) => part !== right[index]);
  return at < 0 ? 0 : (left[at] as string | number) < (right[at] as string | number) ? -1 : 1;
}

/** Behind it two blank lines before what is defined, else one. */
const gapBehind = (next: string): number => (/^(@|class\b|def\b|async\s+def\b)/.test(next) ? 2 : 1);

function place(unit: SourceUnit, statement: Statement, text: string): Splice {
  const block = leadingImports(unit).flatMap((span) => {
    const held = parse(unit.source.text.slice(span.start, span.end));
    return held === null ? [] : [{ span, statement: held, section: rank(held)[0] }];
  });
  if (block.length === 0 || (statement.from === "__future__" && !opensFile(unit, block[0]?.span))) {
    return insertFirst(unit, text, gapBehind);
  }
  const section = rank(statement)[0];
  const own = block.filter((held) => held.section === section);
  const later = own.find((held) => order(held.statement, statement) > 0);
  if (later !== undefined) return insertBefore(unit, later.span, text);
  const last = own.at(-1);
  if (last !== undefined) return insertBehind(unit, last.span, text);
  const above = block.findLast((held) => held.section < section);
  if (above !== undefined) return insertBehind(unit, above.span, text, 1);
  const first = block[0] as (typeof block)[number];
  return insertBefore(unit, first.span, text, 1);
}

/** Whether nothing but the docstring and comments stands above a statement: `__future__` takes no other place. */
function opensFile(unit: SourceUnit, span: Span | undefined): boolean {
  const { text } = unit.source;
  const above = { start: textStart(text), end: span?.start ?? 0 };
  const header = [...unit.outline.trivia, ...unit.outline.prologue];
  return isBlank(uncovered(text, above, header));
}
