/**
 * Estimates how many instructions an expression compiles to, before it is compiled: `((a{99}){99}){99}` must be refused
 * before it costs anything. An estimate, a little too high; the compiled program is measured again.
 */
import type { Token } from "./regex-tokens.ts";

/** An open group: instructions of its finished parts, and of the last atom, which a repetition multiplies. */
interface Level {
  done: number;
  atom: number;
}

/** Can be infinite. */
export function estimateSize(tokens: readonly Token[]): number {
  const levels: Level[] = [];
  let level: Level = { done: 0, atom: 0 };
  const add = (size: number): void => {
    level.done += level.atom;
    level.atom = size;
  };
  for (const token of tokens) {
    if (token.kind === "open") {
      levels.push(level);
      level = { done: 1, atom: 0 };
    } else if (token.kind === "close") {
      const size = level.done + level.atom + 1;
      level = levels.pop() ?? { done: 0, atom: 0 };
      add(size);
    } else if (token.kind === "repeat") {
      const copies = Math.max(1, token.least, token.most ?? 0);
      level.atom = level.atom * copies + (token.least === token.most ? 0 : copies);
    } else if (token.kind !== "flags") {
      add(1);
    }
  }
  return level.done + level.atom;
}
