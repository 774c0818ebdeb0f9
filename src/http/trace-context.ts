/**
 * W3C Trace Context, as far as this service takes part in it: reads a caller's `traceparent`, gives itself a span in that
 * trace, and writes the header on. Refuses every value that the recommendation calls invalid, as if there were none.
 * `tracestate` belongs to other vendors and goes no further.
 */

export interface Trace {
  /** 32 lower-case hex digits, not all zero. */
  traceId: string;
  /** This request's own span, 16 lower-case hex digits, not all zero. */
  spanId: string;
  /** `01`: the caller records this trace. */
  flags: string;
}

/** Versions above 00 may append fields; ff is none. */
const HEADER = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?$/;

/** Bits that version 00 defines: sampled, and (Level 2) a random trace id. */
const KNOWN_FLAGS = 0b11;

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Null: no trace, or none that is valid. */
export function readTrace(
  header: string | null,
  random: (bytes: number) => Uint8Array = (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
): Trace | null {
  const [, version, traceId, flags, more] = HEADER.exec(header ?? "") ?? [];
  if (traceId === undefined || flags === undefined || (version === "00" && more !== undefined)) return null;
  const span = random(8);
  // All zero is the one id that no span may have.
  if (span.every((byte) => byte === 0)) span[7] = 1;
  return { traceId, spanId: hex(span), flags: hex(Uint8Array.of(Number.parseInt(flags, 16) & KNOWN_FLAGS)) };
}

export const traceparentOf = ({ traceId, spanId, flags }: Trace): string =>
  `00-${traceId}-${spanId}-${flags}`;
