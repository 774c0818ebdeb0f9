// Addresses in answers. The API and the web live on different hosts at GitHub; here both are this host.
// Owns: percent-encoding of refs and paths (each segment by itself).

import type { ServedRepository } from "../directory.ts";
import type { HostContext, RepositoryExchange } from "../http/exchange.ts";

export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

export class Links {
  readonly base: string;
  readonly fullName: string;
  constructor(host: HostContext, repository: ServedRepository) {
    this.base = host.url;
    this.fullName = `${repository.owner}/${repository.name}`;
  }

  /** `https://api.github.com/repos/o/r` and what follows. */
  api(rest = ""): string {
    return `${this.base}/repos/${this.fullName}${rest}`;
  }

  /** `https://github.com/o/r` and what follows. */
  web(rest = ""): string {
    return `${this.base}/${this.fullName}${rest}`;
  }

  contents(path: string, ref: string): string {
    return this.api(`/contents/${encodePath(path)}?ref=${encodeURIComponent(ref)}`);
  }
}

export function linksOf(exchange: RepositoryExchange): Links {
  return new Links(exchange.host, exchange.repository);
}

/** An opaque global id, as GitHub's `node_id`. */
export function nodeId(kind: string, ...parts: (string | number)[]): string {
  return Buffer.from([kind, ...parts].join(":")).toString("base64url");
}
