/**
 * The admin routes of a hosted service as commands ask them: `GITPIN_URL` with the admin's `GITPIN_TOKEN`.
 * Owns the two headers that matter there (bearer, `If-Match`) and the check of every answer against its schema.
 */
import type * as z from "zod";
import { GitpinError } from "../errors.ts";
import { checkedAnswer } from "./checked-answer.ts";
import { throwReported } from "./connection.ts";
import type { Environment } from "./environment.ts";
import { serviceAddress } from "./service-address.ts";
import { askService } from "./service-request.ts";

export interface AdminAsk {
  method?: "GET" | "PUT" | "PATCH" | "POST" | "DELETE";
  query?: Readonly<Record<string, string | undefined>>;
  body?: unknown;
  ifMatch?: string;
}

export type AdminClient = <S extends z.ZodType>(
  path: string,
  schema: S,
  ask?: AdminAsk,
) => Promise<z.infer<S>>;

function setting(environment: Environment, name: string): string {
  const value = environment[name];
  if (value !== undefined && value !== "") return value;
  throw new GitpinError(
    "invalid_argument",
    `${name} is not set.`,
    "Set GITPIN_URL to the service and GITPIN_TOKEN to a token with registry:admin (or the operator's).",
    { field: name },
  );
}

export function adminClient(environment: Environment): AdminClient {
  const address = serviceAddress(setting(environment, "GITPIN_URL"), setting(environment, "GITPIN_TOKEN"));
  return async (path, schema, { method = "GET", query = {}, body, ifMatch } = {}) => {
    const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const search = given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
    const headers = ifMatch === undefined ? {} : { "if-match": ifMatch };
    const answer = await askService(address, `${path}${search}`, { method, headers, body });
    throwReported(answer);
    return checkedAnswer(schema, answer.json);
  };
}
