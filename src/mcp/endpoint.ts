/**
 * The MCP endpoint: stateless Streamable HTTP, POST only, protocol 2026-07-28 and the 2025 era on one address.
 * Owns body checks, the choice of era and the reach of one visit; which tools there are is the server's to say.
 * Performs no Host, Origin or token check: `http/` does, in front of it.
 */
import { createMcpHandler, isLegacyRequest, type McpServer, type Server } from "@modelcontextprotocol/server";
import { GitpinError } from "../errors.ts";
import type { McpEndpoint } from "../http/app.ts";
import { BODY_LIMITS, type BodyLimits, readJson } from "../http/body.ts";
import type { OpenedCall } from "../http/exchange.ts";
import { spellingAt } from "./address.ts";
import { jsonRpcProblem } from "./json-rpc.ts";
import { serveLegacy } from "./legacy.ts";
import { asksForProgress } from "./progress.ts";
import type { Visit } from "./visit.ts";

export interface EndpointOptions {
  /** A fresh server for one message of one visit. */
  server(visit: Visit): Server | McpServer;
  /** Bounds of a body by who sends it; `BODY_LIMITS` when left out. */
  limits?(call: OpenedCall): BodyLimits;
  /** Most messages of a 2025-03-26 batch; 20 when left out. */
  batch?: number;
  /**
   * Whether results may be preceded by notifications (then 2025 clients get SSE): always, never, or for messages that ask for
   * progress. False when left out. A client of 2026-07-28 gets SSE only if there was a notification.
   */
  streaming?: boolean | "progress";
}

/** A method name as the log may show it: names are the protocol's, anything longer or stranger is the caller's text. */
function methodOf(body: unknown): string | null {
  if (Array.isArray(body)) return "batch";
  const method = typeof body === "object" && body !== null && "method" in body ? body.method : null;
  if (typeof method !== "string") return null;
  return /^[a-z]{1,20}(\/[A-Za-z_]{1,20}){0,2}$/.test(method) ? method : "other";
}

export function createMcpEndpoint(options: EndpointOptions): McpEndpoint {
  // The SDK's handler lives as long as the isolate; a visit reaches its server by the request it came with.
  const visits = new WeakMap<Request, Visit>();
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const visit = requestInfo === undefined ? undefined : visits.get(requestInfo);
      if (visit === undefined) throw new Error("a server was asked for without a visit");
      return options.server(visit);
    },
    { legacy: "reject" },
  );

  return async (request, call, exchange) => {
    try {
      if (request.method !== "POST") {
        throw new GitpinError(
          "method_not_allowed",
          "The MCP address takes POST only: there are no sessions and no standing streams.",
          "POST JSON-RPC messages here.",
          { allow: ["POST"] },
        );
      }
      const visit: Visit = { call, exchange, spelling: spellingAt(request.url) };
      const body = await readJson(request, options.limits?.(call) ?? BODY_LIMITS);
      exchange.rpc = methodOf(body);
      if (await isLegacyRequest(request, body)) {
        return await serveLegacy(request, body, {
          server: () => options.server(visit),
          streaming: options.streaming === "progress" ? asksForProgress(body) : (options.streaming ?? false),
          batch: options.batch ?? 20,
        });
      }
      visits.set(request, visit);
      return await modern.fetch(request, { parsedBody: body });
    } catch (thrown) {
      return jsonRpcProblem(exchange.failed(thrown));
    }
  };
}
