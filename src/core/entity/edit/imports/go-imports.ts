/**
 * Go imports: when the set changes, all import declarations become one parenthesised block, standard library first
 * (its first path element has no dot), each group sorted by path. Unchanged set, unchanged bytes.
 */
import type { SourceUnit } from "../../entity.ts";
import { blankLinesAbove, blankLinesBelow, lineEnd, lineStart } from "../lines.ts";
import { refused } from "../outcome.ts";
import { endWithComment } from "../remove.ts";
import type { Splice } from "../splice.ts";
import { commentsRefused, holdsComment, type ImportEntry, invalidImport } from "./import-edit.ts";

interface ImportSpec {
  alias: string;
  path: string;
}

const SPEC = /^(?:([\p{L}_][\p{L}\p{Nd}_]*|\.)\s+)?(?:"([^"`]*)"|`([^`]*)`)$/u;
const BARE_PATH = /^[A-Za-z0-9._~+\-/]+$/;

export function goImportSplices(
  unit: SourceUnit,
  add: readonly ImportEntry[],
  remove: readonly ImportEntry[],
): Splice[] {
  const held = unit.outline.imports.flatMap((span) => specsOf(unit.source.text.slice(span.start, span.end)));
  const wanted = [...held];
  for (const entry of add) {
    const spec = specOf(entry);
    const same = wanted.find(({ path }) => path === spec.path);
    if (same === undefined) wanted.push(spec);
    else if (same.alias !== spec.alias) {
      throw refused(
        "import_conflict",
        entry.operation,
        `"${spec.path}" is already imported ${same.alias === "" ? "without an alias" : `as ${same.alias}`}.`,
        "Remove it before importing it under another name.",
      );
    }
  }
  for (const entry of remove) {
    const { path, alias } = specOf(entry);
    for (let at = wanted.length - 1; at >= 0; at--) {
      const spec = wanted[at] as ImportSpec;
      if (spec.path === path && (alias === "" || spec.alias === alias)) wanted.splice(at, 1);
    }
  }
  if (wanted.length === held.length && wanted.every((spec) => held.includes(spec))) return [];
  const operation = (add[0] ?? remove[0])?.operation ?? 0;
  if (held.some(({ path }) => path === "C")) {
    throw refused(
      "import_conflict",
      operation,
      'The file imports "C": cgo reads the comment above that import.',
      "Edit the imports of this file by other means.",
    );
  }
  return [blockSplice(unit, wanted, operation)];
}

/** `fmt`, `"fmt"`, `m "math"` or a whole `import m "math"`. */
function specOf({ text, operation }: ImportEntry): ImportSpec {
  const bare = text.replace(/^import\s+/, "").trim();
  const match = SPEC.exec(bare);
  const spec =
    match === null ? { alias: "", path: bare } : { alias: match[1] ?? "", path: match[2] ?? match[3] ?? "" };
  const elements = spec.path.split("/");
  const fits =
    BARE_PATH.test(spec.path) &&
    spec.path.length <= 512 &&
    spec.path !== "C" &&
    elements.every((element) => element !== "" && !element.startsWith("."));
  if (fits) return spec;
  throw invalidImport(
    operation,
    `${JSON.stringify(text.slice(0, 200))} is not a Go import path.`,
    'Give the path alone, e.g. net/http, or with an alias: log "example.com/log".',
  );
}

function specsOf(declaration: string): ImportSpec[] {
  const inner = declaration
    .replace(/^import\s*/, "")
    .replace(/\/\*[\s\S]*?\*\//g, " ")
    .replace(/\/\/[^\n]*/g, "")
    .replace(/^\(|\)$/g, "");
  return inner
    .split(/[\n;]/)
    .map((line) => SPEC.exec(line.trim()))
    .filter((match) => match !== null)
    .map((match) => ({ alias: match[1] ?? "", path: match[2] ?? match[3] ?? "" }));
}

const isStandard = ({ path }: ImportSpec): boolean => !(path.split("/")[0] ?? "").includes(".");

function render(specs: readonly ImportSpec[], lineEnding: string): string {
  const line = ({ alias, path }: ImportSpec) => `\t${alias === "" ? "" : `${alias} `}"${path}"`;
  const group = (standard: boolean): string =>
    specs
      .filter((spec) => isStandard(spec) === standard)
      .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.alias < b.alias ? -1 : 1))
      .map(line)
      .join(lineEnding);
  const groups = [group(true), group(false)].filter((lines) => lines !== "");
  return ["import (", groups.join(lineEnding + lineEnding), ")"].join(lineEnding);
}

function blockSplice(unit: SourceUnit, specs: readonly ImportSpec[], operation: number): Splice {
  const { text, lineEnding } = unit.source;
  const { imports, packageName } = unit.outline;
  const first = imports[0];
  const last = imports.at(-1);
  if (first === undefined || last === undefined) {
    if (packageName === null) {
      throw refused("unit_invalid", operation, `${unit.path} has no package clause.`, "Mend the file first.");
    }
    const at = endWithComment(unit, packageName.end);
    const below = blankLinesBelow(text, lineEnd(text, at));
    const gap = below.count === 0 && below.edge < text.length ? lineEnding : "";
    return { start: at, end: at, text: lineEnding.repeat(2) + render(specs, lineEnding) + gap };
  }
  const span = { start: first.start, end: last.end };
  if (holdsComment(unit, span) || endWithComment(unit, span.end) !== span.end) {
    throw commentsRefused(operation, text.slice(span.start, span.end));
  }
  if (specs.length > 0) return { ...span, text: render(specs, lineEnding) };
  const above = blankLinesAbove(text, lineStart(text, span.start));
  const below = blankLinesBelow(text, lineEnd(text, span.end));
  const gap = below.edge === text.length ? "" : lineEnding;
  return { start: above.edge, end: below.edge, text: gap };
}
