/**
 * Where a statement ends for people when its `;` stands on a later line: there it is written for the statement that follows
 * (`;[1].forEach(f)`), though the grammar counts it to the one before. It is nobody's then, and stays where it is.
 */
import { codeEnd } from "./code-edge.ts";
import type { Span } from "./declaration.ts";
import type { LanguageSpec } from "./language/spec.ts";

/** End of a span, without a `;` at its end that stands on a later line than the code before it. */
export function withoutLateSemicolon(
  spec: LanguageSpec,
  text: string,
  trivia: readonly Span[],
  { start, end }: Span,
): number {
  if (!spec.semicolons || text[end - 1] !== ";") return end;
  const code = codeEnd(text, trivia, end - 1);
  return code > start && text.slice(code, end - 1).includes("\n") ? code : end;
}
