/**
 * A tool as a REST route, made from its definition alone: GET takes its arguments from the query, POST from a JSON
 * body and, for fields not in the body, from the query. The result is the body whatever its verdict; the verdict's
 * status is the tool's to say (`curl -f` is a gate). What is pinned and public may be cached by others, over GET.
 */
import { GitpinError } from "../errors.ts";
import { checkArguments, invoke } from "../tools/invoke.ts";
import type { Tool } from "../tools/tool.ts";
import { type BodyLimits, isJson, mediaTypeUnsupported, parseJson, readBytes } from "./body.ts";
import { cacheable, PINNED_AND_PUBLIC } from "./caching.ts";
import type { Exchange, OpenedCall } from "./exchange.ts";
import { negotiate } from "./negotiation.ts";
import { queryArguments } from "./query.ts";

async function bodyArguments(request: Request, limits: BodyLimits): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request, limits);
  // All arguments in the query: there is nothing to declare a type for.
  if (bytes.byteLength === 0) return {};
  if (!isJson(request.headers.get("content-type"))) throw mediaTypeUnsupported();
  const body = parseJson(bytes, limits);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return { ...body };
  throw new GitpinError(
    "invalid_argument",
    "The body is not a JSON object.",
    "Send the arguments as one object.",
    {
      field: "body",
    },
  );
}

function merge(query: Record<string, unknown>, body: Record<string, unknown>): Record<string, unknown> {
  const twice = Object.keys(query).find((name) => Object.hasOwn(body, name));
  if (twice === undefined) return { ...query, ...body };
  throw new GitpinError(
    "invalid_argument",
    `"${twice}" is given in the query and in the body.`,
    `Send ${twice} once.`,
    { field: twice },
  );
}

export async function serveTool(
  tool: Tool,
  request: Request,
  call: OpenedCall,
  exchange: Exchange,
  limits: BodyLimits,
): Promise<Response> {
  const type = negotiate(request.headers.get("accept"), ["application/json", "text/plain"]);
  const schema = tool.rest?.input ?? tool.input;
  const query = queryArguments(new URL(request.url).search, schema);
  const given = request.method === "POST" ? merge(query, await bodyArguments(request, limits)) : query;
  const input = tool.rest === undefined ? given : tool.rest.toInput(checkArguments(schema, given));
  exchange.ran(tool.name);
  const opened: { readonly public: boolean }[] = [];
  const result = await invoke(tool, input, {
    ...call,
    spelling: "dotted",
    opened: (repository) => opened.push(repository),
  });
  const status = tool.httpStatus(result);
  exchange.answered(status);
  const text = type === "text/plain" ? tool.text(result) : JSON.stringify(result);
  const body = text.endsWith("\n") ? text : `${text}\n`;
  const headers = {
    "content-type": type === "text/plain" ? "text/plain; charset=utf-8" : "application/json",
  };
  const isPublic = opened.length > 0 && opened.every((one) => one.public);
  const cached = request.method !== "POST" && status === 200 && isPublic;
  return cached && tool.pinned?.(checkArguments(tool.input, input), result) === true
    ? cacheable(request, body, headers, PINNED_AND_PUBLIC)
    : new Response(body, { status, headers });
}
