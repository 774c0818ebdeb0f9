/**
 * Patch: literal replacements inside one entity's original body. Each anchor occurs exactly once there (overlapping
 * occurrences count), anchors do not overlap, and no edit and no sum of edits is without effect. Where the entity's lines
 * end with CRLF, new text written with LF alone is given them; old text is never matched but literally.
 */
import { lineEndOf, withLineEndsOf } from "./lines.ts";
import { refused } from "./outcome.ts";
import { applySplices, overlapping, type Splice } from "./splice.ts";

export interface TextEdit {
  old_text: string;
  new_text: string;
}

/** Where the one occurrence of an anchor begins, in UTF-16 units; overlapping occurrences are several. */
export function placeOfAnchor(body: string, anchor: string): number | "missing" | "ambiguous" {
  const start = body.indexOf(anchor);
  if (start < 0) return "missing";
  return body.indexOf(anchor, start + 1) < 0 ? start : "ambiguous";
}

/** The patched body of an entity of `file`, or a refusal that names the edit. */
export function patchedBody(
  file: string,
  body: string,
  edits: readonly TextEdit[],
  operation: number,
): string {
  const splices = edits.map((edit, index) => spliceOf(file, body, edit, index, operation));
  const clash = overlapping(splices);
  if (clash !== null) {
    throw refused(
      "anchors_overlap",
      operation,
      `edits[${clash[0].edit}] and edits[${clash[1].edit}] overlap in the original entity body.`,
      "Join them into one edit with one old_text.",
    );
  }
  const patched = applySplices(body, splices).text;
  if (patched === body) {
    throw refused("no_change", operation, "The edits together change nothing.", "Leave this operation out.");
  }
  return patched;
}

function spliceOf(
  file: string,
  body: string,
  { old_text: anchor, new_text: text }: TextEdit,
  index: number,
  operation: number,
): Splice & { edit: number } {
  if (anchor === "") {
    throw refused(
      "invalid_operation",
      operation,
      `edits[${index}].old_text is empty.`,
      "Give the text to replace, as it stands in the body.",
    );
  }
  if (anchor === text) {
    throw refused("no_change", operation, `edits[${index}] replaces text by itself.`, "Leave this edit out.");
  }
  const start = placeOfAnchor(body, anchor);
  if (start === "missing") {
    throw refused(
      "anchor_missing",
      operation,
      `edits[${index}].old_text does not occur in the entity's body.`,
      stepToAnchor(body, anchor),
    );
  }
  if (start === "ambiguous") {
    throw refused(
      "anchor_ambiguous",
      operation,
      `edits[${index}].old_text occurs more than once in the entity's body.`,
      "Make old_text longer until it occurs once.",
    );
  }
  const end = start + anchor.length;
  const before = body[start - 1] ?? "";
  const made = withLineEndsOf(body, file, text, before);
  const cutAbove = before === "\r" && anchor.startsWith("\n") && !made.startsWith("\n");
  const cutBelow = anchor.endsWith("\r") && body[end] === "\n" && !made.endsWith("\r");
  if (cutAbove || cutBelow) {
    throw refused(
      "anchor_missing",
      operation,
      `edits[${index}].old_text ${cutAbove ? "begins" : "ends"} inside a line end, CRLF, which new_text would leave half.`,
      "Take the whole \\r\\n into old_text, or leave it out.",
    );
  }
  return { start, end, text: made, edit: index };
}

/** What to do about an anchor that is not there: most often its line ends are others. */
function stepToAnchor(body: string, anchor: string): string {
  const lines = (text: string): string => text.replaceAll("\r\n", "\n");
  const copy = "Copy old_text exactly from the body that get_entity_source returned.";
  if (!lines(body).includes(lines(anchor))) return copy;
  const lineEnd = lineEndOf(body);
  if (lineEnd === null) {
    return `It is there with other line ends: this entity has both LF and CRLF. ${copy}`;
  }
  const [name, written] = lineEnd === "\n" ? ["LF", "\\n"] : ["CRLF", "\\r\\n"];
  return `It is there with other line ends: the lines of this entity end with ${name}. Write ${written} in old_text.`;
}
