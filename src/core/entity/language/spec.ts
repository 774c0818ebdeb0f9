/**
 * What a language is to the entity core: extensions, one extraction query, and which kinds hold members.
 * Query captures: `d.KIND` the declaration (`d.KIND.weak` where another pattern may name it better), `name`, `owner` (receiver, or the type of an `impl`), `trait`, `body` (where
 * the signature ends); apart from declarations `trivia` (comments, attributes, decorators), `wrap` (a node that belongs to
 * the single declaration in it: `export`, decorators, `type` of Go), `group` (a wrap that holds several), `import`,
 * `scope` (a body or block that is not a declaration's own and whose inside is local), `prologue` (what stays above imports), `misread` (what is one expression to the grammar alone), `package`.
 */

export const LANGUAGE_NAMES = [
  "go",
  "python",
  "typescript",
  "tsx",
  "javascript",
  "rust",
  "java",
  "c",
  "cpp",
  "csharp",
  "ruby",
  "php",
] as const;

export type LanguageName = (typeof LANGUAGE_NAMES)[number];

/** `full`: patch, update, create, imports, remove. `body`: patch and update. `none`: read only. */
export type Editing = "full" | "body" | "none";

export interface LanguageSpec {
  name: LanguageName;
  /** How people write it, e.g. `TypeScript`. */
  title: string;
  /** File name extensions without the dot, lower case. */
  extensions: readonly string[];
  query: string;
  editing: Editing;
  /** Kinds whose body holds members that an edit may add and drop. */
  containers: readonly string[];
  /** Kinds that give their name to what is declared inside, beyond `containers`. */
  namespaces: readonly string[];
  /** Kinds whose inside is local: what is declared there is no entity. */
  callables: readonly string[];
  /** Kind of a `function` that stands in a container, e.g. `method`. */
  memberFunction?: string;
  /** Whether a `;` right behind a declaration belongs to it. */
  semicolons: boolean;
  /** Finds comments above a declaration that are not about it (shebang, `//!`, `//go:build`). */
  detached?: RegExp;
  /** Finds comments and the like that bind to the next declaration whatever blanks and comments lie between. */
  binds?: RegExp;
  /** Query of literals that span lines: their lines are never re-indented. */
  literals?: string;
  /** Query of blocks that the language forbids to be empty and the grammar does not (Python). */
  blocks?: string;
  /** Blank lines between two declarations at the top of a file, as the language's formatter leaves them. */
  blankLines: number;
}
