/**
 * Operations addressed to units: creations in a Go package, one by one in their order, then the imports of each file
 * (those of its creations and of UnitImports together: all additions, then all removals).
 */
import type { SourceUnit } from "../entity.ts";
import { LANGUAGES } from "../language/table.ts";
import {
  assertGoDeclaration,
  assertNameFree,
  bodyFor,
  type Creation,
  emptyUnit,
  kindsOf,
  lastOfReceiver,
  namesOf,
} from "./create.ts";
import type { Draft } from "./draft.ts";
import { claim } from "./edit-entities.ts";
import type { Step } from "./footprint.ts";
import {
  assertOnePackage,
  assertReceiverDeclared,
  type GoUnit,
  isRepeatable,
  packageScope,
} from "./go-unit.ts";
import type { ImportEntry } from "./imports/import-edit.ts";
import { importSteps } from "./imports/import-splices.ts";
import { appended, insertionBehind } from "./insertion.ts";
import { isGoUnit, type UnitOperation } from "./operation.ts";
import { refused } from "./outcome.ts";
import type { Workspace } from "./workspace.ts";

type UnitCreate = Extract<UnitOperation, { form: "create_in_unit" }>;
type UnitImports = Extract<UnitOperation, { form: "imports" }>;

interface Wanted {
  add: ImportEntry[];
  remove: ImportEntry[];
}

export async function editUnits(workspace: Workspace, operations: readonly UnitOperation[]): Promise<void> {
  const wanted = new Map<Draft, Wanted>();
  const of = (draft: Draft): Wanted => {
    const held = wanted.get(draft) ?? { add: [], remove: [] };
    wanted.set(draft, held);
    return held;
  };
  const claimed = new Map<string, number>();
  for (const operation of receiversFirst(operations)) {
    const draft = await createInUnit(workspace, operation, claimed);
    of(draft).add.push(...operation.imports);
  }
  for (const operation of operations) {
    if (operation.form !== "imports") continue;
    const imports = of(await importsDraft(workspace, operation));
    imports.add.push(...operation.add);
    imports.remove.push(...operation.remove);
  }
  for (const [draft, { add, remove }] of wanted) await editImports(workspace, draft, add, remove);
}

/** In the order of the call, but a method may name a type that the call creates further down. */
function receiversFirst(operations: readonly UnitOperation[]): UnitCreate[] {
  const creates = operations.filter((one): one is UnitCreate => one.form === "create_in_unit");
  const isMethod = ({ creation }: UnitCreate) => creation.kind === "method";
  return [...creates.filter((one) => !isMethod(one)), ...creates.filter(isMethod)];
}

async function createInUnit(
  workspace: Workspace,
  operation: UnitCreate,
  claimed: Map<string, number>,
): Promise<Draft> {
  const { creation, unit, index } = operation;
  const { directory, path } = await workspace.place(operation);
  const files = await workspace.goFiles(directory, index);
  assertOnePackage(unit, files, path, index);
  const scope = packageScope(files, unit.name);
  assertReceiverDeclared(creation, scope);
  const draft = (await workspace.draft(path, index)) ?? (await startUnit(workspace, path, unit, index));
  for (const name of await namesOf(workspace.reader, draft.unit, creation)) {
    if (isRepeatable(name)) continue;
    assertNameFree(creation, scope, name);
    claim(claimed, `${directory}\0${unit.name}\0${name}`, creation, name);
  }
  await workspace.apply(draft, [unitStep(draft.unit, creation)]);
  return draft;
}

const startUnit = async (
  workspace: Workspace,
  path: string,
  unit: GoUnit,
  operation: number,
): Promise<Draft> => {
  await workspace.assertFree(path, operation);
  const like = { spec: LANGUAGES.go };
  const empty = await emptyUnit(workspace.reader, workspace.request.repositoryId, path, like, unit.name);
  return workspace.start(path, empty);
};

function unitStep(unit: SourceUnit, creation: Creation): Step {
  assertGoDeclaration(creation);
  const kinds = kindsOf(unit, creation);
  const body = bodyFor(unit, creation);
  const behind = creation.kind === "method" ? lastOfReceiver(unit, creation.name) : undefined;
  const splice = behind === undefined ? appended(unit, body) : insertionBehind(unit, behind, body, kinds);
  return {
    ...splice,
    operation: creation.operation,
    purpose: { effect: "create", name: creation.name, kinds, allowGroup: creation.kind !== "type" },
  };
}

async function importsDraft(workspace: Workspace, operation: UnitImports): Promise<Draft> {
  const { unit, index } = operation;
  const { path, directory } = await workspace.place(operation);
  const draft = await workspace.draft(path, index);
  if (draft === null) {
    throw refused(
      "unit_missing",
      index,
      `${path} is not there.`,
      isGoUnit(unit)
        ? 'Address the file of the package that there is, as {language:"go", path}; or create a declaration in the unit, with its imports.'
        : "Give the path of a file of the branch; a file is made by EntityCreate.",
    );
  }
  if (isGoUnit(unit)) assertOnePackage(unit, await workspace.goFiles(directory, index), path, index);
  else if (draft.unit.spec.name !== unit.language) {
    throw refused(
      "unit_invalid",
      index,
      `${path} is read as ${draft.unit.spec.name}, not as ${unit.language}.`,
      `Send unit.language ${draft.unit.spec.name}.`,
    );
  }
  return draft;
}

async function editImports(
  workspace: Workspace,
  draft: Draft,
  add: readonly ImportEntry[],
  remove: readonly ImportEntry[],
): Promise<void> {
  for (const step of importSteps(draft.unit, add, remove)) {
    const { splices, operation } = step(draft.unit);
    const purpose = { effect: "imports" } as const;
    await workspace.apply(
      draft,
      splices.map((splice) => ({ ...splice, operation, purpose })),
    );
  }
}
