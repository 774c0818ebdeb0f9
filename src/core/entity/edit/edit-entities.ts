/**
 * Patch, update, create beside an entity and remove: resolves each base, turns each operation into one splice of its
 * file as it stands and applies those of a file together; then takes away what is removed. One operation per entity.
 */
import { within } from "../declaration.ts";
import {
  assertNameFree,
  bodyFor,
  type Creation,
  emptyUnit,
  kindsOf,
  namesOf,
  newUnitPath,
  siblingStep,
} from "./create.ts";
import { type Draft, isMember } from "./draft.ts";
import type { Step } from "./footprint.ts";
import { assertSamePlace, currentEntity } from "./freshness.ts";
import { assertReceiverDeclared, isRepeatable, packageScope } from "./go-unit.ts";
import { assertImplFree, claimsOf, type ImplBlock, implBlock } from "./impl-block.ts";
import { appended, deeperFirst } from "./insertion.ts";
import type { EntityOperation } from "./operation.ts";
import { refused } from "./outcome.ts";
import { patchedBody } from "./patch.ts";
import { type Resolved, removeAll } from "./remove-entities.ts";
import { updateSplice } from "./update.ts";
import type { Workspace } from "./workspace.ts";

type CreateOperation = Extract<EntityOperation, { form: "create" }>;

export async function editEntities(
  workspace: Workspace,
  operations: readonly EntityOperation[],
): Promise<void> {
  const resolved: Resolved[] = [];
  for (const operation of operations) resolved.push(await resolve(workspace, operation));
  assertOneEditEach(resolved);
  assertApart(resolved);
  const removed = goingIds(resolved);
  const claimed = new Map<string, number>();
  const byDraft = new Map<Draft, Step[]>();
  for (const one of resolved) {
    const steps = byDraft.get(one.draft) ?? [];
    byDraft.set(one.draft, steps);
    const { operation } = one;
    if (operation.form === "patch" || operation.form === "update") steps.push(editStep(one, operation));
    else if (operation.form === "create" && operation.placement === "sibling_after") {
      const { unit } = one.draft;
      const block = await implBlock(workspace.reader, unit, operation.creation);
      if (block === null) await assertCreatable(workspace, one, operation.creation, removed, claimed);
      else assertBlockCreatable(one, operation.creation, block, removed, claimed);
      steps.push(await siblingStep(workspace.reader, unit, one.target, operation.creation, block));
    }
  }
  for (const [draft, steps] of byDraft) {
    const going = resolved.filter((one) => one.draft === draft && one.operation.form === "remove");
    await removeAll(workspace, draft, going, await workspace.apply(draft, deeperFirst(steps)));
  }
  for (const one of resolved) {
    if (one.operation.form === "create" && one.operation.placement === "new_source_unit") {
      await createFile(workspace, one, one.operation, removed, claimed);
    }
  }
}

/** What is removed, with all that lies in it. */
function goingIds(resolved: readonly Resolved[]): Set<string> {
  const removals = resolved.filter(({ operation }) => operation.form === "remove");
  return new Set(
    removals.flatMap(({ draft, target }) =>
      draft.unit.located
        .filter(({ declaration }) => within(declaration.core, target.declaration.core))
        .map(({ entity }) => entity.id),
    ),
  );
}

async function resolve(workspace: Workspace, operation: EntityOperation): Promise<Resolved> {
  const { base, index } = operation;
  assertSamePlace(base, workspace.request, index);
  const draft = await workspace.draft(base.path, index);
  const target = currentEntity(base, draft?.unit ?? null, workspace.request, index);
  // An entity that was found stands in a file.
  const held = draft as Draft;
  const { spec } = held.unit;
  const bodyOnly = operation.form === "patch" || operation.form === "update";
  if (spec.editing === "none" || (spec.editing === "body" && !bodyOnly)) {
    throw refused(
      "language_not_editable",
      index,
      `${spec.title} is ${spec.editing === "none" ? "read only here" : "edited by patch and update only"}.`,
      spec.editing === "none"
        ? "Edit the file by other means."
        : "Update the type around it: it may gain and lose members.",
    );
  }
  return { operation, draft: held, target };
}

/** Splices address the file as it stands, so two edits of one entity would not know of each other. */
function assertOneEditEach(resolved: readonly Resolved[]): void {
  const edited = new Map<string, number>();
  for (const { operation, target } of resolved) {
    if (operation.form === "create") continue;
    const earlier = edited.get(target.entity.id);
    if (earlier !== undefined) {
      throw refused(
        "entity_edited_twice",
        operation.index,
        `operations[${earlier}] and operations[${operation.index}] edit the same ${target.entity.kind} ${target.entity.qualifiedName}.`,
        "Join them into one operation.",
      );
    }
    edited.set(target.entity.id, operation.index);
  }
}

/** No edited or removed entity lies in another one, nor does an anchor. */
function assertApart(resolved: readonly Resolved[]): void {
  const changing = resolved.filter(({ operation }) => operation.form !== "create");
  for (const one of resolved) {
    const around = changing.find(
      (other) =>
        other !== one &&
        other.draft === one.draft &&
        other.target.entity.id !== one.target.entity.id &&
        within(one.target.declaration.span, other.target.declaration.span) &&
        !sharesAndGoes(one, other),
    );
    if (around === undefined) continue;
    throw refused(
      "edits_overlap",
      one.operation.index,
      `operations[${one.operation.index}] addresses ${one.target.entity.qualifiedName}, which lies in ${around.target.entity.qualifiedName}, which operations[${around.operation.index}] addresses.`,
      "Edit the outer entity once, or only the inner ones.",
    );
  }
}

/** Two names of one declaration can go together. */
const sharesAndGoes = (one: Resolved, other: Resolved): boolean =>
  one.operation.form === "remove" &&
  other.operation.form === "remove" &&
  !isMember(one.target.declaration, other.target.declaration);

function editStep(
  { draft, target }: Resolved,
  operation: Extract<EntityOperation, { form: "patch" | "update" }>,
): Step {
  const { unit } = draft;
  const { span } = target.declaration;
  const { index } = operation;
  const purpose = { effect: "edit", target } as const;
  if (operation.form === "update") {
    return { ...updateSplice(unit, span, operation.body, index), operation: index, purpose };
  }
  const body = unit.source.text.slice(span.start, span.end);
  const text = patchedBody(unit.source.text, body, operation.edits, index);
  return { ...span, text, operation: index, purpose };
}

/** The name is free, also of the other creations of the call; a Go receiver is declared. */
async function assertCreatable(
  workspace: Workspace,
  { draft }: Resolved,
  creation: Creation,
  removed: ReadonlySet<string>,
  claimed: Map<string, number>,
): Promise<void> {
  const { unit } = draft;
  const isGo = unit.spec.name === "go";
  const directory = draft.path.slice(0, Math.max(0, draft.path.lastIndexOf("/")));
  const packageName = unit.outline.packageName?.name ?? "";
  const scope = isGo
    ? packageScope(await workspace.goFiles(directory, creation.operation), packageName)
    : unit.located;
  if (isGo) assertReceiverDeclared(creation, scope);
  const taken = scope.filter(({ entity }) => !removed.has(entity.id));
  const place = isGo ? `${directory}\0${packageName}` : draft.path;
  for (const name of await namesOf(workspace.reader, unit, creation)) {
    if (isGo && isRepeatable(name)) continue;
    assertNameFree(creation, taken, name);
    claim(claimed, `${place}\0${name}`, creation, name);
  }
}

/** In Rust a block is no name of its own: what it implements is free. */
function assertBlockCreatable(
  { draft, target }: Resolved,
  creation: Creation,
  block: ImplBlock,
  removed: ReadonlySet<string>,
  claimed: Map<string, number>,
): void {
  assertImplFree(draft.unit, target.declaration, block, creation, ({ entity }) => removed.has(entity.id));
  for (const name of claimsOf(draft.unit, target.declaration, block))
    claim(claimed, `${draft.path}\0${name}`, creation, name);
}

export function claim(
  claimed: Map<string, number>,
  key: string,
  creation: Creation,
  name = creation.name,
): void {
  const earlier = claimed.get(key);
  if (earlier !== undefined) {
    throw refused(
      "name_taken",
      creation.operation,
      `operations[${earlier}] and operations[${creation.operation}] both create ${name}.`,
      "Create it once.",
    );
  }
  claimed.set(key, creation.operation);
}

async function createFile(
  workspace: Workspace,
  { draft, operation: { index } }: Resolved,
  operation: CreateOperation,
  removed: ReadonlySet<string>,
  claimed: Map<string, number>,
): Promise<void> {
  const { creation } = operation;
  const path = newUnitPath(draft.unit, creation);
  await workspace.assertFree(path, index);
  if (draft.unit.spec.name === "go") {
    await assertCreatable(workspace, { draft, operation } as Resolved, creation, removed, claimed);
  }
  const packageName = draft.unit.outline.packageName?.name ?? null;
  const { lineEnding } = draft.unit.source;
  const { repositoryId } = workspace.request;
  const unit = await emptyUnit(workspace.reader, repositoryId, path, draft.unit, packageName, lineEnding);
  const kinds = kindsOf(unit, creation);
  const fresh = workspace.start(path, unit);
  const splice = appended(unit, bodyFor(draft.unit, creation), lineEnding);
  const purpose = { effect: "create", name: creation.name, kinds, allowGroup: true } as const;
  await workspace.apply(fresh, [{ ...splice, operation: index, purpose }]);
}
