/**
 * Whether memory grows: the least that the Worker's heap was in the last third of the run beside the least of the second third (the
 * first is warming up). Between collections a heap grows as it likes; what a collection cannot free is what counts. The process
 * around it is only bounded: an empty Worker's grows to some 600 MiB before the runtime gives anything back.
 */
const MIB = 1024 * 1024;
const GROWTH_AT_MOST = 1.25;
const SLACK_BYTES = 8 * MIB;
const RESIDENT_AT_MOST = 1024 * MIB;

export interface Sample {
  /** Used bytes of the Worker's V8 heap. */
  heap: number;
  /** Resident bytes of the process; null where that cannot be known. */
  resident: number | null;
}

export interface Growth {
  middle: number;
  end: number;
  resident: number;
  /** What is wrong with it; null: nothing. */
  fault: string | null;
}

const least = (samples: readonly Sample[]): number => Math.min(...samples.map(({ heap }) => heap));

/** `samples`: evenly in time. Null: too few to say. */
export function growthOf(samples: readonly Sample[]): Growth | null {
  const third = Math.floor(samples.length / 3);
  if (third < 5) return null;
  const middle = least(samples.slice(third, 2 * third));
  const end = least(samples.slice(2 * third));
  const resident = Math.max(...samples.map((sample) => sample.resident ?? 0));
  const grows = end > middle * GROWTH_AT_MOST + SLACK_BYTES;
  return {
    middle,
    end,
    resident,
    fault: grows
      ? `the heap grows: at least ${mib(middle)} in the middle of the run, ${mib(end)} at its end`
      : resident > RESIDENT_AT_MOST
        ? `the process takes ${mib(resident)}`
        : null,
  };
}

export const mib = (bytes: number): string => `${(bytes / MIB).toFixed(0)} MiB`;
