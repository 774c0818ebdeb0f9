/**
 * The call that proves what a commit wrote: each entity by its lines, with a line of its text that must stand there. Tool names
 * are dotted here; who answers spells them. Pure.
 */
import type { MutationPlan, PlannedEntity } from "../../core/entity/edit/outcome.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import type { NextCall } from "../../schema/common.ts";
import { nextTool } from "../next.ts";

/** Citations that `pin_verify_set` takes, and UTF-16 units of a line that is asked for. */
const CITATIONS = 8;
const LINE_UNITS = 500;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: false });

export function proveWritten(repository: string, plan: MutationPlan, commit: ObjectId): NextCall {
  const written = plan.entities.filter(({ effect }) => effect !== "removed");
  const citations = written.slice(0, CITATIONS).map((entity) => citationOf(repository, plan, entity, commit));
  const [first] = citations;
  if (first === undefined) {
    const sourcePath = plan.files[0]?.path;
    return nextTool("pin.read", "dotted", { repository, sourcePath, sha: commit });
  }
  return citations.length === 1
    ? nextTool("pin.verify", "dotted", first)
    : nextTool("pin.verify_set", "dotted", { items: citations });
}

function citationOf(repository: string, plan: MutationPlan, { entity }: PlannedEntity, commit: ObjectId) {
  const { path, startLine, endLine, name } = entity;
  const text = decoder.decode(plan.files.find((file) => file.path === path)?.bytes);
  const lines = text
    .split("\n")
    .slice(startLine - 1, endLine)
    .map((line) => line.trim());
  const telling = lines.find((line) => line.includes(name)) ?? lines.find((line) => line !== "");
  return {
    repository,
    sourcePath: path,
    sha: commit,
    line: startLine,
    lineEnd: endLine,
    ...(telling === undefined || telling === "" || telling.length > LINE_UNITS
      ? {}
      : { mustContain: telling }),
  };
}
