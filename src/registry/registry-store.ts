/**
 * What the registry object decides: sections, tokens and audit over one SQLite database, each change with its audit row in one
 * transaction. Synchronous, so that two calls never interleave. Knows who may do what from `administration.ts`, which calls it.
 */
import type { TokenVerdict } from "../auth/gate.ts";
import type { TokenProof } from "../auth/token.ts";
import { type TokenIssue, TokenTable } from "../auth/token-table.ts";
import { GitpinError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Sql } from "../ports/sql.ts";
import type { SectionSummary, TokenRow, VersionSummary } from "../schema/administration.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { type AuditPage, AuditTable } from "./audit-table.ts";
import type { Section } from "./check-section.ts";
import type { CommitRecord } from "./commit-audit.ts";
import { SectionTable, type SectionWrite, type StoredSection } from "./section-table.ts";

/** What one look at the object brings: whether the token holds, and the registry where it is not the known one. */
export interface Entered {
  verdict: TokenVerdict | null;
  /** Names the state of all sections; equal stamps, equal registry. 0: never seeded. */
  stamp: number;
  /** Null: as known. */
  sections: StoredSection[] | null;
}

export class RegistryStore {
  readonly #sql: Sql;
  readonly #transaction: <T>(work: () => T) => T;
  readonly #clock: Clock;
  readonly #sections: SectionTable;
  readonly #tokens: TokenTable;
  readonly #audit: AuditTable;

  constructor(sql: Sql, transaction: <T>(work: () => T) => T, clock: Clock) {
    this.#sql = sql;
    this.#transaction = transaction;
    this.#clock = clock;
    sql.exec("CREATE TABLE IF NOT EXISTS stamp (value INTEGER NOT NULL)");
    this.#sections = new SectionTable(sql);
    this.#tokens = new TokenTable(sql);
    this.#audit = new AuditTable(sql);
  }

  enter(proof: TokenProof | null, known: number): Entered {
    const stamp = this.#stamp();
    return {
      verdict: proof === null ? null : this.#tokens.judge(proof, this.#now()),
      stamp,
      sections: stamp === known ? null : this.#sections.readAll(),
    };
  }

  /** The first registry. Does nothing where there has been one: a deployment never overwrites what was edited. */
  seed(sections: readonly { section: Section; entries: readonly RepositoryEntry[] }[]): void {
    this.#transaction(() => {
      if (this.#stamp() !== 0) return;
      for (const { section, entries } of sections) {
        this.#change({ section, ifMatch: null, entries, restoredFrom: null }, "seed", "registry.seed");
      }
    });
  }

  write(write: SectionWrite, actor: string): StoredSection {
    const action = write.restoredFrom === null ? "registry.change" : "registry.restore";
    return this.#transaction(() => this.#change(write, actor, action));
  }

  read(section: Section): StoredSection {
    return this.#sections.read(section);
  }

  list(): SectionSummary[] {
    return this.#sections.list();
  }

  history(section: Section, limit: number, before: number | null): VersionSummary[] {
    return this.#sections.history(section, limit, before);
  }

  version(section: Section, version: number): StoredSection {
    return this.#sections.version(section, version);
  }

  issue(issue: TokenIssue, actor: string): TokenRow {
    return this.#transaction(() => {
      const row = this.#tokens.issue(issue, actor, this.#now());
      const { id, team, label, scopes, expiresAt } = row;
      const detail = { label, scopes, expiresAt };
      this.#audit.append({ at: row.issuedAt, by: actor, team, action: "token.issue", subject: id, detail });
      return row;
    });
  }

  /** Throws `token_unknown`. From the moment this returns, `enter` refuses the token. */
  revoke(team: string | null, id: string, actor: string): TokenRow {
    return this.#transaction(() => {
      const now = this.#now();
      const revoked = this.#tokens.revoke(team, id, actor, now);
      if (revoked === null) {
        throw new GitpinError(
          "token_unknown",
          "There is no token of this id.",
          "GET /v1/tokens lists the ids there are.",
          { field: "id" },
        );
      }
      const { row, changed } = revoked;
      if (changed) {
        const detail = { label: row.label, scopes: row.scopes };
        this.#audit.append({
          at: now,
          by: actor,
          team: row.team,
          action: "token.revoke",
          subject: id,
          detail,
        });
      }
      return row;
    });
  }

  tokens(team: string | null, limit: number, after: { issuedAt: string; id: string } | null): TokenRow[] {
    return this.#tokens.list(team, limit, after);
  }

  audit(of: { section: Section } | "everything", limit: number, before: number | null): AuditPage {
    return this.#audit.page(of, limit, before);
  }

  /** Only told: what was committed stands at the host. */
  commit({ by, team, repository, detail }: CommitRecord): void {
    const at = this.#now();
    this.#audit.append({ at, by, team, action: "kin.commit", subject: repository, detail: { ...detail } });
  }

  #change(
    write: SectionWrite,
    actor: string,
    action: "registry.seed" | "registry.change" | "registry.restore",
  ): StoredSection {
    const at = this.#now();
    const { before, after, change } = this.#sections.write(write, actor, at);
    if (after.version === before.version) return after;
    const detail = {
      from: { version: before.version, etag: before.etag },
      to: { version: after.version, etag: after.etag },
      restoredFrom: write.restoredFrom,
      ...change,
    };
    this.#audit.append({ at, by: actor, team: write.section, action, subject: "registry", detail });
    const stamp = this.#stamp() + 1;
    this.#sql.exec("DELETE FROM stamp");
    this.#sql.exec("INSERT INTO stamp (value) VALUES (?)", stamp);
    return after;
  }

  #stamp(): number {
    return this.#sql.exec<{ value: number }>("SELECT value FROM stamp").toArray()[0]?.value ?? 0;
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}
