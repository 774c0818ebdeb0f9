/**
 * `pin.verify`: re-checks a citation at its commit and at HEAD. Gathers the bytes; the verdict itself is
 * `core/evidence/verdict.ts`. A blocked or unreachable place gets no verdict: `mustContain` would be an oracle.
 */
import { envelopeOf } from "../core/evidence/envelope.ts";
import { type Cited, judge, type Standing } from "../core/evidence/verdict.ts";
import type { TreeEntry } from "../core/git/tree-entry.ts";
import { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import type { Head } from "../ports/repository-reader.ts";
import type { NextCall } from "../schema/common.ts";
import type { VerificationReport, VerifyAnyInput, VerifyInput } from "../schema/verification.ts";
import { type Located, locate } from "./locate.ts";
import { nextTool } from "./next.ts";
import { proofOf } from "./proof.ts";
import type { ServicePorts } from "./service-ports.ts";
import { type AskedLines, askedLines, citationAt, sliceOf } from "./slice.ts";
import { verifyAbsence } from "./verify-absence.ts";

/** What the tool takes: a path's citation, or an absence. */
export async function verifyAny(
  ports: ServicePorts,
  input: VerifyAnyInput,
  call: Call,
): Promise<VerificationReport> {
  const { absence, sourcePath } = input;
  if (absence !== undefined) return await verifyAbsence(ports, { ...input, absence }, call);
  if (sourcePath !== undefined) return await verify(ports, { ...input, sourcePath }, call);
  throw new GitpinError(
    "invalid_argument",
    "sourcePath is missing.",
    "Give sourcePath, or absence for a search that found nothing.",
    { field: "sourcePath" },
  );
}

export async function verify(
  ports: ServicePorts,
  input: VerifyInput,
  call: Call,
): Promise<VerificationReport> {
  const asked = askedLines(input.line, input.lineEnd, ["line", "lineEnd"]);
  const located = await locate(ports, call, input);
  const cited = await citedBytes(located, asked);
  const head = await located.reader.head();
  const verdict = judge(cited, input, await standingAtHead(located, cited, head));
  const found = located.outcome.status === "ok" ? located.outcome.found.entry : null;
  const status = verdict.status === "missing" || verdict.status === "blocked" ? verdict.status : "ok";
  return {
    ...envelopeOf("verification-report"),
    ...verdict,
    citation: citationAt(ports, located, asked, status, input),
    repository: located.entry.name,
    sourcePath: located.sourcePath,
    commitSha: located.commitSha,
    blobSha: status === "ok" && cited.kind === "slice" ? (found?.id ?? null) : null,
    entryType: found?.kind ?? null,
    range: cited.kind === "slice" ? cited.range : null,
    totalLines: "totalLines" in cited ? (cited.totalLines ?? null) : null,
    reachable: located.reachable,
    headCommitSha: head.sha,
    headMatchesClaimedSha: head.sha === located.commitSha,
    head: { ...head },
    proof: located.outcome.status === "ok" && cited.kind === "slice" ? proofOf(located.outcome) : null,
    next: nextOf(verdict, input, located, call),
  };
}

async function citedBytes(located: Located, asked: AskedLines): Promise<Cited> {
  const { outcome, reader } = located;
  if (outcome.status !== "ok") return { kind: outcome.status, reason: outcome.reason };
  const { kind, id } = outcome.found.entry;
  if (kind !== "directory" && kind !== "submodule") {
    return (await sliceOf(reader, outcome.found.entry, asked)).slice;
  }
  return asked === null
    ? { kind: "object", what: kind, id }
    : { kind: "missing", reason: `The path is a ${kind} at this commit: it has no lines.` };
}

/** What stands at the path at HEAD. Equal ids need no bytes; what is blocked or missing is not looked up. */
async function standingAtHead(located: Located, cited: Cited, head: Head): Promise<Standing> {
  const { outcome, reader, commitSha, sourcePath } = located;
  if (head.sha === commitSha || outcome.status !== "ok") return { kind: "same-commit" };
  if (cited.kind === "missing" || cited.kind === "blocked") return { kind: "gone" };
  const tip = await reader.commit(head.sha);
  const now = tip === null ? null : await reader.entry(tip, sourcePath);
  if (now === null) return { kind: "gone" };
  const then = outcome.found.entry;
  if (now.entry.id === then.id && sameBytes(now.entry, then)) return { kind: "same-object" };
  if (now.entry.kind === "directory" || now.entry.kind === "submodule") return { kind: "other-object" };
  return { kind: "blob", bytes: await reader.blob(now.entry.id) };
}

/** A file and a symlink may share an id, but `git show` gives the same bytes for both; only gitlinks differ. */
const sameBytes = (one: TreeEntry, other: TreeEntry): boolean =>
  (one.kind === "submodule") === (other.kind === "submodule");

function nextOf(
  verdict: Pick<VerificationReport, "status" | "freshness" | "movedTo">,
  input: VerifyInput,
  located: Located,
  call: Call,
): NextCall {
  const place = { repository: input.repository, sourcePath: input.sourcePath };
  if (verdict.freshness === "moved" && verdict.movedTo !== null && verdict.status === "ok") {
    const { start, end } = verdict.movedTo;
    return nextTool("pin.prove", call.spelling, { ...place, lineStart: start, lineEnd: end });
  }
  if (verdict.status === "mismatch") {
    return verdict.freshness === "gone"
      ? nextTool("pin.read", call.spelling, { repository: input.repository })
      : nextTool("pin.read", call.spelling, place);
  }
  if (verdict.status === "contradicted") {
    return nextTool("pin.read", call.spelling, { ...place, sha: located.commitSha });
  }
  return null;
}
