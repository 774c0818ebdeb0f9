// What a route handler is given: the request, who asks, the repository and the host's settings.
// Owns: the types routes are written against. A route family is a list of `Route` and `RepositoryRoute`.
import type { IncomingHttpHeaders } from "node:http";
import type { Apps, IssuedToken, LocalApp } from "../apps.ts";
import type { ServedRepository } from "../directory.ts";
import type { Limits } from "../limits.ts";
import type { PullRequests } from "../pull-requests.ts";
import type { Answer } from "./answer.ts";
import type { ContentLimit } from "./content-limit.ts";
import type { Downloads } from "./downloads.ts";
import type { Media } from "./media.ts";
import type { Permission } from "./permissions.ts";
import type { RateLimits } from "./rate-limits.ts";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
export type Resource = "core" | "search" | "code_search" | "graphql";

/** Who asks: a known token, or nobody (by address). `key` names the rate limit bucket. */
export interface Caller {
  token: string | null;
  key: string;
  /** The App that signed the request with its JWT. */
  app?: LocalApp;
  /** The installation's token that it carries. */
  issued?: IssuedToken;
  /** `owner/name` of what a token opens; everything when left out. */
  repositories?: string[];
  /** What a token may do; everything when left out. */
  permissions?: Record<string, string>;
  /** Whose token it is. */
  login?: string;
}

export interface HostContext {
  /** Base URL without a final slash. */
  url: string;
  limits: Limits;
  downloads: Downloads;
  rateLimits: RateLimits;
  contentLimit: ContentLimit;
  apps: Apps;
  pulls: PullRequests;
  /** Whether anything may be written at all. */
  writable: boolean;
  /** Whether the GraphQL mutation `updateRefs` is there. */
  refUpdates: boolean;
  /** Told, in a line for people, of a branch that did not move because somebody works on files of its work tree. */
  onWorkInTheWay(line: string): void;
  /** By present or former name, if this caller may read it. */
  named(caller: Caller, owner: string, name: string): ServedRepository | undefined;
  /** Every repository that this caller may read. */
  visible(caller: Caller): ServedRepository[];
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Exchange {
  host: HostContext;
  method: string;
  /** Raw path, still percent-encoded, without the query. */
  path: string;
  query: URLSearchParams;
  /** Path parameters, decoded. */
  params: Record<string, string>;
  headers: IncomingHttpHeaders;
  media: Media;
  apiVersion: string;
  caller: Caller;
  /** The request's body, read once. */
  body(): Promise<Buffer>;
}

export interface RepositoryExchange extends Exchange {
  repository: ServedRepository;
}

interface RouteBase {
  method: Method;
  /** `{name}` is one segment, `{name+}` one or more, `{name*}` any number of them. Relative for repository routes. */
  pattern: string;
  /** The `documentation_url` of its errors. */
  docs: string;
  /** Rate limit bucket; default `core`, null is free. */
  resource?: Resource | null;
  /** Asked with an App's JWT, and not otherwise; every other route refuses one. */
  app?: true;
}

export interface Route extends RouteBase {
  run(exchange: Exchange): Promise<Answer> | Answer;
}

/** Mounted under `/repos/{owner}/{repo}` and `/repositories/{id}`. */
export interface RepositoryRoute extends RouteBase {
  /** What a caller must be allowed to write. */
  writes?: Permission;
  run(exchange: RepositoryExchange): Promise<Answer>;
}
