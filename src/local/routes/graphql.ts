// `POST /graphql`. Only for those who come with a token; mistakes in what is asked are HTTP 200 with `errors`.
import { execute, type GraphqlRequest } from "../graphql/execute.ts";
import { schemaOf } from "../graphql/schema.ts";
import { type Answer, ApiError, json } from "../http/answer.ts";
import type { Exchange, Route } from "../http/exchange.ts";
import { readMembers } from "../http/json-body.ts";

const DOCS = "https://docs.github.com/graphql";

async function readRequest(exchange: Exchange): Promise<GraphqlRequest> {
  const { query, variables, operationName } = await readMembers(exchange);
  if (typeof query !== "string") {
    throw new ApiError(400, "A query attribute must be specified and must be a string.");
  }
  const given = typeof variables === "object" && variables !== null ? variables : {};
  return {
    query,
    variables: given as Record<string, unknown>,
    operationName: typeof operationName === "string" ? operationName : undefined,
  };
}

async function answer(exchange: Exchange): Promise<Answer> {
  if (exchange.caller.token === null) {
    throw new ApiError(401, "This endpoint requires you to be authenticated.", {
      documentationUrl: `${DOCS}/guides/forming-calls-with-graphql#authenticating-with-graphql`,
    });
  }
  if (exchange.caller.app !== undefined) throw new ApiError(401, "Bad credentials");
  const result = await execute(schemaOf(exchange.host.refUpdates), await readRequest(exchange), exchange);
  return json(result, { "cache-control": "no-cache" });
}

export const graphql: Route[] = [
  { method: "POST", pattern: "/graphql", docs: DOCS, resource: "graphql", run: answer },
];
