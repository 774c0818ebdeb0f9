/**
 * Issued tokens in the SQLite storage of the registry object. Holds hashes, never tokens. Owns the rules of issue, expiry and
 * revocation; a revoked or expired token stays listed. Time is passed in.
 */
import { GitpinError } from "../errors.ts";
import type { Sql } from "../ports/sql.ts";
import type { TokenRow } from "../schema/administration.ts";
import type { Scope } from "../schema/teams.ts";
import type { TokenVerdict } from "./gate.ts";
import { sameHash, type TokenProof } from "./token.ts";

/** Most tokens of one team that are neither revoked nor expired. */
const LIVE_TOKENS = 1000;

export interface TokenIssue {
  id: string;
  hash: string;
  team: string;
  scopes: readonly Scope[];
  label: string;
  /** ISO 8601 UTC, or null for one that does not expire. */
  expiresAt: string | null;
}

type Stored = Omit<TokenRow, "scopes"> & { scopes: string };
const COLUMNS = `id, team, scopes, label, issued_at AS issuedAt, issued_by AS issuedBy, expires_at AS expiresAt,
  revoked_at AS revokedAt, revoked_by AS revokedBy`;
const rowOf = (stored: Stored): TokenRow => ({ ...stored, scopes: stored.scopes.split(" ") as Scope[] });

export class TokenTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS tokens (
      id TEXT PRIMARY KEY, hash TEXT NOT NULL, team TEXT NOT NULL, scopes TEXT NOT NULL, label TEXT NOT NULL,
      issued_at TEXT NOT NULL, issued_by TEXT NOT NULL, expires_at TEXT, revoked_at TEXT, revoked_by TEXT)`);
    sql.exec("CREATE INDEX IF NOT EXISTS tokens_of_team ON tokens (team, issued_at, id)");
  }

  /** `now`: ISO 8601 UTC. */
  judge(proof: TokenProof, now: string): TokenVerdict {
    const [stored] = this.#sql
      .exec<Stored & { hash: string }>(`SELECT ${COLUMNS}, hash FROM tokens WHERE id = ?`, proof.id)
      .toArray();
    if (stored === undefined || !sameHash(stored.hash, proof.hash)) return { status: "unknown" };
    // Only who holds the whole token learns that it was revoked or has expired.
    if (stored.revokedAt !== null) return { status: "revoked" };
    if (stored.expiresAt !== null && stored.expiresAt <= now) return { status: "expired" };
    const { id, team, scopes } = rowOf(stored);
    return { status: "good", id, team, scopes };
  }

  issue(issue: TokenIssue, actor: string, now: string): TokenRow {
    const [live] = this.#sql
      .exec<{ count: number }>(
        "SELECT count(*) AS count FROM tokens WHERE team = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)",
        issue.team,
        now,
      )
      .toArray();
    if ((live?.count ?? 0) >= LIVE_TOKENS) {
      throw new GitpinError(
        "invalid_argument",
        `Team ${issue.team} has ${LIVE_TOKENS} live tokens, the most there may be.`,
        "Revoke tokens that are not used any more.",
        { field: "team", limit: LIVE_TOKENS },
      );
    }
    this.#sql.exec(
      "INSERT INTO tokens (id, hash, team, scopes, label, issued_at, issued_by, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      issue.id,
      issue.hash,
      issue.team,
      issue.scopes.join(" "),
      issue.label,
      now,
      actor,
      issue.expiresAt,
    );
    return this.#get(issue.id);
  }

  /** Null: no such token in this team (`null` stands for every team). A second revocation changes nothing. */
  revoke(
    team: string | null,
    id: string,
    actor: string,
    now: string,
  ): { row: TokenRow; changed: boolean } | null {
    const [stored] = this.#sql
      .exec<Stored>(`SELECT ${COLUMNS} FROM tokens WHERE id = ? AND team = coalesce(?, team)`, id, team)
      .toArray();
    if (stored === undefined) return null;
    if (stored.revokedAt !== null) return { row: rowOf(stored), changed: false };
    this.#sql.exec("UPDATE tokens SET revoked_at = ?, revoked_by = ? WHERE id = ?", now, actor, id);
    return { row: this.#get(id), changed: true };
  }

  /** Newest first, of one team or (null) of all; `after` is the position of the last row of the page before. */
  list(team: string | null, limit: number, after: { issuedAt: string; id: string } | null): TokenRow[] {
    return this.#sql
      .exec<Stored>(
        `SELECT ${COLUMNS} FROM tokens WHERE team = coalesce(?1, team)
          AND (?2 IS NULL OR (issued_at, id) < (?2, ?3)) ORDER BY issued_at DESC, id DESC LIMIT ?4`,
        team,
        after?.issuedAt ?? null,
        after?.id ?? null,
        limit,
      )
      .toArray()
      .map(rowOf);
  }

  #get(id: string): TokenRow {
    const [stored] = this.#sql.exec<Stored>(`SELECT ${COLUMNS} FROM tokens WHERE id = ?`, id).toArray();
    if (stored === undefined) throw new Error("a token that was just written is gone");
    return rowOf(stored);
  }
}
