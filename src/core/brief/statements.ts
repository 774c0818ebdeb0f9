/**
 * The statements of a brief. Each says what stands in a tree at a commit, or what is not there; none says what it means.
 * Titles come from repositories: they are quoted, on one line and cut, and never more than data.
 */
import type { BriefStatement } from "../../schema/brief.ts";
import type {
  ExaminedChange,
  ExaminedDocument,
  ExaminedRange,
  ExaminedRepository,
  UnexaminedRepository,
} from "./examined.ts";

const TITLE_UNITS = 200;

export function documentStatement(
  { repository, commitSha }: ExaminedRepository,
  { sourcePath, state, citation, title, totalLines }: ExaminedDocument,
): BriefStatement {
  const trace = { repository, commitSha, sourcePath, citation: state === "found" ? citation : null };
  const id = `document:${repository}:${sourcePath}`;
  if (state === "missing") {
    return {
      id,
      label: "Missing document",
      statement: `${repository} has no ${sourcePath} at ${commitSha}.`,
      trace,
    };
  }
  if (state === "blocked") {
    const statement = `Policy forbids reading ${sourcePath} of ${repository}.`;
    return { id, label: "Blocked document", statement, trace };
  }
  const size = totalLines === null ? "" : `, ${totalLines} ${totalLines === 1 ? "line" : "lines"}`;
  const named = title === null ? "" : `, titled "${oneLine(title)}"`;
  return {
    id,
    label: "Document",
    statement: `${repository} has ${sourcePath} at ${commitSha}${size}${named}.`,
    trace,
  };
}

export function changeStatement(range: ExaminedRange, change: ExaminedChange): BriefStatement {
  const { repository, base, head } = range;
  const { status, sourcePath, previousPath, citation } = change;
  const what = {
    A: "was added",
    M: "was modified",
    D: "was deleted",
    T: "changed its type (file, symlink or submodule)",
    R: `was moved unchanged from ${previousPath ?? "another path"}`,
  }[status];
  return {
    id: `change:${repository}:${sourcePath}`,
    label: "Change",
    statement: `${sourcePath} of ${repository} ${what} between ${base} and ${head}.`,
    trace: { repository, commitSha: status === "D" ? base : head, sourcePath, citation },
  };
}

/** That nothing differs is known too; there is nothing to cite for it. */
export function noChangeStatement({ repository, base, head }: ExaminedRange): BriefStatement {
  return {
    id: `changes:${repository}`,
    label: "Change",
    statement: `No path of ${repository} differs between ${base} and ${head}.`,
    trace: { repository, commitSha: head, sourcePath: null, citation: null },
  };
}

export function leftOutStatement(range: ExaminedRange, shown: number, compareTool: string): BriefStatement {
  const { repository, base, head, total } = range;
  return {
    id: `left-out:${repository}`,
    label: "Left out",
    statement: `${total - shown} of ${total} changed paths of ${repository} between ${base} and ${head} are left out here; ${compareTool} lists them all.`,
    trace: { repository, commitSha: head, sourcePath: null, citation: null },
  };
}

export function unexaminedStatement({ repository, reason }: UnexaminedRepository): BriefStatement {
  return {
    id: `not-examined:${repository}`,
    label: "Not examined",
    statement: `${repository} could not be examined: ${reason}`,
    trace: { repository, commitSha: null, sourcePath: null, citation: null },
  };
}

export function furtherUnexaminedStatement(count: number): BriefStatement {
  return {
    id: "not-examined",
    label: "Not examined",
    statement: `${count} further ${count === 1 ? "repository was" : "repositories were"} not examined; name those you need.`,
    trace: { repository: null, commitSha: null, sourcePath: null, citation: null },
  };
}

const oneLine = (text: string): string => {
  const line = text.replace(/[\p{White_Space}\p{Cc}\p{Bidi_Control}]+/gu, " ").trim();
  const cut = line.slice(0, TITLE_UNITS).toWellFormed();
  return line.length > TITLE_UNITS ? `${cut}…` : line;
};
