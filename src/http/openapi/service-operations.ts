/** The operations that are neither tools nor administration: notes, citation pages, health, discovery, these documents. */
import * as z from "zod";
import { evidenceSlice } from "../../schema/evidence.ts";
import { serviceStatus } from "../../schema/status.ts";
import { verificationReport } from "../../schema/verification.ts";
import { type JsonObject, jsonSchema } from "../../tools/json-schema.ts";
import type { NotesGate } from "../../tools/notes-gate.ts";
import { NOTES_PATH, NOTES_TYPES } from "../notes-route.ts";
import { headerRefs, problems, ref } from "./components.ts";
import { EXAMPLE_HANDLE, EXAMPLE_NOTES } from "./examples.ts";
import { jsonContent, type Operation, TEXT, TOKEN_ONLY, TOKEN_OR_NONE } from "./operation.ts";

const string = { schema: { type: "string" } };
const READ_PROBLEMS = [400, 401, 403, 404, 406, 413, 421, 422, 429, 500, 502, 503, 504];

export function notesOperation(gate: NotesGate): Operation {
  const content = {
    ...jsonContent(jsonSchema(gate.output, "output")),
    ...TEXT,
    "text/markdown": string,
  };
  return {
    method: "post",
    path: NOTES_PATH,
    object: {
      operationId: "verify_cites_post",
      summary: "Verify every citation in notes",
      description:
        "Markdown or plain text in, a report on each citation out: `curl --fail-with-body -sS --data-binary @notes.md` is a gate. 1 MiB and 200 citations at most; what is beyond is counted, and then the whole is incomplete.",
      tags: ["notes"],
      security: TOKEN_OR_NONE,
      requestBody: {
        required: true,
        content: Object.fromEntries(
          NOTES_TYPES.map((type) => [
            type,
            type === "text/markdown"
              ? { ...string, examples: { note: { summary: "One citation", value: EXAMPLE_NOTES } } }
              : string,
          ]),
        ),
      },
      responses: {
        ...problems(400, 401, 403, 406, 413, 415, 421, 429, 500, 502, 503, 504),
        "200": { description: "Every citation holds.", headers: headerRefs(), content },
        "409": {
          description: "At least one does not hold, is malformed, or was not checked.",
          headers: headerRefs(),
          content,
        },
      },
    },
  };
}

const citationAnswer = z.object({
  report: verificationReport,
  slice: evidenceSlice
    .nullable()
    .describe("What stands there; null for an absence, and where nothing may be shown."),
});

export function citationOperation(): Operation {
  const content = {
    "text/html": string,
    ...jsonContent(ref("schemas/CitationAnswer")),
    ...TEXT,
    "image/svg+xml": string,
    "application/problem+json": { schema: ref("schemas/Problem") },
  };
  const verdict = (description: string) => ({ description, headers: headerRefs(), content });
  return {
    method: "get",
    path: "/c/{handle}",
    object: {
      operationId: "citation_get",
      summary: "A citation as a page",
      description:
        "For people: the verdict now, the lines, and how to check them with git. Also as JSON, text, or a badge (SVG), by Accept, by format, or behind line numbers by a suffix (`.json`, `.txt`, `.svg`). A badge is always 200.",
      tags: ["citations"],
      security: TOKEN_OR_NONE,
      parameters: [
        {
          name: "handle",
          in: "path",
          required: true,
          schema: { type: "string", maxLength: 20_000 },
          description: "A handle, percent-encoded whole.",
          example: EXAMPLE_HANDLE,
        },
        {
          name: "format",
          in: "query",
          required: false,
          schema: { type: "string", enum: ["html", "json", "txt", "svg"] },
          examples: { json: { summary: "As JSON", value: "json" } },
        },
      ],
      responses: {
        ...problems(...READ_PROBLEMS),
        "200": verdict("It still holds."),
        "403": verdict("Policy forbids it. Or a problem."),
        "404": verdict("No such commit, path or line. Or a problem."),
        "409": verdict("It differs at HEAD, or the commit does not hold what was asked for."),
      },
    },
  };
}

export const citationSchemas = (): JsonObject => ({ CitationAnswer: jsonSchema(citationAnswer, "output") });

/** GET without parameters. */
const document = (
  path: string,
  summary: string,
  content: JsonObject,
  more: { description?: string; tag?: string; statuses?: JsonObject; etag?: boolean } = {},
): Operation => ({
  method: "get",
  path,
  object: {
    operationId: `${path.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_|_$/g, "") || "root"}_get`,
    summary,
    description: more.description ?? summary,
    tags: [more.tag ?? "discovery"],
    security: [],
    responses: {
      "200": { description: summary, headers: headerRefs(...(more.etag === false ? [] : ["etag"])), content },
      ...(more.etag === false ? {} : { "304": { description: "What If-None-Match names still holds." } }),
      ...problems(403, 406, 421, 500),
      ...more.statuses,
    },
  },
});

/** Documents that list tools: a credential is looked at only where some tools need a scope. */
const perReader = (what: string) => ({
  description: `${what}. Tools that need a scope are in it for who sends a token that has it; nobody keeps that one.`,
  statuses: problems(401, 429, 503),
});

const health = z.object({ status: z.literal("ok"), version: z.string() });
const ready = z.object({
  status: z.enum(["ready", "not_ready"]),
  registry: z.string(),
  github: z.string(),
  budget: z.string(),
  checkedAt: z.string().nullable(),
});
const anyObject = { type: "object" };

export function serviceOperations(has: { readiness: boolean; status: boolean }): Operation[] {
  const text = { "text/plain": string };
  const page = { "text/html": string, ...text };
  const isReady = jsonContent(jsonSchema(ready, "output"));
  const unready = { description: "Not ready, and which part is not.", content: { ...isReady, ...text } };
  return [
    document("/", "The landing page", page, { ...perReader("The landing page"), etag: false }),
    document("/docs", "This API for people", { "text/html": string }, perReader("This API for people")),
    document("/openapi.json", "This document", jsonContent(anyObject), perReader("This document")),
    document("/llms.txt", "What this is, for models", { "text/markdown": string }, perReader("For models")),
    document("/robots.txt", "What crawlers may fetch", text),
    document("/.well-known/mcp/catalog.json", "MCP servers here", jsonContent(anyObject), {
      description: "The MCP Catalog of the Server Card extension (SEP-2127): where the server's card is.",
    }),
    document(
      "/mcp/server-card",
      "The MCP server's card",
      { "application/mcp-server-card+json": { schema: anyObject } },
      { description: "The Server Card of SEP-2127: name, version, address and protocol versions." },
    ),
    document(
      "/healthz",
      "Whether it is alive",
      { ...jsonContent(jsonSchema(health, "output")), ...text },
      {
        tag: "operation",
        etag: false,
      },
    ),
    ...(has.readiness
      ? [
          document(
            "/readyz",
            "Whether it can do its work",
            { ...isReady, ...text },
            {
              tag: "operation",
              etag: false,
              statuses: { "503": unready },
            },
          ),
        ]
      : []),
    ...(has.status ? [statusOperation()] : []),
  ];
}

function statusOperation(): Operation {
  const { object, ...rest } = document(
    "/v1/status",
    "What is left",
    jsonContent(jsonSchema(serviceStatus, "output")),
    {
      description: "Budgets, caches and webhooks, for admins.",
      tag: "admin",
      etag: false,
      statuses: problems(401, 429, 503),
    },
  );
  return { ...rest, object: { ...object, security: TOKEN_ONLY } };
}
