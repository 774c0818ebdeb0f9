/**
 * Sections of the live registry in SQLite: every version whole, for ever, and which one stands. Owns ETags and `If-Match`.
 * Checks no entries (see `check-section.ts`); time and actor are passed in.
 */
import { sha256 } from "../core/git/hash.ts";
import { GitpinError } from "../errors.ts";
import type { Sql } from "../ports/sql.ts";
import type { SectionChange, SectionSummary, VersionSummary } from "../schema/administration.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import type { Section } from "./check-section.ts";
import { sectionChange } from "./section-change.ts";

/** A section as it is stored. Its text was checked when it was written; who reads it checks it again. */
export interface StoredSection {
  team: Section;
  version: number;
  etag: string;
  at: string | null;
  by: string | null;
  /** JSON list of entries. */
  text: string;
}

export interface SectionWrite {
  section: Section;
  /** ETags of which one must be the present one; null skips the check (the seed). */
  ifMatch: readonly string[] | null;
  entries: readonly RepositoryEntry[];
  restoredFrom: number | null;
}

/** In SQL the operator's section bears the empty name, which no team can have. */
const keyOf = (section: Section): string => section ?? "";
const sectionOf = (key: string): Section => (key === "" ? null : key);

const etagOf = (version: number, text: string): string => `"${version}-${sha256(text).slice(0, 16)}"`;
const EMPTY = "[]";

/** Greatest sum of all versions of one section, in characters of their JSON. */
const HISTORY_LENGTH = 128_000_000;

interface Row extends Record<string, SqlStorageValue> {
  section: string;
  version: number;
  at: string;
  actor: string;
  text: string;
}

export class SectionTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS section_versions (
      section TEXT NOT NULL, version INTEGER NOT NULL, at TEXT NOT NULL, actor TEXT NOT NULL,
      restored_from INTEGER, entries INTEGER NOT NULL, change TEXT NOT NULL, text TEXT NOT NULL,
      PRIMARY KEY (section, version))`);
    sql.exec(
      "CREATE TABLE IF NOT EXISTS sections (section TEXT PRIMARY KEY, version INTEGER NOT NULL, entries INTEGER NOT NULL)",
    );
  }

  /** All teams share one object's storage; a team that fills its part must not keep others from editing or revoking. */
  #assertRoom(key: string, text: string): void {
    const [row] = this.#sql
      .exec<{ bytes: number | null }>(
        "SELECT SUM(LENGTH(text)) AS bytes FROM section_versions WHERE section = ?",
        key,
      )
      .toArray();
    if ((row?.bytes ?? 0) + text.length <= HISTORY_LENGTH) return;
    throw new GitpinError(
      "registry_full",
      "The history of this registry takes all the room it has.",
      "The operator has to make room; nothing was changed.",
      { most: HISTORY_LENGTH },
    );
  }

  /** One that was never written is empty, of version 0. */
  read(section: Section): StoredSection {
    const [row] = this.#sql
      .exec<Row>(
        "SELECT * FROM section_versions NATURAL JOIN (SELECT section, version FROM sections WHERE section = ?)",
        keyOf(section),
      )
      .toArray();
    return row === undefined
      ? { team: section, version: 0, etag: etagOf(0, EMPTY), at: null, by: null, text: EMPTY }
      : stored(row);
  }

  readAll(): StoredSection[] {
    return this.#sql
      .exec<Row>(
        "SELECT * FROM section_versions NATURAL JOIN (SELECT section, version FROM sections) ORDER BY section",
      )
      .toArray()
      .map(stored);
  }

  list(): SectionSummary[] {
    return this.#sql
      .exec<{ section: string; version: number; entries: number }>("SELECT * FROM sections ORDER BY section")
      .toArray()
      .map(({ section, version, entries }) => ({ team: sectionOf(section), version, repositories: entries }));
  }

  /** Throws `precondition_failed`. Gives what stood before, what stands now, and what that changed. */
  write(
    write: SectionWrite,
    actor: string,
    at: string,
  ): { before: StoredSection; after: StoredSection; change: SectionChange } {
    const before = this.read(write.section);
    if (write.ifMatch !== null && !write.ifMatch.includes(before.etag)) throw changedMeanwhile(before);
    const version = before.version + 1;
    const text = JSON.stringify(write.entries);
    const change = sectionChange(readable(before.text), write.entries);
    // What changes nothing makes no version: a history could be filled with copies.
    if (before.version > 0 && text === before.text) return { before, after: before, change };
    const key = keyOf(write.section);
    this.#assertRoom(key, text);
    this.#sql.exec(
      `INSERT INTO section_versions (section, version, at, actor, restored_from, entries, change, text)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      key,
      version,
      at,
      actor,
      write.restoredFrom,
      write.entries.length,
      JSON.stringify(change),
      text,
    );
    this.#sql.exec(
      "INSERT OR REPLACE INTO sections (section, version, entries) VALUES (?, ?, ?)",
      key,
      version,
      write.entries.length,
    );
    return { before, after: this.read(write.section), change };
  }

  /** Newest first. `before`: only versions below it. */
  history(section: Section, limit: number, before: number | null): VersionSummary[] {
    return this.#sql
      .exec<{
        version: number;
        at: string;
        actor: string;
        restored_from: number | null;
        entries: number;
        change: string;
      }>(
        `SELECT version, at, actor, restored_from, entries, change FROM section_versions
          WHERE section = ?1 AND (?2 IS NULL OR version < ?2) ORDER BY version DESC LIMIT ?3`,
        keyOf(section),
        before,
        limit,
      )
      .toArray()
      .map((row) => ({
        version: row.version,
        at: row.at,
        by: row.actor,
        restoredFrom: row.restored_from,
        repositories: row.entries,
        change: JSON.parse(row.change) as SectionChange,
      }));
  }

  /** Throws `version_unknown`. */
  version(section: Section, version: number): StoredSection {
    const [row] = this.#sql
      .exec<Row>("SELECT * FROM section_versions WHERE section = ? AND version = ?", keyOf(section), version)
      .toArray();
    if (row !== undefined) return stored(row);
    throw new GitpinError(
      "version_unknown",
      `This registry has no version ${version}.`,
      "GET /v1/registry/history lists the versions there are.",
      { field: "version" },
    );
  }
}

const stored = ({ section, version, at, actor, text }: Row): StoredSection => ({
  team: sectionOf(section),
  version,
  etag: etagOf(version, text),
  at,
  by: actor,
  text,
});

/** Entries of a text that may be older than the present schema: good enough to name what changed. */
function readable(text: string): RepositoryEntry[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as RepositoryEntry[]) : [];
  } catch {
    return [];
  }
}

const changedMeanwhile = (present: StoredSection): GitpinError =>
  new GitpinError(
    "precondition_failed",
    "The registry changed since it was read; nothing was stored.",
    "GET /v1/registry again, make the change on what stands there now, and send its ETag as If-Match.",
    { etag: present.etag, version: present.version },
  );
