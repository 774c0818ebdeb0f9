/**
 * `pin.search_code` and `pin.search_docs`: one repository, or several one after the other. Owns the bound on repositories
 * of one answer, their fair share of it, and that a repository which fails is named as failed, never shown as empty.
 */
import * as z from "zod";
import { decodeCursor, encodeCursor } from "../core/cursor.ts";
import { envelopeOf } from "../core/evidence/envelope.ts";
import { queryDigest, type SearchAnswer } from "../core/search/query.ts";
import { REGEX_DIALECT } from "../core/search/regex-matcher.ts";
import { LITERAL_DIALECT } from "../core/search/search-run.ts";
import { asGitpinError, GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import type { NextCall } from "../schema/common.ts";
import type { SearchCodeInput, SearchDocsInput, SearchedRepository, SearchResult } from "../schema/search.ts";
import { nextTool } from "./next.ts";
import { registered } from "./registered.ts";
import { candidateFile, candidateOf } from "./search-candidates.ts";
import { type CheckedQuery, checkedQuery } from "./search-query.ts";
import {
  NOTHING_SEARCHED,
  type RepositorySearch,
  searchRepository,
  UNSEARCHED,
} from "./search-repository.ts";
import type { ServicePorts } from "./service-ports.ts";

/** Repositories of one answer: each may take the download of an archive. */
const REPOSITORIES_AT_MOST = 8;
const NAMED_AT_MOST = 200;

type Tool = "pin.search_code" | "pin.search_docs";

interface Asked {
  ports: ServicePorts;
  call: Call;
  tool: Tool;
  input: SearchCodeInput;
  checked: CheckedQuery;
}

export async function searchCode(
  ports: ServicePorts,
  input: SearchCodeInput,
  call: Call,
): Promise<SearchResult> {
  if (input.repository === undefined && input.repositories === undefined) {
    throw wrong("repository", "repository is missing.", "Name a repository, or several with repositories.");
  }
  return await search({ ports, call, tool: "pin.search_code", input, checked: checkedQuery(input, false) });
}

export async function searchDocs(
  ports: ServicePorts,
  input: SearchDocsInput,
  call: Call,
): Promise<SearchResult> {
  return await search({ ports, call, tool: "pin.search_docs", input, checked: checkedQuery(input, true) });
}

async function search(asked: Asked): Promise<SearchResult> {
  const { repository, repositories } = asked.input;
  if (repository === undefined) return await searchSeveral(asked);
  if (repositories !== undefined) {
    throw wrong("repositories", "repository and repositories exclude each other.", "Give one of them.");
  }
  return await searchOne(asked, repository);
}

async function searchOne(asked: Asked, repository: string): Promise<SearchResult> {
  const { ports, call, input, checked, tool } = asked;
  const { sha, ref, engine } = input;
  const found = await searchRepository(ports, call, { repository, sha, ref }, checked, engine);
  const { opened, outcome, row } = found;
  const hits = outcome?.hits.map((hit) => candidateOf(ports, call, opened, hit)) ?? [];
  const files = outcome?.files.map((file) => candidateFile(ports, call, opened, file)) ?? [];
  const nextCursor = outcome?.nextCursor ?? null;
  const further =
    nextCursor === null
      ? null
      : nextTool(tool, call.spelling, {
          ...input,
          ref: undefined,
          repository,
          sha: opened.commitSha,
          cursor: nextCursor,
        });
  const next = hits[0]?.next ?? files[0]?.next ?? verifyNext(row.absence, call) ?? further;
  return {
    ...common(asked),
    status:
      row.status === "ok"
        ? row.complete
          ? "ok"
          : "partial"
        : row.status === "failed"
          ? "partial"
          : row.status,
    candidates: hits,
    files,
    repositories: [{ ...row, next: further }],
    totals: row.totals,
    complete: row.complete,
    notSearched: [],
    notSearchedCount: 0,
    nextCursor,
    next,
  };
}

const verifyNext = (absence: SearchedRepository["absence"], call: Call): NextCall =>
  absence === null
    ? null
    : nextTool("pin.verify", call.spelling, {
        repository: absence.repository,
        sha: absence.commitSha,
        absence: absence.handle,
      });

const position = z.tuple([z.string(), z.string()]);
const KIND = "search-repositories";

async function searchSeveral(asked: Asked): Promise<SearchResult> {
  const { ports, call, input, checked } = asked;
  for (const field of ["sha", "ref"] as const) {
    if (input[field] !== undefined)
      throw wrong(field, `${field} belongs to one repository.`, "Name that repository, or leave it out.");
  }
  const names = await repositoryNames(asked);
  // Which repositories, and what of them: a cursor is good for one such search only.
  const digest = queryDigest({
    ...checked.query,
    include: [...checked.query.include, "", ...(input.repositories ?? [])],
  });
  const start = startOf(names, digest, input.cursor);
  const chosen = names.slice(start, start + REPOSITORIES_AT_MOST);
  const rest = names.slice(start + chosen.length);
  const found: (RepositorySearch | Failure)[] = [];
  const each = { ...checked, query: { ...checked.query, cursor: null } };
  for (const name of chosen) found.push(await attempt(asked, name, each));
  const failures = found.filter((one) => "thrown" in one);
  // Nothing was searched at all: that is an error, and the first one says why.
  if (failures.length === found.length && failures[0] !== undefined) throw failures[0].thrown;
  const last = chosen.at(-1);
  const nextCursor = rest.length === 0 || last === undefined ? null : encodeCursor(KIND, [digest, last]);
  const searches = found.filter((one) => "row" in one);
  const { candidates, files, shown } = fairShare(asked, searches);
  const rows = found.map((one) => ("row" in one ? rowOf(asked, one, shown) : failedRow(one)));
  const complete = rest.length === 0 && start === 0 && rows.every((row) => row.complete);
  return {
    ...common(asked),
    status: complete ? "ok" : "partial",
    candidates,
    files,
    repositories: rows,
    totals: rows.reduce((sum, { totals }) => addTotals(sum, totals), NOTHING_SEARCHED),
    complete,
    notSearched: rest.slice(0, NAMED_AT_MOST).map((repository) => ({
      repository,
      reason: `at most ${REPOSITORIES_AT_MOST} are searched in one answer`,
    })),
    notSearchedCount: rest.length,
    nextCursor,
    next:
      candidates[0]?.next ??
      files[0]?.next ??
      (nextCursor === null ? null : nextTool(asked.tool, call.spelling, { ...input, cursor: nextCursor })),
  };

  async function attempt(of: Asked, name: string, query: CheckedQuery): Promise<RepositorySearch | Failure> {
    try {
      return await searchRepository(ports, call, { repository: name }, query, of.input.engine);
    } catch (thrown) {
      // One failed repository is told of in its place; a caller that left, or a query that is wrong, ends all.
      const error = asGitpinError(thrown);
      if (error.form.fault === "caller" && !PER_REPOSITORY.has(error.code)) throw error;
      return { repository: name, thrown: error };
    }
  }
}

/** Faults of a caller that speak of one repository, not of the question. */
const PER_REPOSITORY: ReadonlySet<string> = new Set([
  "repository_unknown",
  "archive_too_large",
  "blob_too_large",
  "code_search_unsupported",
]);

interface Failure {
  repository: string;
  thrown: GitpinError;
}

async function repositoryNames({ ports, call, input }: Asked): Promise<string[]> {
  if (input.repositories === undefined)
    return (await ports.registry.visible(call.caller)).map(({ name }) => name);
  const named = [...new Set(input.repositories)];
  // A name that is not there is told at once, not after the archives of others.
  for (const name of named) await registered(ports, call, name);
  return named;
}

function startOf(names: readonly string[], digest: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [of, after] = decodeCursor(KIND, position, cursor);
  const index = names.indexOf(after);
  if (of === digest && index >= 0) return index + 1;
  throw wrong("cursor", "cursor belongs to another search.", "Repeat the arguments of the answer before.");
}

/** One of each repository in turn, until the answer is full: a large repository must not crowd out the others. */
function fairShare({ ports, call, checked }: Asked, searches: readonly RepositorySearch[]) {
  const results = searches.map(({ outcome, opened }) => ({
    opened,
    hits: outcome?.hits ?? [],
    files: outcome?.files ?? [],
  }));
  const candidates: SearchResult["candidates"] = [];
  const files: SearchResult["files"] = [];
  const shown = new Map<string, number>();
  const limit = checked.query.maxResults;
  for (let turn = 0; turn < limit; turn++) {
    for (const { opened, hits, files: matching } of results) {
      const hit = hits[turn];
      const file = matching[turn];
      if ((hit === undefined && file === undefined) || candidates.length + files.length >= limit) continue;
      if (hit !== undefined) candidates.push(candidateOf(ports, call, opened, hit));
      if (file !== undefined) files.push(candidateFile(ports, call, opened, file));
      shown.set(opened.entry.name, turn + 1);
    }
  }
  return { candidates, files, shown };
}

/** Where a repository has more than was shown, its row leads to a search of it alone. */
function rowOf(
  { call, input, tool }: Asked,
  { row, outcome }: RepositorySearch,
  shown: ReadonlyMap<string, number>,
): SearchedRepository {
  const found = (outcome?.hits.length ?? 0) + (outcome?.files.length ?? 0);
  const more = outcome !== null && (outcome.nextCursor !== null || found > (shown.get(row.repository) ?? 0));
  const { query, mode, caseSensitive, wholeWord, paths, language, context, maxResults, filesOnly, count } =
    input;
  const options = {
    query,
    mode,
    caseSensitive,
    wholeWord,
    paths,
    language,
    context,
    maxResults,
    filesOnly,
    count,
  };
  // Begun anew, unless all that was found was shown: then it goes on behind that.
  const cursor = found === (shown.get(row.repository) ?? 0) ? outcome?.nextCursor : undefined;
  const alone = { repository: row.repository, sha: row.commitSha, ...options, cursor };
  return { ...row, next: more ? nextTool(tool, call.spelling, alone) : verifyNext(row.absence, call) };
}

const failedRow = ({ repository, thrown }: Failure): SearchedRepository => ({
  repository,
  status: "failed",
  reason: thrown.message,
  error: thrown.report(),
  commitSha: null,
  reachable: null,
  ...UNSEARCHED,
  next: null,
});

const addTotals = (one: SearchResult["totals"], other: SearchResult["totals"]): SearchResult["totals"] => ({
  filesSearched: one.filesSearched + other.filesSearched,
  bytesSearched: one.bytesSearched + other.bytesSearched,
  matchingFiles: one.matchingFiles + other.matchingFiles,
  matchingLines: one.matchingLines + other.matchingLines,
});

function common({
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

const wrong = (field: string, message: string, nextStep: string): GitpinError =>
  new GitpinError("invalid_argument", message, nextStep, { field });
