/**
 * Who changed what and when, in SQLite, append-only: a change of the registry or of tokens in the same transaction, a commit
 * after it landed. Holds names, ids, paths and versions; never a token, its hash, or content. Positions count within a section, so that a team's
 * page cursor tells nothing of another team.
 */
import type { Sql } from "../ports/sql.ts";
import type { AuditRow } from "../schema/administration.ts";
import type { Section } from "./check-section.ts";

type Stored = {
  id: number;
  section: string;
  position: number;
  at: string;
  actor: string;
  action: AuditRow["action"];
  subject: string;
  detail: string;
};

export interface AuditPage {
  events: AuditRow[];
  /** Where the next page starts, or null. */
  before: number | null;
}

export class AuditTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS audit (
      id INTEGER PRIMARY KEY, section TEXT NOT NULL, position INTEGER NOT NULL, at TEXT NOT NULL, actor TEXT NOT NULL,
      action TEXT NOT NULL, subject TEXT NOT NULL, detail TEXT NOT NULL, UNIQUE (section, position))`);
  }

  append({ team, at, by, action, subject, detail }: AuditRow): void {
    this.#sql.exec(
      `INSERT INTO audit (section, position, at, actor, action, subject, detail)
        VALUES (?1, (SELECT coalesce(max(position), 0) + 1 FROM audit WHERE section = ?1), ?2, ?3, ?4, ?5, ?6)`,
      team ?? "",
      at,
      by,
      action,
      subject,
      JSON.stringify(detail),
    );
  }

  /** Newest first, of one section or (`everything`) of all. `before`: the cursor of the page before. */
  page(of: { section: Section } | "everything", limit: number, before: number | null): AuditPage {
    const order = of === "everything" ? "id" : "position";
    const rows = this.#sql
      .exec<Stored>(
        `SELECT * FROM audit WHERE (?1 IS NULL OR section = ?1) AND (?2 IS NULL OR ${order} < ?2)
          ORDER BY ${order} DESC LIMIT ?3`,
        of === "everything" ? null : (of.section ?? ""),
        before,
        limit + 1,
      )
      .toArray();
    const shown = rows.slice(0, limit);
    return {
      events: shown.map(rowOf),
      before: rows.length > limit ? (shown.at(-1)?.[order] ?? null) : null,
    };
  }
}

const rowOf = ({ section, at, actor, action, subject, detail }: Stored): AuditRow => ({
  at,
  by: actor,
  team: section === "" ? null : section,
  action,
  subject,
  detail: JSON.parse(detail) as AuditRow["detail"],
});
