// What every write to the git data of a repository begins with: an empty repository takes none (409), and ids are checked.
import { ApiError } from "../../http/answer.ts";
import type { RepositoryExchange } from "../../http/exchange.ts";

const FULL_SHA = /^[0-9a-f]{40}$/;

export const isSha = (text: string): boolean => FULL_SHA.test(text);

export async function assertNotEmpty({ repository }: RepositoryExchange): Promise<void> {
  if (await repository.git.isEmpty()) throw new ApiError(409, "Git Repository is empty.");
}

/** The type of an object; null when there is none of that name. */
export async function typeAt({ repository }: RepositoryExchange, sha: string): Promise<string | null> {
  return isSha(sha) ? ((await repository.git.info(sha))?.type ?? null) : null;
}
