/**
 * What a caller's text has to do with names: whether it names an entity, and which words a file must hold so that it may
 * declare one. Case counts as in the search (`search/case-folding.ts`), so that what is searched for is what is matched.
 */
import { asBuffer } from "../archive/raw-path.ts";
import { literalMatcher } from "../search/literal-matcher.ts";
import type { Entity } from "./entity.ts";

/** `exact`: the whole name or qualified name, with its case. `part`: any part of them, whatever the case. */
export type NameMatch = "exact" | "part";

/** `text`: not empty, one line. */
export function nameQuery(
  text: string,
): (entity: Pick<Entity, "name" | "qualifiedName">) => NameMatch | null {
  const part = literalMatcher({ text, caseSensitive: false, wholeWord: false });
  return ({ name, qualifiedName }) => {
    if (name === text || qualifiedName === text) return "exact";
    const bytes = Buffer.from(qualifiedName, "utf8");
    return part.ranges(bytes, 0, bytes.length, 1).ranges.length > 0 ? "part" : null;
  };
}

/** What joins the parts of a qualified name without standing in the file: `<Type as Trait>`. */
const JOINT = Buffer.from("as");

/**
 * Words that the text of every file holds which declares something of such a name: parts of a name are taken from the text
 * as they stand there. None: the name says nothing about the text. The longest comes first.
 */
export function wordsOfName(text: string): string[] {
  const words = [...new Set(text.match(/[\p{L}\p{N}_$]+/gu) ?? [])];
  return words
    .filter((word) => !holdsWord(word, "part")(JOINT))
    .sort((one, other) => other.length - one.length);
}

export type WordForm = "whole" | "part";

/** Whether bytes hold a word: as a whole word with its case, or as any part of one in any case. */
export function holdsWord(word: string, form: WordForm): (bytes: Uint8Array) => boolean {
  const whole = form === "whole";
  const matcher = literalMatcher({ text: word, caseSensitive: whole, wholeWord: whole });
  return (bytes) => matcher.ranges(asBuffer(bytes), 0, bytes.byteLength, 1).ranges.length > 0;
}
