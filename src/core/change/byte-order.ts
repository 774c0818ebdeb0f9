/**
 * Git's order of paths: by the bytes of their UTF-8. JavaScript's own `<` orders by UTF-16 units, which differs
 * where one name holds a character above U+FFFF and the other one of U+E000 to U+FFFF.
 */

/** Negative, zero or positive, as `Array.prototype.sort` wants it. */
export function compareByteOrder(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  let at = 0;
  while (at < shared && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  if (at === shared) return left.length - right.length;
  return rank(left.charCodeAt(at)) - rank(right.charCodeAt(at));
}

/** UTF-16 units ranked as their code points are: surrogates stand for what lies above every other unit. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
