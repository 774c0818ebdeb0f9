/** A mutation as lines that a person can read: what became of it, then the diff as `git apply` takes it. */

import { printable } from "../core/printable.ts";
import type { MutationResult, RemovedReferences } from "../schema/mutation-result.ts";

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

export function mutationText(result: MutationResult): string {
  const { status, branch, repository } = result;
  if (status === "conflict" || status === "refused") return stoppedText(result);
  const files = counted(result.modified_files?.length ?? 0, "file");
  const operations =
    status === "planned" ? "nothing was written" : counted(result.ops_applied ?? 0, "operation");
  const what = status === "planned" ? "planned" : `committed ${result.commitSha?.slice(0, 8)}`;
  const again = result.already_applied === true ? " (by an earlier call)" : "";
  const lines = [`${what}${again} on ${branch} of ${repository}: ${files}, ${operations}`];
  if (result.url != null) lines.push(result.url);
  if (result.rebased_heads != null) lines.push(`carried over to ${result.rebased_heads.onto}`);
  lines.push(...pullRequestLines(result), ...referenceLines(result.references));
  if (result.audit === "not_recorded") lines.push("the audit trail could not take this commit");
  for (const { path, line, column, problem } of result.earlier_faults?.places ?? []) {
    lines.push(`earlier syntax error: ${path}:${line}:${column}  ${problem}`);
  }
  const { diff, diff_omitted: omitted } = result;
  if (omitted !== undefined)
    lines.push(`diff left out: ${omitted.reason} ${omitted.command ?? ""}`.trimEnd());
  const head = lines.map(printable).join("\n");
  return diff == null || diff === "" ? head : `${head}\n${diff}`;
}

function stoppedText({
  status,
  code,
  operation,
  reason,
  next_step,
  faults,
  current_source,
}: MutationResult): string {
  const where = operation == null ? "" : `  operations[${operation}]`;
  const lines = [`${status}  ${code}${where}  ${reason}`, `${next_step}`];
  for (const { path, line, column, problem } of faults ?? []) {
    lines.push(`${path}:${line}:${column}  ${problem}`);
  }
  const head = lines.map(printable).join("\n");
  return current_source === undefined
    ? head
    : `${head}\nThe source as it stands now:\n${current_source.body}`;
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
