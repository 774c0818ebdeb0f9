/** A verdict in words for people: one line, how serious it is, and two words for a badge. Says what stands, never what is true. */
import type { VerificationReport } from "../../schema/verification.ts";

export interface VerdictWords {
  /** Class of the style sheet; colour is never the only sign. */
  tone: "ok" | "warn" | "bad";
  headline: string;
  badge: string;
}

type Facts = Pick<VerificationReport, "status" | "freshness" | "movedTo" | "absence">;

export function verdictWords({ status, freshness, movedTo, absence }: Facts): VerdictWords {
  if (status === "ok" && absence !== undefined)
    return {
      tone: "ok",
      headline: "Still absent: the search finds nothing at that commit.",
      badge: "absent",
    };
  if (status === "ok" && freshness === "moved") {
    const place = movedTo === null ? "" : ` to ${linesText(movedTo.start, movedTo.end)}`;
    return { tone: "ok", headline: `Still there: the lines moved${place}.`, badge: "moved" };
  }
  if (status === "ok") return { tone: "ok", headline: "Still so at HEAD.", badge: "still so" };
  if (status === "mismatch") {
    return freshness === "gone"
      ? { tone: "warn", headline: "It stands at that commit; at HEAD the path is gone.", badge: "gone" }
      : { tone: "warn", headline: "It stands at that commit; at HEAD it was changed.", badge: "changed" };
  }
  if (status === "contradicted")
    return {
      tone: "bad",
      headline: "Contradicted: the commit does not hold what was asked for.",
      badge: "contradicted",
    };
  if (status === "blocked")
    return { tone: "bad", headline: "Blocked: this may not be shown.", badge: "blocked" };
  return { tone: "bad", headline: "Missing: there is no such commit, path or line.", badge: "missing" };
}

/** `line 3`, `lines 3 to 5` */
export const linesText = (start: number, end: number): string =>
  start === end ? `line ${start}` : `lines ${start} to ${end}`;
