/**
 * Builds the `Citation` that every candidate, pack, slice, doc and report carries. Pure text work: whether the place
 * exists and may be seen was found out before, and `provenance` says how that went.
 */
import type { Citation } from "../../schema/citation.ts";
import type { LineRequest } from "../git/lines.ts";
import type { EntryKind } from "../git/tree-entry.ts";
import { type CitedPlace, printCite, printHandle, printRepoAtSha } from "./cite.ts";
import { permalink } from "./permalink.ts";
import { verifyCommands } from "./verify-commands.ts";

export interface CitationRequest {
  /** Registry name. */
  repository: string;
  sourcePath: string;
  /** Lines as asked for; null for a whole file or a directory. */
  lines: LineRequest | null;
  /** Full commit id. */
  commitSha: string;
  blobSha: string | null;
  provenance: Citation["provenance"];
  /** What the tree holds there; null when that is not known or nothing is there, then taken for a file. */
  kind: EntryKind | null;
  /** The repository's web page without a final slash; null where it has none (a local clone). */
  webUrl: string | null;
  /** Base URL of this service, from configuration; null where there is none. */
  publicUrl: string | null;
  /** Whether only callers with a token see this repository. */
  needsToken: boolean;
  /** Carried into `gitpinCli` and `curl`, so that they check the same thing. */
  mustContain?: string | undefined;
  contentSha256?: string | undefined;
}

export function citationOf(request: CitationRequest): Citation {
  const { repository, sourcePath, commitSha, provenance, publicUrl, needsToken, kind } = request;
  const line = request.lines?.start ?? null;
  const lineEnd = request.lines?.end ?? line;
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
      kind,
      blobSha,
      publicUrl,
      needsToken,
      mustContain,
      contentSha256: provenance === "blocked" ? undefined : contentSha256,
    }),
    permalink: permalinkOf(request, place),
    repository,
    sourcePath,
    line,
    lineEnd,
    commitSha,
    blobSha,
    provenance,
  };
}

/** A repository without a page of its own is shown by this service's own page of the citation, if there is one. */
function permalinkOf({ webUrl, publicUrl, kind }: CitationRequest, place: CitedPlace): string | null {
  if (webUrl !== null) return permalink(webUrl, place, kind);
  return publicUrl === null ? null : `${publicUrl}/c/${encodeURIComponent(printHandle(place))}`;
}
