/**
 * The admin routes: registry, tokens, audit. Only shapes of requests and answers; what the caller may is decided behind
 * `Administration`, which is asked before a body is read. Answers are JSON; a state of the registry carries its ETag.
 */
import type * as z from "zod";
import { GitpinError } from "../../errors.ts";
import type { Administration } from "../../ports/administration.ts";
import type { Caller } from "../../ports/registry.ts";
import {
  pageQuery,
  registryBody,
  registryPatch,
  restoreBody,
  type SectionState,
  sectionQuery,
  tokenRequest,
} from "../../schema/administration.ts";
import { checkArguments } from "../../tools/invoke.ts";
import { type BodyLimits, readJson } from "../body.ts";
import { negotiate } from "../negotiation.ts";
import { queryArguments } from "../query.ts";
import { ifMatchOf } from "./if-match.ts";

export interface AdminRequest {
  request: Request;
  caller: Caller;
  /** Values of the path's parameters. */
  parameters: Readonly<Record<string, string>>;
  limits: BodyLimits;
}

export interface AdminRoute {
  path: `/v1/${string}`;
  /** By method; HEAD follows from GET. */
  methods: Readonly<Partial<Record<"GET" | "PUT" | "PATCH" | "POST" | "DELETE", Handler>>>;
}

type Handler = (request: AdminRequest) => Promise<Response>;

const query = <S extends z.ZodObject>(schema: S, { request }: AdminRequest): z.infer<S> =>
  checkArguments(schema, queryArguments(new URL(request.url).search, schema));

const body = async <S extends z.ZodObject>(
  schema: S,
  { request, limits }: AdminRequest,
): Promise<z.infer<S>> => checkArguments(schema, await readJson(request, limits));

const answer = (result: object, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(`${JSON.stringify(result)}\n`, {
    status,
    headers: { ...headers, "content-type": "application/json" },
  });

const stateAnswer = (state: SectionState): Response => answer(state, 200, { etag: state.etag });

function versionOf({ parameters }: AdminRequest): number {
  const { version = "" } = parameters;
  if (/^[1-9][0-9]{0,8}$/.test(version)) return Number(version);
  throw new GitpinError(
    "version_unknown",
    "A version is a number from 1.",
    "GET /v1/registry/history lists the versions there are.",
    { field: "version" },
  );
}

export function adminRoutes(administration: Administration): AdminRoute[] {
  /** Asks for permission before it looks at anything else. */
  const admitted =
    (handle: Handler): Handler =>
    async (request) => {
      administration.admit(request.caller);
      negotiate(request.request.headers.get("accept"), ["application/json"]);
      return await handle(request);
    };
  const conditionOf = (request: AdminRequest) => ({
    ...query(sectionQuery, request),
    ifMatch: ifMatchOf(request.request),
  });

  const routes: AdminRoute[] = [
    {
      path: "/v1/registry",
      methods: {
        GET: async (r) => stateAnswer(await administration.registry(r.caller, query(sectionQuery, r))),
        PUT: async (r) => {
          const condition = conditionOf(r);
          const { repositories } = await body(registryBody, r);
          return stateAnswer(await administration.replace(r.caller, condition, repositories));
        },
        PATCH: async (r) => {
          const condition = conditionOf(r);
          return stateAnswer(await administration.patch(r.caller, condition, await body(registryPatch, r)));
        },
      },
    },
    {
      path: "/v1/registry/validate",
      methods: {
        POST: async (r) => {
          const choice = query(sectionQuery, r);
          const { repositories } = await body(registryBody, r);
          return answer(await administration.validate(r.caller, choice, repositories));
        },
      },
    },
    {
      path: "/v1/registry/history",
      methods: { GET: async (r) => answer(await administration.history(r.caller, query(pageQuery, r))) },
    },
    {
      path: "/v1/registry/history/:version",
      methods: {
        GET: async (r) =>
          answer(await administration.version(r.caller, query(sectionQuery, r), versionOf(r))),
      },
    },
    {
      path: "/v1/registry/restore",
      methods: {
        POST: async (r) => {
          const condition = conditionOf(r);
          const { version } = await body(restoreBody, r);
          return stateAnswer(await administration.restore(r.caller, condition, version));
        },
      },
    },
    {
      path: "/v1/tokens",
      methods: {
        GET: async (r) => answer(await administration.tokens(r.caller, query(pageQuery, r))),
        POST: async (r) => answer(await administration.issue(r.caller, await body(tokenRequest, r)), 201),
      },
    },
    {
      path: "/v1/tokens/:id",
      methods: {
        DELETE: async (r) => answer(await administration.revoke(r.caller, r.parameters.id ?? "")),
      },
    },
    {
      path: "/v1/audit",
      methods: { GET: async (r) => answer(await administration.audit(r.caller, query(pageQuery, r))) },
    },
  ];
  return routes.map(({ path, methods }) => ({
    path,
    methods: Object.fromEntries(
      Object.entries(methods).map(([method, handle]) => [method, admitted(handle)]),
    ),
  }));
}
