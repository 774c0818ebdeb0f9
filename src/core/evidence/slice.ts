/**
 * Which bytes of a blob a citation means. A range names lines that must all be there (nothing is clamped: a citation
 * of a line that does not exist is `missing`); no range means the whole file, whose range is null when it has no line.
 */
import { countLines, type LineRange, type LineRequest, sliceLines } from "../git/lines.ts";

export type { LineRange, LineRequest };

export interface Slice {
  kind: "slice";
  /** A view into the blob, line terminators included. */
  bytes: Uint8Array;
  /** Null only for an empty file. */
  range: LineRange | null;
  totalLines: number;
  /** No lines were asked for: the slice stands for the file as such. */
  wholeFile: boolean;
}

export interface NoSuchLines {
  kind: "missing";
  reason: string;
  totalLines: number;
}

export function selectSlice(blob: Uint8Array, lines: LineRequest | null): Slice | NoSuchLines {
  const totalLines = countLines(blob);
  if (lines === null) {
    const range = totalLines === 0 ? null : { start: 1, end: totalLines };
    return { kind: "slice", bytes: blob, range, totalLines, wholeFile: true };
  }
  const { start, end = start } = lines;
  const bytes = end > totalLines ? null : sliceLines(blob, start, end);
  return sliceOfLines({ bytes, totalLines }, { start, end });
}

/** The same of lines that were taken out of a blob already; `bytes` is null when it lacks one of them. */
export function sliceOfLines(
  { bytes, totalLines }: { bytes: Uint8Array | null; totalLines: number },
  { start, end }: LineRange,
): Slice | NoSuchLines {
  const asked = start === end ? `line ${start} does not exist` : `lines ${start} to ${end} do not all exist`;
  if (bytes === null) {
    const has = totalLines === 1 ? "1 line" : `${totalLines} lines`;
    return { kind: "missing", reason: `${asked}: the file has ${has} at this commit.`, totalLines };
  }
  return { kind: "slice", bytes, range: { start, end }, totalLines, wholeFile: false };
}
