/**
 * The identity of an entity: UUIDv5 (RFC 9562) in one fixed namespace, so that anyone gets the same id from the same
 * commit. Line shifts, edits of the body and a renamed repository do not change it; another path, kind, name or place
 * among equals does.
 */
import { v5 } from "uuid";

/** The namespace of every id made here. Fixed for ever: another one would change every id. */
export const ENTITY_NAMESPACE = "5e1d3a64-0b8f-4c2e-9d57-6f2c8a41b790";

export interface EntityKey {
  /** The host's numeric repository id. */
  repositoryId: number;
  /** Path from the repository root. */
  path: string;
  kind: string;
  qualifiedName: string;
  /** 1-based place among declarations of the same kind and qualified name in the file. */
  ordinal: number;
}

/** Name of the UUID: the five parts as UTF-8 text, numbers in decimal, joined by NUL. */
export function entityId(key: EntityKey): string {
  const parts = [String(key.repositoryId), key.path, key.kind, key.qualifiedName, String(key.ordinal)];
  return v5(parts.join("\0"), ENTITY_NAMESPACE);
}
