/**
 * What became of one caller's calls that carried a `request_id`, in SQLite. Synchronous, so that two calls never interleave; each
 * operation is one transaction. Kept for 30 days after the last word on it; receipts are text that only their owners read.
 *
 * A claim belongs to whoever has its fence, a number that is never given twice. One that was not settled within its lease may
 * be taken over; from then on the older holder can neither announce a commit nor settle. Texts longer than a row of the
 * object's storage holds (2 MB) lie in several rows.
 */
import * as z from "zod";
import type { ObjectId } from "../../core/git/object-id.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Claim, Intent } from "../../ports/request-ledger.ts";
import type { Sql } from "../../ports/sql.ts";

export const REQUEST_LIMITS = {
  keptMs: 30 * 86_400_000,
  /** How long a claim keeps others out, from when it was made or last announced a commit. */
  leaseMs: 120_000,
  /** Ids of one caller that are kept at a time. */
  ids: 10_000,
  /** Sum of one caller's receipts, in UTF-16 units, beyond which no new id is taken. */
  units: 1_000_000_000,
  /** Sum of the receipts of one id that are kept while it is not settled, in UTF-16 units. */
  announcedUnits: 8_000_000,
  /** Commits that one id announces. */
  intents: 32,
} as const;

/** UTF-16 units of a text in one row: at most 1.5 MB of UTF-8. */
const PART_UNITS = 500_000;

/** `full`: the caller keeps as many ids as fit. */
export type StoredClaim = Claim | { status: "full" };
/** `lost`: somebody else holds the request by now. `too_much`: more than is kept for one id. */
export type Announced = "kept" | "lost" | "too_much";

interface Row extends Record<string, SqlStorageValue> {
  digest: string;
  fence: number;
  settled: number;
  at: number;
  units: number;
}

/** In place of the id of a first commit, which is not made yet. */
const UNMADE = "";
const firstCommit = z.object({ tree: z.string(), message: z.string() });

/** The receipt's place among the texts of a request; its intents count from 1. */
const RECEIPT = 0;

export class RequestStore {
  readonly #sql: Sql;
  readonly #transaction: <T>(work: () => T) => T;
  readonly #clock: Clock;

  constructor(sql: Sql, transaction: <T>(work: () => T) => T, clock: Clock) {
    this.#sql = sql;
    this.#transaction = transaction;
    this.#clock = clock;
    sql.exec("CREATE TABLE IF NOT EXISTS fence (value INTEGER NOT NULL)");
    sql.exec(`CREATE TABLE IF NOT EXISTS requests (
      id TEXT PRIMARY KEY, digest TEXT NOT NULL, fence INTEGER NOT NULL, settled INTEGER NOT NULL,
      at INTEGER NOT NULL, units INTEGER NOT NULL)`);
    sql.exec("CREATE INDEX IF NOT EXISTS requests_by_age ON requests (at)");
    sql.exec(`CREATE TABLE IF NOT EXISTS intents (
      request TEXT NOT NULL, position INTEGER NOT NULL, repository INTEGER NOT NULL, branch TEXT NOT NULL,
      commit_id TEXT NOT NULL, PRIMARY KEY (request, position))`);
    sql.exec(`CREATE TABLE IF NOT EXISTS texts (
      request TEXT NOT NULL, position INTEGER NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL,
      PRIMARY KEY (request, position, part))`);
  }

  claim(id: string, digest: string): StoredClaim {
    return this.#transaction(() => {
      const now = this.#clock.now();
      this.#expire(now);
      const row = this.#row(id);
      if (row === null) {
        if (this.#isFull()) return { status: "full" };
        return this.#claimed(id, digest, now);
      }
      if (row.digest !== digest) return { status: "mismatch" };
      if (row.settled !== 0) {
        return { status: "settled", fence: row.fence, receipt: this.#text(id, RECEIPT) };
      }
      const left = row.at + REQUEST_LIMITS.leaseMs - now;
      if (left > 0) return { status: "in_progress", retryAfterSeconds: Math.ceil(left / 1000) };
      return this.#claimed(id, digest, now);
    });
  }

  /** Writes down what is about to happen. */
  intend(id: string, fence: number, intent: Intent): Announced {
    return this.#transaction(() => {
      const row = this.#held(id, fence);
      if (row === null) return "lost";
      const position = this.#intents(id).length + 1;
      const text = textOf(intent);
      const units = row.units + text.length;
      if (position > REQUEST_LIMITS.intents || units > REQUEST_LIMITS.announcedUnits) return "too_much";
      this.#sql.exec(
        "INSERT INTO intents (request, position, repository, branch, commit_id) VALUES (?, ?, ?, ?, ?)",
        id,
        position,
        intent.repositoryId,
        intent.branch,
        intent.commit ?? UNMADE,
      );
      this.#write(id, position, text);
      this.#sql.exec("UPDATE requests SET at = ?, units = ? WHERE id = ?", this.#clock.now(), units, id);
      return "kept";
    });
  }

  /** From now on the receipt is the answer. Nothing where somebody else holds the request by now: that one finds the commit. */
  settle(id: string, fence: number, receipt: string): void {
    this.#transaction(() => {
      if (this.#held(id, fence) === null) return;
      this.#keep(id, receipt);
      this.#sql.exec("UPDATE requests SET settled = 1, at = ? WHERE id = ?", this.#clock.now(), id);
    });
  }

  /** Another receipt of what was settled with this fence, kept no longer than the first. */
  amend(id: string, fence: number, receipt: string): void {
    this.#transaction(() => {
      const row = this.#row(id);
      if (row !== null && row.settled !== 0 && row.fence === fence) this.#keep(id, receipt);
    });
  }

  release(id: string, fence: number): void {
    this.#transaction(() => {
      if (this.#held(id, fence) !== null) this.#remove(id);
    });
  }

  /** Removes what is older than it is kept. */
  expire(): void {
    this.#transaction(() => this.#expire(this.#clock.now()));
  }

  /** When there will be something to remove, milliseconds since the Unix epoch; null: nothing is kept. */
  nextExpiry(): number | null {
    const [row] = this.#sql.exec<{ at: number | null }>("SELECT MIN(at) AS at FROM requests").toArray();
    return row === undefined || row.at === null ? null : row.at + REQUEST_LIMITS.keptMs;
  }

  #claimed(id: string, digest: string, now: number): Claim {
    const fence = this.#nextFence();
    this.#sql.exec(
      `INSERT INTO requests (id, digest, fence, settled, at, units) VALUES (?, ?, ?, 0, ?, 0)
        ON CONFLICT (id) DO UPDATE SET fence = excluded.fence, at = excluded.at`,
      id,
      digest,
      fence,
      now,
    );
    return { status: "claimed", fence, earlier: this.#intents(id) };
  }

  #row(id: string): Row | null {
    const [row] = this.#sql
      .exec<Row>("SELECT digest, fence, settled, at, units FROM requests WHERE id = ?", id)
      .toArray();
    return row ?? null;
  }

  /** The request, where this fence still holds it. */
  #held(id: string, fence: number): Row | null {
    const row = this.#row(id);
    return row !== null && row.settled === 0 && row.fence === fence ? row : null;
  }

  #intents(id: string): Intent[] {
    return this.#sql
      .exec<{ position: number; repository: number; branch: string; commit_id: string }>(
        "SELECT position, repository, branch, commit_id FROM intents WHERE request = ? ORDER BY position",
        id,
      )
      .toArray()
      .map(({ position, repository: repositoryId, branch, commit_id }): Intent => {
        const text = this.#text(id, position);
        if (commit_id !== UNMADE)
          return { repositoryId, branch, commit: commit_id as ObjectId, receipt: text };
        return { repositoryId, branch, commit: null, ...firstCommit.parse(JSON.parse(text)) };
      });
  }

  #isFull(): boolean {
    const [kept] = this.#sql
      .exec<{ ids: number; units: number | null }>(
        "SELECT COUNT(*) AS ids, SUM(units) AS units FROM requests",
      )
      .toArray();
    return (kept?.ids ?? 0) >= REQUEST_LIMITS.ids || (kept?.units ?? 0) >= REQUEST_LIMITS.units;
  }

  #nextFence(): number {
    const [row] = this.#sql.exec<{ value: number }>("SELECT value FROM fence").toArray();
    const fence = (row?.value ?? 0) + 1;
    this.#sql.exec("DELETE FROM fence");
    this.#sql.exec("INSERT INTO fence (value) VALUES (?)", fence);
    return fence;
  }

  #expire(now: number): void {
    const expired = this.#sql
      .exec<{ id: string }>("SELECT id FROM requests WHERE at <= ?", now - REQUEST_LIMITS.keptMs)
      .toArray();
    for (const { id } of expired) this.#remove(id);
  }

  #remove(id: string): void {
    this.#clear(id);
    this.#sql.exec("DELETE FROM requests WHERE id = ?", id);
  }

  /** The receipt in place of all texts of the request. */
  #keep(id: string, receipt: string): void {
    this.#clear(id);
    this.#write(id, RECEIPT, receipt);
    this.#sql.exec("UPDATE requests SET units = ? WHERE id = ?", receipt.length, id);
  }

  #clear(id: string): void {
    this.#sql.exec("DELETE FROM intents WHERE request = ?", id);
    this.#sql.exec("DELETE FROM texts WHERE request = ?", id);
  }

  #write(id: string, position: number, text: string): void {
    for (const [part, piece] of partsOf(text).entries()) {
      this.#sql.exec(
        "INSERT INTO texts (request, position, part, text) VALUES (?, ?, ?, ?)",
        id,
        position,
        part,
        piece,
      );
    }
  }

  #text(id: string, position: number): string {
    return this.#sql
      .exec<{ text: string }>(
        "SELECT text FROM texts WHERE request = ? AND position = ? ORDER BY part",
        id,
        position,
      )
      .toArray()
      .map(({ text }) => text)
      .join("");
  }
}

/** The receipt; of a first commit what it is known by. */
const textOf = (intent: Intent): string =>
  intent.commit === null ? JSON.stringify({ tree: intent.tree, message: intent.message }) : intent.receipt;

/** Pieces that fit a row. Never between the halves of a surrogate pair, which UTF-8 cannot carry alone. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + PART_UNITS, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}
