/**
 * Cuts a file into stretches of whole lines that are searched one after the other, so that no step takes long and a file
 * too big to hold is still searched to its end. Owns: git's test for binary content, the bound on one line.
 * Around each stretch stay enough lines for the context of its first and last hit.
 */
import type { ArchiveFile } from "../archive/archive-file.ts";
import { asBuffer } from "../archive/raw-path.ts";

const NEWLINE = 10;

/** Git calls content binary when there is a NUL in this many first bytes. */
const SNIFFED_BYTES = 8000;

export const BLOCK_LIMITS = {
  /** Bytes of one stretch, or one line if that is longer. */
  stretch: 1_000_000,
  /** Bytes of a big file that are held at once; a line that does not fit is too long. */
  window: 8_000_000,
} as const;

/** `bytes[from, to)` is to be searched; what lies around it is for context only. */
export interface TextBlock {
  bytes: Buffer;
  from: number;
  to: number;
  /** Line number, 1-based, of the line that starts at `lineAt`, an offset not behind `from`. */
  line: number;
  lineAt: number;
}

export type BlockOrReason = TextBlock | "binary" | "line_too_long";

export function isBinary(bytes: Uint8Array): boolean {
  return asBuffer(bytes.subarray(0, SNIFFED_BYTES)).includes(0);
}

/** Stretches of content that is held whole and is not binary. */
export function* heldBlocks(content: Uint8Array): Generator<TextBlock> {
  const bytes = asBuffer(content);
  for (let from = 0; from < bytes.length; ) {
    const to = endOfStretch(bytes, from, bytes.length);
    yield { bytes, from, to, line: 1, lineAt: 0 };
    from = to;
  }
}

/**
 * Stretches of a file that is not held, read piece by piece; or, as the last value, why it is not searched further.
 * `context`: lines to keep around a stretch.
 */
export async function* streamedBlocks(file: ArchiveFile, context: number): AsyncGenerator<BlockOrReason> {
  let held: Buffer = Buffer.alloc(0);
  let searched = 0;
  let line = 1;
  let fresh: Uint8Array[] = [];
  let freshBytes = 0;
  let sniffed = false;
  const take = (): void => {
    const kept = startOfLines(held, searched, context);
    line += countLines(held, 0, kept);
    held = Buffer.concat([held.subarray(kept), ...fresh]);
    searched -= kept;
    fresh = [];
    freshBytes = 0;
  };
  for await (const piece of file.pieces()) {
    fresh.push(Buffer.from(piece));
    freshBytes += piece.byteLength;
    if (freshBytes < BLOCK_LIMITS.window / 2) continue;
    take();
    if (!sniffed && isBinary(held)) return yield "binary";
    sniffed = true;
    const end = startOfLines(held, held.lastIndexOf(NEWLINE) + 1, context);
    while (searched < end) {
      const to = endOfStretch(held, searched, end);
      yield { bytes: held, from: searched, to, line, lineAt: 0 };
      searched = to;
    }
    if (held.length - searched > BLOCK_LIMITS.window) return yield "line_too_long";
  }
  take();
  if (!sniffed && isBinary(held)) return yield "binary";
  while (searched < held.length) {
    const to = endOfStretch(held, searched, held.length);
    yield { bytes: held, from: searched, to, line, lineAt: 0 };
    searched = to;
  }
}

/** Behind the last terminator that keeps the stretch within its bound, else behind the next one. */
function endOfStretch(bytes: Buffer, from: number, end: number): number {
  if (end - from <= BLOCK_LIMITS.stretch) return end;
  const inside = bytes.lastIndexOf(NEWLINE, from + BLOCK_LIMITS.stretch - 1);
  if (inside >= from) return inside + 1;
  const behind = bytes.indexOf(NEWLINE, from + BLOCK_LIMITS.stretch);
  return behind < 0 || behind >= end ? end : behind + 1;
}

/** The start of the line `lines` above the line that starts at `at`. */
function startOfLines(bytes: Buffer, at: number, lines: number): number {
  let start = at;
  for (let i = 0; i < lines && start > 0; i++)
    start = start < 2 ? 0 : bytes.lastIndexOf(NEWLINE, start - 2) + 1;
  return start;
}

/** Terminators in `bytes[from, to)`. */
export function countLines(bytes: Buffer, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) if (bytes[at] === NEWLINE) lines++;
  return lines;
}
