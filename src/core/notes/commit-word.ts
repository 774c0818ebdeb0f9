/** The word where a commit id is due: what it is, and in which words to say that it is none. */

/**
 * full: 40 hex digits. short, long: hex digits, but not 40. other: letters and digits. placeholder: a form being
 * explained (`fullSha`, `<sha>`, `$SHA`), which is no attempt to cite. none: nothing of all this.
 */
export type CommitWordKind = "full" | "short" | "long" | "other" | "placeholder" | "none";

export interface CommitWord {
  kind: CommitWordKind;
  word: string;
  /** Offset after the word. */
  end: number;
}

const WORD = /[0-9A-Za-z]+/y;
const HEX = /^[0-9a-fA-F]+$/;
const NAMED = /^(?:full|commit|head|base)?(?:sha1?|hash|oid|commit|commitid)$/i;
const MARKED = /<[^<>\s]{1,40}>|\{[^{}\s]{1,40}\}|\$\{?\w{1,40}\}?|…|\.{3}/y;

export function commitWordAt(text: string, at: number): CommitWord {
  MARKED.lastIndex = at;
  const marked = MARKED.exec(text)?.[0];
  if (marked !== undefined) return { kind: "placeholder", word: marked, end: at + marked.length };
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[0] ?? "";
  return { kind: kindOf(word), word, end: at + word.length };
}

function kindOf(word: string): CommitWordKind {
  if (word === "") return "none";
  if (NAMED.test(word)) return "placeholder";
  if (!HEX.test(word)) return "other";
  return word.length === 40 ? "full" : word.length < 40 ? "short" : "long";
}

/** Why this is not a commit id a note may cite; null for a full one and a placeholder. */
export function commitWordFault({ kind, word }: CommitWord): string | null {
  if (kind === "short") return `its commit id has ${word.length} digits, and a citation takes all 40`;
  if (kind === "long") return `its commit id has ${word.length} digits, and a commit id has 40`;
  if (kind === "other") return "what stands for its commit id is not 40 hex digits";
  return kind === "none" ? "it names no commit id" : null;
}
