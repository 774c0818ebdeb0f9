import assert from "node:assert/strict";
import { test } from "node:test";
import { GitpinError } from "../../errors.ts";
import { MAX_PROGRAM, type RegexOptions, regexMatcher } from "./regex-matcher.ts";

const options = (pattern: string, more: Partial<RegexOptions> = {}): RegexOptions => ({
  pattern,
  caseSensitive: true,
  wholeWord: false,
  ...more,
});

/** Matching lines as text, with their ranges. */
function lines(text: string | Uint8Array, asked: RegexOptions): [string, ...string[]][] {
  const bytes = Buffer.from(text as string);
  const matcher = regexMatcher(asked);
  const found: [string, ...string[]][] = [];
  matcher.scan(bytes, 0, bytes.length, (start, end) => {
    const { ranges } = matcher.ranges(bytes, start, end, 20);
    found.push([
      bytes.toString("latin1", start, end),
      ...ranges.map(({ offset, length }) => `${offset}+${length}`),
    ]);
  });
  return found;
}

function refusal(pattern: string): [code: string, position: unknown, nextStep: string] {
  try {
    regexMatcher(options(pattern));
  } catch (error) {
    assert(error instanceof GitpinError, String(error));
    assert.equal(error.data.field, "query");
    return [error.code, error.data.position ?? error.data.size, error.nextStep];
  }
  return ["taken", null, ""];
}

test("what the dialect lacks is refused with its position and the nearest form", () => {
  const cases: [pattern: string, position: number, nearest: RegExp][] = [
    ["foo(?=bar)", 4, /without it, and a look at the lines found/],
    ["a(?!b)", 2, /look at the lines/],
    ["(?<=x)y", 1, /text in front/],
    ["a|(?<!x)y", 3, /negated class in front/],
    ["(a)\\1", 4, /group's pattern written again/],
    ["(?P<n>a)\\k<n>", 9, /written again/],
    ["(?P<n>a)(?P=n)", 9, /written again/],
    ["(?>ab)c", 1, /\(\?:\.\.\.\): this engine never backtracks/],
    ["a*+b", 3, /without its \+/],
    ["a{2}+", 5, /without its \+/],
    ["a{2}{3}", 5, /a group: \(\?:\.\.\.\)\*/],
    ["a**", 3, /a group/],
    ["x\\Z", 2, /\\z, or \$/],
    ["\\u00e9", 1, /\\x\{hhhh\}/],
    ["a\\hb", 2, /\[ \\t\]/],
    ["\\Ka", 1, /lines found are the same/],
    ["(?x) a", 1, /without its white space/],
    ["(?#note)a", 1, /without the comment/],
    ["(?R)", 1, /fixed depth/],
    ["(?1)", 1, /written again/],
    ["(*UTF8)a", 1, /without it/],
    ["a(b", 2, /\\\( for the character/],
    ["ab)", 3, /\\\) for the character/],
    ["x[a-", 2, /\\\[ for the character/],
    ["*a", 1, /\\\* for the character/],
    ["a|+", 3, /\\\+ for the character/],
    ["a\\", 2, /\\\\ for a backslash/],
    ["a{1001}", 2, /a count up to 1000/],
    ["\\y", 1, /y for the letter itself/],
    ["\\x{110000}", 1, /up to 10FFFF/],
    ["[z-a]", 2, /Mend that part/],
    ["a[[:what:]]", 3, /Mend that part/],
    ["\\p{Klingon}", 1, /Mend that part/],
    ...["\\n", "\\x0a", "\\x{a}", "\\012", "[\\n]", "[\\x0A\\n]", "(?:\\n|$)", "\\n?"].map(
      (written): [string, number, RegExp] => [
        `Nasty${written}`,
        written.startsWith("(") ? 9 : 6,
        /for one line; \$ for its end/,
      ],
    ),
  ];
  for (const [pattern, position, nearest] of cases) {
    const [code, at, nextStep] = refusal(pattern);
    assert.deepEqual([pattern, code, at], [pattern, "pattern_unsupported", position]);
    assert.match(nextStep, nearest, pattern);
  }
});

test("a class that also holds other characters than a line break can match, and is taken", () => {
  for (const pattern of ["a[^\\n]b", "a[\\r\\n]", "a\\s*b", "a\\\\n"]) {
    assert.deepEqual(refusal(pattern), ["taken", null, ""], pattern);
  }
});

test("what the dialect has is taken", () => {
  for (const pattern of [
    "a{,3}",
    "{",
    "x{a}",
    "[]a]",
    "[^]]",
    "[[:alpha:]_]",
    "(?i:a)b",
    "(?P<n>a)",
    "(?<n>a)",
    "\\Qa.b*\\E+",
    "\\Q(",
    "\\pL\\p{Greek}",
    "\\x41\\x{1f600}",
    "\\0\\07",
    "a??b*?c+?",
    "\\-\\/\\<",
    "[\\]\\-]",
    "é|😀+",
    "(|a)",
    "",
  ]) {
    assert.deepEqual([pattern, refusal(pattern)[0]], [pattern, "taken"]);
  }
});

test("anchors of a text mean the line, whatever stands around it", () => {
  const text = "foo\nbar foo\nfoo bar\n\nlast foo";
  assert.deepEqual(lines(text, options("\\Afoo")), [
    ["foo", "0+3"],
    ["foo bar", "0+3"],
  ]);
  assert.deepEqual(lines(text, options("foo\\z")), [
    ["foo", "0+3"],
    ["bar foo", "4+3"],
    ["last foo", "5+3"],
  ]);
  assert.deepEqual(lines(text, options("(?-m:^foo$)")), [["foo", "0+3"]]);
  assert.deepEqual(lines(text, options("(?m)^bar")), [["bar foo", "0+3"]]);
  assert.deepEqual(lines(text, options("^$")), [[""]]);
  assert.deepEqual(lines(text, options("foo\\s+bar")), [["foo bar", "0+7"]]);
  assert.deepEqual(lines(text, options("o[^x]+l")), []);
});

test("offsets are bytes, whatever the encoding; a byte that is no UTF-8 is one character", () => {
  assert.deepEqual(lines("äöü foo 😀 foo\n", options("foo|😀")), [
    ["äöü foo 😀 foo", "7+3", "11+4", "16+3"].map(latin1),
  ]);
  const broken = Buffer.from([0x61, 0xff, 0xfe, 0x62, 0x0a, 0xc3, 0xa9, 0xe2, 0x84, 0x62]);
  assert.deepEqual(lines(broken, options("a..b")), [["a\u00ff\u00feb", "0+4"]]);
  assert.deepEqual(lines(broken, options("^é..b$")), [["\u00c3\u00a9\u00e2\u0084b", "0+5"]]);
  assert.deepEqual(lines(broken, options("\ufffd")), []);
  assert.deepEqual(lines(broken, options("[\\x{0}-\\x{ff}]b")), []);
});

const latin1 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

test("without case, as Unicode folds one character to one", () => {
  const text = "MASSE\nMaße\n\u212aelvin\n\u017fet\n";
  const found = (pattern: string): string[] =>
    lines(text, options(pattern, { caseSensitive: false })).map(([line]) => line);
  assert.deepEqual(found("masse"), ["MASSE"]);
  assert.deepEqual(found("ma\u1e9ee"), [latin1("Maße")]);
  assert.deepEqual(found("^kel[v]in"), [latin1("\u212aelvin")]);
  assert.deepEqual(found("^s[e]t"), [latin1("\u017fet")]);
});

test("whole words as git grep -w: later starts in the line are tried, other lengths are not", () => {
  const word = (pattern: string, text: string): unknown => lines(text, options(pattern, { wholeWord: true }));
  assert.deepEqual(word("fo+", "xfoo foo fooo_\nfoo\n"), [
    ["xfoo foo fooo_", "5+3"],
    ["foo", "0+3"],
  ]);
  assert.deepEqual(word("a|ab", "ab\n"), []);
  assert.deepEqual(word("x*", "\n y \n"), []);
});

/** Each is a known way to make an engine explode, in time or in size. */
const HOSTILE: readonly string[] = [
  "(x+x+)+y",
  "(a+)+$",
  "(\\w+\\s?)*;$",
  "^(a|a)*$",
  "^(a|ab|b)*c$",
  "(a*)*b",
  "(.*)*z",
  "(a|b)*a(a|b){30}[cd]",
  "(a|b)*a(a|b){100}[cd]",
  "(?:.*a){20}",
  "(?:a?){30}a{30}",
  "[ab]{200}c",
  "((a{10}){10}){3}",
  "\\pL{400}",
  "(?:\\pL|\\pN){90}!",
  "(x*)*(x*)*(x*)*y",
  "([a-z]+)+@",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(.+)+(.+)+(.+)+#",
  "(?i)(k|s)+k{150}z",
  "a.*a.*a.*a.*a.*a.*a.*b",
  "[^z]{300}z",
];

test("hostile patterns end: the engine looks at each byte a bounded number of times", () => {
  let seed = 7;
  const random = (): boolean => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed > 1_073_741_824;
  };
  const noise = Array.from({ length: 4000 }, () => (random() ? "a" : "b")).join("");
  const text = Buffer.from(
    `${`${"a".repeat(99)}\n${"x".repeat(60)}\n`.repeat(200)}${`${noise}\n`.repeat(8)}`,
  );
  for (const pattern of HOSTILE) {
    const matcher = regexMatcher(options(pattern));
    assert(matcher.workPerByte <= MAX_PROGRAM, pattern);
    let matching = 0;
    assert.equal(
      matcher.scan(text, 0, text.length, () => matching++),
      0,
      pattern,
    );
    assert(matching <= 408, pattern);
  }
});

test("programs over the bound are refused, most of them before they are compiled", () => {
  const sizes: [string, unknown][] = [
    ["((a{99}){99}){99}", 990_099],
    ["(a{900}){900}", 811_800],
    ["((((((((((a{999}){999}){999}){999}){999}){999}){999}){999}){999}){999})", null],
    ["(a?b?){200}z", 1203],
    [".{1,400}z", 802],
    ["(ab|ba|aa|bb){150}c", 1953],
  ];
  for (const [pattern, size] of sizes) {
    assert.deepEqual([pattern, ...refusal(pattern).slice(0, 2)], [pattern, "pattern_too_large", size]);
  }
});

test("a line that costs too much is left out and counted, its neighbours are not", () => {
  const matcher = regexMatcher(options("[ab]{400}c"));
  const long = "ab".repeat(70_000);
  const text = Buffer.from(`${"a".repeat(400)}c\n${long}\n${"b".repeat(400)}c`);
  const found: number[] = [];
  assert.equal(
    matcher.scan(text, 0, text.length, (start) => found.push(start)),
    1,
  );
  assert.deepEqual(found, [0, 402 + long.length + 1]);
  const proposed = regexMatcher(options("abcabc[ab]{400}"));
  const line = Buffer.from(
    `abcabc${"ab".repeat(75_000)}\nabcabc${"ab".repeat(200)}\n${"x".repeat(150_000)}\n`,
  );
  const hits: number[] = [];
  assert.equal(
    proposed.scan(line, 0, line.length, (start) => hits.push(start)),
    1,
    "only a line that may match",
  );
  assert.deepEqual(hits, [150_007]);
});
