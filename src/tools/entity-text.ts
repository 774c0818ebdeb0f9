/** Entities as lines that a person can read: where each stands and what it is; a source as it stands in the file. */

import { printable } from "../core/printable.ts";
import type { EntitiesFound, EntityRow, EntitySource, KinStatus } from "../schema/entities.ts";

export function kinStatusText(answer: KinStatus): string {
  const { repository, branch, head, tree, reason, writable, entities, languages, other_files } = answer;
  const lines = [`${answer.status}  ${repository}  ${branch ?? "-"}@${head ?? "-"}  tree ${tree ?? "-"}`];
  if (reason !== null) lines.push(reason);
  lines.push(
    writable.allowed
      ? `writable  branches ${writable.branches?.join(" ")}  paths ${writable.paths?.join(" ")}`
      : `not writable  ${writable.reason}`,
    ...(writable.allowed || writable.branches === null
      ? []
      : [`open to you  branches ${writable.branches.join(" ")}  paths ${writable.paths?.join(" ")}`]),
    ...(entities.available ? [] : [`no entities  ${entities.reason}`]),
    ...languages.map(({ title, files, editing }) => `${title}  ${files} files  editing ${editing}`),
  );
  if (other_files > 0) lines.push(`${other_files} other files`);
  if (!answer.languages_complete) lines.push("... and more files: the tree is too large for one call");
  return lines.map(printable).join("\n");
}

const counted = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

const place = ({ path, start_line, end_line }: EntityRow): string => `${path}:${start_line}-${end_line}`;

const rowText = (row: EntityRow): string =>
  printable(`${place(row)}  ${row.kind} ${row.qualified_name}  ${row.id}  ${row.signature}`);

export function entitiesText(answer: EntitiesFound): string {
  const { repository, commitSha, files } = answer;
  const at = `${repository}@${commitSha}`;
  if (answer.status !== "ok") return printable(`${answer.status}  ${at}  ${answer.reason}`);
  const state = answer.complete ? "complete" : `incomplete: ${answer.incomplete.join(" ")}`;
  return [
    ...answer.entities.map(rowText),
    printable(
      `# ${counted(answer.entities.length, "entity", "entities")}; read ${files.read} of ${counted(files.selected, "file", "files")}  ${at}  ${state}`,
    ),
    ...answer.skipped.map(({ reason, count, paths }) =>
      printable(`# ${counted(count, "file", "files")} not read: ${reason}  ${paths.join(" ")}`),
    ),
    ...answer.syntax_errors.map(({ path, line, column, problem }) =>
      printable(`# ${path}:${line}:${column}  ${problem}`),
    ),
    ...(answer.nextCursor === null ? [] : [`# more: cursor ${answer.nextCursor}`]),
  ].join("\n");
}

export function entitySourceText(answer: EntitySource): string {
  const { repository, commitSha, reason, citation, kind, qualified_name, id, body } = answer;
  if (citation === null || body === null) {
    const first = printable(`${answer.status}  ${repository}@${commitSha}  ${reason ?? ""}`);
    return [first, ...answer.candidates.map(rowText)].join("\n");
  }
  return `${printable(`ok  ${citation.cite}  ${kind} ${qualified_name}  ${id}`)}\n${body}`;
}
