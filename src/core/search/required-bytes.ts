/**
 * The text that every match of an expression must hold, as an expression over bytes that V8 runs much faster than any
 * general engine: `\bget[A-Z]\w+\(` always holds `get[A-Z]`. It only proposes lines; RE2 decides on each.
 * Safe by its form: fixed sequences of characters and small classes, no quantifier, so it cannot backtrack far.
 * Knows only what is plain: whatever it does not understand (groups, non-ASCII classes) just ends a sequence.
 */
import { bytePattern } from "./byte-pattern.ts";
import { caseVariants } from "./case-folding.ts";
import type { Token } from "./regex-tokens.ts";

/** One position of a sequence: its byte pattern and how rarely text is expected to match it. */
interface Place {
  pattern: string;
  weight: number;
}

/** Below this a sequence proposes too many lines to be worth it; above, longer does not help. */
const LEAST_WEIGHT = 1.9;
const MOST_PLACES = 16;
const MOST_ALTERNATIVES = 32;

/** A global expression for latin1 text, or null when no alternative-by-alternative sequence is there. */
export function requiredBytes(tokens: readonly Token[], caseSensitive: boolean): RegExp | null {
  if (tokens.some((token) => token.kind === "flags")) return null;
  const alternatives = splitAlternatives(tokens);
  if (alternatives.length > MOST_ALTERNATIVES) return null;
  const best = alternatives.map((alternative) => heaviest(sequences(alternative, caseSensitive)));
  if (best.some((sequence) => weigh(sequence) < LEAST_WEIGHT)) return null;
  return new RegExp(best.map((sequence) => sequence.map((place) => place.pattern).join("")).join("|"), "g");
}

function splitAlternatives(tokens: readonly Token[]): Token[][] {
  const alternatives: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === "open") depth++;
    if (token.kind === "close") depth--;
    if (token.kind === "or" && depth === 0) alternatives.push([]);
    else alternatives.at(-1)?.push(token);
  }
  return alternatives;
}

/** Runs of places that stand side by side in every match. */
function sequences(tokens: readonly Token[], caseSensitive: boolean): Place[][] {
  const found: Place[][] = [];
  let run: Place[] = [];
  const end = (next: Place[] = []): void => {
    found.push(run);
    run = next;
  };
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "open") depth++;
    if (token.kind === "close") depth--;
    if (depth > 0 || token.kind === "close") {
      if (run.length > 0) end();
      continue;
    }
    if (token.kind === "assertion" || token.kind === "repeat") continue;
    const place = placeOf(token, caseSensitive);
    const repeat = tokens[index + 1];
    if (place === null) end();
    else if (repeat?.kind !== "repeat") run.push(place);
    else if (repeat.least === 0) end();
    else {
      for (let i = 0; i < Math.min(repeat.least, MOST_PLACES); i++) run.push(place);
      // More may follow, so the next place need not be the neighbour of all of these, only of the last.
      if (repeat.least !== repeat.most || repeat.least > MOST_PLACES) end([place]);
    }
  }
  end();
  return found;
}

/** Null for what cannot be said in bytes. */
function placeOf(token: Token, caseSensitive: boolean): Place | null {
  if (token.kind === "character") return characterPlace(token.character, caseSensitive);
  if (token.kind !== "class") return null;
  if (token.source === "\\d") return { pattern: "[0-9]", weight: 0.6 };
  // Folded, a class of letters holds the Kelvin sign and the long s: more than one byte.
  if (!caseSensitive) return null;
  if (token.source === "\\w") return { pattern: "[0-9A-Za-z_]", weight: 0.1 };
  return PLAIN_CLASS.test(token.source) && rangesRise(token.source)
    ? { pattern: token.source, weight: token.source.includes("-") ? 0.4 : 0.7 }
    : null;
}

/** Read alike by RE2 and V8: ASCII members and ranges, nothing to be escaped. */
const PLAIN_CLASS = /^\[(?:[A-Za-z0-9](?:-[A-Za-z0-9])?|[_ /:.,;])+\]$/;

const rangesRise = (source: string): boolean =>
  [...source.matchAll(/([A-Za-z0-9])-([A-Za-z0-9])/g)].every(([, low = "", high = ""]) => low <= high);

function characterPlace(character: string, caseSensitive: boolean): Place | null {
  const pattern = bytePattern(caseSensitive ? [character] : caseVariants(character));
  return { pattern, weight: character === " " ? 0.5 : 1 };
}

function heaviest(runs: Place[][]): Place[] {
  const cut = runs.map((run) => run.slice(0, MOST_PLACES));
  return cut.reduce((best, run) => (weigh(run) > weigh(best) ? run : best), []);
}

const weigh = (run: readonly Place[]): number => run.reduce((sum, place) => sum + place.weight, 0);
