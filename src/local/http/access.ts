// Who asks, and may they see this repository?
// Owns: reading `Authorization`, known and revoked tokens, GitHub's 401. Refuses: telling a private repository from
// a missing one (both are 404).
import type { ServedRepository } from "../directory.ts";
import { ApiError } from "./answer.ts";
import type { Caller } from "./exchange.ts";

/** A token, and which private repositories (`owner/name`) it opens; default all. */
export interface LocalToken {
  value: string;
  repositories?: string[];
}

const DOCS = "https://docs.github.com/rest";

function readToken(authorization: string): string | null {
  const [, scheme = "", value = ""] = /^(\S+) +(\S+)$/.exec(authorization.trim()) ?? [];
  switch (scheme.toLowerCase()) {
    case "bearer":
    case "token":
      return value;
    case "basic":
      return Buffer.from(value, "base64").toString("utf8").split(":").slice(1).join(":") || null;
    default:
      return null;
  }
}

export class Access {
  /** Undefined: any token will do. */
  readonly #tokens: Map<string, LocalToken> | undefined;
  readonly #requireToken: boolean;

  constructor(tokens: (string | LocalToken)[] | undefined, requireToken: boolean) {
    const known = tokens?.map((token) => (typeof token === "string" ? { value: token } : token));
    this.#tokens = known && new Map(known.map((token) => [token.value, token]));
    this.#requireToken = requireToken;
  }

  allow(token: string | LocalToken): void {
    const entry = typeof token === "string" ? { value: token } : token;
    this.#tokens?.set(entry.value, entry);
  }

  revoke(token: string): void {
    this.#tokens?.delete(token);
  }

  identify(authorization: string | undefined, address: string): Caller {
    if (authorization === undefined) {
      if (this.#requireToken) throw new ApiError(401, "Requires authentication", { documentationUrl: DOCS });
      return { token: null, key: address };
    }
    const token = readToken(authorization);
    if (token === null || (this.#tokens && !this.#tokens.has(token))) {
      throw new ApiError(401, "Bad credentials", { documentationUrl: DOCS });
    }
    return { token, key: `token ${token}` };
  }

  mayRead(caller: Caller, repository: ServedRepository): boolean {
    if (!repository.private) return true;
    if (caller.token === null) return false;
    const listed = this.#tokens?.get(caller.token)?.repositories;
    const fullName = `${repository.owner}/${repository.name}`.toLowerCase();
    return listed === undefined || listed.some((name) => name.toLowerCase() === fullName);
  }
}
