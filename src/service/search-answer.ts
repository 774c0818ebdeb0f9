/**
 * What the answers of one search and of several have in common: the question as it was read, and where to go on.
 * Owns that an answer which is not the end always leads on: to the proof of an absence, or to what was left out.
 */
import { envelopeOf } from "../core/evidence/envelope.ts";
import type { SearchAnswer } from "../core/search/query.ts";
import { REGEX_DIALECT } from "../core/search/regex-matcher.ts";
import { LITERAL_DIALECT } from "../core/search/search-run.ts";
import { isGap } from "../core/search/tally.ts";
import { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import type { NextCall } from "../schema/common.ts";
import type { SearchCodeInput, SearchedRepository, SearchResult } from "../schema/search.ts";
import { nextTool } from "./next.ts";
import type { CheckedQuery } from "./search-query.ts";
import type { ServicePorts } from "./service-ports.ts";

export interface Asked {
  ports: ServicePorts;
  call: Call;
  tool: "pin.search_code" | "pin.search_docs";
  input: SearchCodeInput;
  checked: CheckedQuery;
}

export function questionOf({
  checked,
}: Asked): Pick<SearchResult, "product" | "contract" | "kind" | "query" | "answer" | "dialect"> {
  const { query, documents } = checked;
  const { mode, caseSensitive, wholeWord, include, exclude, language } = query;
  const answer: SearchAnswer = query.answer;
  return {
    ...envelopeOf("evidence-candidates"),
    query: {
      query: query.query,
      mode,
      caseSensitive,
      wholeWord,
      include: [...include],
      exclude: [...exclude],
      language,
      documents,
    },
    answer,
    dialect: mode === "regex" ? REGEX_DIALECT : LITERAL_DIALECT,
  };
}

/** The absence, to be verified; else the first file that was left out, to be read. */
export function leadOn(row: Omit<SearchedRepository, "next">, call: Call): NextCall {
  const { repository, commitSha: sha, absence, skipped } = row;
  if (absence !== null)
    return nextTool("pin.verify", call.spelling, { repository, sha, absence: absence.handle });
  const leftOut = skipped.filter(({ reason }) => isGap(reason)).flatMap(({ paths }) => paths);
  // A name that is not UTF-8 cannot be asked for.
  const sourcePath = leftOut.find((path) => !path.includes("\ufffd"));
  return sourcePath === undefined
    ? null
    : nextTool("pin.read", call.spelling, { repository, sourcePath, sha });
}

export const wrong = (field: string, message: string, nextStep: string): GitpinError =>
  new GitpinError("invalid_argument", message, nextStep, { field });
