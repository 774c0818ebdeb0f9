/** What `Tool.pinned` of the tools says: asked for by a full SHA, and there. What is missing or blocked today may be shown tomorrow. */

const isFull = (sha: string | undefined): boolean => sha?.length === 40;

/** Of tools that take `sha`. */
export const pinnedBySha = ({ sha }: { sha?: string | undefined }, { status }: { status: string }): boolean =>
  isFull(sha) && status === "ok";

export const pinnedByBoth = (
  { base, head }: { base: string; head: string },
  { status }: { status: string },
): boolean => isFull(base) && isFull(head) && status === "ok";
