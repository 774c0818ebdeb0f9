/**
 * A Worker that only searches, for `search-in-workerd.test.ts`: PUT stores an archive, GET searches it, `/ping` answers.
 * Not part of the product.
 */
import { CommitArchive } from "../../src/core/archive/commit-archive.ts";
import { gunzip } from "../../src/core/archive/gunzip.ts";
import { parseQuery, type SearchOptions } from "../../src/core/search/query.ts";
import { runSearch } from "../../src/core/search/search-run.ts";
import { SEARCH_WORK, WorkBudget } from "../../src/core/search/work-budget.ts";
import { GitpinError } from "../../src/errors.ts";

let stored = new Uint8Array();
let searching = 0;

export default {
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (request.method === "PUT") {
      stored = new Uint8Array(await request.arrayBuffer());
      return new Response("stored");
    }
    if (url.pathname === "/ping") return new Response(String(searching));
    searching++;
    try {
      return Response.json(await search(url.searchParams));
    } catch (error) {
      if (!(error instanceof GitpinError)) throw error;
      return Response.json(error.report(), { status: 400 });
    } finally {
      searching--;
    }
  },
};

async function search(asked: URLSearchParams): Promise<unknown> {
  const commit = asked.get("commit") ?? "";
  const options = JSON.parse(asked.get("options") ?? "{}") as SearchOptions;
  const unpacked = gunzip(new Blob([stored]).stream());
  const archive = new CommitArchive(unpacked.next, { commit, hash: true });
  const work = new WorkBudget(() => scheduler.wait(0), Number(asked.get("work") ?? SEARCH_WORK.total));
  const outcome = await runSearch(archive.files(), parseQuery(options), {
    commit,
    denied: () => false,
    work,
  });
  if (outcome.stoppedAt !== null) await unpacked.cancel();
  return { ...outcome, root: outcome.stoppedAt === null ? archive.rootTree() : null };
}
