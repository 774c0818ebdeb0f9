/**
 * What admins do, as the transports see it. Every operation takes the caller and decides itself what that caller may:
 * `unauthorized` without a credential, `forbidden` without the scope or for another team.
 */
import type * as s from "../schema/administration.ts";
import type { Caller } from "./registry.ts";

export interface TeamChoice {
  /** Only the operator may name one. */
  team?: string | undefined;
}

export interface Page extends TeamChoice {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** ETags of `If-Match`, of which one must be the present one. */
export interface Condition extends TeamChoice {
  ifMatch: readonly string[];
}

export interface Administration {
  /** Throws unless the caller is an admin: asked before anything of the request is read. */
  admit(caller: Caller): void;
  registry(caller: Caller, choice: TeamChoice): Promise<s.RegistryView>;
  /** Replaces all entries. */
  replace(caller: Caller, condition: Condition, entries: unknown): Promise<s.SectionState>;
  /** Puts and removes single entries, all or none. */
  patch(caller: Caller, condition: Condition, patch: s.RegistryPatch): Promise<s.SectionState>;
  /** Stores nothing. */
  validate(caller: Caller, choice: TeamChoice, entries: unknown): Promise<s.RegistryValidation>;
  history(caller: Caller, page: Page): Promise<s.RegistryHistory>;
  version(caller: Caller, choice: TeamChoice, version: number): Promise<s.SectionState>;
  /** An old version becomes the newest; it must hold under the present rules. */
  restore(caller: Caller, condition: Condition, version: number): Promise<s.SectionState>;
  issue(caller: Caller, request: s.TokenRequest): Promise<s.TokenIssued>;
  tokens(caller: Caller, page: Page): Promise<s.TokenList>;
  revoke(caller: Caller, id: string): Promise<s.TokenRevoked>;
  audit(caller: Caller, page: Page): Promise<s.AuditLog>;
}
