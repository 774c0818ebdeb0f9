/** docs/reference/rest.md: routes from the tools and admin routes, errors from the one table of codes. */
import { ERROR_FORMS } from "../../src/errors.ts";
import { adminRoutes } from "../../src/http/admin/routes.ts";
import type { Administration } from "../../src/ports/administration.ts";
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
    ["`/`", "GET", "a page about this service"],
    ["`/healthz`", "GET", '`{"status":"ok","version":...}`; asks nobody upstream'],
    ["`/readyz`", "GET", "whether the registry is loaded and GitHub can be reached"],
    ["`/mcp`", "POST", "MCP, streamable HTTP, stateless; `?names=underscore` lists underscore names"],
  ],
)}

With \`ADMIN_TOKEN\` or \`TEAMS\` set there are also these, for tokens with \`registry:admin\`:

${table(
  ["route", "methods"],
  // Only paths and methods are read: nothing is ever asked of it.
  adminRoutes({} as Administration).map(({ path, methods }) => [
    `\`${path}\``,
    Object.keys(methods).join(", "),
  ]),
)}

## The status is the verdict

\`curl -f\` is a gate: the body is the whole result in every case.

${table(
  ["result", "HTTP status"],
  [
    ["`ok`", "200"],
    ["`mismatch`, `contradicted`; a set of which not every item is ok", "409"],
    ["`missing`", "404"],
    ["`blocked`", "403"],
  ],
)}

## Forms

\`Accept: application/json\` (default) gives the result, \`Accept: text/plain\` lines that a person can read. A token goes into \`Authorization: Bearer\`. \`x-gitpin-upstream-requests\` says how many requests to GitHub the answer took, \`x-request-id\` names it in the operator's log. \`Host\` and \`Origin\` are checked on every route.

## Errors

An error is \`{"error": {"code", "message", "fault", "retryable", "nextStep", "data"}}\`. Codes are stable.

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
