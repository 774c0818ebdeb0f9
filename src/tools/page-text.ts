/** Pages, inspections and comparisons as lines that a person can read, near to what git itself prints. */

import { printable } from "../core/printable.ts";
import type { Comparison } from "../schema/comparison.ts";
import type { EvidenceDoc } from "../schema/doc.ts";
import type { CommitRow, Inspection } from "../schema/inspection.ts";

export function docText(doc: EvidenceDoc): string {
  const reason = doc.reason === null ? "" : `  ${doc.reason}`;
  const first = printable(`${doc.status}  ${doc.citation.cite}${reason}`);
  return doc.encoding === "utf-8" && doc.content !== null ? `${first}\n${doc.content}` : first;
}

const commitLine = ({ sha, author, subject }: CommitRow): string =>
  printable(`${sha}  ${author.date}  ${author.name}  ${subject}`);

const more = (truncated: boolean): string[] => (truncated ? ["... and more"] : []);

export function inspectionText(answer: Inspection): string {
  const { status, commits, manifest, tests, changes } = answer;
  const lines = [`${answer.repository}@${answer.commitSha}`];
  if (status !== null) {
    const counts =
      status.against === null ? "" : `  ahead ${status.ahead ?? "?"}, behind ${status.behind ?? "?"}`;
    lines.push(`${status.ref}${counts}`, commitLine(status.latestCommit), status.workingTree);
  }
  if (commits !== null) lines.push(...commits.items.map(commitLine), ...more(commits.truncated));
  if (manifest !== null) {
    lines.push(
      ...manifest.items.map(({ path, ecosystem, name, version, reason }) =>
        printable(`${path}  ${ecosystem}  ${name ?? "-"} ${version ?? "-"}${reason ? `  (${reason})` : ""}`),
      ),
      ...more(manifest.truncated),
    );
  }
  if (tests !== null) {
    lines.push(
      ...tests.folders.items.map(({ path, files }) => printable(`folder  ${path}  ${files} files`)),
      ...tests.files.items.map(({ path }) => printable(`file  ${path}`)),
      ...tests.configurations.items.map(({ path, runner }) => printable(`${runner}  ${path}`)),
      ...tests.scripts.items.map(({ manifest: of, name }) => printable(`script  ${of}  ${name}`)),
      ...more([tests.folders, tests.files, tests.configurations, tests.scripts].some((one) => one.truncated)),
    );
  }
  if (changes !== null) {
    lines.push(
      ...changes.items.map(({ status: letter, sourcePath, sha, subject }) =>
        printable(`${letter}\t${sourcePath}\t${sha}  ${subject}`),
      ),
      ...more(changes.truncated),
      ...(changes.incomplete === null ? [] : [changes.incomplete]),
    );
  }
  return lines.join("\n");
}

export function comparisonText(answer: Comparison): string {
  const reason = answer.reason === null ? "" : `  ${answer.reason}`;
  const counts = answer.ahead === null ? "" : `  ahead ${answer.ahead}, behind ${answer.behind}`;
  const paths = answer.changes.map(({ status, previousPath, sourcePath, blocked }) =>
    printable(
      `${status}\t${previousPath === null ? "" : `${previousPath} -> `}${sourcePath}${blocked ? "\tblocked" : ""}`,
    ),
  );
  return [
    printable(`${answer.status}  ${answer.repository}  ${answer.base}..${answer.head}${counts}${reason}`),
    ...answer.notes,
    ...(answer.commits?.items ?? []).map(commitLine),
    ...paths,
    ...more(answer.truncated),
  ].join("\n");
}
