/**
 * A mutation as lines that a person can read: what became of it, each entity by its citation, what to do next, then the diff as
 * `git apply` takes it. Of a conflict or refusal: the reason, what to do, and what that takes.
 */
import { printCite } from "../core/citation/cite.ts";
import { printable } from "../core/printable.ts";
import type { ChangedEntity, MutationResult, RemovedReferences } from "../schema/mutation-result.ts";

/** Longest call, in UTF-16 units of its JSON, that is printed. */
const NEXT_UNITS = 4_000;

const counted = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`;

/** JSON that says the same when it is printed: what must not reach a terminal is written as its escape. */
const printedJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** By the citation of its lines: of a removed one at the commit before, in a plan by path and lines alone. */
function entityText(
  { effect, kind, qualified_name, id, path, lines }: ChangedEntity,
  { repository, commitSha, parent }: MutationResult,
): string {
  const sha = commitSha === undefined ? null : effect === "removed" ? (parent ?? null) : commitSha;
  const place =
    sha === null || repository === null
      ? `${path}:${lines.start}-${lines.end}`
      : printCite({ repository, sourcePath: path, sha, line: lines.start, lineEnd: lines.end });
  return `${effect}  ${place}  ${kind} ${qualified_name}  ${id}`;
}

/** The call that goes on from here, as its name and the JSON of its arguments. */
function nextLines({ next, next_omits: omitted = 0 }: MutationResult): string[] {
  if (next === null) return [];
  const given = printedJson(next.arguments);
  const call = given.length > NEXT_UNITS ? "with the arguments that the answer as JSON holds" : given;
  const more = omitted === 0 ? [] : [`${counted(omitted, "place is", "places are")} not looked at by it`];
  return [`next: ${next.tool} ${call}`, ...more];
}

export function mutationText(result: MutationResult): string {
  const { status, branch, repository } = result;
  if (status === "conflict" || status === "refused") return stoppedText(result);
  const files = counted(result.modified_files?.length ?? 0, "file");
  const operations =
    status === "planned" ? "nothing was written" : counted(result.ops_applied ?? 0, "operation");
  const what = status === "planned" ? "planned" : `committed ${result.commitSha}`;
  const again = result.already_applied === true ? " (by an earlier call)" : "";
  const lines = [`${what}${again} on ${branch} of ${repository}: ${files}, ${operations}`];
  if (result.url != null) lines.push(result.url);
  lines.push(...(result.entities ?? []).map((entity) => entityText(entity, result)));
  const omitted = result.entities_omitted ?? 0;
  if (omitted > 0) lines.push(`and ${counted(omitted, "more entity", "more entities")}`);
  if (result.rebased_heads != null) lines.push(`carried over to ${result.rebased_heads.onto}`);
  lines.push(...pullRequestLines(result), ...referenceLines(result.references));
  if (result.audit === "not_recorded") lines.push("the audit trail could not take this commit");
  for (const { path, line, column, problem } of result.earlier_faults?.places ?? []) {
    lines.push(`earlier syntax error: ${path}:${line}:${column}  ${problem}`);
  }
  const { diff, diff_omitted: left } = result;
  if (left !== undefined) lines.push(`diff left out: ${left.reason} ${left.command ?? ""}`.trimEnd());
  lines.push(...nextLines(result));
  const head = lines.map(printable).join("\n");
  return diff == null || diff === "" ? head : `${head}\n${diff}`;
}

function stoppedText(result: MutationResult): string {
  const { status, code, operation, reason, next_step, faults, current_source } = result;
  const where = operation == null ? "" : `  operations[${operation}]`;
  const lines = [`${status}  ${code}${where}  ${reason}`, "nothing was written", `next: ${next_step}`];
  for (const { path, line, column, problem } of faults ?? []) {
    lines.push(`${path}:${line}:${column}  ${problem}`);
  }
  lines.push(...nextLines(result));
  const { current_repository_base: base } = result;
  if (base !== undefined) lines.push(`current_repository_base: ${printedJson(base)}`);
  if (current_source !== undefined) {
    lines.push(`current_source.source_base: ${printedJson(current_source.source_base)}`);
  }
  const head = lines.map(printable).join("\n");
  return current_source === undefined ? head : `${head}\ncurrent_source.body:\n${current_source.body}`;
}

function pullRequestLines({ pull_request: pull }: MutationResult): string[] {
  if (pull === undefined) return [];
  return pull.status === "open"
    ? [`pull request #${pull.number}  ${pull.url}`]
    : [`no pull request: ${pull.reason} ${pull.next_step}`];
}

function referenceLines(references: RemovedReferences | "not_checked" | undefined): string[] {
  if (references === undefined) return [];
  if (references === "not_checked") return ["whether the removed names still occur was not checked"];
  const { names, totalLines, lines, complete } = references;
  const count = `${counted(totalLines, "line")} still name ${names.join(", ")}${complete ? "" : " (not every file was searched)"}`;
  return [count, ...lines.map(({ path, line, text }) => `${path}:${line}: ${text}`)];
}
