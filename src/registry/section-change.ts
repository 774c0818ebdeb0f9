/**
 * What an edit of a section changed, by names of entries and of their fields. Pure. For history and audit; the entries
 * themselves stand in the versions.
 */

import type { SectionChange } from "../schema/administration.ts";
import type { RepositoryEntry } from "../schema/registry.ts";

const fieldsChanged = (before: RepositoryEntry, after: RepositoryEntry): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) =>
      JSON.stringify(before[field as keyof RepositoryEntry]) !==
      JSON.stringify(after[field as keyof RepositoryEntry]),
  );

export function sectionChange(
  before: readonly RepositoryEntry[],
  after: readonly RepositoryEntry[],
): SectionChange {
  const old = new Map(before.map((entry) => [entry.name, entry]));
  const now = new Set(after.map(({ name }) => name));
  const change: SectionChange = { added: [], removed: [], changed: [] };
  for (const entry of after) {
    const was = old.get(entry.name);
    if (was === undefined) change.added.push(entry.name);
    else {
      const fields = fieldsChanged(was, entry);
      if (fields.length > 0) change.changed.push({ name: entry.name, fields });
    }
  }
  change.removed = before.map(({ name }) => name).filter((name) => !now.has(name));
  return change;
}
