/**
 * Which characters count as equal when case does not matter: simple case folding of Unicode (CaseFolding.txt, status
 * C and S), one character to one character, independent of any locale. So `k`, `K` and the Kelvin sign are equal,
 * `ß` and `ẞ` are, `ß` and `ss` are not, and a dotless or dotted i equals neither `i` nor `I`.
 * Follows ECMAScript's `iu` flags, which are defined by the same table; the runtime's own Unicode data is used.
 */

const CASED = /\p{Changes_When_Casemapped}|\p{Changes_When_Casefolded}/gu;

let casedCharacters: string | null = null;

/** Every character that is equal to another one: all of them live in the first two planes. */
function allCased(): string {
  if (casedCharacters === null) {
    const units: number[] = [];
    for (let unit = 0; unit <= 0xffff; unit++) if (unit < 0xd800 || unit > 0xdfff) units.push(unit);
    for (let low = 0; low <= 0xffff; low++) units.push(0xd800 + (low >> 10), 0xdc00 + (low & 0x3ff));
    const everything = Buffer.from(Uint16Array.from(units).buffer).toString("utf16le");
    casedCharacters = (everything.match(CASED) ?? []).join("");
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
