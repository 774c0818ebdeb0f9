/**
 * Takes the removed entities of a file away, after its other edits. Neighbours that go share the blank lines between
 * them, so this is done in rounds: each round takes those that stand apart, the next finds the others where they are now.
 */
import type { Span } from "../declaration.ts";
import type { Located, SourceUnit } from "../entity.ts";
import { type Draft, declarationIn, isMember, type Removed } from "./draft.ts";
import type { Step } from "./footprint.ts";
import type { EntityOperation } from "./operation.ts";
import { refused } from "./outcome.ts";
import { assertBlockKeepsABody, blocksOf, removalSplice } from "./remove.ts";
import type { Spliced } from "./splice.ts";
import type { Workspace } from "./workspace.ts";

/** An operation with the entity it means, as that stands at the planned head. */
export interface Resolved {
  operation: EntityOperation;
  draft: Draft;
  target: Located;
}

interface Leaving {
  operation: number;
  target: Located;
  /** Where it stands now. */
  span: Span;
}

/** In rounds: neighbours that go share the blank lines between them, so only those apart go at once. */
export async function removeAll(
  workspace: Workspace,
  draft: Draft,
  going: readonly Resolved[],
  edited: Spliced | null,
): Promise<void> {
  const before = draft.unit;
  const leaving: Removed[] = [];
  let left = going.map(({ operation: { index }, target }): Leaving => {
    const members = (draft.original?.located ?? []).filter(
      (located) => located === target || isMember(located.declaration, target.declaration),
    );
    for (const located of members) leaving.push({ operation: index, located });
    const { span } = target.declaration;
    return { operation: index, target, span: edited === null ? span : edited.move(span) };
  });
  while (left.length > 0) {
    const { steps, later } = await removalRound(workspace, draft, left);
    const spliced = await workspace.apply(draft, steps);
    left = later.map((one) => ({ ...one, span: spliced === null ? one.span : spliced.move(one.span) }));
  }
  assertGone(before, draft.unit, leaving);
  draft.removed.push(...leaving);
}

/** Of each kind and name, as many are gone as the receipt is to say. */
function assertGone(before: SourceUnit, after: SourceUnit, leaving: readonly Removed[]): void {
  const expected = countsOf(before.located);
  for (const [key, count] of countsOf(leaving.map(({ located }) => located))) {
    expected.set(key, (expected.get(key) ?? 0) - count);
  }
  const standing = countsOf(after.located);
  for (const { operation, located } of leaving) {
    const key = keyOf(located);
    if ((standing.get(key) ?? 0) === expected.get(key)) continue;
    throw refused(
      "footprint_exceeded",
      operation,
      `${located.declaration.kind} ${located.declaration.qualifiedName} would not be gone, or not alone.`,
      "Send this operation in a call of its own, before or after the others.",
    );
  }
}

const keyOf = ({ declaration: { kind, qualifiedName } }: Located): string => `${kind}\0${qualifiedName}`;

function countsOf(all: readonly Located[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const located of all) counts.set(keyOf(located), (counts.get(keyOf(located)) ?? 0) + 1);
  return counts;
}

/** The removals that can be made at once, and those that have to wait for them. */
async function removalRound(
  workspace: Workspace,
  draft: Draft,
  left: readonly Leaving[],
): Promise<{ steps: Step[]; later: Leaving[] }> {
  const { unit } = draft;
  const standing = left.flatMap((one) => {
    const { kind, qualifiedName } = one.target.declaration;
    const located = declarationIn(unit, one.span, kind, qualifiedName);
    // It went with another that shared its text.
    return located === undefined ? [] : [{ one, located }];
  });
  const going = standing.map(({ located }) => located.declaration);
  const blocks = await blocksOf(workspace.reader, unit);
  const wanted = standing.map(({ one, located }) => {
    const { operation } = one;
    assertBlockKeepsABody(unit, blocks, located.declaration, operation);
    const splice = removalSplice(unit, located, operation, going);
    const purpose = { effect: "remove", target: located } as const;
    return { one, step: { ...splice, operation, purpose } };
  });
  wanted.sort((a, b) => a.step.start - b.step.start);
  const steps: Step[] = [];
  const later: Leaving[] = [];
  for (const { one, step } of wanted) {
    if (step.start < (steps.at(-1)?.end ?? 0)) later.push(one);
    else steps.push(step);
  }
  return { steps, later };
}
