/** docs/reference/rest.md: routes from the tools and admin routes, errors from the one table of codes. */
import { ERROR_FORMS } from "../../src/errors.ts";
import { adminRoutes } from "../../src/http/admin/routes.ts";
import { STATUS_PATH } from "../../src/http/status-route.ts";
import type { Administration } from "../../src/ports/administration.ts";
import { type JsonObject, jsonSchema } from "../../src/tools/json-schema.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { table } from "./schema-rows.ts";

export const restPage = (tools: readonly Tool[]): string => `# REST

Every tool is a route. GET takes its fields as query parameters (a list by repeating the parameter or as one JSON array), POST as a JSON body. Fields and results: [tools](tools.md).

${table(
  ["route", "methods", "answers"],
  tools.map(({ route, name, title }) => [
    `\`${route.path}\``,
    route.methods.join(", "),
    `[${name}](tools.md#${name.replaceAll(/[^a-z_]/g, "")}): ${title}`,
  ]),
)}

\`/v1/verify\` also takes a whole citation: \`?cite=repo/path:line @ sha\` or \`?handle=gitpin:repo@sha:path:line\` instead of \`repository\`, \`sourcePath\`, \`sha\` and lines.

${table(
  ["route", "methods", "answers"],
  [
    [
      "`/v1/verify-cites`",
      "POST",
      "every citation of notes (Markdown or text, 1 MiB, 200 citations): JSON, text or Markdown",
    ],
    ["`/c/{handle}`", "GET", "a citation as a page, JSON, text or a badge"],
    ["`/`", "GET", "a page about this service, with each client's configuration"],
    ["`/openapi.json`", "GET", "OpenAPI 3.1 of this very service"],
    ["`/docs`", "GET", "the same for people"],
    ["`/llms.txt`, `/robots.txt`", "GET", "for models, for crawlers"],
    ["`/.well-known/mcp/catalog.json`", "GET", "MCP Catalog, which leads to the server's card"],
    ["`/mcp/server-card`", "GET", "MCP Server Card (SEP-2127)"],
    ["`/healthz`", "GET", '`{"status":"ok","version":...}`; asks nobody upstream'],
    ["`/readyz`", "GET", "whether the registry is loaded and GitHub can be reached"],
    ["`/mcp`", "POST", "MCP, streamable HTTP, stateless; `?names=underscore` lists underscore names"],
  ],
)}

With \`ADMIN_TOKEN\` or \`TEAMS\` set there are also these, for tokens with \`registry:admin\`:

${table(
  ["route", "methods"],
  // Only paths and methods are read: nothing is ever asked of it.
  [
    ...adminRoutes({} as Administration).map(({ path, methods }) => [
      `\`${path}\``,
      Object.keys(methods).join(", "),
    ]),
    [`\`${STATUS_PATH}\``, "GET"],
  ],
)}

\`${STATUS_PATH}\` tells what is left of GitHub's limits, how well the caches serve, and which webhooks came.

## The status is the verdict

\`curl -f\` is a gate. The body is the whole result in every case; \`curl --fail-with-body\` prints it and fails as well.

${table(["`status` of the result", "HTTP status", "of"], verdictRows(tools))}

A set is 200 only if every item of it is ok. Results without a \`status\` are 200.

## Forms

\`Accept: application/json\` (default) gives the result, \`Accept: text/plain\` lines that a person can read. A token goes into \`Authorization: Bearer\`. \`x-gitpin-upstream-requests\` says how many requests to GitHub the answer took, \`x-request-id\` names it in the operator's log. \`Host\` and \`Origin\` are checked on every route.

GET routes answer HEAD.

## Notes

\`curl --fail-with-body -sS --data-binary @notes.md URL/v1/verify-cites\` is a gate: 200 when every citation holds (also when there is none, or lines only moved), 409 when one does not, is malformed or could not be checked. Citations beyond the first 200 are counted and not checked, and then it is 409 as well.

## Citations for people

\`/c/\` and a handle, percent-encoded whole (\`encodeURIComponent\`). The form follows \`Accept\`, or \`?format=html|json|txt|svg\`, or behind line numbers a suffix (\`...%3A3.svg\`); without line numbers a suffix would be part of the path. The status is the verdict's, but for a badge, which is always 200. A handle pasted as it stands (\`/c/gitpin:...\`) is taken as it stands.

## Other web pages

Without a credential one sees what is public, so pages of any origin may read those answers (\`Access-Control-Allow-Origin: *\`): tools that change nothing, notes, citations and documents. Every call with \`Authorization\`, MCP, and the routes for admins are for the origins in \`ALLOWED_ORIGINS\` only; so is everything where \`PUBLIC_URL\` is loopback or \`ANONYMOUS_ACCESS\` is not \`public\`. Cookies are never used.

## What may be kept

An answer that was asked for by full SHA, of a public repository, is with \`ANONYMOUS_ACCESS=public\` \`Cache-Control: public, max-age=300\` with a strong \`ETag\`; \`If-None-Match\` gives 304. Five minutes, for who may see a repository can change. Every other answer is \`private, no-store\`.

## Errors

Problem details (RFC 9457), \`application/problem+json\`: \`type\` (where \`/docs\` of this service explains the code), \`title\`, \`status\`, \`detail\`, \`instance\` (the request id), and as \`error\` the report that every transport gives: \`{"code", "message", "fault", "retryable", "nextStep", "data"}\`. Test for \`error.code\`: codes are stable. \`Accept: text/plain\` gives two lines, a browser a page.

${table(
  ["code", "HTTP status", "who can mend it", "may succeed later, unchanged"],
  Object.entries(ERROR_FORMS).map(([code, { http, fault, retry }]) => [
    `\`${code}\``,
    String(http),
    fault === "upstream" ? "the hosting service" : fault === "service" ? "this service" : "the caller",
    retry ? "yes" : "no",
  ]),
)}
`;

/** What each tool's own function says of each status that its result can have. */
function verdictRows(tools: readonly Tool[]): string[][] {
  const rows = new Map<string, { status: string; http: number; of: string[] }>();
  for (const { name, output, httpStatus } of tools) {
    for (const status of statusesOf(jsonSchema(output, "output"))) {
      const http = httpStatus({ status } as never);
      const key = `${http} ${status}`;
      const row = rows.get(key) ?? { status, http, of: [] };
      rows.set(key, { ...row, of: [...row.of, `\`${name}\``] });
    }
  }
  return [...rows.values()]
    .toSorted((one, other) => one.http - other.http)
    .map(({ status, http, of }) => [`\`${status}\``, String(http), of.join(", ")]);
}

/** Not every result has one; `pin.inspect` calls something else so. */
function statusesOf(output: JsonObject): string[] {
  const { status } = output.properties as { status?: { enum?: string[] } };
  return status?.enum ?? [];
}
