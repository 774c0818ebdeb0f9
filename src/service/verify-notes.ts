/**
 * Every citation in notes, checked as `pin.verify` checks one. Equal ones are asked once, a few at a time. What is beyond
 * the bound, malformed or could not be checked keeps the whole from being ok: a gate must not pass what it did not see.
 */
import { envelopeOf } from "../core/evidence/envelope.ts";
import { findCitations } from "../core/notes/find-citations.ts";
import type { Finding, FoundCitation } from "../core/notes/finding.ts";
import { movedCitation } from "../core/notes/moved-citation.ts";
import type { Call } from "../ports/call.ts";
import { type CheckedCitation, type CitationsReport, NOTES } from "../schema/citations-report.ts";
import type { VerificationReport, VerifyInput } from "../schema/verification.ts";
import { type ItemOutcome, outcomeOf } from "./item-outcome.ts";
import type { ServicePorts } from "./service-ports.ts";
import { sideBySide } from "./side-by-side.ts";
import { verify } from "./verify.ts";

const TEXT_UNITS = 500;

type Outcome = ItemOutcome<VerificationReport>;

export async function verifyNotes(ports: ServicePorts, notes: string, call: Call): Promise<CitationsReport> {
  const found = findCitations(notes);
  const looked = found.slice(0, NOTES.citations);
  const asked = new Map<string, VerifyInput>();
  for (const finding of looked) {
    if (finding.kind === "citation") asked.set(keyOf(finding), inputOf(finding));
  }
  const outcomes = new Map<string, Outcome>();
  await sideBySide([...asked], async ([key, input]) => {
    outcomes.set(key, await outcomeOf(() => verify(ports, input, call)));
  });
  const citations = looked.map((finding) =>
    finding.kind === "malformed"
      ? row(finding, { verdict: "malformed", reason: finding.reason })
      : checked(finding, outcomes.get(keyOf(finding))),
  );
  return reportOn(citations, found.length);
}

function inputOf({ citation }: FoundCitation): VerifyInput {
  const { repository, sourcePath, sha, line, lineEnd } = citation;
  return { repository, sourcePath, sha, ...(line === null ? {} : { line, lineEnd: lineEnd ?? line }) };
}

const keyOf = (finding: FoundCitation): string => JSON.stringify(inputOf(finding));

function checked(finding: FoundCitation, outcome: Outcome | undefined): CheckedCitation {
  if (outcome === undefined) throw new TypeError("a citation was not asked for");
  const { result, error } = outcome;
  if (result === null) {
    const reason = `${error.code}: ${error.message} ${error.nextStep}`;
    return row(finding, {
      verdict: "error",
      reason,
      error: { ...error, data: { ...error.data } } as CheckedCitation["error"],
    });
  }
  return row(finding, {
    verdict: result.status,
    reason: result.reason,
    movedTo: result.status === "ok" ? movedCitation(finding.citation.form, result) : null,
    report: result,
  });
}

const row = (
  { line, column, text }: Finding,
  known: Pick<CheckedCitation, "verdict" | "reason"> & Partial<CheckedCitation>,
): CheckedCitation => ({
  line,
  column,
  text: text.length > TEXT_UNITS ? `${text.slice(0, TEXT_UNITS).toWellFormed()}…` : text,
  movedTo: null,
  report: null,
  error: null,
  ...known,
});

function reportOn(citations: CheckedCitation[], found: number): CitationsReport {
  const count = (test: (one: CheckedCitation) => boolean): number => citations.filter(test).length;
  const ok = count(({ verdict }) => verdict === "ok");
  const malformed = count(({ verdict }) => verdict === "malformed");
  const unchecked = count(({ verdict }) => verdict === "error");
  const beyondLimit = found - citations.length;
  const incomplete = unchecked + beyondLimit > 0;
  return {
    ...envelopeOf("citations-report"),
    status: incomplete ? "incomplete" : ok === citations.length ? "ok" : "not-ok",
    summary: {
      citations: found,
      ok,
      moved: count(({ movedTo }) => movedTo !== null),
      notOk: citations.length - ok - malformed - unchecked,
      malformed,
      unchecked,
      beyondLimit,
    },
    citations,
  };
}
