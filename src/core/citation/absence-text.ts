/** What a search looked for, in words for a person. The handle says it for machines; nothing is left out of either. */
import type { AbsenceQuery } from "./absence.ts";

/** `The text "a b" (any case, whole words; in src, *.ts; not in docs)`. */
export function soughtText(search: Readonly<AbsenceQuery>): string {
  const { query, mode, caseSensitive, wholeWord, include, exclude, language, documents } = search;
  const rules = [caseSensitive ? "exact case" : "any case", ...(wholeWord ? ["whole words"] : [])];
  const where = [
    ...(include.length === 0 ? [] : [`in ${include.join(", ")}`]),
    ...(exclude.length === 0 ? [] : [`not in ${exclude.join(", ")}`]),
    ...(language === null ? [] : [`language ${language}`]),
    ...(documents ? ["documentation only"] : []),
  ];
  const what = mode === "regex" ? "The expression" : "The text";
  return `${what} ${JSON.stringify(query)} (${[rules.join(", "), ...where].join("; ")})`;
}
