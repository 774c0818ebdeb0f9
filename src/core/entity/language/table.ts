/** The language table: by name, and by the extension of a path. A path in no language is not guessed at. */
import { javascript, tsx, typescript } from "./ecmascript.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { c, cpp, csharp, php, ruby } from "./others.ts";
import { python } from "./python.ts";
import { rust } from "./rust.ts";
import type { LanguageName, LanguageSpec } from "./spec.ts";

export const LANGUAGES: Readonly<Record<LanguageName, LanguageSpec>> = {
  go,
  python,
  typescript,
  tsx,
  javascript,
  rust,
  java,
  c,
  cpp,
  csharp,
  ruby,
  php,
};

const BY_EXTENSION = new Map(
  Object.values(LANGUAGES).flatMap((spec) => spec.extensions.map((extension) => [extension, spec] as const)),
);

/** The language of a path by its extension (case does not matter), or null. */
export function languageOf(path: string): LanguageSpec | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 1 ? null : (BY_EXTENSION.get(name.slice(dot + 1).toLowerCase()) ?? null);
}
