/**
 * Builds the `Citation` that every candidate, pack, slice, doc and report carries. Pure text work: whether the place
 * exists and may be seen was found out before, and `provenance` says how that went.
 */
import type { Citation } from "../../schema/citation.ts";
import type { EntryKind } from "../git/tree-entry.ts";
import { type CitedPlace, printCite, printHandle, printRepoAtSha } from "./cite.ts";
import { permalink } from "./permalink.ts";
import { verifyCommands } from "./verify-commands.ts";

export interface CitationRequest {
  /** Registry name. */
  repository: string;
  sourcePath: string;
  /** First line as asked for, 1-based; null or left out: the whole file or a directory. */
  line?: number | null | undefined;
  /** Last line, inclusive; null or left out: that one line. */
  lineEnd?: number | null | undefined;
  /** Full commit id. */
  commitSha: string;
  blobSha: string | null;
  provenance: Citation["provenance"];
  /** What the tree holds there; null or left out when it is not known, then taken for a file. */
  entryType?: EntryKind | null | undefined;
  /** The repository's web page without a final slash. */
  webUrl: string;
  /** Base URL of this service, from configuration; null where there is none. */
  publicUrl: string | null;
  /** Whether callers without a token see this repository. */
  isPublic: boolean;
  /** Carried into `gitpinCli` and `curl`, so that they check the same thing. */
  mustContain?: string | undefined;
  contentSha256?: string | undefined;
}

export function buildCitation(request: CitationRequest): Citation {
  const { repository, sourcePath, commitSha, provenance, publicUrl, isPublic } = request;
  const line = request.line ?? null;
  const lineEnd = line === null ? null : (request.lineEnd ?? line);
  const entryType = request.entryType ?? null;
  const place: CitedPlace = { repository, sourcePath, sha: commitSha, line, lineEnd };
  // A blob id is a hash of the content: shown for a blocked file, it would let a guessed secret be confirmed.
  const blobSha = provenance === "blocked" ? null : request.blobSha;
  const { mustContain, contentSha256 } = request;
  return {
    cite: printCite(place),
    handle: printHandle(place),
    repoAtSha: printRepoAtSha(repository, commitSha),
    verify: verifyCommands({
      place,
      entryType,
      blobSha,
      publicUrl,
      isPublic,
      mustContain,
      contentSha256: provenance === "blocked" ? undefined : contentSha256,
    }),
    permalink: permalink(request.webUrl, place, entryType),
    repository,
    sourcePath,
    line,
    lineEnd,
    commitSha,
    blobSha,
    provenance,
  };
}
