/**
 * The news object's database: what webhooks told, in the order of arrival, and which deliveries were taken in. A delivery and
 * what it tells are written in one transaction, so that one that failed may come again and one that succeeded counts once.
 * Synchronous. Deliveries and moved tips go after three days: GitHub redelivers for three, and no tip is trusted for longer than one.
 */
import type { Clock } from "../../ports/clock.ts";
import type { Sql } from "../../ports/sql.ts";
import type { Gone, NewsDelta, NewsItem } from "./news.ts";

const KEPT_MS = 3 * 86_400_000;

export class NewsStore {
  readonly #sql: Sql;
  readonly #transaction: <T>(work: () => T) => T;
  readonly #clock: Clock;

  constructor(sql: Sql, transaction: <T>(work: () => T) => T, clock: Clock) {
    this.#sql = sql;
    this.#transaction = transaction;
    this.#clock = clock;
    for (const table of [
      "deliveries (id TEXT PRIMARY KEY, at INTEGER NOT NULL)",
      "position (id INTEGER PRIMARY KEY CHECK (id = 1), value INTEGER NOT NULL)",
      "tips (repository INTEGER, ref TEXT, at INTEGER NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (repository, ref))",
      `repositories (repository INTEGER PRIMARY KEY, names TEXT NOT NULL, at INTEGER NOT NULL, gone TEXT,
        private INTEGER NOT NULL, position INTEGER NOT NULL)`,
      "owners (owner TEXT PRIMARY KEY, at INTEGER NOT NULL, gone TEXT, position INTEGER NOT NULL)",
    ]) {
      sql.exec(`CREATE TABLE IF NOT EXISTS ${table}`);
    }
  }

  /** Whether a delivery was taken in before. */
  taken(delivery: string): boolean {
    return this.#sql.exec("SELECT 1 FROM deliveries WHERE id = ?", delivery).toArray().length > 0;
  }

  /** How far the news go. */
  position(): number {
    return this.#sql.exec<{ value: number }>("SELECT value FROM position").toArray()[0]?.value ?? 0;
  }

  /** `duplicate`: it was taken in before. `changed`: an item no longer holds. Nothing is done then. */
  take(delivery: string, items: readonly NewsItem[]): Taken {
    return this.#transaction(() => {
      if (this.taken(delivery)) return "duplicate";
      if (items.some((item) => this.#overtaken(item))) return "changed";
      const at = this.#clock.now();
      this.#sql.exec("DELETE FROM deliveries WHERE at < ?", at - KEPT_MS);
      this.#sql.exec("DELETE FROM tips WHERE at < ?", at - KEPT_MS);
      this.#sql.exec("INSERT INTO deliveries (id, at) VALUES (?, ?)", delivery, at);
      const position = this.position() + 1;
      this.#sql.exec("INSERT OR REPLACE INTO position (id, value) VALUES (1, ?)", position);
      for (const item of items) this.#write(item, at, position);
      return "recorded";
    });
  }

  since(position: number): NewsDelta {
    const rows = <T extends Record<string, SqlStorageValue>>(table: string): T[] =>
      this.#sql.exec<T>(`SELECT * FROM ${table} WHERE position > ? ORDER BY position`, position).toArray();
    return {
      position: this.position(),
      tips: rows<{ repository: number; ref: string; at: number }>("tips").map(({ repository, ref, at }) => ({
        repositoryId: repository,
        ref,
        at,
      })),
      repositories: rows<RepositoryRow>("repositories").map((row) => ({
        repositoryId: row.repository,
        names: JSON.parse(row.names) as string[],
        at: row.at,
        position: row.position,
        gone: row.gone as Gone | null,
        private: row.private === 1,
      })),
      owners: rows<{ owner: string; at: number; gone: string | null }>("owners").map((row) => ({
        owner: row.owner,
        at: row.at,
        gone: row.gone as Gone | null,
      })),
    };
  }

  #write(item: NewsItem, at: number, position: number): void {
    switch (item.kind) {
      case "push":
        for (const ref of item.refs) {
          this.#sql.exec(
            "INSERT OR REPLACE INTO tips (repository, ref, at, position) VALUES (?, ?, ?, ?)",
            item.repositoryId,
            ref,
            at,
            position,
          );
        }
        return;
      case "repository": {
        const before = this.#repository(item.repositoryId);
        const known = before === undefined ? [] : (JSON.parse(before.names) as string[]);
        const names = [...new Set([...item.names.map((name) => name.toLowerCase()), ...known])];
        const hidden = item.private ?? before?.private === 1;
        this.#sql.exec(
          `INSERT OR REPLACE INTO repositories (repository, names, at, gone, private, position)
            VALUES (?, ?, ?, ?, ?, ?)`,
          item.repositoryId,
          JSON.stringify(names),
          at,
          item.gone === undefined ? (before?.gone ?? null) : item.gone,
          hidden ? 1 : 0,
          position,
        );
        return;
      }
      case "owner":
        this.#sql.exec(
          "INSERT OR REPLACE INTO owners (owner, at, gone, position) VALUES (?, ?, ?, ?)",
          item.owner.toLowerCase(),
          at,
          item.gone,
          position,
        );
    }
  }

  #repository(id: number): RepositoryRow | undefined {
    return this.#sql.exec<RepositoryRow>("SELECT * FROM repositories WHERE repository = ?", id).toArray()[0];
  }

  #overtaken(item: NewsItem): boolean {
    if (item.kind !== "repository" || item.unchangedSince === undefined) return false;
    return (this.#repository(item.repositoryId)?.position ?? 0) > item.unchangedSince;
  }
}

export type Taken = "recorded" | "duplicate" | "changed";

interface RepositoryRow extends Record<string, SqlStorageValue> {
  repository: number;
  names: string;
  at: number;
  gone: string | null;
  private: number;
  position: number;
}
