/** Hits of a repository as candidates: with a citation and, ready to be made, the call that proves the line. */
import { citationOf } from "../core/citation/citation.ts";
import type { LineRequest } from "../core/git/lines.ts";
import type { ContextLine, Hit } from "../core/search/hit.ts";
import type { MatchingFile } from "../core/search/search-run.ts";
import type { Call } from "../ports/call.ts";
import type { Citation } from "../schema/citation.ts";
import type { Candidate, CandidateFile } from "../schema/search.ts";
import type { OpenedCommit } from "./commit-gate.ts";
import { nextTool } from "./next.ts";
import type { ServicePorts } from "./service-ports.ts";
import { webPage } from "./web-page.ts";

function citationAt(
  ports: ServicePorts,
  { entry, commitSha, pinned, open }: OpenedCommit,
  sourcePath: string,
  lines: LineRequest | null,
): Citation {
  return citationOf({
    repository: entry.name,
    sourcePath,
    lines,
    commitSha,
    blobSha: null,
    kind: "file",
    provenance: pinned ? "git-commit" : "git-head",
    webUrl: webPage(ports, entry),
    publicUrl: ports.publicUrl,
    needsToken: !open,
  });
}

export function candidateOf(ports: ServicePorts, call: Call, opened: OpenedCommit, hit: Hit): Candidate {
  const { path, line, column, text, textColumn, lineBytes, truncated, ranges, moreRanges } = hit;
  const repository = opened.entry.name;
  return {
    repository,
    sourcePath: path,
    line,
    column,
    text,
    textColumn,
    lineBytes,
    truncated,
    ranges: ranges.map((range) => ({ ...range })),
    moreRanges,
    before: hit.before.map(contextLine),
    after: hit.after.map(contextLine),
    citation: citationAt(ports, opened, path, { start: line }),
    next: nextTool("pin.prove", call.spelling, {
      repository,
      sourcePath: path,
      lineStart: line,
      sha: opened.commitSha,
    }),
  };
}

const contextLine = (line: ContextLine): ContextLine => ({ ...line });

export function candidateFile(
  ports: ServicePorts,
  call: Call,
  opened: OpenedCommit,
  { path, matchingLines }: MatchingFile,
): CandidateFile {
  const repository = opened.entry.name;
  return {
    repository,
    sourcePath: path,
    matchingLines,
    citation: citationAt(ports, opened, path, null),
    next: nextTool("pin.read", call.spelling, { repository, sourcePath: path, sha: opened.commitSha }),
  };
}
