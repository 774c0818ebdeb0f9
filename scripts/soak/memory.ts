/**
 * Whether memory grows: the middle of the last third of all samples beside that of the second third. The first third is warming up.
 * A runtime takes and gives back memory as it likes, so a bound leaves room; what leaks goes through every bound.
 */
const MIB = 1024 * 1024;
const GROWTH_AT_MOST = 1.25;
const SLACK_BYTES = 48 * MIB;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

export interface Growth {
  middle: number;
  end: number;
  peak: number;
  grows: boolean;
}

/** `samples`: resident bytes, evenly in time. Null: too few to say. */
export function growthOf(samples: readonly number[]): Growth | null {
  const third = Math.floor(samples.length / 3);
  if (third < 5) return null;
  const middle = median(samples.slice(third, 2 * third));
  const end = median(samples.slice(2 * third));
  return { middle, end, peak: Math.max(...samples), grows: end > middle * GROWTH_AT_MOST + SLACK_BYTES };
}

export const mib = (bytes: number): string => `${(bytes / MIB).toFixed(0)} MiB`;
