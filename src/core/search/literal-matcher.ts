/**
 * Finds a literal text, byte for byte, in text of any encoding: `git grep -F`, `-i` and `-w`.
 * With case it is a byte search. Without case each character stands for the UTF-8 bytes of all characters equal to it
 * (see `case-folding.ts`); these are looked for as bytes too, so that a match's offset is exact and content that is not
 * UTF-8 needs no decoding. Refuses nothing: the query was checked before.
 */

import { bytePattern } from "./byte-pattern.ts";
import { caseVariants } from "./case-folding.ts";
import { isWholeWord, type LineMatcher, type LineRange, lineEnd, lineStart } from "./line-matcher.ts";

/** A match of the text, wherever it is. */
interface Occurrence {
  at: number;
  length: number;
}

/** The first occurrence at or after `from`, or null. One instance searches one buffer at a time. */
interface ByteSearch {
  open(bytes: Buffer, from: number, to: number): (at: number) => Occurrence | null;
}

export interface LiteralOptions {
  /** Well-formed, not empty, without `\n`. */
  text: string;
  caseSensitive: boolean;
  wholeWord: boolean;
}

export function literalMatcher(options: LiteralOptions): LineMatcher {
  const { text, caseSensitive, wholeWord } = options;
  const search = caseSensitive || !hasCase(text) ? exactSearch(text) : foldedSearch(text);
  return {
    // The worst text makes a search look at each byte as often as the query is long; most make it look once.
    workPerByte: 1 + Math.floor(Buffer.byteLength(text) / 64),
    scan(bytes, from, to, found) {
      const next = search.open(bytes, from, to);
      for (let at = from; at < to; ) {
        const hit = next(at);
        if (hit === null) break;
        const start = lineStart(bytes, from, hit.at);
        const end = lineEnd(bytes, hit.at + hit.length, to);
        if (wholeWord && !isWholeWord(bytes, start, end, hit.at, hit.at + hit.length)) {
          at = hit.at + 1;
          continue;
        }
        found(start, end);
        at = end + 1;
      }
      return 0;
    },
    ranges(bytes, start, end, limit) {
      const next = search.open(bytes, start, end);
      const ranges: LineRange[] = [];
      for (let hit = next(start); hit !== null; ) {
        const behind = hit.at + hit.length;
        const counts = !wholeWord || isWholeWord(bytes, start, end, hit.at, behind);
        if (counts && ranges.length === limit) return { ranges, more: true };
        if (counts) ranges.push({ offset: hit.at - start, length: hit.length });
        hit = next(counts ? behind : hit.at + 1);
      }
      return { ranges, more: false };
    },
  };
}

const hasCase = (text: string): boolean => [...text].some((character) => caseVariants(character).length > 1);

function exactSearch(text: string): ByteSearch {
  const needle = Buffer.from(text, "utf8");
  return {
    open: (bytes, _from, to) => (at) => {
      const found = bytes.indexOf(needle, at);
      return found < 0 || found + needle.length > to ? null : { at: found, length: needle.length };
    },
  };
}

function foldedSearch(text: string): ByteSearch {
  const expression = new RegExp(
    [...text].map((character) => bytePattern(caseVariants(character))).join(""),
    "g",
  );
  return {
    open(bytes, from, to) {
      const view = bytes.toString("latin1", from, to);
      return (at) => {
        expression.lastIndex = at - from;
        const match = expression.exec(view);
        return match === null ? null : { at: match.index + from, length: match[0].length };
      };
    },
  };
}
