/**
 * What other dialects (PCRE, JavaScript, Java) have and RE2 does not, with the nearest form to write instead.
 * A table: nothing here reads a pattern beyond the place it is asked about.
 */

export interface Refusal {
  what: string;
  instead: string;
}

/** RE2's bound on a counted repetition. */
export const MAX_REPEAT = 1000;

const AGAIN = "the group's pattern written again";
const CODE_POINT = "\\x{hhhh} with the code point in hex";

const ESCAPES: Readonly<Record<string, string>> = {
  C: "a dot, which is one character",
  E: "\\\\E for a backslash and an E; \\E only ends \\Q",
  G: "^ for the start of the line",
  H: "[^ \\t]",
  K: "the pattern without it: the lines found are the same",
  N: "a dot",
  R: "nothing: a match never goes beyond its line",
  U: CODE_POINT,
  V: "[^\\n\\v\\f\\r]",
  X: "\\PM\\pM*",
  Z: "\\z, or $ for the end of the line",
  c: CODE_POINT,
  e: "\\x1b",
  g: AGAIN,
  h: "[ \\t]",
  k: AGAIN,
  u: CODE_POINT,
};

/** `letter` is what follows the backslash; null when RE2 takes it. */
export function refusedEscape(letter: string): Refusal | null {
  if (letter === "") return { what: "a backslash at the end", instead: "\\\\ for a backslash" };
  if (/[1-9]/.test(letter)) {
    return {
      what: `a backreference (\\${letter})`,
      instead: `${AGAIN}; for a character by its number ${CODE_POINT}`,
    };
  }
  const instead = ESCAPES[letter];
  if (instead !== undefined) {
    const isReference = letter === "g" || letter === "k";
    return { what: isReference ? `a backreference (\\${letter})` : `the escape \\${letter}`, instead };
  }
  if (!/[a-zA-Z]/.test(letter) || "aAbBdDfnpPQrsStvwWxz".includes(letter)) return null;
  return { what: `the escape \\${letter}`, instead: `${letter} for the letter itself` };
}

const LOOK = "the pattern without it, and a look at the lines found";

const GROUPS: readonly (readonly [open: string, what: string, instead: string])[] = [
  ["(?=", "a lookahead", LOOK],
  ["(?!", "a negative lookahead", LOOK],
  ["(?<=", "a lookbehind", `the text in front as a part of the pattern, or ${LOOK}`],
  ["(?<!", "a negative lookbehind", `a negated class in front, such as (?:^|[^x]), or ${LOOK}`],
  ["(?>", "an atomic group", "(?:...): this engine never backtracks"],
  ["(?|", "a branch reset group", "(?:...)"],
  ["(?#", "a comment", "the pattern without the comment"],
  ["(?(", "a conditional group", "an alternation of both cases: a|b"],
  ["(?R", "a recursion", "a pattern of fixed depth"],
  ["(?&", "a subroutine call", AGAIN],
  ["(?P>", "a subroutine call", AGAIN],
  ["(?P=", "a backreference", AGAIN],
  ["(?'", "a group named in quotes", "(?P<name>...)"],
  ["(*", "a control verb", "the pattern without it; \\( for the character itself"],
];

/** Null when RE2 takes the group that opens at `at`, or when it is for RE2 itself to refuse. */
export function refusedGroup(pattern: string, at: number): Refusal | null {
  const found = GROUPS.find(([open]) => pattern.startsWith(open, at));
  if (found !== undefined) return { what: found[1], instead: found[2] };
  return /^\(\?[+-]?[0-9]/.test(pattern.slice(at, at + 4)) ? { what: "a recursion", instead: AGAIN } : null;
}
