/**
 * The verdict on a citation, as a function of bytes and nothing else. Follows the contract's "Verification report".
 * Precedence: blocked, missing, contradicted, mismatch, ok. It says what stands where, never what is true.
 *
 * A whole-file citation means the file as such: it is unchanged or changed, it cannot move within itself. Lines can.
 */
import type { VerificationReport } from "../../schema/verification.ts";
import { sha256 } from "../git/hash.ts";
import { sliceLines } from "../git/lines.ts";
import { containsText } from "./contains-text.ts";
import { findMoved } from "./moved.ts";
import type { Slice } from "./slice.ts";

/** What was found at the cited commit. */
export type Cited =
  | { kind: "blocked"; reason: string }
  /** No such commit, path or line. */
  | { kind: "missing"; reason: string; totalLines?: number }
  /** `selectSlice` of the blob. */
  | Slice
  /** A directory or submodule: it has an id but no bytes to cite. */
  | { kind: "object"; what: "directory" | "submodule"; id: string };

/** What stands at the same path at HEAD. Not looked at when the citation is blocked or missing. */
export type Standing =
  | { kind: "same-commit" }
  /** An older commit, the same object id: its bytes need not be fetched. */
  | { kind: "same-object" }
  | { kind: "blob"; bytes: Uint8Array }
  /** Something whose bytes cannot hold the cited ones: a directory for a file, another tree for a tree. */
  | { kind: "other-object" }
  | { kind: "gone" };

export interface Question {
  mustContain?: string | undefined;
  /** 64 hex digits, in either case. */
  contentSha256?: string | undefined;
}

export type Judgement = Pick<
  VerificationReport,
  "status" | "reason" | "claimVerdict" | "freshness" | "headContentMatches" | "movedTo" | "contentSha256"
>;

export function judge(cited: Cited, question: Question, atHead: Standing): Judgement {
  if (cited.kind === "blocked" || cited.kind === "missing") {
    const claimVerdict = question.mustContain === undefined ? null : "unproven";
    return {
      status: cited.kind,
      reason: cited.reason,
      claimVerdict,
      ...NOTHING_AT_HEAD,
      contentSha256: null,
    };
  }
  const contentSha256 = cited.kind === "slice" ? sha256(cited.bytes) : null;
  const head = compareWithHead(cited, atHead);
  const text = textFault(cited, question.mustContain);
  const hash = hashFault(contentSha256, question.contentSha256);
  const claimVerdict =
    question.mustContain === undefined ? null : text === null ? "supported" : "contradicted";
  const facts = { claimVerdict, ...head, contentSha256 } as const;

  if (text !== null || hash !== null) {
    return {
      status: "contradicted",
      reason: [text, hash].filter((fault) => fault !== null).join(" "),
      ...facts,
    };
  }
  const status = head.freshness === "changed" || head.freshness === "gone" ? "mismatch" : "ok";
  return { status, reason: reasonOf(head), ...facts };
}

type HeadFields = Pick<Judgement, "freshness" | "headContentMatches" | "movedTo">;

const NOTHING_AT_HEAD: HeadFields = { freshness: null, headContentMatches: null, movedTo: null };

function compareWithHead(
  cited: Exclude<Cited, { kind: "blocked" | "missing" }>,
  atHead: Standing,
): HeadFields {
  const fields = (freshness: HeadFields["freshness"], headContentMatches: boolean): HeadFields => ({
    freshness,
    headContentMatches,
    movedTo: null,
  });
  if (atHead.kind === "same-commit") return fields("head", true);
  if (atHead.kind === "same-object") return fields("unchanged", true);
  if (atHead.kind === "gone") return fields("gone", false);
  if (atHead.kind === "other-object" || cited.kind === "object") return fields("changed", false);

  const { range, wholeFile, bytes } = cited;
  const samePlace =
    wholeFile || range === null ? atHead.bytes : sliceLines(atHead.bytes, range.start, range.end);
  if (samePlace !== null && Buffer.compare(samePlace, bytes) === 0) return fields("unchanged", true);
  const movedTo = wholeFile ? null : findMoved(bytes, atHead.bytes);
  if (movedTo === null) return fields("changed", false);
  return { freshness: "moved", headContentMatches: false, movedTo };
}

function textFault(cited: Cited, mustContain: string | undefined): string | null {
  if (mustContain === undefined) return null;
  if (cited.kind === "object") return `A ${cited.what} holds no text.`;
  if (cited.kind === "slice" && containsText(cited.bytes, mustContain)) return null;
  return "The text asked for does not stand in the cited bytes at this commit.";
}

function hashFault(actual: string | null, asked: string | undefined): string | null {
  if (asked === undefined || asked.toLowerCase() === actual) return null;
  return "The SHA-256 of the cited bytes at this commit is not the one asked for.";
}

function reasonOf({ freshness, movedTo }: HeadFields): string {
  switch (freshness) {
    case "head":
      return "The cited bytes stand at this commit, which is HEAD.";
    case "unchanged":
      return "The cited bytes stand at this commit and, unchanged, at HEAD.";
    case "moved":
      return `The cited bytes stand at this commit; at HEAD they stand in ${lines(movedTo)}.`;
    case "gone":
      return "The cited bytes stand at this commit; at HEAD the path is gone.";
    default:
      return "The cited bytes stand at this commit; at HEAD they differ.";
  }
}

const lines = (range: Judgement["movedTo"]): string =>
  range === null || range.start === range.end
    ? `line ${range?.start}`
    : `lines ${range.start} to ${range.end}`;
