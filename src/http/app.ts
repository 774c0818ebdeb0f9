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
import type { NotesGate } from "../tools/notes-gate.ts";
import type { Tool } from "../tools/tool.ts";
import { callBytes, hasTool } from "../tools/tools-for.ts";
import { adminRoutes } from "./admin/routes.ts";
import { BODY_LIMITS, type BodyLimits } from "./body.ts";
import { CITATION_PREFIX, citationTools, serveCitation } from "./citation-route.ts";
import { corsHeaders, isOpenRead, isPreflight, preflightAnswer } from "./cors.ts";
import { countBody } from "./counted-body.ts";
import { Exchange, type OpenedCall } from "./exchange.ts";
import { createGuard, type GuardOptions } from "./guard.ts";
import { answerHeaders } from "./headers.ts";
import { NOTES_PATH, serveNotes } from "./notes-route.ts";
import { problemResponse } from "./problem.ts";
import { READY_PATH, readiness } from "./ready.ts";
import type { RequestLine } from "./request-line.ts";
import { type SitePage, sitePages } from "./site.ts";
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
  /** Checks all citations of notes; there is no such route where it is left out. */
  notes?: NotesGate;
  /** Who reaches the service, and who sees what without a credential; none of it where it is left out. */
  reach?: Reach;
  /** Where callers reach this service, without a final slash. */
  publicUrl: string;
  /** Documentation to link to; null where there is none. */
  docsUrl: string | null;
  version: string;
  clock: Clock;
  log(line: RequestLine): void;
  limits?: BodyLimits;
}

export interface Reach {
  /** Callers without a credential see what is public and nothing else, from anywhere: pages of any origin may read it. */
  openReads: boolean;
  /** Calls without a credential are refused. */
  needsToken: boolean;
  /** Only this machine reaches it. */
  loopback: boolean;
  /** What calls without a credential may do beside reading. */
  anonymousScopes: readonly string[];
}

const NO_REACH: Reach = { openReads: false, needsToken: false, loopback: false, anonymousScopes: [] };

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

/** The addresses that only tell: tools that change nothing, notes, citations, documents. Not MCP, not administration. */
function readPaths(
  { tools, notes }: Pick<AppOptions, "tools" | "notes">,
  pages: readonly SitePage[],
): (pathname: string) => boolean {
  const paths = new Set<string>([
    ...pages.map(({ path }) => path),
    ...tools.filter(({ annotations }) => annotations.readOnlyHint).map(({ route }) => route.path),
    ...(notes === undefined ? [] : [NOTES_PATH]),
  ]);
  return (pathname) => paths.has(pathname) || pathname.startsWith(CITATION_PREFIX);
}

/** GET routes answer HEAD as well. */
const allowed = (methods: readonly string[]): string[] =>
  methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));

export function createApp(options: AppOptions): App {
  const guard = createGuard(options.guard);
  const limits = options.limits ?? BODY_LIMITS;
  const app = new Hono<Bindings>();

  const reach = options.reach ?? NO_REACH;
  const citations = citationTools(options.tools);
  const pages = sitePages({
    ...options,
    ...reach,
    notes: options.notes ?? null,
    citations: citations !== null,
    administration: options.administration !== undefined,
    readiness: options.readiness !== undefined,
    status: options.status !== undefined,
  });
  const reads = { allowed: reach.openReads, isRead: readPaths(options, pages) };
  const writes = new Set<string>(
    options.tools.filter(({ annotations }) => !annotations.readOnlyHint).map(({ route }) => route.path),
  );

  app.use(async (context, next) => {
    const exchange = context.env.exchange;
    context.set("exchange", exchange);
    const request = context.req.raw;
    const open = isOpenRead(request, reads);
    const checked = guard.check(request, open);
    // No page of another origin is ever told that it may write, nor shown what became of it.
    const isWrite = writes.has(new URL(request.url).pathname);
    const standing = isWrite ? "no-page" : checked;
    if (isPreflight(request) && !isWrite) {
      exchange.route = "preflight";
      context.res = preflightAnswer(request, standing);
    } else await next();
    for (const [name, value] of Object.entries(corsHeaders(request, standing, open))) {
      context.res.headers.set(name, value);
    }
  });

  const problem = (thrown: unknown, request: Request, exchange: Exchange): Response =>
    problemResponse(exchange.failed(thrown), {
      accept: request.headers.get("accept"),
      requestId: exchange.requestId,
      publicUrl: options.publicUrl,
    });
  app.onError((thrown, context) => problem(thrown, context.req.raw, context.get("exchange")));
  const nothingHere = (): GitpinError =>
    new GitpinError(
      "route_unknown",
      "There is nothing at this address.",
      `GET ${options.publicUrl}/ lists what there is.`,
    );
  app.notFound((context) => problem(nothingHere(), context.req.raw, context.get("exchange")));

  const open = async (request: Request, exchange: Exchange, lifetime: Lifetime | undefined) => {
    const { trace } = exchange.arrival;
    const opened = await options.openCall(request, {
      keepAlive: (work) => lifetime?.waitUntil(work),
    });
    const call = trace === null ? opened : { ...opened, traceparent: traceparentOf(trace) };
    exchange.opened(call);
    return call;
  };

  for (const { path, serve, perCaller } of pages) {
    app.get(path, async (context) => {
      const exchange = context.get("exchange");
      exchange.route = path;
      const request = context.req.raw;
      const known = perCaller && request.headers.has("authorization");
      return serve(request, known ? (await open(request, exchange, context.env.lifetime)).caller : null);
    });
    app.all(path, refuseMethod(path, ["GET", "HEAD"]));
  }

  for (const tool of options.tools) {
    const { path, methods } = tool.route;
    /** The call, for a caller who has the tool: to others there is nothing here, whatever the method. */
    const opened = async (context: Context<Bindings>): Promise<OpenedCall> => {
      const call = await open(context.req.raw, context.get("exchange"), context.env.lifetime);
      if (!hasTool(tool, call.caller)) throw nothingHere();
      return call;
    };
    app.on([...methods], path, async (context) => {
      const exchange = context.get("exchange");
      if (tool.scope === undefined) exchange.route = path;
      const call = await opened(context);
      exchange.route = path;
      const bytes = callBytes([tool], limits.bytes);
      return await serveTool(tool, context.req.raw, call, exchange, { ...limits, bytes });
    });
    app.all(path, async (context) => {
      if (tool.scope !== undefined) await opened(context);
      return refuseMethod(path, allowed(methods))(context);
    });
  }

  const { notes } = options;
  if (notes !== undefined) {
    app.post(NOTES_PATH, async (context) => {
      const exchange = context.get("exchange");
      exchange.route = NOTES_PATH;
      const call = await open(context.req.raw, exchange, context.env.lifetime);
      return await serveNotes(notes, context.req.raw, call, exchange);
    });
    app.all(NOTES_PATH, refuseMethod(NOTES_PATH, ["POST"]));
  }

  if (citations !== null) {
    const route = `${CITATION_PREFIX}*`;
    app.get(route, async (context) => {
      const exchange = context.get("exchange");
      exchange.route = route;
      const call = await open(context.req.raw, exchange, context.env.lifetime);
      return await serveCitation(citations, context.req.raw, call, exchange, options.publicUrl);
    });
    app.all(route, refuseMethod(route, ["GET", "HEAD"]));
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
      const { status } = answer;
      const { body, end, streaming } = await countBody(answer);
      const log = async (): Promise<void> => {
        const { bytes, abandoned } = await end;
        const at = options.clock.now();
        options.log(exchange.line({ status, bytes, abandoned, at, version: options.version }));
      };
      if (streaming) lifetime?.waitUntil(log());
      else await log();
      const headers = answerHeaders(answer, exchange, options.registry?.status() ?? null);
      return new Response(body, { status, headers });
    },
  };
}
