/**
 * GitHub's bound on requests that create content: 80 a minute and 500 an hour for one holder of a credential. It never tells where one
 * stands, so they are counted ahead. Pure; times are milliseconds by our clock.
 * A request counts from when it was answered, as GitHub may have taken it at any moment until then.
 */

const BOUNDS = [
  { atMost: 80, withinMs: 60_000 },
  { atMost: 500, withinMs: 3_600_000 },
];
const KEPT_MS = Math.max(...BOUNDS.map(({ withinMs }) => withinMs));

/** From when on one more may be sent; null: now. `times`: of those before, ascending. */
export function nextCreation(times: readonly number[], now: number): number | null {
  const open = BOUNDS.map(
    ({ atMost, withinMs }) => (times.at(-atMost) ?? Number.NEGATIVE_INFINITY) + withinMs,
  );
  const until = Math.max(...open);
  return until > now ? until : null;
}

/** One more under way since `now`. */
export const creationBegun = (times: readonly number[], now: number): number[] => [
  ...times.filter((time) => time + KEPT_MS > now),
  now,
];

/** The one that began then was answered now. One that nobody knows (of another isolate's count) is counted from here on. */
export function creationAnswered(times: readonly number[], begun: number, now: number): number[] {
  const at = times.indexOf(begun);
  return creationBegun(at < 0 ? times : times.toSpliced(at, 1), now);
}
