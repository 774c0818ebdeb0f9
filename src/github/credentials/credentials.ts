/**
 * Who this service is at GitHub: nobody, the holder of a token, or a GitHub App with an installation for each owner.
 * Owns the form of a credential. `fixed.ts` and `app.ts` give them out; the client alone puts one into a request.
 */
import { sha256 } from "../../core/git/hash.ts";
import type { Asking } from "../asking.ts";
import { noCredential } from "../write/write-failure.ts";

/**
 * What a credential shall be good for: reading contents, committing, opening pull requests. Where GitHub lets us choose, each is
 * good for nothing else.
 */
export type Access = "read" | "write" | "propose";

export interface Credential {
  /** Null: none. */
  token: string | null;
  /** Names whose budget a request spends: `anonymous`, `token:DIGEST`, `installation:ID`. Never the secret. */
  holder: string;
}

export interface Credentials {
  /** Names who asks, for keys of what depends on that; stays the same when a token is renewed. Never the secret. */
  readonly name: string;
  /** Whether requests carry a credential: code search needs one, and a 304 is free then. */
  readonly authorized: boolean;
  /** Whose budget requests about this repository spend. */
  holder(asking: Asking): Promise<string>;
  /** What requests about this repository are signed with. Throws `write_forbidden` where there is none that may write. */
  credential(asking: Asking, access: Access): Promise<Credential>;
  /** After a 401: a new credential in place of the refused one, or null when there is none. */
  renewed(asking: Asking, refused: Credential, access: Access): Promise<Credential | null>;
}

/** One token for everything, or none. */
export function fixedCredentials(token: string | null): Credentials {
  const holder = token === null ? "anonymous" : `token:${sha256(token).slice(0, 16)}`;
  return {
    name: holder,
    authorized: token !== null,
    holder: async () => holder,
    async credential(_, access) {
      if (token === null && access !== "read") throw noCredential();
      return { token, holder };
    },
    renewed: async () => null,
  };
}
