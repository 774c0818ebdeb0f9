/**
 * Unified diff of a plan in git's own form, so that `git apply` takes it. The `diff` library compares lines; when two
 * texts differ in more lines than it is allowed to weigh, the changed middle is shown as replaced as a whole.
 */
import { formatPatch, type StructuredPatch, structuredPatch } from "diff";
import type { LineRange } from "../../git/lines.ts";
import type { Draft } from "./draft.ts";

const CONTEXT_LINES = 3;
/** Edit distance in lines that is searched for the shortest diff; the work grows with its square. */
const MOST_EDITS = 1_000;

export interface FileDiff {
  /** With git's header of the file. */
  text: string;
  /** Lines of the new text that it adds. */
  added: LineRange[];
}

export function fileDiff(draft: Draft): FileDiff {
  const before = draft.original?.source.text ?? "";
  const after = draft.unit.source.text;
  const created = draft.original === null;
  const oldName = created ? "/dev/null" : `a/${draft.path}`;
  const newName = `b/${draft.path}`;
  const options = { context: CONTEXT_LINES, maxEditLength: MOST_EDITS };
  const patch =
    structuredPatch(oldName, newName, before, after, undefined, undefined, options) ??
    replacedMiddle(oldName, newName, before, after);
  const text = asGitWrites(
    formatPatch({
      ...patch,
      isGit: true,
      isCreate: created,
      ...(created ? { newMode: draft.mode } : {}),
    }),
  );
  return { text, added: patch.hunks.flatMap(addedLines) };
}

function addedLines({ newStart, lines }: StructuredPatch["hunks"][number]): LineRange[] {
  const added: LineRange[] = [];
  let line = newStart;
  for (const text of lines) {
    if (text.startsWith("+")) {
      const last = added.at(-1);
      if (last?.end === line - 1) last.end = line;
      else added.push({ start: line, end: line });
    }
    if (text.startsWith("+") || text.startsWith(" ")) line += 1;
  }
  return added;
}

/**
 * What the library writes otherwise than git: a count of 1 is left out of a hunk's header, and a name with a space ends in a tab.
 * Lines of content never begin with `@@`: a mark stands before them.
 */
function asGitWrites(patch: string): string {
  const hunks = patch.indexOf("\n@@ ");
  if (hunks === -1) return patch;
  const names = patch.slice(0, hunks).replace(/^(?:---|\+\+\+) [ab]\/.* .*$/gm, "$&\t");
  const counted = (start: string, count: string): string => (count === "1" ? start : `${start},${count}`);
  const lines = patch
    .slice(hunks)
    .replace(
      /(?<=\n)@@ -(\d+),(\d+) \+(\d+),(\d+) @@(?=\n)/g,
      (_, oldStart: string, oldCount: string, newStart: string, newCount: string) =>
        `@@ -${counted(oldStart, oldCount)} +${counted(newStart, newCount)} @@`,
    );
  return names + lines;
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function replacedMiddle(oldName: string, newName: string, before: string, after: string): StructuredPatch {
  const old = linesOf(before);
  const now = linesOf(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  ) {
    tail += 1;
  }
  const from = Math.max(0, head - CONTEXT_LINES);
  const oldEnd = old.length - Math.max(0, tail - CONTEXT_LINES);
  const newEnd = now.length - Math.max(0, tail - CONTEXT_LINES);
  const marked = (mark: string, lines: string[]): string[] =>
    lines.flatMap((line) =>
      line.endsWith("\n") ? [mark + line.slice(0, -1)] : [mark + line, "\\ No newline at end of file"],
    );
  return {
    oldFileName: oldName,
    newFileName: newName,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [
      {
        oldStart: from + 1,
        oldLines: oldEnd - from,
        newStart: from + 1,
        newLines: newEnd - from,
        lines: [
          ...marked(" ", old.slice(from, head)),
          ...marked("-", old.slice(head, old.length - tail)),
          ...marked("+", now.slice(head, now.length - tail)),
          ...marked(" ", old.slice(old.length - tail, oldEnd)),
        ],
      },
    ],
  };
}
