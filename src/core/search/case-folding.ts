/**
 * Which characters count as equal when case does not matter: simple case folding of Unicode (CaseFolding.txt, status
 * C and S), one character to one character, independent of any locale. So `k`, `K` and the Kelvin sign are equal,
 * `ß` and `ẞ` are, `ß` and `ss` are not, and a dotless or dotted i equals neither `i` nor `I`.
 * Follows ECMAScript's `iu` flags, which are defined by the same table; the runtime's own Unicode data is used.
 */

/** Cased characters live in the first two planes; every character equal to another one is among these. */
const PLANES = 0x20000;
const CASED = /\p{Changes_When_Casemapped}|\p{Changes_When_Casefolded}/gu;

let casedCharacters: string | null = null;

function allCased(): string {
  if (casedCharacters === null) {
    const everything: string[] = [];
    for (let point = 0; point < PLANES; point++) {
      if (point < 0xd800 || point > 0xdfff) everything.push(String.fromCodePoint(point));
    }
    casedCharacters = (everything.join("").match(CASED) ?? []).join("");
  }
  return casedCharacters;
}

const known = new Map<string, readonly string[]>();

/** The character and every other one equal to it, in code point order. `character` is one code point. */
export function caseVariants(character: string): readonly string[] {
  let variants = known.get(character);
  if (variants === undefined) {
    const point = character.codePointAt(0) ?? 0;
    const equal = new RegExp(`\\u{${point.toString(16)}}`, "giu");
    const found = new Set(allCased().match(equal) ?? []).add(character);
    variants = [...found].sort((a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0));
    // Queries are short and alphabets small; a bound keeps a stream of odd queries from filling memory.
    if (known.size < 4096) known.set(character, variants);
  }
  return variants;
}
