/**
 * The 2025 era, statelessly: each message is served by a fresh server. JSON unless the endpoint streams.
 * Owns batches (2025-03-26 only knows them): each message is served alone, so that one cannot cancel or shadow another.
 */
import {
  isInitializeRequest,
  type McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { GitpinError } from "../errors.ts";
import { prefer } from "../http/negotiation.ts";

export interface LegacyOptions {
  server(): Server | McpServer;
  /** Whether notifications may come before the result, as SSE. */
  streaming: boolean;
  /** Most messages of one batch. */
  batch: number;
}

/** The transport insists on both types being listed; a client that takes JSON in any way can be answered in JSON. */
function acceptingBoth(request: Request): Request {
  const accept = request.headers.get("accept");
  if (prefer(accept, ["application/json"]) === null) return request;
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  return new Request(request.url, { method: "POST", headers });
}

async function serveMessage(request: Request, message: unknown, options: LegacyOptions): Promise<Response> {
  const wantsStream = prefer(request.headers.get("accept"), ["application/json", "text/event-stream"]);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: !options.streaming || wantsStream === null,
  });
  await options.server().connect(transport);
  return await transport.handleRequest(acceptingBoth(request), { parsedBody: message });
}

async function serveBatch(request: Request, messages: unknown[], options: LegacyOptions): Promise<Response> {
  const wrong =
    messages.length === 0 || messages.length > options.batch || messages.some(isInitializeRequest);
  if (wrong) {
    throw new GitpinError(
      "invalid_argument",
      `A batch holds 1 to ${options.batch} messages, and no initialize.`,
      "Send each message in a request of its own.",
      { field: "batch" },
    );
  }
  const answers: unknown[] = [];
  for (const message of messages) {
    const response = await serveMessage(request, message, { ...options, streaming: false });
    if (response.body !== null) answers.push(await response.json());
  }
  return answers.length === 0 ? new Response(null, { status: 202 }) : Response.json(answers);
}

/** Serves a body that `isLegacyRequest` calls legacy. */
export async function serveLegacy(
  request: Request,
  body: unknown,
  options: LegacyOptions,
): Promise<Response> {
  return Array.isArray(body)
    ? await serveBatch(request, body, options)
    : await serveMessage(request, body, options);
}
