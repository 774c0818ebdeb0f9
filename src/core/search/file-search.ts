/**
 * One file's way through the matcher, stretch by stretch. Owns the count of matching lines and their numbers; lines are
 * numbered only while somebody wants to know, which a page that is full does not.
 */
import type { LinePlace } from "./hit.ts";
import type { LineMatcher } from "./line-matcher.ts";
import { countLines, type TextBlock } from "./text-blocks.ts";

/** Takes a matching line; false: no further line of this file is wanted. */
export type TakeLine = (line: LinePlace) => boolean;

export class FileSearch {
  readonly #matcher: LineMatcher;
  readonly #take: TakeLine;
  /** Line number `line` starts at offset `at` of the bytes last looked at. */
  #numbered: { bytes: Buffer; at: number; line: number } | null = null;
  #wanted = true;
  matchingLines = 0;
  /** Lines left out for their length. */
  longLines = 0;

  constructor(matcher: LineMatcher, take: TakeLine) {
    this.#matcher = matcher;
    this.#take = take;
  }

  block(block: TextBlock): void {
    const { bytes, from, to } = block;
    this.longLines += this.#matcher.scan(bytes, from, to, (start, end) => {
      this.matchingLines++;
      if (this.#wanted)
        this.#wanted = this.#take({ bytes, start, end, line: this.#lineNumber(block, start) });
    });
  }

  #lineNumber(block: TextBlock, start: number): number {
    const last =
      this.#numbered?.bytes === block.bytes
        ? this.#numbered
        : { bytes: block.bytes, at: block.lineAt, line: block.line };
    const line = last.line + countLines(block.bytes, last.at, start);
    this.#numbered = { bytes: block.bytes, at: start, line };
    return line;
  }
}
