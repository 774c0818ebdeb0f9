/**
 * Content negotiation (RFC 9110, section 12.5.1): which of the offered media types an `Accept` header prefers.
 * Owns q-values, wildcards and specificity. Ties go to the order of the offer; a header that admits none is
 * refused with `not_acceptable`. Media type parameters other than `q` are ignored.
 */
import { GitpinError } from "../errors.ts";

interface Range {
  type: string;
  quality: number;
  /** 0 for any type, 1 for `text/*`, 2 for a full type: the most specific range decides. */
  specificity: 0 | 1 | 2;
}

function parseRange(text: string): Range | null {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return null;
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const quality = weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, "") || "bad");
  if (!(quality >= 0 && quality <= 1)) return null;
  return { type, quality, specificity: type === "*/*" ? 0 : type.endsWith("/*") ? 1 : 2 };
}

const admits = (range: Range, type: string): boolean =>
  range.specificity === 0 ||
  (range.specificity === 1 ? type.startsWith(range.type.slice(0, -1)) : type === range.type);

/** Quality that the header gives a type: 0 when it is not admitted. */
function qualityOf(ranges: readonly Range[], type: string): number {
  let best: Range | null = null;
  for (const range of ranges) {
    if (admits(range, type) && (best === null || range.specificity > best.specificity)) best = range;
  }
  return best?.quality ?? 0;
}

/** The offered type that the caller likes best, or null when it admits none. No header admits everything. */
export function prefer<T extends string>(accept: string | null, offered: readonly [T, ...T[]]): T | null {
  if (accept === null || accept.trim() === "") return offered[0];
  const ranges = accept.split(",").flatMap((text) => parseRange(text) ?? []);
  let best: T | null = null;
  let bestQuality = 0;
  for (const type of offered) {
    const quality = qualityOf(ranges, type);
    if (quality > bestQuality) [best, bestQuality] = [type, quality];
  }
  return best;
}

/** As `prefer`, but throws `not_acceptable` naming the offer. */
export function negotiate<T extends string>(accept: string | null, offered: readonly [T, ...T[]]): T {
  const type = prefer(accept, offered);
  if (type !== null) return type;
  throw new GitpinError(
    "not_acceptable",
    `This address answers as ${offered.join(" or ")} only.`,
    `Send Accept: ${offered[0]}, or no Accept header.`,
    { offered },
  );
}
