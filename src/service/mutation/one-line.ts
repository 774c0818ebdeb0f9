/**
 * Text of callers and of repositories made fit for one line of a commit message: no line break, no control or invisible
 * character, no line that git's tools read as something else than prose. What is cut ends in an ellipsis.
 */

/** Line breaks, control characters and format characters (bidirectional marks among them), and runs of blanks. */
const BLANKS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;

/** `---` ends a message for `git am` and `git interpret-trailers`, `# ---- >8 ----` for `git commit`, `#` opens a comment. */
const MARKS = /^(?:[-#]\s*)+(?=\S)|^[-#\s]+$/;

export const oneLine = (text: string): string => text.replace(BLANKS, " ").trim();

/** One line that can stand at the start of a line of its own. May be empty. */
export function prose(text: string): string {
  const line = oneLine(text);
  return /^(?:---|#)/.test(line) ? line.replace(MARKS, "") : line;
}

/** At most `units` UTF-16 units, never half of a surrogate pair. */
export function shortened(line: string, units: number): string {
  if (line.length <= units) return line;
  const cut = line.slice(0, units - 1).replace(/[\ud800-\udbff]$/, "");
  return `${cut.trimEnd()}…`;
}
