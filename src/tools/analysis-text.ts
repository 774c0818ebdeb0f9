/** Briefs and coverage as lines that a person can read: facts with their citations, then gaps. */

import { printable } from "../core/printable.ts";
import type { Analysis } from "../schema/analysis.ts";

export function analysisText(answer: Analysis): string {
  if (answer.kind === "coverage") {
    const rows = (answer.rows ?? []).map(({ repository, commitSha, reason, documents }) =>
      reason === null
        ? `${repository}@${commitSha}  ${documents.map((one) => `${one.sourcePath}: ${one.state}`).join(", ")}`
        : `${repository}  not examined: ${reason}`,
    );
    return [`${answer.examined} examined, ${answer.notExamined} not`, ...rows].map(printable).join("\n");
  }
  const { presentation, evidenceSetId, knownFacts = [], gaps = [] } = answer;
  return [
    `${presentation?.title}: ${presentation?.summary}`,
    `evidence set ${evidenceSetId}`,
    ...knownFacts.map(
      ({ statement, trace }) =>
        `fact  ${statement}${trace.citation === null ? "" : `  ${trace.citation.cite}`}`,
    ),
    ...gaps.map(({ statement }) => `gap   ${statement}`),
  ]
    .map(printable)
    .join("\n");
}
