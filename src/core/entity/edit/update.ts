/**
 * Update: the complete new source of one entity, in the form it is read in or with its own leading indentation. Where the
 * entity's lines end with CRLF, a body written with LF alone is given them.
 * A body that ends in a truncation mark is a clipped reading and would drop code: it is refused.
 */

import type { Span } from "../declaration.ts";
import type { SourceUnit } from "../entity.ts";
import { indentationAt, withLineEndsOf } from "./lines.ts";
import { refused } from "./outcome.ts";
import type { Splice } from "./splice.ts";

const TRUNCATION_MARK = "[truncated]";

export function assertComplete(body: string, operation: number): void {
  if (body.trim() === "") {
    throw refused(
      "invalid_operation",
      operation,
      "The body is blank.",
      "Give the complete source of the declaration; to delete one, use verb remove.",
    );
  }
  if (body.trimEnd().endsWith(TRUNCATION_MARK)) {
    throw refused(
      "body_truncated",
      operation,
      "The body ends in `[truncated]`: it was cut by whoever printed it.",
      "Read the entity with get_entity_source, which returns it complete, or use verb patch.",
    );
  }
}

/** Line ends behind the last line belong to the file, not to the entity. */
function withoutFinalLineEnds(body: string): string {
  let end = body.length;
  while (end > 0 && (body[end - 1] === "\n" || body[end - 1] === "\r")) end -= 1;
  return body.slice(0, end);
}

export function updateSplice(unit: SourceUnit, span: Span, body: string, operation: number): Splice {
  assertComplete(body, operation);
  const { text } = unit.source;
  const old = text.slice(span.start, span.end);
  const replacement = withLineEndsOf(old, text, withoutFinalLineEnds(body));
  const indentation = indentationAt(text, span.start);
  const ownIndentation = /^[ \t]*/.exec(replacement)?.[0] ?? "";
  const carriesIndentation = indentation !== null && indentation !== "" && ownIndentation === indentation;
  const start = carriesIndentation ? span.start - indentation.length : span.start;
  if (text.slice(start, span.end) === replacement) {
    throw refused(
      "no_change",
      operation,
      "The body is what stands there already.",
      "Leave this operation out.",
    );
  }
  return { start, end: span.end, text: replacement };
}
