/**
 * A repository's own policy: `.gitpin/wiki.yaml` and `docs/wiki.yaml`; where both exist, both apply.
 * `collections[].include` and `expose` list the documentation to show (the union; once either key is there, nothing
 * else is shown), `exclude` hides documentation, `safety.deny` forbids paths altogether, source too.
 * A file that cannot be read in full as that exposes nothing of the repository. Unknown keys are let through, except
 * under `safety`, where a misspelt rule would quietly allow. Reasons never quote the file.
 */
import { parseDocument } from "yaml";
import * as z from "zod";
import { compileGlobs, GLOB_LENGTH, GlobError, type GlobSet } from "./glob.ts";

/** Where the file may stand, in the order they are named in reasons. */
export const WIKI_PATHS = [".gitpin/wiki.yaml", "docs/wiki.yaml"] as const;

/** Longest file, in bytes. */
export const WIKI_BYTES = 262_144;

/** Most globs in one file, all lists together. */
export const WIKI_GLOBS = 200;

/** A wiki file as it stands at one commit. `bytes` null: something stands there that is not a file. */
export interface WikiFile {
  path: string;
  bytes: Uint8Array | null;
}

export interface WikiRules {
  path: string;
  /** Null: the file does not narrow what is shown. */
  shown: GlobSet | null;
  excluded: GlobSet;
  denied: GlobSet;
}

export type WikiPolicy =
  /** Every file that exists could be read; none exists when the list is empty. */
  { kind: "rules"; rules: readonly WikiRules[] } | { kind: "invalid"; path: string; reason: string };

export const NO_WIKI: WikiPolicy = { kind: "rules", rules: [] };

/** Reads all wiki files of one commit. Never throws. */
export function readWikiPolicy(files: readonly WikiFile[]): WikiPolicy {
  const rules: WikiRules[] = [];
  for (const { path, bytes } of files) {
    const read = bytes === null ? "it is not a file" : readRules(path, bytes);
    if (typeof read === "string") return { kind: "invalid", path, reason: read };
    rules.push(read);
  }
  return { kind: "rules", rules };
}

/** Whether a documentation page may be shown as such. Says nothing of whether it is denied. */
export function exposesDocument(path: string, wiki: WikiPolicy): boolean {
  if (wiki.kind === "invalid") return false;
  return wiki.rules.every(
    ({ shown, excluded }) => excluded(path) === -1 && (shown === null || shown(path) !== -1),
  );
}

const glob = z.string().min(1).max(GLOB_LENGTH);
// One glob may stand without a list; a key without a value is an empty list, as YAML writers mean it.
const globs = z
  .union([z.array(glob).max(WIKI_GLOBS), glob, z.null()])
  .transform((value) => (value === null ? [] : typeof value === "string" ? [value] : value));

const wikiFile = z.looseObject({
  collections: z
    .array(z.looseObject({ include: globs.optional(), exclude: globs.optional() }))
    .max(WIKI_GLOBS)
    .nullish(),
  expose: globs.optional(),
  exclude: globs.optional(),
  safety: z.strictObject({ deny: globs.optional() }).nullish(),
});

/** The rules, or why the file cannot be read. */
function readRules(path: string, bytes: Uint8Array): WikiRules | string {
  const value = readYaml(bytes);
  if (typeof value === "string") return value;
  const parsed = wikiFile.safeParse(value.data);
  if (!parsed.success) return shapeFault(parsed.error);
  if (countGlobs(parsed.data) > WIKI_GLOBS) return `it holds more than ${WIKI_GLOBS} globs`;
  try {
    return { path, ...compileRules(parsed.data) };
  } catch (error) {
    if (error instanceof GlobError) return `one of its globs is ${error.message}`;
    throw error;
  }
}

type WikiFileRules = z.infer<typeof wikiFile>;

function countGlobs({ collections, expose, exclude, safety }: WikiFileRules): number {
  const lists = (collections ?? []).flatMap((collection) => [collection.include, collection.exclude]);
  return [...lists, expose, exclude, safety?.deny].reduce((sum, list) => sum + (list?.length ?? 0), 0);
}

function compileRules(file: WikiFileRules): Omit<WikiRules, "path"> {
  const { collections, expose, exclude = [], safety } = file;
  const perCollection = (collections ?? []).map(({ include = [], exclude: except = [] }) => {
    const included = compileGlobs(include);
    const excepted = compileGlobs(except);
    return (path: string) => (excepted(path) === -1 ? included(path) : -1);
  });
  const exposed = compileGlobs(expose ?? []);
  const narrows = collections !== undefined || expose !== undefined;
  return {
    shown: narrows ? (path) => ([...perCollection, exposed].some((set) => set(path) !== -1) ? 0 : -1) : null,
    excluded: compileGlobs(exclude),
    denied: compileGlobs(safety?.deny ?? []),
  };
}

function readYaml(bytes: Uint8Array): { data: unknown } | string {
  if (bytes.length > WIKI_BYTES) return `it is longer than ${WIKI_BYTES} bytes`;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    const document = parseDocument(text, {
      version: "1.2",
      schema: "core",
      merge: false,
      prettyErrors: true,
    });
    // A warning is a tag this schema does not know: its value would be read as something else than was meant.
    const fault = document.errors[0] ?? document.warnings[0];
    if (fault !== undefined) {
      return `its YAML has a fault (${fault.code}) in line ${fault.linePos?.[0].line ?? 1}`;
    }
    const data: unknown = document.toJS({ maxAliasCount: 100 });
    // An empty file, or one of comments only, holds no rule.
    return { data: data ?? {} };
  } catch {
    return "it is not YAML in UTF-8 within the bounds of nesting and aliases";
  }
}

function shapeFault(error: z.ZodError): string {
  const issue = error.issues[0];
  const place = issue?.path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("");
  if (issue?.code === "unrecognized_keys") return "`safety` holds a key other than `deny`";
  return place ? `\`${place.replace(/^\./, "")}\` is not of the expected form` : "it is not a mapping";
}
