/**
 * The entity core: code entities of one file, read from its bytes, and atomic edits of them. Bytes in, plans out.
 *
 * How it is used, from above:
 * - `createSyntaxReader(grammars)` (`src/parsing/`) makes the one parser; grammars come compiled, from the bundle or Node.
 * - `readSourceUnit(reader, repositoryId, path, bytes, mode)` parses a file; `unit.located` are its entities.
 * - `entityBody(unit, located)` is the exact text that a reader gets and an update sends back.
 * - `findEntities(entities, wanted)` answers an id or an exact name, with all candidates when several fit.
 * - `mintSourceBase`, `mintRepositoryBase` (`bases.ts`) make what callers hand back with an edit.
 * - `planMutation(request, view, reader)` (`edit/plan-mutation.ts`) turns the operations of one call, read through a
 *   `HeadView` at one commit, into a plan, or into a conflict or refusal as data. After the commit,
 *   `mintSourceBase(place, planned.entity, planned.source)` gives the fresh base of each entity. Plans are plain data.
 * Specification: the `kin_*` contract.
 */
import { type EntryKind, kindOfMode } from "../git/tree-entry.ts";
import type { Declaration, Outline } from "./declaration.ts";
import { entityId } from "./entity-id.ts";
import type { LanguageName, LanguageSpec } from "./language/spec.ts";
import { languageOf } from "./language/table.ts";
import { outline } from "./outline.ts";
import { sourceRefused } from "./source-refused.ts";
import { SourceText } from "./source-text.ts";
import type { ShapeNode, ShapeWish, SyntaxReader } from "./syntax.ts";

export interface Entity {
  /** UUIDv5, see `entity-id.ts`. */
  id: string;
  kind: string;
  name: string;
  qualifiedName: string;
  ordinal: number;
  language: LanguageName;
  path: string;
  /** 1-based, inclusive. */
  startLine: number;
  endLine: number;
  /** Bytes of the file, 0-based, end exclusive: doc comment, decorators and the whole declaration. */
  startByte: number;
  endByte: number;
  signature: string;
}

export interface Located {
  entity: Entity;
  declaration: Declaration;
}

/** One parsed file. */
export interface SourceUnit {
  path: string;
  spec: LanguageSpec;
  source: SourceText;
  outline: Outline;
  /** In the order of the file; an owner comes before its members. */
  located: Located[];
  /** The tree around what was wished, for edits; null when it was not. */
  shape: ShapeNode[] | null;
}

const KIND_REFUSED: Partial<Record<EntryKind, "symlink" | "submodule" | "directory">> = {
  symlink: "symlink",
  submodule: "submodule",
  directory: "directory",
};

/** The language a file is read in. Throws `source_refused` by name: symlink, submodule, directory, language_unsupported. */
export function languageOfFile(path: string, mode: string): LanguageSpec {
  const refused = KIND_REFUSED[kindOfMode(mode) ?? "file"];
  if (refused !== undefined) throw sourceRefused(refused, path);
  const spec = languageOf(path);
  if (spec === null) throw sourceRefused("language_unsupported", path);
  return spec;
}

/**
 * Parses one file of a tree. `mode` is its six octal digits.
 * Throws `source_refused` for what is not read, see `RefusalReason`.
 */
export async function readSourceUnit(
  reader: SyntaxReader,
  repositoryId: number,
  path: string,
  bytes: Uint8Array,
  mode = "100644",
): Promise<SourceUnit> {
  const spec = languageOfFile(path, mode);
  return parseSourceUnit(reader, repositoryId, path, spec, new SourceText(bytes, path));
}

export async function parseSourceUnit(
  reader: SyntaxReader,
  repositoryId: number,
  path: string,
  spec: LanguageSpec,
  source: SourceText,
  wish?: ShapeWish,
): Promise<SourceUnit> {
  const reading = await reader.read(spec.name, source.text, spec.query, wish);
  const made = outline(spec, source.text, reading);
  const located = made.declarations.map((declaration) => ({
    declaration,
    entity: entityOf(repositoryId, path, spec, source, declaration),
  }));
  return { path, spec, source, outline: made, located, shape: reading.shape };
}

function entityOf(
  repositoryId: number,
  path: string,
  spec: LanguageSpec,
  source: SourceText,
  declaration: Declaration,
): Entity {
  const { kind, name, qualifiedName, ordinal, signature, span } = declaration;
  return {
    id: entityId({ repositoryId, path, kind, qualifiedName, ordinal }),
    kind,
    name,
    qualifiedName,
    ordinal,
    language: spec.name,
    path,
    startLine: source.lineAt(span.start),
    endLine: source.lineAt(Math.max(span.start, span.end - 1)),
    startByte: source.byteAt(span.start),
    endByte: source.byteAt(span.end),
    signature,
  };
}

/** The exact text of an entity, complete. */
export function entityBody(unit: SourceUnit, located: Located): string {
  return unit.source.text.slice(located.declaration.span.start, located.declaration.span.end);
}
