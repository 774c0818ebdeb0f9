/**
 * The citation of what is not there: `gitpin-absence:repo@fullSha?q=...` names a commit and a search that found nothing in
 * it, whole: query, mode, case, word, globs, language, and whether only documentation was looked at. `pin.verify` repeats it.
 * Values are percent-encoded UTF-8, so that the handle has no white space and no quotes. Printed one way; read in any order,
 * and nothing unknown, doubled or empty is let through: a misread search would prove another absence.
 */
import { GitpinError } from "../../errors.ts";

/** A search, without anything that only shapes its answer. */
export interface AbsenceQuery {
  query: string;
  mode: "literal" | "regex";
  caseSensitive: boolean;
  wholeWord: boolean;
  /** Globs; none: every path. */
  include: readonly string[];
  exclude: readonly string[];
  /** A full name of the table, or null. */
  language: string | null;
  /** Only documentation was searched. */
  documents: boolean;
}

export interface AbsencePlace {
  /** Registry name. */
  repository: string;
  /** Full commit id; `parseAbsence` also lets 7 to 39 digits through. */
  sha: string;
}

export type Absence = AbsencePlace & AbsenceQuery;

export function printAbsence(absence: Absence): string {
  const { repository, sha, query, mode, caseSensitive, wholeWord, include, exclude, language } = absence;
  const fields: [string, string][] = [["q", query]];
  if (mode === "regex") fields.push(["mode", mode]);
  if (caseSensitive) fields.push(["case", "1"]);
  if (wholeWord) fields.push(["word", "1"]);
  for (const glob of include) fields.push(["in", glob]);
  for (const glob of exclude) fields.push(["not", glob]);
  if (language !== null) fields.push(["language", language]);
  if (absence.documents) fields.push(["docs", "1"]);
  return `gitpin-absence:${repository}@${sha}?${fields.map(([name, value]) => `${name}=${encode(value)}`).join("&")}`;
}

/** Beyond encodeURIComponent, so that the handle also survives Markdown and a shell's quotes. */
const encode = (value: string): string =>
  encodeURIComponent(value).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const HANDLE = /^gitpin-absence:([A-Za-z0-9._-]{1,100})@([0-9a-fA-F]{7,40})\?(\S+)$/;
const ONCE = ["q", "mode", "case", "word", "language", "docs"] as const;
const MANY = ["in", "not"] as const;

/** Throws `invalid_citation`. White space around the text is ignored; the search itself is checked when it runs. */
export function parseAbsence(text: string): Absence {
  const match = HANDLE.exec(text.trim());
  if (match === null) throw invalid("it does not have the form of an absence handle");
  const [, repository = "", sha = "", fields = ""] = match;
  const found = new Map<string, string[]>();
  for (const pair of fields.split("&")) {
    const split = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, split));
    const once = (ONCE as readonly string[]).includes(name);
    if (!once && !(MANY as readonly string[]).includes(name)) throw invalid("it holds an unknown part");
    const values = found.get(name) ?? [];
    if (once && values.length > 0) throw invalid(`it names ${name} twice`);
    found.set(name, [...values, decode(pair.slice(split + 1), name)]);
  }
  const one = (name: string): string | null => found.get(name)?.[0] ?? null;
  const flag = (name: string): boolean => {
    const value = one(name);
    if (value !== null && value !== "1") throw invalid(`${name} is 1 or left out`);
    return value !== null;
  };
  const query = one("q");
  if (query === null) throw invalid("it names no query");
  const mode = one("mode");
  if (mode !== null && mode !== "regex" && mode !== "literal") throw invalid("mode is literal or regex");
  return {
    repository,
    sha: sha.toLowerCase(),
    query,
    mode: mode ?? "literal",
    caseSensitive: flag("case"),
    wholeWord: flag("word"),
    include: found.get("in") ?? [],
    exclude: found.get("not") ?? [],
    language: one("language"),
    documents: flag("docs"),
  };
}

function decode(text: string, name: string): string {
  let value: string;
  try {
    value = decodeURIComponent(text);
  } catch (cause) {
    throw invalid(`${name} is not percent-encoded UTF-8`, cause);
  }
  if (value === "") throw invalid(`${name} is empty`);
  return value;
}

function invalid(what: string, cause?: unknown): GitpinError {
  return new GitpinError(
    "invalid_citation",
    `This is not an absence that can be read: ${what}.`,
    "Give it as the search printed it: `gitpin-absence:repo@fullSha?q=...`.",
    { field: "absence" },
    { cause },
  );
}
