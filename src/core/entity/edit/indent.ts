/**
 * Puts a body at the depth of its place. A body may come flush left, as it is read (first line bare, the rest at depth),
 * or with its own leading indentation. Lines inside literals are never moved.
 */
import type { LanguageSpec } from "../language/spec.ts";
import type { SyntaxReader } from "../syntax.ts";

const leading = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

export async function indented(
  reader: SyntaxReader,
  spec: LanguageSpec,
  body: string,
  indentation: string,
): Promise<string> {
  if (indentation === "") return body;
  const lines = body.split("\n");
  const first = lines[0] ?? "";
  if (leading(first) === indentation) return body;
  const inLiteral = await linesInsideLiterals(reader, spec, body);
  const movable = (line: string, index: number): boolean => line.trim() !== "" && !inLiteral.has(index);
  const later = lines.slice(1).filter((line, index) => movable(line, index + 1));
  if (isReadForm(spec, lines, later, indentation)) return indentation + body;
  return lines.map((line, index) => (movable(line, index) ? indentation + line : line)).join("\n");
}

/** Whether the lines below the first stand at depth already. */
function isReadForm(
  spec: LanguageSpec,
  lines: readonly string[],
  later: readonly string[],
  indentation: string,
): boolean {
  if (later.length === 0 || !later.every((line) => line.startsWith(indentation))) return later.length === 0;
  if (spec.name !== "python") return true;
  // In Python nothing closes a body, so its depth is told by the line of the keyword.
  const keyword = lines.findIndex((line) => /^[ \t]*(async\s+def|def|class)\b/.test(line));
  if (keyword > 0) return leading(lines[keyword] ?? "").startsWith(indentation);
  return later.every((line) => leading(line).length > indentation.length);
}

/** Indices of lines that begin inside a literal. */
async function linesInsideLiterals(
  reader: SyntaxReader,
  spec: LanguageSpec,
  body: string,
): Promise<Set<number>> {
  const inside = new Set<number>();
  if (spec.literals === undefined) return inside;
  const reading = await reader.read(spec.name, body, spec.literals);
  const starts = [0];
  for (let at = body.indexOf("\n"); at >= 0; at = body.indexOf("\n", at + 1)) starts.push(at + 1);
  for (const { start, end } of reading.matches.flat()) {
    for (let line = starts.findIndex((at) => at > start); line >= 0 && line < starts.length; line++) {
      if ((starts[line] as number) >= end) break;
      inside.add(line);
    }
  }
  return inside;
}
