/**
 * The guard in front of every route: `Host` and `Origin` must be ours (DNS rebinding, pages that read a local service).
 * Owns both checks. Never reads `X-Forwarded-Host`. A missing `Origin` is a caller that is no web page, and passes.
 */
import { GitpinError } from "../errors.ts";

export interface GuardOptions {
  /** `name` (any port) or `name:port` (that port only); IPv6 in brackets. */
  hosts: readonly string[];
  /** Exact origins, e.g. `https://app.example`; `http://localhost:*` stands for every port. */
  origins: readonly string[];
}

export interface Guard {
  /** Throws `host_refused` or `origin_refused`. */
  check(request: Request): void;
}

const withoutPort = (host: string): string => host.replace(/:\d+$/, "");

/** Printable, short form of a header value, for the error that refuses it. */
const shown = (value: string): string => value.replace(/[^\x21-\x7e]/g, "?").slice(0, 100);

export function createGuard(options: GuardOptions): Guard {
  const hosts = new Set(options.hosts.map((host) => host.toLowerCase()));
  const origins = new Set(options.origins.map((origin) => origin.toLowerCase()));

  const hostIsOurs = (host: string): boolean => {
    const name = host.toLowerCase();
    return hosts.has(name) || hosts.has(withoutPort(name));
  };
  const originIsOurs = (origin: string): boolean => {
    const name = origin.toLowerCase();
    return origins.has(name) || origins.has(`${withoutPort(name)}:*`);
  };

  return {
    check(request) {
      const named = new URL(request.url).host;
      // Where the runtime keeps the Host header apart from the URL (absolute-form targets), both must be ours.
      for (const host of new Set([request.headers.get("host") ?? named, named])) {
        if (hostIsOurs(host)) continue;
        throw new GitpinError(
          "host_refused",
          `This service does not answer for the host ${shown(host)}.`,
          "Call it by its configured address; an operator adds further names to ALLOWED_HOSTS.",
          { host: shown(host) },
        );
      }
      const origin = request.headers.get("origin");
      if (origin === null || originIsOurs(origin)) return;
      throw new GitpinError(
        "origin_refused",
        `Web pages of ${shown(origin)} may not call this service.`,
        "Call without an Origin header (not from a web page); an operator adds origins to ALLOWED_ORIGINS.",
        { origin: shown(origin) },
      );
    },
  };
}
