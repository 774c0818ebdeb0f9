/**
 * Which paths a search looks at: include and exclude globs and a language. Globs are those of policy (`policy/glob.ts`:
 * case-insensitive, linear time). A glob stands for what it matches and all below it (`src` takes the folder); without a
 * slash it is matched at any depth (`*.ts`). Exclude wins. Refuses a glob that cannot be read.
 */
import { GitpinError } from "../../errors.ts";
import { compileGlobs, GlobError } from "../policy/glob.ts";
import { isOfLanguage } from "./language.ts";

export interface PathSelection {
  /** No glob: every path. */
  include: readonly string[];
  exclude: readonly string[];
  /** A full name of the table, or null. */
  language: string | null;
}

export type PathFilter = (path: string) => boolean;

/** Most globs of one kind. */
export const MAX_GLOBS = 20;

/** Throws `invalid_argument`, naming the list and the glob. */
export function pathFilter(selection: PathSelection): PathFilter {
  const { include, exclude, language } = selection;
  const included = include.length === 0 ? () => true : globFilter(include, "paths.include");
  const excluded = exclude.length === 0 ? () => false : globFilter(exclude, "paths.exclude");
  return (path) => (language === null || isOfLanguage(path, language)) && included(path) && !excluded(path);
}

function globFilter(globs: readonly string[], field: string): PathFilter {
  if (globs.length > MAX_GLOBS) throw refusedGlob(field, `has more than ${MAX_GLOBS} globs`);
  const expanded = globs.flatMap((glob) => expand(glob));
  try {
    const set = compileGlobs(expanded);
    return (path) => set(path) >= 0;
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    const glob = globs.find((candidate) => expand(candidate).includes(expanded[error.index] ?? "")) ?? "";
    throw refusedGlob(field, `holds a glob that is ${error.message}: ${glob.slice(0, 100)}`);
  }
}

/** Four globs or two for each glob: itself and what lies below, at any depth when it names no folder. */
function expand(glob: string): string[] {
  // A leading `/` or `./` says "from the root", a trailing slash "a folder".
  const rooted = glob.startsWith("/") || glob.startsWith("./");
  const bare = glob.replace(/^\.?\/+/, "").replace(/\/+$/, "");
  const here = bare === "" ? [bare] : [bare, `${bare}/**`];
  return rooted || bare.includes("/") ? here : [...here, ...here.map((one) => `**/${one}`)];
}

function refusedGlob(field: string, fault: string): GitpinError {
  return new GitpinError(
    "invalid_argument",
    `${field} ${fault}.`,
    "Give globs such as src/**, *.ts or docs/**/*.md; several may stand side by side.",
    { field },
  );
}
