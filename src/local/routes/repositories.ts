// The repository itself.
import { json } from "../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../http/exchange.ts";
import { lastModified } from "../shapes/cache.ts";
import { isoDate } from "../shapes/commit.ts";
import { repositoryShape } from "../shapes/repository.ts";

/** The newest committer date of any branch; 0 for an empty repository. */
async function newestCommit({ repository: { git } }: RepositoryExchange): Promise<number> {
  const tips = [...new Set((await git.refs("refs/heads")).map(({ sha }) => sha))];
  const commits = await Promise.all(tips.map((sha) => git.commit(sha)));
  return Math.max(0, ...commits.map((commit) => commit?.committer.seconds ?? 0));
}

async function kilobytes({ repository: { git } }: RepositoryExchange): Promise<number> {
  const { stdout } = await git.run(["count-objects", "-v"]);
  const lines = stdout.toString().matchAll(/^(?:size|size-pack): (\d+)$/gm);
  return [...lines].reduce((sum, [, size]) => sum + Number(size), 0);
}

/** The repository as GitHub shows it now, and when it was last committed to (seconds since the epoch). */
export async function currentRepository(
  exchange: RepositoryExchange,
): Promise<{ shape: Record<string, unknown>; seconds: number }> {
  const [seconds, size] = await Promise.all([newestCommit(exchange), kilobytes(exchange)]);
  return { shape: repositoryShape(exchange, { pushedAt: isoDate(seconds), size }), seconds };
}

export const repositories: RepositoryRoute[] = [
  {
    method: "GET",
    pattern: "",
    docs: "https://docs.github.com/rest/repos/repos#get-a-repository",
    async run(exchange) {
      const { shape, seconds } = await currentRepository(exchange);
      return json(shape, lastModified(seconds));
    },
  },
];
