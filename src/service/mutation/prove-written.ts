/**
 * The call that proves what a commit wrote: each entity by its lines, with a line of its text that must stand there. On the branch
 * that HEAD stands for that is a verification; elsewhere HEAD has other text, so it is a proof at the commit. Tool names are
 * dotted here; who answers spells them. Pure.
 */
import type { MutationPlan, PlannedEntity } from "../../core/entity/edit/outcome.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import type { NextCall } from "../../schema/common.ts";
import { nextTool } from "../next.ts";

/** Items that a set takes, and UTF-16 units of a line that is asked for. */
const ITEMS = 8;
const LINE_UNITS = 500;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: false });

/** `head`: the commit is on the branch that HEAD stands for. */
export function proveWritten(
  repository: string,
  plan: MutationPlan,
  commit: ObjectId,
  head: boolean,
): NextCall {
  const written = plan.entities.filter(({ effect }) => effect !== "removed").slice(0, ITEMS);
  const places = written.map((one) => ({
    repository,
    sha: commit,
    sourcePath: one.entity.path,
    ...placeOf(plan, one, head),
  }));
  const [first] = places;
  if (first === undefined) {
    const sourcePath = plan.files[0]?.path;
    return nextTool("pin.read", "dotted", { repository, sourcePath, sha: commit });
  }
  const tool = head ? "pin.verify" : "pin.prove";
  return places.length === 1
    ? nextTool(tool, "dotted", first)
    : nextTool(`${tool}_set`, "dotted", { items: places });
}

function placeOf(plan: MutationPlan, { entity }: PlannedEntity, head: boolean) {
  const { path, startLine, endLine, name } = entity;
  const file = decoder.decode(plan.files.find((file) => file.path === path)?.bytes);
  const lines = file
    .split("\n")
    .slice(startLine - 1, endLine)
    .map((line) => line.trim());
  const telling = lines.find((line) => line.includes(name)) ?? lines.find((line) => line !== "");
  const text = telling === "" || (telling?.length ?? 0) > LINE_UNITS ? undefined : telling;
  return head
    ? { line: startLine, lineEnd: endLine, mustContain: text }
    : { lineStart: startLine, lineEnd: endLine, claim: text };
}
