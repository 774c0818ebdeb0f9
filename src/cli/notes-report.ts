/**
 * Notes -> what became of each citation in them. Owns the verdict of one finding and the sums; no output, no files.
 * A malformed citation is never ok. A citation that moved is ok, and says where to.
 */
import { findCitations } from "../core/notes/find-citations.ts";
import type { Finding } from "../core/notes/finding.ts";
import { movedCitation as moved } from "../core/notes/moved-citation.ts";
import { type Replacement, rewriteCitations } from "../core/notes/rewrite.ts";
import { GitpinError } from "../errors.ts";
import type { VerifyInput } from "../schema/verification.ts";
import type { Connection } from "./connection.ts";
import { type Outcome, verifyAll } from "./verify-all.ts";

export interface CheckedFinding {
  finding: Finding;
  /** Null for a malformed citation: there was nothing to ask. */
  outcome: Outcome | null;
}

export interface CheckedNotes {
  /** As the file was named; `-` for standard input. */
  file: string;
  notes: string;
  findings: CheckedFinding[];
}

/** All files at once, so that a citation that stands in several is asked once. */
export async function checkNotes(
  files: readonly { file: string; notes: string }[],
  connection: () => Promise<Connection>,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<CheckedNotes[]> {
  const found = files.map(({ file, notes }) => ({ file, notes, findings: findCitations(notes) }));
  const inputs = found.flatMap(({ findings }) => findings.flatMap((finding) => inputOf(finding) ?? []));
  const outcomes = inputs.length === 0 ? [] : await verifyAll(await connection(), inputs, sleep);
  let next = 0;
  return found.map(({ file, notes, findings }) => ({
    file,
    notes,
    findings: findings.map((finding) => ({
      finding,
      outcome: finding.kind === "malformed" ? null : (outcomes[next++] ?? null),
    })),
  }));
}

function inputOf(finding: Finding): VerifyInput | null {
  if (finding.kind === "malformed") return null;
  const { repository, sourcePath, sha, line, lineEnd } = finding.citation;
  return { repository, sourcePath, sha, ...(line === null ? {} : { line, lineEnd: lineEnd ?? line }) };
}

/** What a gate makes of one finding: 0 ok, 1 a verdict that is not, 2 not checked. */
export function exitOf({ outcome }: CheckedFinding): 0 | 1 | 2 {
  if (outcome === null) return 1;
  if (outcome.error !== null) return 2;
  return outcome.report.status === "ok" ? 0 : 1;
}

/** One word for it: a verdict, `malformed` or `error`. */
export const verdictOf = ({ outcome }: CheckedFinding): string =>
  outcome === null ? "malformed" : outcome.error !== null ? "error" : outcome.report.status;

/** The verdict in a sentence. */
export function reasonOf({ finding, outcome }: CheckedFinding): string {
  if (finding.kind === "malformed") return finding.reason;
  if (outcome === null) return "";
  return outcome.error === null
    ? outcome.report.reason
    : `${outcome.error.code}: ${outcome.error.message} ${outcome.error.nextStep}`;
}

/** The citation as it should read now, in the form it has; null when it did not move. */
export function movedCitation({ finding, outcome }: CheckedFinding): string | null {
  if (finding.kind === "malformed" || outcome === null || outcome.error !== null) return null;
  return moved(finding.citation.form, outcome.report);
}

/**
 * The notes with all citations that moved rewritten; every other character as it was. Null when none moved. Throws when the
 * rewritten notes would not read as they should: a place in Markdown may take one form and not another.
 */
export function fixedNotes({ file, notes, findings }: CheckedNotes): string | null {
  const replacements: Replacement[] = findings.flatMap((checked) => {
    const by = movedCitation(checked);
    return by === null ? [] : [{ found: checked.finding, by }];
  });
  if (replacements.length === 0) return null;
  const fixed = rewriteCitations(notes, replacements);
  const expected = findings.map((checked) => movedCitation(checked) ?? checked.finding.text);
  const read = findCitations(fixed).map(({ text }) => text);
  if (JSON.stringify(read) === JSON.stringify(expected)) return fixed;
  throw new GitpinError(
    "internal",
    `${file} was left as it is: rewritten, its citations would not read back.`,
    "Rewrite the moved citations by hand; the report without --fix names them.",
    { field: file },
  );
}
