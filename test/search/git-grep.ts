/** What `git grep` says of a commit, and what the service says over REST and MCP, in one form: `path:line`, in git's order. */
import assert from "node:assert/strict";
import type { SearchResult } from "../../src/schema/search.ts";
import type { GitRepository } from "../repositories/git.ts";
import type { Stack } from "../stack.ts";
import { runProgram } from "../support/small-shell.ts";

export interface Question {
  query: string;
  mode?: "literal" | "regex";
  caseSensitive?: boolean;
  wholeWord?: boolean;
}

export function gitGrep(repository: GitRepository, commit: string, question: Question): string[] {
  const flags = [question.mode === "regex" ? "-P" : "-F"];
  if (question.caseSensitive !== true) flags.push("-i");
  if (question.wholeWord === true) flags.push("-w");
  const { stdout, stderr, status } = runProgram(
    "git",
    ["grep", "-z", "-n", "-I", "--full-name", ...flags, "-e", question.query, commit],
    {
      cwd: repository.path,
      env: {
        PATH: process.env.PATH,
        LC_ALL: "C.UTF-8",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
      },
    },
  );
  assert(status === 0 || status === 1, stderr.toString());
  const record = new RegExp(`(?:^|\\n)${commit}:([^\\0]+)\\0(\\d+)\\0`, "g");
  return [...stdout.toString("latin1").matchAll(record)].map(
    ([, path = "", line]) => `${Buffer.from(path, "latin1").toString("utf8")}:${Number(line)}`,
  );
}

/** One call, over either transport. Throws for anything but a result. */
export async function ask(
  stack: Stack,
  tool: "pin.search_code" | "pin.search_docs",
  given: Record<string, unknown>,
  over: "rest" | "mcp" = "rest",
): Promise<SearchResult> {
  if (over === "rest") {
    const { status, body } = await stack.post<SearchResult>(`/v1/${tool.slice(4).replace("_", "-")}`, given);
    if (status >= 400) throw new Error(JSON.stringify(body));
    return body;
  }
  const { body } = await stack.post<{ result: { structuredContent: SearchResult; isError?: boolean } }>(
    "/mcp",
    {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tool, arguments: given },
    },
  );
  if (body.result.isError) throw new Error(JSON.stringify(body));
  return body.result.structuredContent;
}

/** Every hit, page by page. Demands a complete search whose totals are those of the pages together. */
export async function everyHit(
  stack: Stack,
  place: { repository: string; sha?: string },
  question: Question,
  over: "rest" | "mcp" = "rest",
): Promise<string[]> {
  const hits: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const given = { ...place, ...question, maxResults: 500, ...(cursor === undefined ? {} : { cursor }) };
    const result = await ask(stack, "pin.search_code", given, over);
    assert.equal(result.complete, true, JSON.stringify(result.repositories[0]?.incompleteBecause));
    assert.equal(
      result.repositories[0]?.skipped.some(({ reason }) => reason === "denied"),
      false,
    );
    hits.push(...result.candidates.map(({ sourcePath, line }) => `${sourcePath}:${line}`));
    cursor = result.nextCursor;
    if (cursor === null) assert.equal(result.totals.matchingLines, hits.length);
  }
  return hits;
}
