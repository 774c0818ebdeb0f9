/**
 * Locates handles, `gitpin:repo@fullSha:path[:line[-end]]`, and what tries to be one. Where one ends:
 * in a code span that it opens, at the span's end; elsewhere at white space, `|`, `<`, `>`, `"`, a backquote, `](`, the
 * closing mark of what opened right before it, after its line numbers, and before punctuation that ends a sentence.
 */
import { type CodeSpan, spanReader } from "./code-spans.ts";
import { commitWordAt, commitWordFault } from "./commit-word.ts";
import type { Candidate } from "./finding.ts";

const PREFIX = "gitpin:";
const REPOSITORY = /^[A-Za-z0-9._-]{1,100}/;
/** What `core/citation/encode-path.ts` encodes because it ends a word or steers how it shows. */
const STOP = /[\p{White_Space}\p{Cc}\p{Bidi_Control}]/u;
const MARK = /[|<>"`]|\]\(/;
const LINES = /:\d+(?:-\d+)?(?![\p{L}\p{N}_/]|:\d|-\d)/u;
const LINES_AT_END = /:\d+(?:-\d+)?$/;
const DASH_FOR_HYPHEN = /^[\u2010-\u2015\u2212]\d/;
const ENDS_SENTENCE = new Set(".,;:!?'*…’”»›。，、；：！？）】》」』");
const CLOSES: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const CLOSES_QUOTE: Readonly<Record<string, string>> = {
  "'": "'",
  "‘": "’",
  "“": "”",
  "«": "»",
  "‹": "›",
  "「": "」",
  "『": "』",
  "（": "）",
  "【": "】",
  "《": "》",
};

export function handleCandidates(notes: string, spans: readonly CodeSpan[]): Candidate[] {
  const spanAt = spanReader(spans);
  const starts = [...notes.matchAll(/(?<![A-Za-z0-9])gitpin:/gi)].map((match) => match.index);
  return starts.flatMap((start, n) => {
    const span = spanAt(start);
    // Up to the next one, so that every character is looked at for one handle only.
    const region = notes.slice(start, Math.min(starts[n + 1] ?? notes.length, span?.end ?? notes.length));
    const newline = region.indexOf("\n");
    const line = newline === -1 ? region : region.slice(0, newline);
    // CommonMark strips one space after the backquotes, which a text that ends in a backquote needs.
    const opensSpan = span !== null && (start === span.start || notes.slice(span.start, start) === " ");
    const read = readHandle(line, notes.charAt(start - 1), opensSpan);
    if (read === null) return [];
    const end = start + read.length;
    return [
      read.fault === null ? { start, end, form: notes.slice(start, end) } : { start, end, fault: read.fault },
    ];
  });
}

interface Reading {
  length: number;
  fault: string | null;
}

/** `line` starts with the prefix. Null: not an attempt (a scheme, a placeholder, an image tag). */
function readHandle(line: string, before: string, opensSpan: boolean): Reading | null {
  const repository = REPOSITORY.exec(line.slice(PREFIX.length, PREFIX.length + 100))?.[0] ?? "";
  const named = PREFIX.length + repository.length;
  const faulty = (upTo: number, fault: string): Reading => ({
    length: upTo + proseLength(line.slice(upTo), before),
    fault,
  });
  if (line.charAt(named) !== "@" || repository === "") {
    if (/^@[0-9a-fA-F]{7}/.test(line.slice(named))) return faulty(named + 1, "it names no repository");
    const spaced = /^[ \t]{0,8}[A-Za-z0-9._-]{0,100}[ \t]{0,8}@[ \t]{0,8}[0-9a-fA-F]{7,}/.exec(
      line.slice(named),
    );
    if (spaced !== null) return faulty(named + spaced[0].length, "white space stands inside it");
    if (repository === "" || !/^[:/][^\s/]/.test(line.slice(named))) return null;
    const rest = line.slice(named + 1);
    const length = proseLength(rest, before);
    const tries = LINES_AT_END.test(line.slice(0, named + 1 + length)) && !/^\s+@\s/.test(rest.slice(length));
    return tries ? { length: named + 1 + length, fault: "no `@` and commit id follow its repository" } : null;
  }
  const commit = commitWordAt(line, named + 1);
  if (commit.kind === "placeholder") return null;
  const fault = commitWordFault(commit);
  if (fault !== null) return faulty(commit.end, fault);
  if (line.charAt(commit.end) !== ":") return faulty(commit.end, "no `:` and path follow its commit id");
  const from = commit.end + 1;
  const path = pathLength(line.slice(from), before, opensSpan);
  if (path.length === 0) return { length: from, fault: "it names no path" };
  const length = from + path.length;
  if (DASH_FOR_HYPHEN.test(line.slice(length))) {
    return faulty(length, "a dash stands between its line numbers, where a hyphen is due");
  }
  return { length, fault: line.startsWith(PREFIX) ? path.fault : "its prefix is not lower case" };
}

/** In a span that the handle opens, white space may be part of an older, unencoded path, where only that is possible. */
function pathLength(tail: string, before: string, opensSpan: boolean): Reading {
  if (!opensSpan) return { length: proseLength(tail, before), fault: null };
  const whole = tail.trimEnd();
  const space = whole.search(STOP);
  if (space === -1 || LINES_AT_END.test(whole.slice(0, space))) {
    return { length: space === -1 ? whole.length : space, fault: null };
  }
  if (LINES_AT_END.test(whole)) return { length: whole.length, fault: null };
  return { length: whole.length, fault: "white space follows its path, which could be part of it" };
}

/** How much of a text belongs to a handle in prose, in UTF-16 units. `before` is the character before the handle. */
function proseLength(tail: string, before: string): number {
  let run = upTo(tail, tail.search(STOP));
  const mark = run.search(MARK);
  if (mark !== -1 && run.charAt(mark) === ">" && run.slice(0, mark).endsWith("--"))
    run = run.slice(0, mark - 2);
  else run = upTo(run, mark);
  run = upTo(run, closingMark(run, before));
  const lines = LINES.exec(run);
  if (lines !== null) return lines.index + lines[0].length;
  return withoutSentenceEnd(run, before);
}

const upTo = (text: string, end: number): string => (end === -1 ? text : text.slice(0, end));

/** Where what opened before the handle closes; -1 when nothing did. */
function closingMark(run: string, before: string): number {
  const quote = CLOSES_QUOTE[before];
  if (quote !== undefined) return run.indexOf(quote);
  const closer = CLOSES[before];
  if (closer === undefined) return -1;
  let open = 0;
  for (let at = 0; at < run.length; at += 1) {
    if (run[at] === before) open += 1;
    if (run[at] === closer && open-- === 0) return at;
  }
  return -1;
}

function withoutSentenceEnd(run: string, before: string): number {
  const surplus = new Map<string, number>();
  for (const [opener, closer] of Object.entries(CLOSES)) {
    surplus.set(closer, run.split(closer).length - run.split(opener).length);
  }
  let end = run.length;
  for (;;) {
    const last = run.charAt(end - 1);
    const unmatched = surplus.get(last) ?? 0;
    const emphasis = (last === "_" || last === "~") && last === before;
    if (unmatched > 0) surplus.set(last, unmatched - 1);
    else if (last === "" || !(ENDS_SENTENCE.has(last) || emphasis)) return end;
    end -= 1;
  }
}
