// Who asks, and may they see this repository?
// Owns: reading `Authorization`, known and revoked tokens, GitHub's 401. Refuses: telling a private repository from
// a missing one (both are 404).
import { type Apps, covers } from "../apps.ts";
import type { ServedRepository } from "../directory.ts";
import { ApiError } from "./answer.ts";
import type { Caller } from "./exchange.ts";

/** A token, and which repositories (`owner/name`) it opens, to write or where they are private; default all. */
export interface LocalToken {
  value: string;
  repositories?: string[];
  /** As a fine-grained token has them (`{ contents: "read" }`); default: everything. */
  permissions?: Record<string, string>;
  /** Whose it is; default `octocat`. */
  login?: string;
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

  readonly #apps: Apps;

  constructor(tokens: (string | LocalToken)[] | undefined, requireToken: boolean, apps: Apps) {
    this.#apps = apps;
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
    const app = token === null ? null : this.#apps.signer(token);
    if (token !== null && app !== null) return { token, key: `app ${app.id}`, app };
    const issued = token === null ? null : this.#apps.token(token);
    if (token !== null && issued !== null) {
      return { token, key: `installation ${issued.installation.id}`, issued };
    }
    // Tokens of installations end; where any token will do, one that has ended still will not.
    if (token?.startsWith("ghs_") && this.#apps.issued.some(({ value }) => value === token)) {
      throw new ApiError(401, "Bad credentials", { documentationUrl: DOCS });
    }
    if (token === null || (this.#tokens && !this.#tokens.has(token))) {
      throw new ApiError(401, "Bad credentials", { documentationUrl: DOCS });
    }
    const { value: _, ...known } = this.#tokens?.get(token) ?? { value: token };
    return { token, key: `token ${token}`, ...known };
  }

  mayRead(caller: Caller, repository: ServedRepository): boolean {
    // What an App asks for itself, it may ask of every repository; a route decides.
    if (caller.app !== undefined) return true;
    return !repository.private || opens(caller, repository);
  }
}

/** Whether what the caller came with opens this repository: to read it where it is private, to write to it anyway. */
export function opens(caller: Caller, { owner, name }: ServedRepository): boolean {
  const { issued, repositories } = caller;
  if (issued !== undefined) {
    // What the installation opens now, and of that what the token was narrowed to.
    return [issued.installation.repositories, issued.repositories].every((narrowed) =>
      covers(issued.installation, narrowed, owner, name),
    );
  }
  if (caller.token === null) return false;
  const fullName = `${owner}/${name}`.toLowerCase();
  return repositories === undefined || repositories.some((one) => one.toLowerCase() === fullName);
}
