/** `pin.search_code` and `pin.search_docs`: which of one repository or several, and the answer of one. */
import type { Call } from "../ports/call.ts";
import type { SearchCodeInput, SearchDocsInput, SearchResult } from "../schema/search.ts";
import { nextTool } from "./next.ts";
import { type Asked, leadOn, questionOf, wrong } from "./search-answer.ts";
import { candidateFile, candidateOf } from "./search-candidates.ts";
import { checkedQuery } from "./search-query.ts";
import { searchRepository } from "./search-repository.ts";
import { searchSeveral } from "./search-several.ts";
import type { ServicePorts } from "./service-ports.ts";

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
  const leading = further ?? leadOn(row, call);
  const next = hits[0]?.next ?? files[0]?.next ?? leading;
  return {
    ...questionOf(asked),
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
    repositories: [{ ...row, next: leading }],
    totals: row.totals,
    complete: row.complete,
    notSearched: [],
    notSearchedCount: 0,
    nextCursor,
    next,
  };
}
