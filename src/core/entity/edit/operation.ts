/**
 * From the published form of an operation to what it means. Owns which verb, payload, target and body belong together;
 * what does not fit is refused with the one form that does. Reads bases, checks nothing against a repository.
 */
import type { OperationInput } from "../../../schema/mutation.ts";
import {
  type BaseReading,
  type RepositoryBase,
  readRepositoryBase,
  readSourceBase,
  type SourceBase,
} from "../bases.ts";
import type { Creation } from "./create.ts";
import { type FileUnit, type GoUnit, readFileUnit, readGoUnit } from "./go-unit.ts";
import type { ImportEntry } from "./imports/import-edit.ts";
import { refused } from "./outcome.ts";
import type { TextEdit } from "./patch.ts";

export type Operation =
  | { form: "patch"; index: number; base: SourceBase; edits: TextEdit[] }
  | { form: "update"; index: number; base: SourceBase; body: string }
  | { form: "remove"; index: number; base: SourceBase }
  | {
      form: "create";
      index: number;
      base: SourceBase;
      placement: "sibling_after" | "new_source_unit";
      creation: Creation;
    }
  | {
      form: "create_in_unit";
      index: number;
      base: RepositoryBase;
      unit: GoUnit;
      creation: Creation;
      imports: ImportEntry[];
    }
  | {
      form: "imports";
      index: number;
      base: RepositoryBase;
      unit: GoUnit | FileUnit;
      add: ImportEntry[];
      remove: ImportEntry[];
    };

export type UnitOperation = Extract<Operation, { base: RepositoryBase }>;
export type EntityOperation = Exclude<Operation, UnitOperation>;

export const isUnitOperation = (operation: Operation): operation is UnitOperation =>
  operation.form === "create_in_unit" || operation.form === "imports";

export const isGoUnit = (unit: GoUnit | FileUnit): unit is GoUnit => "package" in unit;

const SHAPES =
  "Shapes: verb patch with EntitySourcePatch; verb update with EntitySourceBase and body; verb create with EntityCreate; verb update with UnitImports; verb remove with EntityRemove.";

const misfit = (index: number, reason: string, nextStep: string = SHAPES) =>
  refused("invalid_operation", index, `operations[${index}]: ${reason}`, nextStep);

export function readOperation(input: OperationInput, index: number): Operation {
  const { payload } = input;
  const names = Object.entries(payload).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (names.length !== 1) {
    throw misfit(index, `the payload holds ${names.length === 0 ? "nothing" : names.join(" and ")}.`);
  }
  if (payload.EntitySourcePatch !== undefined) return readPatch(input, payload.EntitySourcePatch, index);
  if (payload.EntitySourceBase !== undefined) return readUpdate(input, payload.EntitySourceBase, index);
  if (payload.EntityCreate !== undefined) return readCreate(input, payload.EntityCreate, index);
  if (payload.UnitImports !== undefined) return readImports(input, payload.UnitImports, index);
  const base = sourceBaseOf(payload.EntityRemove?.source_base, index);
  expectForm(input, index, "EntityRemove", "remove", base.entity_id, "its exact source_base entity UUID");
  return { form: "remove", index, base };
}

type Payload = OperationInput["payload"];

/** Verb, target and the absence of a body, in one sentence when one of them is off. */
function expectForm(
  input: OperationInput,
  index: number,
  payload: string,
  verb: OperationInput["verb"],
  target: string,
  targetIs: string,
  body: "forbidden" | "required" = "forbidden",
): void {
  const fits =
    input.verb === verb && input.target === target && (input.body !== undefined) === (body === "required");
  if (fits) return;
  throw misfit(
    index,
    `${payload} requires verb ${verb}, ${targetIs} as target, and ${body === "required" ? "a body" : "no body"}.`,
    `Send verb ${verb} and target ${JSON.stringify(target.slice(0, 200))}.`,
  );
}

function readPatch(
  input: OperationInput,
  payload: NonNullable<Payload["EntitySourcePatch"]>,
  index: number,
): Operation {
  const base = sourceBaseOf(payload.source_base, index);
  expectForm(input, index, "EntitySourcePatch", "patch", base.entity_id, "its exact source_base entity UUID");
  return { form: "patch", index, base, edits: payload.edits };
}

function readUpdate(input: OperationInput, payload: Record<string, unknown>, index: number): Operation {
  const base = sourceBaseOf(payload, index);
  const target = "its exact source_base entity UUID";
  expectForm(input, index, "EntitySourceBase", "update", base.entity_id, target, "required");
  return { form: "update", index, base, body: input.body ?? "" };
}

function readCreate(
  input: OperationInput,
  payload: NonNullable<Payload["EntityCreate"]>,
  index: number,
): Operation {
  const { name, kind, body, placement } = payload;
  const creation: Creation = { operation: index, name, kind, body };
  const inUnit = payload.unit !== undefined && payload.repository_base !== undefined;
  const anchored = payload.source_base !== undefined && placement !== undefined;
  const unitParts = payload.unit !== undefined || payload.repository_base !== undefined;
  const anchorParts = payload.source_base !== undefined || placement !== undefined;
  if ((!inUnit || anchorParts) && (!anchored || unitParts)) {
    throw misfit(
      index,
      "EntityCreate takes one of two forms.",
      "Give repository_base and unit (a Go package), or source_base and placement (beside an entity), not parts of both.",
    );
  }
  if (inUnit) {
    expectForm(input, index, "EntityCreate of a unit", "create", name, "the declared name");
    const unit = readGoUnit(payload.unit, index);
    const imports = entries(payload.imports, index);
    const base = repositoryBaseOf(payload.repository_base, index);
    return { form: "create_in_unit", index, base, unit, creation, imports };
  }
  const base = sourceBaseOf(payload.source_base, index);
  expectForm(input, index, "EntityCreate beside an entity", "create", base.entity_id, "the anchor's UUID");
  if ((payload.imports ?? []).length > 0) {
    throw misfit(
      index,
      "EntityCreate beside an entity takes no imports.",
      "Add them with UnitImports on that file, in the same call: unit {language, path}.",
    );
  }
  return { form: "create", index, base, placement: placement ?? "sibling_after", creation };
}

function readImports(
  input: OperationInput,
  payload: NonNullable<Payload["UnitImports"]>,
  index: number,
): Operation {
  const base = repositoryBaseOf(payload.repository_base, index);
  const byPath = "path" in payload.unit;
  const unit = byPath ? readFileUnit(payload.unit, index) : readGoUnit(payload.unit, index);
  const target = isGoUnit(unit) ? unit.name : unit.path;
  expectForm(input, index, "UnitImports", "update", target, byPath ? "the unit's path" : "the package name");
  const add = entries(payload.add, index);
  const remove = entries(payload.remove, index);
  if (add.length + remove.length === 0) throw misfit(index, "UnitImports adds and removes nothing.");
  const all = [...add, ...remove].map(({ text }) => text);
  const twice = all.find((text, at) => all.indexOf(text) !== at);
  if (twice !== undefined)
    throw misfit(index, `UnitImports names ${JSON.stringify(twice.slice(0, 200))} twice.`);
  return { form: "imports", index, base, unit, add, remove };
}

function entries(list: readonly string[] | undefined, operation: number): ImportEntry[] {
  return (list ?? []).map((entry) => {
    const text = entry.trim();
    if (text === "") throw misfit(operation, "an import is blank.");
    return { operation, text };
  });
}

const sourceBaseOf = (value: unknown, index: number): SourceBase =>
  baseOf(readSourceBase(value), index, "source_base", "get_entity_source");

const repositoryBaseOf = (value: unknown, index: number): RepositoryBase =>
  baseOf(readRepositoryBase(value), index, "repository_base", "kin_status or the last receipt");

function baseOf<B>(reading: BaseReading<B>, index: number, field: string, from: string): B {
  if ("base" in reading) return reading.base;
  throw refused(
    "invalid_base",
    index,
    `operations[${index}]: ${field} is not one that was minted here: ${reading.fault}.`,
    `Send it unchanged, as ${from} returned it.`,
  );
}
