/**
 * GitHub's code search, asked for files of one repository that may hold some words. What it names are candidates only: it
 * indexes default branches, some time ago, and ignores punctuation. Follows docs.github.com/rest/search (search code).
 * Owns the query's form: words alone, so that nothing a caller writes is read as a qualifier or an operator.
 */
import * as z from "zod";
import { GitpinError } from "../errors.ts";
import type { CodeSearchFinding } from "../ports/code-search.ts";
import type { Client } from "./client.ts";
import { unexpected } from "./failure.ts";
import { getJson, type Repository } from "./repository.ts";

/** GitHub's bound on a query, in characters, its qualifiers left out. */
const QUERY_UNITS = 256;
const PER_PAGE = 100;
const WHAT = "a code search";

const searchAnswer = z.object({
  total_count: z.number().int().min(0),
  incomplete_results: z.boolean(),
  items: z.array(z.object({ path: z.string().min(1), repository: z.object({ id: z.number().int() }) })),
});

const unsupported = (why: string, nextStep: string): GitpinError =>
  new GitpinError("code_search_unsupported", `GitHub's code search cannot answer this: ${why}.`, nextStep, {
    engine: "github",
  });

/** `words`: letters, digits and `_` only. One request, of the code search's own budget (about ten a minute). */
export async function searchCode(
  client: Client,
  repository: Repository,
  fullName: string,
  words: readonly string[],
  hasToken: boolean,
): Promise<CodeSearchFinding> {
  if (!hasToken) {
    throw unsupported("it takes a token, and this service has none", "Ask the operator to set GITHUB_TOKEN.");
  }
  // `AND`, `OR` and `NOT` are operators in capitals only; case makes no difference to the search.
  const text = words.map((word) => word.toLowerCase()).join(" ");
  if (text === "") throw unsupported("it ignores punctuation", "Search for a word, or prove single files.");
  if (text.length > QUERY_UNITS) {
    throw unsupported(`it takes ${QUERY_UNITS} characters`, "Search for the rarest part of the text.");
  }
  const query = new URLSearchParams({ q: `${text} repo:${fullName}`, per_page: String(PER_PAGE) });
  const answer = await getJson(
    { get: (request) => client.get(request, repository.asking) },
    { path: `/search/code?${query}`, what: WHAT, resource: "code_search" },
    searchAnswer,
  );
  if (answer.status === 422) {
    throw unsupported(
      "it does not know this repository (it may be new, inactive or too large), or refuses the words",
      "Prove or read single files of the commit, or run `git grep` on a clone.",
    );
  }
  if (answer.status !== 200) throw unexpected(WHAT, `HTTP ${answer.status}`);
  const { total_count: total, incomplete_results: stoppedEarly, items } = answer.data;
  const own = items.filter((item) => item.repository.id === repository.id);
  return { paths: [...new Set(own.map((item) => item.path))], total, stoppedEarly };
}
