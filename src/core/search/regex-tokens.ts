/**
 * Cuts a regular expression of the RE2 dialect into tokens before it is compiled. Owns: naming what the dialect does not
 * have, with its position and the nearest form that it has (the table is in `regex-refusals.ts`).
 * Refuses nothing that RE2 takes, save `\1` to `\77`, which RE2 reads as octal and everybody else as a backreference, and a
 * written line break, which no line holds: its "no match" would be read as an absence.
 */
import { MAX_REPEAT, refusedEscape, refusedGroup } from "./regex-refusals.ts";

/** What is wrong, where, and what to write instead. */
export interface PatternFault {
  /** 1-based, in UTF-16 units of the pattern. */
  position: number;
  what: string;
  instead: string;
  /** Why it is refused, where that is not that the dialect lacks it. */
  why?: string;
}

export type Token =
  /** One literal character (code point), however it was written. */
  | { kind: "character"; character: string }
  /** `[...]`, `.`, `\d`, `\pL`: one of several characters. */
  | { kind: "class"; source: string }
  /** `^ $ \b \B \A \z`: no character. */
  | { kind: "assertion"; source: string }
  /** `(`, `(?:`, `(?P<name>`, `(?i:`. */
  | { kind: "open"; source: string }
  | { kind: "close" }
  /** `(?i)`: flags from here to the end of the group. */
  | { kind: "flags"; source: string }
  | { kind: "or" }
  /** `* + ? {n,m}`, lazy or not; `most` null: no upper bound. */
  | { kind: "repeat"; least: number; most: number | null };

export type Tokens = { tokens: Token[]; openQuote: boolean } | { fault: PatternFault };

/** Tokens from left to right, or the first fault. `openQuote`: a `\Q` runs to the end without its `\E`. */
export function tokenize(pattern: string): Tokens {
  const scanner = new Scanner(pattern);
  const fault = scanner.run();
  return fault === null ? { tokens: scanner.tokens, openQuote: scanner.openQuote } : { fault };
}

const REPEAT = /\{(\d{1,9})(,?)(\d{0,9})\}/y;
const FLAGS = /\(\?([a-zA-Z]*-?[a-zA-Z]*)([:)])/y;
const NAME = /\(\?P?<[^>]*>/y;
const UNICODE_CLASS = /\\[pP](?:\{[^}]*\}|.)/suy;
const HEX = /\\x(?:\{([0-9a-fA-F]{1,8})\}|([0-9a-fA-F]{2}))/y;
const OCTAL = /\\0[0-7]{0,2}/y;
/** A class of nothing but line breaks. */
const NEWLINE_CLASS = /^\[(?:\\n|\\x0[aA]|\\x\{0{0,7}[aA]\}|\\012)+\]$/;
const CONTROLS: Readonly<Record<string, string>> = { a: "\x07", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

class Scanner {
  readonly tokens: Token[] = [];
  openQuote = false;
  readonly #pattern: string;
  /** Where the groups that are open begin. */
  readonly #groups: number[] = [];
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  run(): PatternFault | null {
    while (this.#at < this.#pattern.length) {
      const fault = this.#token();
      if (fault !== null) return fault;
    }
    const open = this.#groups.at(-1);
    return open === undefined ? null : this.#fault("a ( without its )", "\\( for the character itself", open);
  }

  #token(): PatternFault | null {
    switch (this.#pattern[this.#at]) {
      case "\\":
        return this.#escape();
      case "[":
        return this.#class();
      case "(":
        return this.#open();
      case ")":
        if (this.#groups.pop() === undefined) {
          return this.#fault("a ) without its (", "\\) for the character itself");
        }
        return this.#push({ kind: "close" }, 1);
      case "|":
        return this.#push({ kind: "or" }, 1);
      case "^":
      case "$":
        return this.#push({ kind: "assertion", source: this.#pattern.charAt(this.#at) }, 1);
      case ".":
        return this.#push({ kind: "class", source: "." }, 1);
      case "*":
        return this.#repeat(0, null, 1);
      case "+":
        return this.#repeat(1, null, 1);
      case "?":
        return this.#repeat(0, 1, 1);
      case "{":
        return this.#counted();
      default:
        return this.#character();
    }
  }

  #character(): null {
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    return this.#push({ kind: "character", character }, character.length);
  }

  #counted(): PatternFault | null {
    const match = this.#match(REPEAT);
    // RE2 reads a brace that is no count as the character.
    if (match === null) return this.#character();
    const [source, least = "", comma = "", most = ""] = match;
    if (Math.max(Number(least), Number(most)) > MAX_REPEAT) {
      return this.#fault(`a repetition over ${MAX_REPEAT}`, `* or +, or a count up to ${MAX_REPEAT}`);
    }
    const upper = comma === "" ? Number(least) : most === "" ? null : Number(most);
    return this.#repeat(Number(least), upper, source.length);
  }

  #repeat(least: number, most: number | null, length: number): PatternFault | null {
    const before = this.tokens.at(-1)?.kind;
    if (before === undefined || before === "open" || before === "or" || before === "flags") {
      const source = this.#pattern.slice(this.#at, this.#at + length);
      return this.#fault(
        `a quantifier (${source}) with nothing in front`,
        `\\${source} for the character itself`,
      );
    }
    this.#push({ kind: "repeat", least, most }, length);
    if (this.#pattern[this.#at] === "?") this.#at += 1;
    const next = this.#pattern[this.#at];
    if (next === "+") {
      return this.#fault(
        "a possessive quantifier",
        "the quantifier without its +: this engine never backtracks",
      );
    }
    if (next === "*" || next === "?" || (next === "{" && this.#match(REPEAT) !== null)) {
      return this.#fault("a quantifier of a quantifier", "a group: (?:...)*");
    }
    return null;
  }

  #open(): PatternFault | null {
    const refused = refusedGroup(this.#pattern, this.#at);
    if (refused !== null) return this.#fault(refused.what, refused.instead);
    const [flagged = "", flags = "", end = ""] = this.#match(FLAGS) ?? [];
    if (flags.includes("x")) {
      return this.#fault("the flag x", "the pattern without its white space and comments");
    }
    if (end === ")") return this.#push({ kind: "flags", source: flags }, flagged.length);
    const source = flagged || this.#match(NAME)?.[0] || "(";
    this.#groups.push(this.#at);
    return this.#push({ kind: "open", source }, source.length);
  }

  #class(): PatternFault | null {
    const end = this.#classEnd();
    if (end < 0) return this.#fault("a [ without its ]", "\\[ for the character itself");
    const source = this.#pattern.slice(this.#at, end);
    if (NEWLINE_CLASS.test(source)) return this.#lineBreak();
    return this.#push({ kind: "class", source }, source.length);
  }

  /** Offset behind the `]`; a `]` right after `[` or `[^` is a member. */
  #classEnd(): number {
    const pattern = this.#pattern;
    let at = this.#at + (pattern[this.#at + 1] === "^" ? 2 : 1);
    if (pattern[at] === "]") at += 1;
    while (at < pattern.length && pattern[at] !== "]") {
      const named = pattern.startsWith("[:", at) ? pattern.indexOf(":]", at + 2) : -1;
      if (named > 0) at = named + 2;
      else at += pattern[at] === "\\" ? 2 : 1;
    }
    return at < pattern.length ? at + 1 : -1;
  }

  #escape(): PatternFault | null {
    const next = this.#pattern.charAt(this.#at + 1);
    const refused = refusedEscape(next);
    if (refused !== null) return this.#fault(refused.what, refused.instead);
    if (next === "Q") return this.#quote();
    if ("bBAz".includes(next)) return this.#push({ kind: "assertion", source: `\\${next}` }, 2);
    if ("dDsSwW".includes(next)) return this.#push({ kind: "class", source: `\\${next}` }, 2);
    const unicode = this.#match(UNICODE_CLASS);
    if (unicode !== null) return this.#push({ kind: "class", source: unicode[0] }, unicode[0].length);
    const hex = this.#match(HEX);
    if (hex !== null) return this.#numbered(hex[0], Number.parseInt(hex[1] ?? hex[2] ?? "", 16));
    const octal = this.#match(OCTAL);
    if (octal !== null) return this.#numbered(octal[0], Number.parseInt(octal[0].slice(1), 8));
    if (next === "n") return this.#lineBreak();
    const character = CONTROLS[next] ?? String.fromCodePoint(this.#pattern.codePointAt(this.#at + 1) ?? 0);
    return this.#push(
      { kind: "character", character },
      1 + (CONTROLS[next] === undefined ? character.length : 1),
    );
  }

  #numbered(source: string, point: number): PatternFault | null {
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
      return this.#fault(`${source}, which is no character`, "\\x{hhhh} with a code point up to 10FFFF");
    }
    if (point === 10) return this.#lineBreak();
    return this.#push({ kind: "character", character: String.fromCodePoint(point) }, source.length);
  }

  #lineBreak(): PatternFault {
    return {
      ...this.#fault("a line break", "an expression for one line; $ for its end, | between alternatives"),
      why: "and a search finds lines, none of which holds one",
    };
  }

  #quote(): null {
    const start = this.#at + 2;
    const close = this.#pattern.indexOf("\\E", start);
    this.openQuote = close < 0;
    const quoted = this.#pattern.slice(start, close < 0 ? undefined : close);
    for (const character of quoted) this.tokens.push({ kind: "character", character });
    this.#at = close < 0 ? this.#pattern.length : close + 2;
    return null;
  }

  #match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    return expression.exec(this.#pattern);
  }

  #push(token: Token, length: number): null {
    this.tokens.push(token);
    this.#at += length;
    return null;
  }

  #fault(what: string, instead: string, at: number = this.#at): PatternFault {
    return { position: at + 1, what, instead };
  }
}
