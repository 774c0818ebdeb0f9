/**
 * Locates cites, `repo/path[:line[-end]] @ fullSha`, and what tries to be one, by their `@`; `place-before.ts` finds
 * where each starts. Handles are left to `handle-candidates.ts`; a pinned action (`owner/name@sha`) is no attempt.
 */
import { type CodeSpan, spanReader } from "./code-spans.ts";
import { type CommitWord, commitWordAt, commitWordFault } from "./commit-word.ts";
import type { Candidate } from "./finding.ts";
import { type PlaceBefore, placeBefore } from "./place-before.ts";

/** Space on one line, or one line break with the marks of a quoted block. */
const GAP_AFTER = /[ \t\u00a0]*\r?\n[ \t>]*|[ \t\u00a0]+/y;
const STOP = /[\p{White_Space}\p{Cc}\p{Bidi_Control}]/u;
const LINES_AT_END = /:\d{1,20}(?:-\d{1,20})?$/;
/** Marks that split a cite where someone set its parts in type: `repo/path` @ `sha`. */
const SPLITTING = "`\"'*<>|_(";
const REF_NAMES = /^(?:HEAD|main|master|trunk|develop|latest)$/;

export function citeCandidates(
  notes: string,
  spans: readonly CodeSpan[],
  handles: readonly { start: number; end: number }[],
): Candidate[] {
  const spanAt = spanReader(spans);
  const found: Candidate[] = [];
  let handle = 0;
  // Nothing before it belongs to a later cite, so that no text is looked at twice.
  let floor = 0;
  for (let at = notes.indexOf("@"); at !== -1; at = notes.indexOf("@", at + 1)) {
    while ((handles[handle]?.end ?? Number.POSITIVE_INFINITY) <= at) {
      floor = Math.max(floor, handles[handle]?.end ?? 0);
      handle += 1;
    }
    if (at < floor || (handles[handle]?.start ?? Number.POSITIVE_INFINITY) <= at) continue;
    const around: Around = {
      notes,
      at,
      floor,
      spanStart: spanAt(at)?.start ?? null,
      ...gaps(notes, at, floor),
    };
    const stuck = around.before === at && around.after === at + 1;
    const candidate = stuck ? withoutSpaces(around) : withSpaces(around);
    if (candidate !== null) {
      candidate.end = Math.min(candidate.end, handles[handle]?.start ?? notes.length);
      found.push(candidate);
    }
    if (candidate !== null || !stuck) floor = Math.max(candidate?.end ?? 0, at + 1);
  }
  return found;
}

interface Around {
  notes: string;
  /** Offset of the `@`. */
  at: number;
  floor: number;
  spanStart: number | null;
  /** End of the text before the `@`, start of the text after it. */
  before: number;
  after: number;
}

function gaps(notes: string, at: number, floor: number): { before: number; after: number } {
  GAP_AFTER.lastIndex = at + 1;
  const after = at + 1 + (GAP_AFTER.exec(notes)?.[0].length ?? 0);
  const back = (from: number, marks: string): number => {
    let to = from;
    while (to > floor && marks.includes(notes.charAt(to - 1))) to -= 1;
    return to;
  };
  const lineStart = back(at, " \t\u00a0>");
  const wraps = lineStart > floor && notes.charAt(lineStart - 1) === "\n";
  return { before: wraps ? back(lineStart - 1, " \t\r") : back(at, " \t\u00a0"), after };
}

/** An `@` with white space on one side or both. */
function withSpaces(around: Around): Candidate | null {
  const { notes, at, after } = around;
  let commit = commitWordAt(notes, after);
  if (commit.kind === "placeholder") return null;
  const marksAfter = commit.kind === "none" ? countMarks(notes, after) : 0;
  if (marksAfter > 0) commit = commitWordAt(notes, after + marksAfter);
  const marksBefore = notes.charAt(around.before - 1);
  const closed = around.spanStart === null && marksBefore !== "" && "`\"'*>|".includes(marksBefore);
  const split = marksAfter > 0 || closed;
  let before = around.before;
  while (closed && before > around.floor && SPLITTING.includes(notes.charAt(before - 1))) before -= 1;
  const spanStart = around.spanStart !== null && around.spanStart < before ? around.spanStart : null;
  const place = placeBefore({ notes, floor: around.floor, before, spanStart });
  const spaced = around.before < at && (after > at + 1 || after === notes.length);
  const lined = LINES_AT_END.test(notes.slice(Math.max(place.start, place.end - 42), place.end));

  if (commit.kind !== "full") {
    if (!tries(notes, place, commit, spaced, lined)) return null;
    const end = commit.kind === "none" ? at + 1 : commit.end;
    return { start: place.start, end, fault: commitWordFault(commit) ?? "it names no commit id" };
  }
  const fault = (what: string): Candidate => ({ start: place.start, end: commit.end, fault: what });
  const isPlace = place.kind === "place" || place.kind === "ambiguous";
  if (!isPlace && !lined && (split || !spaced)) return null;
  if (split) return fault("marks such as backquotes stand inside it");
  if (!spaced) return fault("one space is due on each side of its `@`");
  return wellSpaced(notes, place, commit, fault);
}

function wellSpaced(
  notes: string,
  place: PlaceBefore,
  commit: CommitWord,
  fault: (what: string) => Candidate,
): Candidate {
  if (place.kind === "url") return fault("a URL or an absolute path stands where a registry name is due");
  if (place.kind === "ambiguous")
    return fault("white space stands before its path, which could be part of it");
  if (place.kind === "other") return fault("no `repo/path` stands before its `@`");
  if (/gitpin:$/i.test(notes.slice(Math.max(place.start - 7, 0), place.start))) {
    return fault("the two forms of a citation are mixed in it");
  }
  if (/^(?::|#L?)\d/.test(notes.slice(commit.end, commit.end + 4))) {
    return fault("its line numbers stand after the commit id, and belong before the `@`");
  }
  if (/:\d+[\u2010-\u2015\u2212]\d+$/.test(notes.slice(Math.max(place.end - 42, place.start), place.end))) {
    return fault("a dash stands between its line numbers, where a hyphen is due");
  }
  const start = place.start + decoration(notes, place.start, commit.end);
  return { start, end: commit.end, form: `${notes.slice(start, place.end)} @ ${commit.word}` };
}

/** Whether this clearly tries to be a cite although no full commit id follows. */
function tries(
  notes: string,
  place: PlaceBefore,
  commit: CommitWord,
  spaced: boolean,
  lined: boolean,
): boolean {
  const { kind, word } = commit;
  const hex = (kind === "short" || kind === "long") && word.length >= 7;
  if (place.kind === "url") return false;
  const text = notes.slice(place.start, place.end);
  const isPlace = place.kind !== "other";
  if (lined && (hex || (isPlace && spaced))) return true;
  if (!spaced) return false;
  if (lined) return REF_NAMES.test(word);
  if (!isPlace) return false;
  if (hex) return /\d/.test(word);
  const named = REF_NAMES.test(word) && /\.[A-Za-z0-9]{1,10}$/.test(text);
  return kind === "other" && (named || (word.length >= 20 && word.length <= 64 && /\d/.test(word)));
}

const countMarks = (notes: string, at: number): number => {
  let count = 0;
  while (count < 3 && notes.charAt(at + count) !== "" && SPLITTING.includes(notes.charAt(at + count)))
    count += 1;
  return count;
};

/** How many characters before the repository are marks: an opening `<!--`, or emphasis that closes after the cite. */
function decoration(notes: string, start: number, end: number): number {
  if (notes.slice(start - 2, start) === "<!" && notes.startsWith("--", start)) return 2;
  let count = 0;
  while (count < 3 && notes.charAt(start + count) === "_" && notes.charAt(end + count) === "_") count += 1;
  return count;
}

/** An `@` between two words: only what cannot be a pinned action, an address or a handle. */
function withoutSpaces({ notes, at, floor }: Around): Candidate | null {
  const encoded = notes.startsWith("%20", at + 1) && notes.startsWith("%20", at - 3);
  const commit = commitWordAt(notes, encoded ? at + 4 : at + 1);
  if (commit.kind === "other" || commit.kind === "placeholder" || commit.word.length < 7) return null;
  let start = at;
  while (start > floor && notes.charAt(start - 1) !== "@" && !STOP.test(notes.charAt(start - 1))) start -= 1;
  const lined = LINES_AT_END.test(notes.slice(Math.max(at - 42, start), at));
  const place = placeBefore({ notes, floor: start, before: at, spanStart: null });
  if (place.kind === "place" && (lined || encoded)) {
    return { start: place.start, end: commit.end, fault: "one space is due on each side of its `@`" };
  }
  const repository = /(?<![A-Za-z0-9._/-])[A-Za-z0-9._-]{1,100}$/.exec(
    notes.slice(Math.max(at - 101, start), at),
  );
  if (
    commit.kind !== "full" ||
    repository === null ||
    !/^:[^\s]/.test(notes.slice(commit.end, commit.end + 2))
  ) {
    return null;
  }
  let end = commit.end + 1;
  while (end < notes.length && !STOP.test(notes.charAt(end))) end += 1;
  return { start: at - repository[0].length, end, fault: "its prefix `gitpin:` is missing" };
}
