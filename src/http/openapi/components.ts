/** Pieces that many operations of the OpenAPI document share: the problem, headers, the credential. */
import * as z from "zod";
import { ERROR_FORMS, type ErrorCode } from "../../errors.ts";
import { errorReport } from "../../schema/error-report.ts";
import type { JsonObject } from "../../tools/json-schema.ts";
import { jsonSchema } from "../../tools/json-schema.ts";
import { PROBLEM_TYPE } from "../problem.ts";

const problem = z.object({
  type: z.string().describe("Where this service explains the code."),
  title: z.string().describe("The same for every occurrence of the code."),
  status: z.number().int(),
  detail: z.string(),
  instance: z.string().describe("`urn:uuid:` and the request id."),
  error: errorReport.describe("The report that every transport gives; `code` is the name to test for."),
});

const codes = (Object.keys(ERROR_FORMS) as ErrorCode[]).toSorted();

/** Codes by their HTTP status. */
export const codesOf = (status: number): ErrorCode[] =>
  codes.filter((code) => ERROR_FORMS[code].http === status);

export const ref = (place: string): JsonObject => ({ $ref: `#/components/${place}` });

export const HEADERS = ["x-request-id", "x-gitpin-upstream-requests", "cache-control"] as const;

export const headerRefs = (...names: string[]): JsonObject =>
  Object.fromEntries([...HEADERS, ...names].map((name) => [name, ref(`headers/${name}`)]));

/** A response that is an error, of any operation. */
function problemResponse(status: number): JsonObject {
  const more =
    status === 401 || status === 403
      ? ["www-authenticate"]
      : status === 429 || status === 503
        ? ["retry-after"]
        : [];
  return {
    description: `A problem, \`error.code\` one of: ${codesOf(status).join(", ")}.`,
    headers: headerRefs(...more),
    content: {
      [PROBLEM_TYPE]: { schema: ref("schemas/Problem") },
      "text/plain": { schema: { type: "string" } },
    },
  };
}

const statuses = [...new Set(codes.map((code) => ERROR_FORMS[code].http))].toSorted();

const text = { type: "string" };

export const components = (): JsonObject => ({
  securitySchemes: {
    token: {
      type: "http",
      scheme: "bearer",
      description: "A token of a team (`gpe_...`), or the operator's. Without one, public repositories only.",
    },
  },
  schemas: { Problem: jsonSchema(problem, "output") },
  responses: Object.fromEntries(statuses.map((status) => [`Problem${status}`, problemResponse(status)])),
  headers: {
    "x-request-id": { schema: text, description: "Of this request; it is in the service's log." },
    "x-gitpin-upstream-requests": {
      schema: { type: "string", pattern: "^[0-9]+$" },
      description: "Requests to the hosting site that this answer cost.",
    },
    "cache-control": {
      schema: text,
      description:
        "`public, max-age=300` for what was asked for by full SHA of a public repository; else nobody keeps it.",
    },
    etag: { schema: text, description: "Strong; send it as If-None-Match." },
    "www-authenticate": { schema: text },
    "retry-after": { schema: { type: "string", pattern: "^[0-9]+$" }, description: "Seconds." },
  },
});

/** References to the problems of these statuses. */
export const problems = (...list: number[]): JsonObject =>
  Object.fromEntries(list.map((status) => [String(status), ref(`responses/Problem${status}`)]));
