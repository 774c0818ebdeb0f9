/**
 * What stands before the ` @ ` of a cite: where `repo/path` starts. A path may hold almost any character, so this decides
 * by what prose cannot mean otherwise, and says "ambiguous" rather than choose between two readings.
 */

export interface PlaceBefore {
  /** Offsets in the notes; `start === end` when nothing stands there. */
  start: number;
  end: number;
  /** place: `repo/...`. url: of another site. other: no `repo/` in it. */
  kind: "place" | "url" | "ambiguous" | "other";
}

export interface TextBefore {
  notes: string;
  /** Nothing before this offset may be part of it. */
  floor: number;
  /** End of the text before the `@`, white space left out. */
  before: number;
  /** Start of the code span that the `@` stands in; null outside of one. */
  spanStart: number | null;
}

const STOP = /[\p{White_Space}\p{Cc}\p{Bidi_Control}]/u;
const REPOSITORY_CHARACTER = /[A-Za-z0-9._-]/;
const STARTS_AS_PLACE = /^[A-Za-z0-9._-]{1,100}\/[^\s/]/;
/** Marks that end a word of prose and hardly stand in a path; one that must be cited stands in a code span. */
const MARKS = '`"|<>';
/** Marks that may open a text with white space in it. */
const OPENERS = `${MARKS}'([{“‘«`;
const CLOSED_BY: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

export function placeBefore({ notes, floor, before, spanStart }: TextBefore): PlaceBefore {
  const limit = Math.max(floor, spanStart ?? 0);
  let word = before;
  while (word > limit && !STOP.test(notes.charAt(word - 1))) word -= 1;
  const text = notes.slice(word, before);
  if (text.includes("://")) return { start: word, end: before, kind: "url" };

  const opened = openedText(notes, limit, word, spanStart !== null);
  const wide = opened !== null && opened < word && STARTS_AS_PLACE.test(notes.slice(opened, opened + 102));
  const exact = spanStart !== null && opened === word && STARTS_AS_PLACE.test(text);
  const offset = exact ? 0 : placeIn(text);
  if (offset !== null) {
    if (wide && spanStart !== null) return { start: opened, end: before, kind: "ambiguous" };
    return { start: word + offset, end: before, kind: text.charAt(offset - 1) === "/" ? "url" : "place" };
  }
  if (wide) return { start: opened, end: before, kind: "place" };
  return { start: word + afterMarks(text), end: before, kind: "other" };
}

/**
 * Where the text starts that holds this word: the code span's first character, else what the last mark on this line opens
 * that is still open. Null when nothing opens. Looks back from `word`, past the words before it.
 */
function openedText(notes: string, limit: number, word: number, inSpan: boolean): number | null {
  if (inSpan) {
    let start = limit;
    while (start < word && STOP.test(notes.charAt(start))) start += 1;
    return start;
  }
  let closed = 0;
  for (let at = word; at > limit; at -= 1) {
    const mark = notes.charAt(at - 1);
    if (mark === "\n") return null;
    if (CLOSED_BY[mark] !== undefined) closed += 1;
    else if (closed > 0 && "([{".includes(mark)) closed -= 1;
    else if (OPENERS.includes(mark)) return at;
  }
  return null;
}

/** Offset of `repo/...` in one word; null when there is none. */
function placeIn(word: string): number | null {
  const marked = afterMarks(word);
  const open = Math.max(marked, afterOpenBracket(word));
  return firstPlace(word, open) ?? (open === marked ? null : firstPlace(word, marked));
}

const afterMarks = (word: string): number => {
  let at = word.length;
  while (at > 0 && !MARKS.includes(word.charAt(at - 1))) at -= 1;
  return at;
};

/** Offset after the last bracket that opens and is not closed; 0 when all are closed. */
function afterOpenBracket(word: string): number {
  const open: number[] = [];
  for (let at = 0; at < word.length; at += 1) {
    const character = word.charAt(at);
    if ("([{".includes(character)) open.push(at);
    else if (CLOSED_BY[character] !== undefined && word.charAt(open.at(-1) ?? -1) === CLOSED_BY[character])
      open.pop();
  }
  return (open.at(-1) ?? -1) + 1;
}

/** The first slash with a registry name before it and something after it decides. */
function firstPlace(word: string, from: number): number | null {
  for (let slash = word.indexOf("/", from); slash !== -1; slash = word.indexOf("/", slash + 1)) {
    let start = slash;
    while (start > from && REPOSITORY_CHARACTER.test(word.charAt(start - 1))) start -= 1;
    if (start < slash && slash + 1 < word.length) return start;
  }
  return null;
}
