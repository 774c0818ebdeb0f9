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
import { type FileUnit, type GoUnit, readCreateUnit, readImportUnit } from "./go-unit.ts";
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

const misfit = (index: number, reason: string, nextStep: string) =>
  refused("invalid_operation", index, `operations[${index}]: ${reason}`, nextStep);

export function readOperation(input: OperationInput, index: number): Operation {
  const { payload } = input;
  const names = Object.entries(payload).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (names.length !== 1) {
    throw misfit(
      index,
      `the payload holds ${names.length === 0 ? "nothing" : names.join(" and ")}.`,
      "Give exactly one: EntitySourcePatch (verb patch), EntitySourceBase (verb update, with body), EntityCreate (verb create), UnitImports (verb update) or EntityRemove (verb remove).",
    );
  }
  if (payload.EntitySourcePatch !== undefined) return readPatch(input, payload.EntitySourcePatch, index);
  if (payload.EntitySourceBase !== undefined) return readUpdate(input, payload.EntitySourceBase, index);
  if (payload.EntityCreate !== undefined) return readCreate(input, payload.EntityCreate, index);
  if (payload.UnitImports !== undefined) return readImports(input, payload.UnitImports, index);
  const base = sourceBaseOf(payload.EntityRemove?.source_base, index);
  expectForm(input, index, "EntityRemove", "remove", base.entity_id, "the entity_id of its source_base");
  return { form: "remove", index, base };
}

type Payload = OperationInput["payload"];

/** What of verb, target and body is off, all of it at once, and what to send instead. */
function expectForm(
  input: OperationInput,
  index: number,
  payload: string,
  verb: OperationInput["verb"],
  target: string,
  targetIs: string,
  body: "forbidden" | "required" = "forbidden",
): void {
  const reasons: string[] = [];
  const steps: string[] = [];
  if (input.verb !== verb) {
    reasons.push(`verb ${verb}, not ${input.verb}`);
    steps.push(`send verb ${verb}`);
  }
  if (input.target !== target) {
    reasons.push(`${targetIs} as target`);
    steps.push(`send target ${JSON.stringify(target.slice(0, 200))}`);
  }
  if (body === "required" && input.body === undefined) {
    reasons.push("a body");
    steps.push("add body, the complete new source of the entity");
  }
  if (body === "forbidden" && input.body !== undefined) {
    reasons.push("no body beside the payload");
    steps.push(payload.startsWith("EntityCreate") ? "drop body: that of the payload counts" : "drop body");
  }
  if (reasons.length === 0) return;
  const way = steps.join("; ");
  throw misfit(index, `${payload} takes ${reasons.join(", ")}.`, `${way[0]?.toUpperCase()}${way.slice(1)}.`);
}

function readPatch(
  input: OperationInput,
  payload: NonNullable<Payload["EntitySourcePatch"]>,
  index: number,
): Operation {
  const base = sourceBaseOf(payload.source_base, index);
  expectForm(input, index, "EntitySourcePatch", "patch", base.entity_id, "the entity_id of its source_base");
  return { form: "patch", index, base, edits: payload.edits };
}

function readUpdate(input: OperationInput, payload: Record<string, unknown>, index: number): Operation {
  const base = sourceBaseOf(payload, index);
  const target = "the entity_id of its source_base";
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
  if (formOf(payload, index) === "unit") {
    expectForm(input, index, "EntityCreate of a unit", "create", name, "the declared name");
    const unit = readCreateUnit(payload.unit, index);
    const imports = entries(payload.imports, index);
    const base = repositoryBaseOf(payload.repository_base, index);
    return { form: "create_in_unit", index, base, unit, creation, imports };
  }
  const base = sourceBaseOf(payload.source_base, index);
  expectForm(
    input,
    index,
    "EntityCreate beside an entity",
    "create",
    base.entity_id,
    "the entity_id of its source_base (the anchor)",
  );
  if ((payload.imports ?? []).length > 0) {
    throw misfit(
      index,
      "EntityCreate beside an entity takes no imports.",
      "Add them with UnitImports on that file, in the same call: unit {language, path}.",
    );
  }
  return { form: "create", index, base, placement: placement ?? "sibling_after", creation };
}

const FORMS = { unit: ["repository_base", "unit"], anchored: ["source_base", "placement"] } as const;
const EITHER = "source_base and placement (beside an entity), or repository_base and unit (a Go package)";

/** Which of its two forms an EntityCreate is in: all parts of one, and none of the other. */
function formOf(payload: NonNullable<Payload["EntityCreate"]>, index: number): "unit" | "anchored" {
  const begun = (["unit", "anchored"] as const).filter((form) =>
    FORMS[form].some((part) => payload[part] !== undefined),
  );
  const [form] = begun;
  if (form === undefined) throw misfit(index, "EntityCreate does not say where.", `Give ${EITHER}.`);
  if (begun.length > 1) {
    throw misfit(index, "EntityCreate holds parts of both of its forms.", `Give either ${EITHER}.`);
  }
  const lacking = FORMS[form].find((part) => payload[part] === undefined);
  if (lacking === undefined) return form;
  const how = lacking === "placement" ? ": sibling_after, or new_source_unit" : "";
  throw misfit(index, `EntityCreate lacks ${lacking}.`, `Add ${lacking}${how}.`);
}

function readImports(
  input: OperationInput,
  payload: NonNullable<Payload["UnitImports"]>,
  index: number,
): Operation {
  const base = repositoryBaseOf(payload.repository_base, index);
  const unit = readImportUnit(payload.unit, index);
  const target = isGoUnit(unit) ? unit.name : unit.path;
  const targetIs = isGoUnit(unit) ? "unit.name" : "unit.path";
  expectForm(input, index, "UnitImports", "update", target, targetIs);
  const add = entries(payload.add, index);
  const remove = entries(payload.remove, index);
  if (add.length + remove.length === 0) {
    throw misfit(index, "UnitImports adds and removes nothing.", "Give add or remove, or leave it out.");
  }
  const all = [...add, ...remove].map(({ text }) => text);
  const twice = all.find((text, at) => all.indexOf(text) !== at);
  if (twice !== undefined) {
    throw misfit(index, `UnitImports names ${JSON.stringify(twice.slice(0, 200))} twice.`, "Name it once.");
  }
  return { form: "imports", index, base, unit, add, remove };
}

function entries(list: readonly string[] | undefined, operation: number): ImportEntry[] {
  return (list ?? []).map((entry) => {
    const text = entry.trim();
    if (text === "") throw misfit(operation, "an import is blank.", "Leave it out.");
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
