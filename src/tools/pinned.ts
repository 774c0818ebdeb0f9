/** What `Tool.pinned` of the tools says: asked for by a full SHA, and there. What is missing or blocked today may be shown tomorrow. */

const isFull = (sha: string | undefined): boolean => sha?.length === 40;

/** Of tools that take `sha`. */
export const pinnedBySha = ({ sha }: { sha?: string | undefined }, { status }: { status: string }): boolean =>
  isFull(sha) && status === "ok";

export const pinnedByBoth = (
  { base, head }: { base: string; head: string },
  { status }: { status: string },
): boolean => isFull(base) && isFull(head) && status === "ok";

/** Of lists that may depend on what one call could do: only a complete one is the same for ever. */
export const pinnedAndComplete = (
  input: { sha?: string | undefined },
  result: { status: string; complete: boolean },
): boolean => result.complete && pinnedBySha(input, result);
