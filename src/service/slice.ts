/**
 * From a located place to what prove and read say of its bytes: the shared fields of pack and slice.
 * Refuses to show content that policy blocks; a symlink's content is its target, a submodule or directory has none.
 */
import { citationOf } from "../core/citation/citation.ts";
import { contentOf } from "../core/evidence/content.ts";
import {
  type LineRange,
  type NoSuchLines,
  type Slice as Selected,
  selectSlice,
  sliceOfLines,
} from "../core/evidence/slice.ts";
import type { Question } from "../core/evidence/verdict.ts";
import { isBinary } from "../core/git/binary.ts";
import { readLfsPointer } from "../core/git/lfs-pointer.ts";
import type { TreeEntry } from "../core/git/tree-entry.ts";
import { GitpinError } from "../errors.ts";
import type { FoundEntry, RepositoryReader } from "../ports/repository-reader.ts";
import type { Citation } from "../schema/citation.ts";
import { type HeadState, LIMITS } from "../schema/common.ts";
import type { EvidencePack } from "../schema/evidence.ts";
import type { Located } from "./locate.ts";
import { proofOf } from "./proof.ts";
import type { ServicePorts } from "./service-ports.ts";
import { webPage } from "./web-page.ts";

/** Lines asked for; null for the whole file. */
export type AskedLines = LineRange | null;

export interface Slice {
  /** The shared fields of `evidence-pack` and `evidence-slice`, all but `next`. */
  fields: Omit<
    EvidencePack,
    "product" | "contract" | "kind" | "next" | "claim" | "claimTextMatch" | "agentInstruction"
  >;
  /** Raw bytes of the slice; null when there are none to show. */
  bytes: Uint8Array | null;
}

/** Throws `invalid_argument` for an end without a start, or before it. */
export function askedLines(
  start: number | undefined,
  end: number | undefined,
  names: [string, string],
): AskedLines {
  if (start === undefined && end === undefined) return null;
  if (start === undefined || (end !== undefined && end < start)) {
    const what = start === undefined ? `needs ${names[0]}` : `is before ${names[0]}`;
    throw new GitpinError(
      "invalid_argument",
      `${names[1]} ${what}.`,
      "Lines are 1-based and inclusive; give first and last, or the first alone for one line.",
      { field: names[1] },
    );
  }
  return { start, end: end ?? start };
}

export const headState = (located: Located): { head?: HeadState } =>
  located.head === null ? {} : { head: { ...located.head } };

/** The citation of a located place, whatever became of it; its commands ask the same `question`. */
export function citationAt(
  ports: ServicePorts,
  located: Located,
  lines: AskedLines,
  status: "ok" | "missing" | "blocked",
  question: Question = {},
): Citation {
  const { entry, outcome } = located;
  const found = outcome.status === "ok" ? outcome.found.entry : null;
  const hasBlob = found !== null && found.kind !== "directory" && found.kind !== "submodule";
  return citationOf({
    repository: entry.name,
    sourcePath: located.sourcePath,
    lines,
    commitSha: located.commitSha,
    blobSha: hasBlob ? found.id : null,
    kind: found?.kind ?? null,
    provenance: status === "ok" ? (located.pinned ? "git-commit" : "git-head") : status,
    webUrl: webPage(ports, entry),
    publicUrl: ports.publicUrl,
    needsToken: !located.open,
    mustContain: question.mustContain,
    contentSha256: question.contentSha256,
  });
}

export async function readSlice(
  ports: ServicePorts,
  located: Located,
  asked: AskedLines,
  maxBytes: number = LIMITS.contentBytes,
): Promise<Slice> {
  const { outcome } = located;
  if (outcome.status !== "ok") return nothing(ports, located, asked, outcome.status, outcome.reason, null);
  const { found } = outcome;
  const { kind, id } = found.entry;
  if (kind === "directory") {
    return nothing(
      ports,
      located,
      asked,
      "missing",
      "The path is a directory: it has entries, no lines.",
      found,
    );
  }
  if (kind === "submodule") {
    const reason = `The path is a submodule: the tree names commit ${id} of another repository, whose files are not here.`;
    return nothing(ports, located, asked, "missing", reason, found);
  }
  const { slice, start } = await sliceOf(located.reader, found.entry, asked);
  if (slice.kind === "missing") {
    const none = nothing(ports, located, asked, "missing", slice.reason, found);
    return { ...none, fields: { ...none.fields, totalLines: slice.totalLines } };
  }
  const { bytes, range, totalLines } = slice;
  return {
    bytes,
    fields: {
      status: "ok",
      reason: null,
      citation: citationAt(ports, located, asked, "ok"),
      ...where(located),
      blobSha: id,
      entryType: kind,
      lfsPointer: readLfsPointer(start) !== null,
      range,
      totalLines,
      ...contentOf(bytes, { maxBytes, firstLine: range?.start ?? 1, binary: isBinary(start) }),
      proof: proofOf(outcome),
      ...headState(located),
    },
  };
}

/** The slice of a blob, and the blob's start: of lines, also where the whole would be too large to hold. */
export async function sliceOf(
  reader: RepositoryReader,
  entry: TreeEntry,
  asked: AskedLines,
): Promise<{ slice: Selected | NoSuchLines; start: Uint8Array }> {
  if (asked === null) {
    const blob = await reader.blob(entry.id);
    return { slice: selectSlice(blob, null), start: blob };
  }
  const lines = await reader.lines(entry, asked);
  return { slice: sliceOfLines(lines, asked), start: lines.start };
}

/** What a place says that has no bytes to show: not there, blocked, or a directory. */
export const NO_BYTES = {
  blobSha: null,
  lfsPointer: false,
  range: null,
  totalLines: null,
  content: null,
  encoding: null,
  contentSha256: null,
  truncated: false,
  truncation: null,
  proof: null,
} as const;

const where = (located: Located) => ({
  repository: located.entry.name,
  sourcePath: located.sourcePath,
  commitSha: located.commitSha,
  reachable: located.reachable,
});

function nothing(
  ports: ServicePorts,
  located: Located,
  asked: AskedLines,
  status: "missing" | "blocked",
  reason: string,
  found: FoundEntry | null,
): Slice {
  return {
    bytes: null,
    fields: {
      status,
      reason,
      citation: citationAt(ports, located, asked, status),
      ...where(located),
      ...NO_BYTES,
      entryType: found?.entry.kind ?? null,
      ...headState(located),
    },
  };
}
