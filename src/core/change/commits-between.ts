/**
 * `git rev-list base..head` out of a plain log of head: exact, or null where the log does not show enough to be sure.
 * Needs to know how many there are. Owns the proof that a set of that size, closed under parents, is the right one.
 */

interface Link {
  sha: string;
  parents: readonly string[];
}

/** What is known of both sides. */
export interface Span {
  base: string;
  /** A common ancestor. */
  mergeBase: string;
  /** How many commits `base..head` holds. */
  count: number;
}

/**
 * `log`: commits reachable from head, head among them, in any order; it may stop anywhere. The result keeps its order.
 *
 * Why it is exact: what base leads to is left out, and never anything else. If those that stay have no parent outside
 * (neither among them nor left out), then everything in `base..head` is among them, as each of its members is reached
 * from head through members alone. If they are also as many as there are, they are the same set.
 */
export function commitsBetween<C extends Link>(log: readonly C[], span: Span): C[] | null {
  if (span.count === 0) return [];
  const byId = new Map(log.map((commit) => [commit.sha, commit]));
  const ofBase = new Set<string>();
  const open = [span.base, span.mergeBase];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    if (ofBase.has(sha)) continue;
    ofBase.add(sha);
    open.push(...(byId.get(sha)?.parents ?? []));
  }
  const between = log.filter(({ sha }) => !ofBase.has(sha));
  const closed = between.every(({ parents }) => parents.every((sha) => byId.has(sha) || ofBase.has(sha)));
  return closed && between.length === span.count ? between : null;
}
