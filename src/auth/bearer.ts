/**
 * The `Authorization` header (RFC 6750). Owns its reading and the errors of a credential that does not hold.
 * A credential that is present but not good is always refused: it never turns into an anonymous call. No error repeats it.
 */
import { GitpinError } from "../errors.ts";
import type { Caller } from "../ports/registry.ts";
import type { Scope } from "../schema/teams.ts";

/** Why a call is not admitted. */
export type Refusal = "absent" | "malformed" | "unknown" | "expired" | "revoked";

const SAID: Record<Refusal, string> = {
  absent: "This service takes no calls without a token.",
  malformed: "The Authorization header holds no bearer token.",
  unknown: "The token is none of this service's.",
  expired: "The token has expired.",
  revoked: "The token was revoked.",
};

export const refused = (refusal: Refusal): GitpinError =>
  new GitpinError(
    "unauthorized",
    SAID[refusal],
    "Send Authorization: Bearer TOKEN with a token that an admin of your team issued.",
    { reason: refusal },
  );

/** The token, or null where no header was sent. Throws `unauthorized` for any other scheme or form. */
export function bearerOf(header: string | null): string | null {
  if (header === null) return null;
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header)?.[1];
  if (token === undefined) throw refused("malformed");
  return token;
}

/** Throws `unauthorized` to who showed no credential, `forbidden` to who showed one without the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.includes(scope)) return;
  // Every token is of a team, and the operator has every scope: no other caller showed a credential.
  if (caller.team === null) {
    throw new GitpinError(
      "unauthorized",
      `This needs a token with the scope ${scope}.`,
      "Send Authorization: Bearer TOKEN.",
      { reason: "absent", scope },
    );
  }
  throw new GitpinError(
    "forbidden",
    `The token has no scope ${scope}.`,
    `Ask an admin of your team for a token with ${scope}.`,
    { scope },
  );
}
