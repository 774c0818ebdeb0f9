/**
 * The way in: from a request to its caller. Owns the order (address limit, credential, token limit) and the operator's token.
 * The caller follows from the credential alone; nothing else of the request is looked at but the address it came from. Where calls
 * without a credential may write, those of web pages may not: whoever runs a local service did not mean the pages that they visit.
 */
import { sha256 } from "../core/git/hash.ts";
import { ANONYMOUS, type Caller } from "../ports/registry.ts";
import { SCOPES, type Scope } from "../schema/teams.ts";
import { bearerOf, refused } from "./bearer.ts";
import type { CallerLimits } from "./caller-limits.ts";
import { proofOf, sameHash, type TokenProof } from "./token.ts";

/** What the keeper of tokens says of a presented one. */
export type TokenVerdict =
  | { status: "good"; id: string; team: string; scopes: readonly Scope[] }
  | { status: "unknown" | "expired" | "revoked" };

export interface GateOptions {
  /** The operator's secret, or null where there is none. */
  adminToken: string | null;
  /** `none` refuses calls without a credential. */
  anonymous: "none" | "public" | "all";
  /** Whether calls without a credential may write as well; never, where left out. */
  anonymousWrites?: boolean;
  limits: CallerLimits;
  /**
   * Called once for every call, with what was presented; brings what is known of the registry up to date as well.
   * Throws `registry_unavailable` where a presented token cannot be checked.
   */
  enter(proof: TokenProof | null): Promise<TokenVerdict | null>;
}

/** The holder of the operator's secret: no team, every scope. No issued token is without a team. */
export const OPERATOR: Caller = { id: "operator", team: null, scopes: SCOPES };

/** Without a credential, on a service that its owner alone reaches and opened to changes. */
export const ANONYMOUS_WRITER: Caller = { ...ANONYMOUS, scopes: ["kin:write"] satisfies Scope[] };

export type Gate = (request: Request) => Promise<Caller>;

export function createGate(options: GateOptions): Gate {
  const { limits } = options;
  const adminHash = options.adminToken === null ? null : sha256(options.adminToken);

  const anonymous = async (isPage: boolean): Promise<Caller> => {
    if (options.anonymous === "none") throw refused("absent");
    await options.enter(null);
    return options.anonymousWrites === true && !isPage ? ANONYMOUS_WRITER : ANONYMOUS;
  };

  const holderOf = async (token: string): Promise<Caller> => {
    if (adminHash !== null && sameHash(sha256(token), adminHash)) {
      await options.enter(null);
      return OPERATOR;
    }
    const proof = proofOf(token);
    const verdict = proof === null ? null : await options.enter(proof);
    if (verdict === null) throw refused("unknown");
    if (verdict.status !== "good") throw refused(verdict.status);
    return { id: `token:${verdict.id}`, team: verdict.team, scopes: verdict.scopes };
  };

  return async (request) => {
    await limits.address(request.headers.get("cf-connecting-ip"));
    const token = bearerOf(request.headers.get("authorization"));
    if (token === null) return await anonymous(request.headers.has("origin"));
    const caller = await holderOf(token);
    await limits.token(caller.id);
    return caller;
  };
}
