/**
 * `/docs`: the OpenAPI document for people, whole on one page: routes, parameters, an example to paste, statuses, and every
 * error code, which is what a problem's `type` links to. Made from the document itself, so that it cannot say something else.
 */
import { html } from "hono/html";
import { shellQuote } from "../../core/citation/shell-quote.ts";
import { ERROR_FORMS, type ErrorCode } from "../../errors.ts";
import type { JsonObject } from "../../tools/json-schema.ts";
import { problemAnchor, problemTitle } from "../problem.ts";
import { layout, type Markup } from "./layout.ts";

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: object[];
  parameters?: Parameter[];
  requestBody?: {
    content: Record<string, { examples?: Record<string, { summary: string; value: unknown }> }>;
  };
  responses: Record<string, unknown>;
}

type Paths = Record<string, Record<string, Operation>>;

/** A request of a shell with the first example's arguments. */
function curlOf(server: string, method: string, path: string, operation: Operation): string {
  const words = ["curl -fsS"];
  const parameters = operation.parameters ?? [];
  const filled = parameters
    .filter((one) => one.in === "path")
    .reduce(
      (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
      path,
    );
  const query: string[] = [];
  const [first] = parameters.flatMap(({ examples }) => Object.keys(examples ?? {}));
  for (const { name, in: place, examples } of parameters) {
    const value = first === undefined || place !== "query" ? undefined : examples?.[first]?.value;
    for (const one of value === undefined ? [] : [value].flat()) {
      query.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`);
    }
  }
  if (method !== "get" && method !== "post") words.push(`-X ${method.toUpperCase()}`);
  if (parameters.some((one) => one.name === "If-Match")) words.push(`-H 'If-Match: "ETAG"'`);
  const { security } = operation;
  if (security.length > 0 && security.every((one) => "token" in one))
    words.push('-H "Authorization: Bearer $GITPIN_TOKEN"');
  const [[type, media] = ["", {}]] = Object.entries(operation.requestBody?.content ?? {});
  const body = Object.values(media?.examples ?? {})[0]?.value;
  if (body !== undefined) {
    words.push(`-H 'Content-Type: ${type}'`);
    words.push(`--data-binary ${shellQuote(typeof body === "string" ? body : JSON.stringify(body))}`);
  }
  words.push(shellQuote(`${server}${filled}${query.length === 0 ? "" : `?${query.join("&")}`}`));
  return words.join(" ");
}

const parameterRow = ({ name, in: place, required, description }: Parameter): Markup =>
  html`<tr><th scope="row"><code>${name}</code></th><td>${place}${required ? ", required" : ""}</td><td>${description ?? ""}</td></tr>
`;

function operationWords(server: string, method: string, path: string, operation: Operation): Markup {
  const parameters = operation.parameters ?? [];
  const statuses = Object.keys(operation.responses);
  return html`<h3 id="${operation.operationId}"><code>${method.toUpperCase()} ${path}</code></h3>
<p>${operation.summary}</p>
${method === "post" && operation.operationId.startsWith("pin_") ? html`<p>The same arguments as a JSON body.</p>` : operation.description.split("\n").map((line) => html`<p>${line}</p>`)}
${parameters.length === 0 ? "" : html`<table><caption>Parameters</caption>${parameters.map(parameterRow)}</table>`}
<pre>${curlOf(server, method, path, operation)}</pre>
<p class="note">Statuses: ${statuses.join(", ")}</p>
`;
}

function errorRow(code: ErrorCode): Markup {
  const { http, fault, retry } = ERROR_FORMS[code];
  return html`<tr id="${problemAnchor(code)}"><th scope="row"><code>${code}</code></th><td>${problemTitle(code)}</td><td>${http}</td><td>${fault}</td><td>${retry ? "yes" : "no"}</td></tr>
`;
}

export function docsPage(document: JsonObject): string {
  const { info, servers, tags, paths } = document as {
    info: { title: string; version: string; description: string };
    servers: { url: string }[];
    tags: { name: string; description: string }[];
    paths: Paths;
  };
  const server = servers[0]?.url ?? "";
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return layout({
    title: `${info.title}: API`,
    heading: html`${info.title} <small>${info.version}</small>: API`,
    main: html`${info.description
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => html`<p>${line.replace(/^\* /, "").replaceAll("`", "")}</p>`)}
<p>As a document: <a href="${server}/openapi.json">OpenAPI 3.1</a></p>
<nav aria-label="Sections"><ul>${tags.map(({ name, description }) => html`<li><a href="#${name}">${description}</a></li>`)}<li><a href="#errors">Errors</a></li></ul></nav>
${tags.map(
  ({ name, description }) => html`<section aria-labelledby="${name}"><h2 id="${name}">${description}</h2>
${all.filter(({ operation }) => operation.tags.includes(name)).map(({ path, method, operation }) => operationWords(server, method, path, operation))}</section>
`,
)}<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<p>Codes are stable: they are added, never renamed. Fault says who can mend it; again, whether the same call may succeed later.</p>
<div class="wide" role="region" aria-label="Error codes" tabindex="0"><table><caption>Error codes</caption><thead><tr><th scope="col">Code</th><th scope="col">Title</th><th scope="col">Status</th><th scope="col">Fault</th><th scope="col">Again</th></tr></thead><tbody>${(Object.keys(ERROR_FORMS) as ErrorCode[]).toSorted().map(errorRow)}</tbody></table></div></section>`,
    foot: html`<a href="${server}/">GitPin</a>`,
  });
}
