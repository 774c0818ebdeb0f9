/** What is left of a span when others are taken out of it: tells text that belongs to nobody. */
import type { Span } from "../declaration.ts";

/** The text of a span without what other spans cover of it. */
export function uncovered(text: string, span: Span, covering: readonly Span[]): string {
  const covered = covering.filter((other) => other.end > span.start && other.start < span.end);
  covered.sort((a, b) => a.start - b.start);
  let read = span.start;
  let rest = "";
  for (const other of covered) {
    if (other.start > read) rest += text.slice(read, other.start);
    read = Math.max(read, other.end);
  }
  return rest + text.slice(read, Math.max(read, span.end));
}
