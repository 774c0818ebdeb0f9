/**
 * The message of a commit: subject, one bullet for each operation, trailers that say for whom. Owns that nothing a caller
 * wrote can pass for a trailer or end the message early: callers' text comes in whole lines of ours, the trailers are the last
 * paragraph and made here alone. `git interpret-trailers --parse` is the judge. Pure.
 */
import type { MutationPlan } from "../../core/entity/edit/outcome.ts";
import type { Caller } from "../../ports/registry.ts";
import type { MutateInput } from "../../schema/mutation.ts";
import { oneLine, prose, shortened } from "./one-line.ts";

/** In UTF-16 units and counts. */
const SUBJECT = 120;
const BUILT_SUBJECT = 72;
const BULLET = 500;
const BULLETS = 100;

/** Without a final line feed. */
export function commitMessage(
  input: Pick<MutateInput, "summary" | "operations" | "request_id">,
  plan: Pick<MutationPlan, "entities" | "files">,
  caller: Caller,
): string {
  const said = prose(input.summary ?? "");
  const subject = said === "" ? builtSubject(plan, input.operations.length) : shortened(said, SUBJECT);
  const paragraphs = [subject];
  if (said.length > SUBJECT) paragraphs.push(said);
  const bullets = descriptionBullets(input.operations);
  if (bullets !== "") paragraphs.push(bullets);
  paragraphs.push(trailers(input.request_id, caller));
  return paragraphs.join("\n\n");
}

/** One bullet for each description that says anything; also what a pull request says where its author said nothing. */
export function descriptionBullets(operations: MutateInput["operations"]): string {
  const said = operations.map(({ description }) => oneLine(description)).filter((line) => line !== "");
  const shown = said.slice(0, BULLETS).map((line) => `- ${shortened(line, BULLET)}`);
  if (said.length > BULLETS) shown.push(`- and ${said.length - BULLETS} more`);
  return shown.join("\n");
}

const VERBS = { edited: "update", created: "create", removed: "remove" } as const;

/** `Update Store.Get, create parse (3 operations)`: as many names as fit, and the number where not all are named. */
function builtSubject({ entities, files }: Pick<MutationPlan, "entities" | "files">, count: number): string {
  const done = new Map<number, string>();
  for (const { operation, effect, entity } of entities) {
    if (!done.has(operation)) done.set(operation, `${VERBS[effect]} ${oneLine(entity.qualifiedName)}`);
  }
  const imports = count - done.size;
  const parts = [...done.values()];
  if (imports > 0) parts.push(files.length === 1 ? `imports of ${oneLine(files[0]?.path ?? "")}` : "imports");
  let subject = "";
  let named = 0;
  for (const part of parts) {
    const longer = subject === "" ? part : `${subject}, ${part}`;
    if (longer.length > BUILT_SUBJECT && subject !== "") break;
    subject = longer;
    named += 1;
  }
  const number = named < parts.length || count > parts.length ? ` (${count} operations)` : "";
  const line = `${shortened(subject, BUILT_SUBJECT)}${number}`;
  return line.charAt(0).toUpperCase() + line.slice(1);
}

function trailers(requestId: string | undefined, { id, team }: Caller): string {
  const caller = team === null ? value(id) : `${value(id)} (team ${value(team)})`;
  const lines = requestId === undefined ? [] : [`Gitpin-Request: ${value(requestId)}`];
  return [...lines, `Requested-by: ${caller}`].join("\n");
}

/** Printable ASCII as it is, all else (and `%`) percent-encoded, so that a value is one line and can be told back. */
const value = (text: string): string => text.replace(/[^\x21-\x24\x26-\x7e]+/gu, encodeURIComponent);
