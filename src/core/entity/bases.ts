/**
 * The two bases: what a caller saw when it decided on an edit. Opaque to callers, closed and versioned here; minted
 * only from a current read, checked against the present, and never an authorization.
 * Refuses unknown versions, unknown fields and anything that is not of the exact form.
 */
import * as z from "zod";
import { objectId, sha256 } from "../git/hash.ts";
import type { ObjectId } from "../git/object-id.ts";
import { pathFault } from "../git/path.ts";
import { type Entity, entityBody, type Located, type SourceUnit } from "./entity.ts";

export const REPOSITORY_BASE_SCHEMA = "gitpin.repository_base.v1";
export const SOURCE_BASE_SCHEMA = "gitpin.source_base.v1";

const sha = z.string().regex(/^[0-9a-f]{40}$/);
const name = z.string().min(1).max(255);
const byte = z.number().int().min(0).max(1_000_000_000);

const repositoryBase = z.strictObject({
  schema: z.literal(REPOSITORY_BASE_SCHEMA),
  /** Registry name. */
  repository: name,
  branch: name,
  /** Commit the branch stood at; null for a repository without commits. */
  head: sha.nullable(),
  tree: sha.nullable(),
});

const sourceBase = z.strictObject({
  schema: z.literal(SOURCE_BASE_SCHEMA),
  repository: name,
  branch: name,
  head: sha,
  path: z
    .string()
    .min(1)
    .max(4096)
    .refine((path) => pathFault(path) === null, "not a path of a git tree"),
  blob: sha,
  entity_id: z.uuid(),
  start_byte: byte,
  end_byte: byte,
  body_sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export type RepositoryBase = z.infer<typeof repositoryBase>;
export type SourceBase = z.infer<typeof sourceBase>;

/** Where a base is minted: registry name, branch and the commit read at. */
export interface BasePlace {
  repository: string;
  branch: string;
  head: ObjectId;
}

export function mintRepositoryBase(place: {
  repository: string;
  branch: string;
  head: ObjectId | null;
  tree: ObjectId | null;
}): RepositoryBase {
  const { repository, branch, head, tree } = place;
  return { schema: REPOSITORY_BASE_SCHEMA, repository, branch, head, tree };
}

/** What an entity was read from: the blob of its file, and the SHA-256 of its own text in it. */
export interface EntitySource {
  blob: ObjectId;
  bodySha256: string;
}

export const entitySource = (unit: SourceUnit, located: Located): EntitySource => ({
  blob: objectId("blob", unit.source.bytes),
  bodySha256: sha256(entityBody(unit, located)),
});

/** `entity` must be as it stands at `place.head`, in the file that `source` tells of. */
export function mintSourceBase(place: BasePlace, entity: Entity, source: EntitySource): SourceBase {
  return {
    schema: SOURCE_BASE_SCHEMA,
    repository: place.repository,
    branch: place.branch,
    head: place.head,
    path: entity.path,
    blob: source.blob,
    entity_id: entity.id,
    start_byte: entity.startByte,
    end_byte: entity.endByte,
    body_sha256: source.bodySha256,
  };
}

export type BaseReading<B> = { base: B } | { fault: string };

/** Reads a base that a caller handed back; `fault` says in words what it is not. */
export const readRepositoryBase = (value: unknown): BaseReading<RepositoryBase> =>
  readBase(repositoryBase, REPOSITORY_BASE_SCHEMA, value);

export const readSourceBase = (value: unknown): BaseReading<SourceBase> =>
  readBase(sourceBase, SOURCE_BASE_SCHEMA, value);

function readBase<B>(schema: z.ZodType<B>, version: string, value: unknown): BaseReading<B> {
  const told =
    typeof value === "object" && value !== null && "schema" in value ? String(value.schema) : "none";
  if (told !== version) return { fault: `its schema is ${told.slice(0, 80)}, this service reads ${version}` };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { base: parsed.data };
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") || "the object";
  return { fault: `${field}: ${issue?.message ?? "not of the minted form"}` };
}
