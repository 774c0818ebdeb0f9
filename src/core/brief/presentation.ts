/** How a brief is shown to whom: title, reading note, and the order of sections. Facts and gaps are not touched. */
import type { Audience, BriefStatement, EvidenceBrief } from "../../schema/brief.ts";

type Section = "documents" | "changes" | "gaps";

interface Manner {
  title: string;
  readingNote: string;
  order: readonly [Section, Section, Section];
}

const MANNERS: Record<Audience, Manner> = {
  technical: {
    title: "Evidence brief for engineers",
    readingNote: "Each fact carries its citation and a git command that prints the cited bytes.",
    order: ["changes", "documents", "gaps"],
  },
  product: {
    title: "Evidence brief for product",
    readingNote: "Facts say what stands in the repositories, not whether it is right or finished.",
    order: ["documents", "changes", "gaps"],
  },
  design: {
    title: "Evidence brief for design",
    readingNote: "Facts name files by their paths; whether one concerns design is for its reader to see.",
    order: ["documents", "changes", "gaps"],
  },
  support: {
    title: "Evidence brief for support",
    readingNote: "Quote a fact with its citation, so that an engineer can open the very lines.",
    order: ["documents", "gaps", "changes"],
  },
  operations: {
    title: "Evidence brief for operations",
    readingNote: "Changes are between two commits; what is deployed is not known here.",
    order: ["changes", "gaps", "documents"],
  },
  leadership: {
    title: "Evidence brief for leadership",
    readingNote: "Gaps come first: what is missing, may not be read, or was not examined.",
    order: ["gaps", "documents", "changes"],
  },
};

const TITLES: Record<Section, string> = { documents: "Documents", changes: "Changes", gaps: "Gaps" };

export function presentFor(
  audience: Audience,
  parts: Record<Section, readonly BriefStatement[]>,
  repositories: number,
): EvidenceBrief["presentation"] {
  const { title, readingNote, order } = MANNERS[audience];
  const facts = parts.documents.length + parts.changes.length;
  return {
    title,
    summary: `${count(facts, "known fact")} and ${count(parts.gaps.length, "gap")} from ${count(repositories, "repository", "repositories")}; nothing is inferred.`,
    readingNote,
    sections: order.map((section) => ({ title: TITLES[section], ids: parts[section].map(({ id }) => id) })),
  };
}

const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
