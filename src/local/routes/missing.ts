// How a missing thing is answered when the repository may simply be empty: 409 then, as GitHub does.
import { ApiError, notFound } from "../http/answer.ts";
import type { RepositoryExchange } from "../http/exchange.ts";

export async function emptyOr(exchange: RepositoryExchange, otherwise: ApiError): Promise<ApiError> {
  const empty = await exchange.repository.git.isEmpty();
  return empty ? new ApiError(409, "Git Repository is empty.") : otherwise;
}

export function missing(exchange: RepositoryExchange): Promise<ApiError> {
  return emptyOr(exchange, notFound());
}
