/**
 * Tokens and the audit log over admin routes. An admin issues, lists and revokes for the team of the own credential; the operator
 * for any. The token itself is in the answer to its issue and nowhere else. Random bytes and time are passed in.
 */
import * as z from "zod";
import { requireScope } from "../auth/bearer.ts";
import type { TeamMap } from "../auth/team-map.ts";
import { mintToken, TOKEN_BYTES } from "../auth/token.ts";
import { decodeCursor, encodeCursor } from "../core/cursor.ts";
import { GitpinError } from "../errors.ts";
import type { Administration } from "../ports/administration.ts";
import type { Clock } from "../ports/clock.ts";
import type { RegistryHome } from "./registry-home.ts";
import { sectionFor } from "./section-for.ts";
import { isOperator } from "./visibility.ts";

export type TokenDesk = Pick<Administration, "issue" | "tokens" | "revoke" | "audit">;

export interface TokenDeskOptions {
  home: RegistryHome;
  teams: TeamMap;
  clock: Clock;
  /** That many bytes of a cryptographic source. */
  random(bytes: number): Uint8Array;
}

const PAGE = 50;
const issuedPosition = z.tuple([z.iso.datetime(), z.string().max(40)]);
const auditPosition = z.tuple([z.number().int().min(1)]);

export function createTokenDesk({ home, teams, clock, random }: TokenDeskOptions): TokenDesk {
  return {
    async issue(caller, { team: choice, scopes, label, expiresAt }) {
      const team = sectionFor(caller, { team: choice }, teams);
      if (team === null) throw wrong("team", "A token belongs to a team.", "Name the team it is for.");
      const expires = expiresAt === undefined ? null : new Date(expiresAt);
      if (expires !== null && expires.getTime() <= clock.now()) {
        throw wrong("expiresAt", "The token would have expired already.", "Name a time in the future (UTC).");
      }
      const { id, token, hash } = mintToken(random(TOKEN_BYTES));
      const row = await home.issue(
        { id, hash, team, scopes, label, expiresAt: expires?.toISOString() ?? null },
        caller.id,
      );
      return { kind: "token-issued", token, row };
    },

    async tokens(caller, page) {
      const team = sectionFor(caller, page, teams);
      const kind = `tokens:${team ?? ""}`;
      const after = page.cursor === undefined ? null : decodeCursor(kind, issuedPosition, page.cursor);
      const limit = page.limit ?? PAGE;
      const tokens = await home.tokens(
        team,
        limit + 1,
        after === null ? null : { issuedAt: after[0], id: after[1] },
      );
      const shown = tokens.slice(0, limit);
      const last = shown.at(-1);
      const nextCursor =
        tokens.length > limit && last !== undefined ? encodeCursor(kind, [last.issuedAt, last.id]) : null;
      return { kind: "token-list", tokens: shown, nextCursor };
    },

    async revoke(caller, id) {
      requireScope(caller, "registry:admin");
      const row = await home.revoke(isOperator(caller) ? null : caller.team, id, caller.id);
      return { kind: "token-revoked", row };
    },

    async audit(caller, page) {
      const section = sectionFor(caller, page, teams);
      const everything = isOperator(caller) && page.team === undefined;
      const kind = `audit:${everything ? "*" : (section ?? "")}`;
      const before = page.cursor === undefined ? null : decodeCursor(kind, auditPosition, page.cursor)[0];
      const found = await home.audit(everything ? "everything" : { section }, page.limit ?? PAGE, before);
      const nextCursor = found.before === null ? null : encodeCursor(kind, [found.before]);
      return { kind: "audit", events: found.events, nextCursor };
    },
  };
}

const wrong = (field: string, message: string, nextStep: string): GitpinError =>
  new GitpinError("invalid_argument", message, nextStep, { field });
