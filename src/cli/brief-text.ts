/** An evidence brief as text: sections as the audience is to see them, each statement with what it rests on. */

import { printable } from "../core/printable.ts";
import type { EvidenceBrief } from "../schema/brief.ts";

export function briefText(brief: EvidenceBrief): string {
  const { presentation, knownFacts, gaps, scope, nextSafeAction, evidenceSetId } = brief;
  const statements = new Map([...knownFacts, ...gaps].map((statement) => [statement.id, statement]));
  const sections = presentation.sections.flatMap(({ title, ids }) => [
    "",
    title,
    ...ids.flatMap((id) => {
      const known = statements.get(id);
      if (known === undefined) return [];
      const cite = known.trace.citation?.cite;
      return [`  - ${known.statement}`, ...(cite === undefined ? [] : [`    ${cite}`])];
    }),
  ]);
  return `${[
    presentation.title,
    presentation.summary,
    ...sections,
    "",
    presentation.readingNote,
    ...scope.repositories.map(({ repository, commitSha }) => `examined ${repository}@${commitSha}`),
    `next: ${nextSafeAction.statement}`,
    `set ${evidenceSetId}`,
  ]
    .map(printable)
    .join("\n")}\n`;
}
