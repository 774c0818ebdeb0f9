/**
 * Patch: literal replacements inside one entity's original body. Each anchor occurs exactly once there (overlapping
 * occurrences count), anchors do not overlap, and no edit and no sum of edits is without effect.
 */
import { refused } from "./outcome.ts";
import { applySplices, overlapping, type Splice } from "./splice.ts";

export interface TextEdit {
  old_text: string;
  new_text: string;
}

/** The patched body, or a refusal that names the edit. */
export function patchedBody(body: string, edits: readonly TextEdit[], operation: number): string {
  const splices = edits.map((edit, index) => spliceOf(body, edit, index, operation));
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

function spliceOf(body: string, edit: TextEdit, index: number, operation: number): Splice & { edit: number } {
  const { old_text: anchor, new_text: text } = edit;
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
  const start = body.indexOf(anchor);
  if (start < 0) {
    const crlf = body.includes("\r\n") && !anchor.includes("\r\n") && anchor.includes("\n");
    throw refused(
      "anchor_missing",
      operation,
      `edits[${index}].old_text does not occur in the entity's body.`,
      crlf
        ? "The lines of this file end with CRLF: write \\r\\n in old_text and new_text."
        : "Copy old_text exactly from the body that get_entity_source returned.",
    );
  }
  if (body.indexOf(anchor, start + 1) >= 0) {
    throw refused(
      "anchor_ambiguous",
      operation,
      `edits[${index}].old_text occurs more than once in the entity's body.`,
      "Make old_text longer until it occurs once.",
    );
  }
  return { start, end: start + anchor.length, text, edit: index };
}
