/**
 * Several matchers as one: a line matches where any of them does, as `git grep -e <one> -e <other>` has it. Each looks for itself,
 * so that none hides another's match, which one expression of alternatives does where one text begins another.
 */
import type { LineMatcher, LineRange } from "./line-matcher.ts";

/** `matchers`: one at least. */
export function anyMatcher(matchers: readonly LineMatcher[]): LineMatcher {
  const [only, ...others] = matchers;
  if (only !== undefined && others.length === 0) return only;
  return {
    workPerByte: matchers.reduce((sum, { workPerByte }) => sum + workPerByte, 0),
    scan(bytes, from, to, found) {
      const lines = new Map<number, number>();
      const left = matchers.map((one) =>
        one.scan(bytes, from, to, (start, end) => void lines.set(start, end)),
      );
      for (const [start, end] of [...lines].sort(([one], [other]) => one - other)) found(start, end);
      return Math.max(...left);
    },
    ranges(bytes, start, end, limit) {
      const each = matchers.map((one) => one.ranges(bytes, start, end, limit));
      const all = each.flatMap(({ ranges }) => ranges);
      // Of two that begin together the longer is shown.
      all.sort((one, other) => one.offset - other.offset || other.length - one.length);
      const ranges: LineRange[] = [];
      let behind = 0;
      for (const range of all) {
        if (range.offset < behind) continue;
        ranges.push(range);
        behind = range.offset + range.length;
      }
      return { ranges: ranges.slice(0, limit), more: ranges.length > limit || each.some(({ more }) => more) };
    },
  };
}
