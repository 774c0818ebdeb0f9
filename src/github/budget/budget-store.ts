/**
 * What one budget object keeps in its SQLite database: the count of its holder's requests, and what may change and every isolate
 * wants to know (tips with their ETags, identities). Synchronous, so that two isolates never interleave.
 * Values are text that only their owners read; they go after a week.
 */
import type { Clock } from "../../ports/clock.ts";
import type { Sql } from "../../ports/sql.ts";
import { Buckets, type BucketsState, type BudgetView, type Permit } from "./buckets.ts";
import { limitReached, type Priority, type RateLimit, type RateResource, type Told } from "./limits.ts";

const KEPT_MS = 7 * 86_400_000;

export class BudgetStore {
  readonly #sql: Sql;
  readonly #clock: Clock;
  readonly #buckets: Buckets;

  constructor(sql: Sql, clock: Clock) {
    this.#sql = sql;
    this.#clock = clock;
    sql.exec("CREATE TABLE IF NOT EXISTS count (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL)");
    sql.exec(
      "CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, value TEXT NOT NULL, at INTEGER NOT NULL)",
    );
    sql.exec("CREATE INDEX IF NOT EXISTS facts_by_age ON facts (at)");
    const [stored] = sql.exec<{ state: string }>("SELECT state FROM count").toArray();
    // A restart forgets what was under way; the number tells old permits from new ones.
    this.#buckets = new Buckets(
      crypto.randomUUID(),
      stored === undefined ? undefined : (JSON.parse(stored.state) as Partial<BucketsState>),
    );
  }

  /** Throws `upstream_rate_limited`. */
  reserve(resource: RateResource, priority: Priority, creates = false): Permit {
    const now = this.#clock.now();
    const granted = this.#buckets.reserve(resource, priority, now, creates);
    if ("until" in granted) throw limitReached(granted, now);
    this.#keepCount();
    return granted;
  }

  settle(permit: Permit, told: Told): RateLimit | null {
    const limit = this.#buckets.settle(permit, told, this.#clock.now());
    this.#keepCount();
    return limit;
  }

  view(): BudgetView {
    return this.#buckets.view(this.#clock.now());
  }

  recall(key: string): string | null {
    const [row] = this.#sql.exec<{ value: string }>("SELECT value FROM facts WHERE key = ?", key).toArray();
    return row?.value ?? null;
  }

  remember(key: string, value: string): void {
    const now = this.#clock.now();
    this.#sql.exec("DELETE FROM facts WHERE at < ?", now - KEPT_MS);
    this.#sql.exec("INSERT OR REPLACE INTO facts (key, value, at) VALUES (?, ?, ?)", key, value, now);
  }

  forget(key: string): void {
    this.#sql.exec("DELETE FROM facts WHERE key = ?", key);
  }

  #keepCount(): void {
    const state = JSON.stringify(this.#buckets.state);
    this.#sql.exec("INSERT OR REPLACE INTO count (id, state) VALUES (1, ?)", state);
  }
}
