/** The operations of the admin routes (`http/admin/routes.ts`); a test holds both lists together. */
import type * as z from "zod";
import {
  auditLog,
  pageQuery,
  registryBody,
  registryHistory,
  registryPatch,
  registryValidation,
  registryView,
  restoreBody,
  sectionQuery,
  sectionState,
  tokenIssued,
  tokenList,
  tokenRequest,
  tokenRevoked,
} from "../../schema/administration.ts";
import { type JsonObject, jsonSchema } from "../../tools/json-schema.ts";
import { headerRefs, problems } from "./components.ts";
import type { Example } from "./examples.ts";
import { jsonBody, jsonContent, type Operation, queryParameters, TOKEN_ONLY } from "./operation.ts";

interface AdminWords {
  method: Operation["method"];
  path: string;
  summary: string;
  description: string;
  /** Parameter of the path, with an example. */
  inPath?: { name: string; schema: JsonObject; example: unknown; description: string };
  query?: z.ZodObject;
  ifMatch?: true;
  body?: { schema: z.ZodObject; example: Example };
  result: z.ZodObject;
  status?: 201;
}

const registry = {
  version: 1,
  repositories: [{ name: "example", owner: "octo", repo: "example", visibility: "public" }],
};

export const ADMIN_WORDS: readonly AdminWords[] = [
  {
    method: "get",
    path: "/v1/registry",
    summary: "The registry of a team",
    description: "All entries as they stand, with the ETag that a change needs.",
    query: sectionQuery,
    result: registryView,
  },
  {
    method: "put",
    path: "/v1/registry",
    summary: "Replace the registry",
    description: "All entries at once, or nothing. If-Match names the state the change was made on.",
    query: sectionQuery,
    ifMatch: true,
    body: { schema: registryBody, example: { summary: "One public repository", arguments: registry } },
    result: sectionState,
  },
  {
    method: "patch",
    path: "/v1/registry",
    summary: "Put and remove single entries",
    description: "All of them, or none. If-Match names the state the change was made on.",
    query: sectionQuery,
    ifMatch: true,
    body: {
      schema: registryPatch,
      example: { summary: "Put one entry", arguments: { put: registry.repositories } },
    },
    result: sectionState,
  },
  {
    method: "post",
    path: "/v1/registry/validate",
    summary: "Check a registry",
    description: "Says what a replacement would change, or what is wrong with it. Stores nothing.",
    query: sectionQuery,
    body: { schema: registryBody, example: { summary: "One public repository", arguments: registry } },
    result: registryValidation,
  },
  {
    method: "get",
    path: "/v1/registry/history",
    summary: "Versions of the registry",
    description: "Newest first, with who changed what.",
    query: pageQuery,
    result: registryHistory,
  },
  {
    method: "get",
    path: "/v1/registry/history/{version}",
    summary: "One version of the registry",
    description: "The entries as they stood then.",
    inPath: { name: "version", schema: { type: "integer", minimum: 1 }, example: 1, description: "From 1." },
    query: sectionQuery,
    result: sectionState,
  },
  {
    method: "post",
    path: "/v1/registry/restore",
    summary: "Restore a version",
    description: "An old version becomes the newest; it must hold under the present rules.",
    query: sectionQuery,
    ifMatch: true,
    body: { schema: restoreBody, example: { summary: "The first version", arguments: { version: 1 } } },
    result: sectionState,
  },
  {
    method: "get",
    path: "/v1/tokens",
    summary: "Tokens",
    description: "Without the tokens themselves: the service keeps their hashes only.",
    query: pageQuery,
    result: tokenList,
  },
  {
    method: "post",
    path: "/v1/tokens",
    summary: "Issue a token",
    description: "The token is in this answer and in no other.",
    body: {
      schema: tokenRequest,
      example: {
        summary: "For reading, for a team",
        arguments: { team: "blue", scopes: ["pin:read"], label: "continuous integration" },
      },
    },
    result: tokenIssued,
    status: 201,
  },
  {
    method: "delete",
    path: "/v1/tokens/{id}",
    summary: "Revoke a token",
    description: "At once. Its row stays in the list.",
    inPath: {
      name: "id",
      schema: { type: "string" },
      example: "0123456789abcdef",
      description: "As the list names it; it is no secret.",
    },
    result: tokenRevoked,
  },
  {
    method: "get",
    path: "/v1/audit",
    summary: "Who changed what",
    description: "Changes of registry and tokens, newest first.",
    query: pageQuery,
    result: auditLog,
  },
];

const IF_MATCH: JsonObject = {
  name: "If-Match",
  in: "header",
  required: true,
  schema: { type: "string" },
  description: "The ETag of GET /v1/registry. `*` is refused: nothing is overwritten unread.",
};

export const adminOperations = (): Operation[] =>
  ADMIN_WORDS.map((words) => {
    const { method, path, inPath, query, ifMatch, body, result, status = 200 } = words;
    const etag = ifMatch === true || (path === "/v1/registry" && method === "get") ? ["etag"] : [];
    return {
      method,
      path,
      object: {
        operationId: `admin_${path
          .replace(/^\/v1\//, "")
          .replace(/[{}]/g, "")
          .replaceAll("/", "_")}_${method}`,
        summary: words.summary,
        description: `${words.description} For admins: tokens with the scope registry:admin, and the operator.`,
        tags: ["admin"],
        security: TOKEN_ONLY,
        parameters: [
          ...(inPath === undefined ? [] : [{ ...inPath, in: "path", required: true }]),
          ...(query === undefined ? [] : queryParameters(query)),
          ...(ifMatch === undefined ? [] : [IF_MATCH]),
        ],
        ...(body === undefined
          ? {}
          : { requestBody: jsonBody(jsonSchema(body.schema, "input"), { example: body.example }) }),
        responses: {
          [String(status)]: {
            description: "Done, or the answer.",
            headers: headerRefs(...etag),
            content: jsonContent(jsonSchema(result, "output")),
          },
          ...problems(400, 401, 403, 404, 406, 421, 429, 500, 503),
          ...(ifMatch === undefined ? {} : problems(412, 428)),
          ...(body === undefined ? {} : problems(413, 415)),
        },
      },
    };
  });
