/**
 * The HTTP application: guard, routes, errors, headers and log line around the tools and the MCP endpoint.
 * Holds no logic of a tool. Everything it needs is passed in; addresses it prints come from `publicUrl`.
 */
import { type Context, Hono } from "hono";
import { GitpinError } from "../errors.ts";
import type { Administration } from "../ports/administration.ts";
import type { Background } from "../ports/background.ts";
import type { Clock } from "../ports/clock.ts";
import type { Readiness } from "../ports/readiness.ts";
import type { Registry } from "../ports/registry.ts";
import type { Tool } from "../tools/tool.ts";
import { adminRoutes } from "./admin/routes.ts";
import { BODY_LIMITS, type BodyLimits } from "./body.ts";
import { countBody } from "./counted-body.ts";
import { Exchange, type OpenedCall } from "./exchange.ts";
import { createGuard, type GuardOptions } from "./guard.ts";
import { withHeaders } from "./headers.ts";
import { health } from "./health.ts";
import { landingPage } from "./landing-page.ts";
import { problemResponse } from "./problem.ts";
import { READY_PATH, readiness } from "./ready.ts";
import type { RequestLine } from "./request-line.ts";
import { STATUS_PATH, type StatusSource, serveStatus } from "./status-route.ts";
import { serveTool } from "./tool-route.ts";
import { readTrace, traceparentOf } from "./trace-context.ts";
import { type ReceiveWebhook, serveWebhook, WEBHOOK_PATH } from "./webhook-route.ts";

/** An MCP endpoint: any method, any body; answers in JSON-RPC. It reports what it did to the exchange. */
export type McpEndpoint = (request: Request, call: OpenedCall, exchange: Exchange) => Promise<Response>;

export interface AppOptions {
  tools: readonly Tool[];
  /** Who calls (throws `GitpinError` for a bad credential), with a fresh ledger. */
  openCall(request: Request, background: Background): Promise<OpenedCall> | OpenedCall;
  mcp: McpEndpoint;
  /** The admin routes' other side; there are none where it is left out. */
  administration?: Administration;
  /** Takes GitHub's webhooks in; there is no such route where it is left out. */
  webhook?: ReceiveWebhook;
  status?: StatusSource;
  /** What `/readyz` asks; there is no such route where it is left out. */
  readiness?: Readiness;
  /** Asked whether it is current: every answer made from an old one says so in a header. */
  registry?: Pick<Registry, "status">;
  guard: GuardOptions;
  /** Where callers reach this service, without a final slash. */
  publicUrl: string;
  /** Documentation to link to; null where there is none. */
  docsUrl: string | null;
  version: string;
  clock: Clock;
  log(line: RequestLine): void;
  limits?: BodyLimits;
}

/** The part of a Worker's context that is used; absent where the app runs elsewhere. */
interface Lifetime {
  waitUntil(work: Promise<unknown>): void;
}

export interface App {
  fetch(request: Request, environment?: unknown, lifetime?: Lifetime): Promise<Response>;
}

interface Bindings {
  Bindings: { lifetime: Lifetime | undefined; exchange: Exchange };
  Variables: { exchange: Exchange };
}

/** The answer to every method that a route does not take. */
const refuseMethod = (route: string, allow: readonly string[]) => (context: Context<Bindings>) => {
  context.get("exchange").route = route;
  throw new GitpinError(
    "method_not_allowed",
    `This address takes ${allow.join(", ")} only.`,
    `Use ${allow[0]}.`,
    {
      allow,
    },
  );
};

/** GET routes answer HEAD as well. */
const allowed = (methods: readonly string[]): string[] =>
  methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));

export function createApp(options: AppOptions): App {
  const guard = createGuard(options.guard);
  const limits = options.limits ?? BODY_LIMITS;
  const app = new Hono<Bindings>();

  app.use(async (context, next) => {
    context.set("exchange", context.env.exchange);
    guard.check(context.req.raw);
    await next();
  });

  app.onError((thrown, context) =>
    problemResponse(context.get("exchange").failed(thrown), context.req.header("accept") ?? null),
  );
  app.notFound((context) => {
    const unknown = new GitpinError(
      "route_unknown",
      "There is nothing at this address.",
      `GET ${options.publicUrl}/ lists what there is.`,
    );
    return problemResponse(context.get("exchange").failed(unknown), context.req.header("accept") ?? null);
  });

  const open = async (request: Request, exchange: Exchange, lifetime: Lifetime | undefined) => {
    const { trace } = exchange.arrival;
    const opened = await options.openCall(request, {
      keepAlive: (work) => lifetime?.waitUntil(work),
    });
    const call = trace === null ? opened : { ...opened, traceparent: traceparentOf(trace) };
    exchange.opened(call);
    return call;
  };

  const page = (path: string, serve: (request: Request) => Response) => {
    app.get(path, (context) => {
      context.get("exchange").route = path;
      return serve(context.req.raw);
    });
    app.all(path, refuseMethod(path, ["GET", "HEAD"]));
  };
  page("/", (request) => landingPage(request, options));
  page("/healthz", (request) => health(request, options.version));

  for (const tool of options.tools) {
    app.on([...tool.route.methods], tool.route.path, async (context) => {
      const exchange = context.get("exchange");
      exchange.route = tool.route.path;
      const call = await open(context.req.raw, exchange, context.env.lifetime);
      return await serveTool(tool, context.req.raw, call, exchange, limits);
    });
    app.all(tool.route.path, refuseMethod(tool.route.path, allowed(tool.route.methods)));
  }

  for (const { path, methods } of options.administration === undefined
    ? []
    : adminRoutes(options.administration)) {
    for (const [method, serve] of Object.entries(methods)) {
      app.on(method, path, async (context) => {
        const exchange = context.get("exchange");
        exchange.route = path;
        const { caller } = await open(context.req.raw, exchange, context.env.lifetime);
        return await serve({ request: context.req.raw, caller, parameters: context.req.param(), limits });
      });
    }
    app.all(path, refuseMethod(path, allowed(Object.keys(methods))));
  }

  const { webhook, status, readiness: source } = options;
  if (source !== undefined) {
    app.get(READY_PATH, async (context) => {
      const exchange = context.get("exchange");
      exchange.route = READY_PATH;
      const { lifetime } = context.env;
      const background = { keepAlive: (work: Promise<unknown>) => lifetime?.waitUntil(work) };
      const answer = await readiness(source, context.req.raw, background);
      exchange.answered(answer.status);
      return answer;
    });
    app.all(READY_PATH, refuseMethod(READY_PATH, ["GET", "HEAD"]));
  }
  if (webhook !== undefined) {
    // No credential: the signature over the body is what counts.
    app.post(WEBHOOK_PATH, async (context) => {
      context.get("exchange").route = WEBHOOK_PATH;
      return await serveWebhook(webhook, context.req.raw);
    });
    app.all(WEBHOOK_PATH, refuseMethod(WEBHOOK_PATH, ["POST"]));
  }
  if (status !== undefined) {
    app.get(STATUS_PATH, async (context) => {
      const exchange = context.get("exchange");
      exchange.route = STATUS_PATH;
      const { caller } = await open(context.req.raw, exchange, context.env.lifetime);
      return await serveStatus(status, context.req.raw, caller);
    });
    app.all(STATUS_PATH, refuseMethod(STATUS_PATH, ["GET", "HEAD"]));
  }

  app.all("/mcp", async (context) => {
    const exchange = context.get("exchange");
    exchange.route = "/mcp";
    const call = await open(context.req.raw, exchange, context.env.lifetime);
    return await options.mcp(context.req.raw, call, exchange);
  });

  return {
    async fetch(request, _environment, lifetime) {
      const exchange = new Exchange({
        requestId: crypto.randomUUID(),
        method: request.method,
        trace: readTrace(request.headers.get("traceparent")),
        at: options.clock.now(),
      });
      const answer = await app.fetch(request, { lifetime, exchange });
      const { response, end, streaming } = await countBody(answer);
      const log = async (): Promise<void> => {
        const { bytes, abandoned } = await end;
        const { status } = response;
        const at = options.clock.now();
        options.log(exchange.line({ status, bytes, abandoned, at, version: options.version }));
      };
      if (streaming) lifetime?.waitUntil(log());
      else await log();
      return withHeaders(response, exchange, options.registry?.status() ?? null);
    },
  };
}
