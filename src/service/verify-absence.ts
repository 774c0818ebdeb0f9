/**
 * `pin.verify` of an absence: the search that it names is made again at its commit, over all that policy allows. Found:
 * contradicted. Not found by a complete search: ok. A search that is not complete decides nothing, and is an error.
 */
import { type Absence, parseAbsence } from "../core/citation/absence.ts";
import { soughtText } from "../core/citation/absence-text.ts";
import { citationOf } from "../core/citation/citation.ts";
import { envelopeOf } from "../core/evidence/envelope.ts";
import { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import type { Head } from "../ports/repository-reader.ts";
import type { Citation } from "../schema/citation.ts";
import type { NextCall } from "../schema/common.ts";
import type { AbsenceCitation } from "../schema/search.ts";
import type { VerificationReport, VerifyAnyInput } from "../schema/verification.ts";
import { nextTool } from "./next.ts";
import { queryOfAbsence } from "./search-query.ts";
import { type RepositorySearch, searchRepository } from "./search-repository.ts";
import type { ServicePorts } from "./service-ports.ts";
import { webPage } from "./web-page.ts";

export type AbsenceInput = VerifyAnyInput & { absence: string };

const OF_A_PATH = ["sourcePath", "line", "lineEnd", "mustContain", "contentSha256"] as const;

export async function verifyAbsence(
  ports: ServicePorts,
  input: AbsenceInput,
  call: Call,
): Promise<VerificationReport> {
  const absence = checked(input);
  const { repository, sha } = absence;
  const found = await searchRepository(ports, call, { repository, sha }, queryOfAbsence(absence), "archive");
  const { opened, outcome, row } = found;
  const head = await opened.reader.head();
  const judged = judge(found, soughtText(absence));
  return {
    ...envelopeOf("verification-report"),
    ...judged,
    citation: citationAt(ports, found, judged.status, row.absence),
    repository: opened.entry.name,
    sourcePath: "",
    commitSha: opened.commitSha,
    blobSha: null,
    entryType: outcome === null ? null : "directory",
    range: null,
    totalLines: null,
    contentSha256: null,
    reachable: opened.reachable,
    headCommitSha: head.sha,
    headMatchesClaimedSha: head.sha === opened.commitSha,
    ...standing(head, found),
    movedTo: null,
    head: { ...head },
    proof: row.proof,
    ...(row.absence === null ? {} : { absence: row.absence }),
    next: judged.status === "contradicted" ? searchAgain(absence, opened.commitSha, call) : null,
  };
}

function checked(input: AbsenceInput): Absence {
  const also = OF_A_PATH.find((name) => input[name] !== undefined);
  if (also !== undefined) {
    throw new GitpinError(
      "invalid_argument",
      `${also} is given beside absence, which names the whole search.`,
      "Give absence with repository and sha, or sourcePath without absence.",
      { field: also },
    );
  }
  const absence = parseAbsence(input.absence);
  const other =
    absence.repository !== input.repository
      ? "repository"
      : absence.sha.startsWith(input.sha.toLowerCase()) || input.sha.toLowerCase().startsWith(absence.sha)
        ? null
        : "sha";
  if (other === null) return absence;
  throw new GitpinError(
    "invalid_argument",
    `${other} is not the one that absence names.`,
    "Give repository and sha as the absence has them.",
    { field: other },
  );
}

type Judged = Pick<VerificationReport, "status" | "reason" | "claimVerdict">;

function judge({ outcome, row }: RepositorySearch, sought: string): Judged {
  if (outcome === null) {
    const status = row.status === "blocked" ? "blocked" : "missing";
    return { status, reason: row.reason ?? "There is no such commit.", claimVerdict: "unproven" };
  }
  const { matchingLines, matchingFiles, filesSearched } = outcome.totals;
  if (matchingLines > 0) {
    const reason = `${sought} is not absent: ${matchingLines} lines of ${matchingFiles} files match at this commit.`;
    return { status: "contradicted", reason, claimVerdict: "contradicted" };
  }
  if (!row.complete) {
    throw new GitpinError(
      "absence_undecided",
      `Nothing was found, but not everything was searched: ${row.incompleteBecause.join(" ")}`,
      "Narrow the search with paths, so that it is complete, and cite that absence.",
      { reasons: row.incompleteBecause },
    );
  }
  if (row.reason !== null) {
    throw new GitpinError(
      "absence_undecided",
      row.reason,
      "Search with paths and a language that select files which may be searched, and cite that absence.",
      { reasons: [row.reason] },
    );
  }
  const denied = row.absence?.filesDenied ?? 0;
  const unsaid =
    denied === 0 ? "" : ` Nothing is said of ${denied} files that policy keeps from every search.`;
  return {
    status: "ok",
    reason: `${sought} does not occur in the ${filesSearched} files that this commit has for this search.${unsaid}`,
    claimVerdict: "supported",
  };
}

/** At HEAD the search was not made, unless the commit is HEAD. */
const standing = (
  head: Head,
  { opened, outcome }: RepositorySearch,
): Pick<VerificationReport, "freshness" | "headContentMatches"> =>
  outcome !== null && head.sha === opened.commitSha
    ? { freshness: "head", headContentMatches: outcome.totals.matchingLines === 0 }
    : { freshness: null, headContentMatches: null };

/** The commit's root as a place, with the commands of the absence where there is one. */
function citationAt(
  ports: ServicePorts,
  { opened }: RepositorySearch,
  status: VerificationReport["status"],
  absence: AbsenceCitation | null,
): Citation {
  const { entry, commitSha } = opened;
  const place = citationOf({
    repository: entry.name,
    sourcePath: "",
    lines: null,
    commitSha,
    blobSha: null,
    kind: "directory",
    provenance: status === "missing" || status === "blocked" ? status : "git-commit",
    webUrl: webPage(ports, entry),
    publicUrl: ports.publicUrl,
    needsToken: !opened.open,
  });
  if (absence === null) return place;
  const { gitpinCli, curl } = absence.verify;
  return { ...place, verify: { ...place.verify, gitpinCli, curl } };
}

function searchAgain(absence: Absence, sha: string, call: Call): NextCall {
  const { repository, query, mode, caseSensitive, wholeWord, include, exclude, language } = absence;
  const paths = [...include, ...exclude.map((glob) => `!${glob}`)];
  return nextTool(absence.documents ? "pin.search_docs" : "pin.search_code", call.spelling, {
    repository,
    sha,
    query,
    mode,
    caseSensitive,
    wholeWord,
    language,
    paths: paths.length === 0 ? undefined : paths,
  });
}
