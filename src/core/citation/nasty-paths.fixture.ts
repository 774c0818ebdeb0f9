/** Paths for tests of this folder: legal in a git tree, hostile to parsers, shells and readers. */
import fc from "fast-check";
import { pathFault } from "../git/path.ts";

export const NASTY_PATHS = [
  "plain.ts",
  "src/a b.ts",
  "-rf",
  "--help/--version",
  ":(exclude)x",
  ":",
  "::",
  ":3",
  "a:3",
  "a:3-4",
  "a.ts:12:5",
  "a%3Ab",
  "100%",
  "%",
  "%25",
  "x @ 0123456789abcdef0123456789abcdef01234567",
  "a @ b/c",
  "@types/node/index.d.ts",
  "#/L3#L4",
  "it's",
  "''",
  '"quoted"',
  "$HOME/$(touch pwned)/`touch pwned`",
  "\x24{IFS}",
  "back\\slash\\",
  "\\n",
  "*?[a-z]{b,c}",
  "~/x",
  "a;b|c&d>e<f",
  "!history!!",
  "line\nfeed",
  "ends in\n",
  "\n",
  "tab\tand\rreturn",
  "bell\x07 escape\x1b[31m ctrl-c\x03\nrm -rf x",
  "del\x7f c1\x85\x9b",
  " leading and trailing ",
  "no\u00a0break\u2003em\u3000wide",
  "line\u2028separator\u2029s",
  "\u202Etxt.exe",
  "iso\u2066late\u2069",
  "zero\u200bwidth\ufeff",
  "Grüße/日本語/\u{1F600}.md",
  "e\u0301 and é",
  "=x",
  "trailing.",
  "dir /file ",
];

const unit = fc.oneof(
  fc.constantFrom(
    ..."ab/:@#%'\"`$\\*?[]{}()!~;|&<>=-+., \n\t\r\x03\x1b\x7f\u0085\u00a0\u2028\u202e\u2066é日0123",
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
  fc.constantFrom("%3A", "%2", ":12", ":1-2", " @ ", "0123456", "\u{1F600}"),
);

/** Any path that a git tree can hold; `.git` itself, which git will not check in, left out. */
export const anyPath = fc
  .array(unit, { minLength: 1, maxLength: 12 })
  .map((units) => units.join(""))
  .filter((path) => path !== "" && pathFault(path) === null && !/(?:^|\/)\.?git/i.test(path));
