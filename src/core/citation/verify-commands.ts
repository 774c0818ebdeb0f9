/**
 * The commands of a citation, for a POSIX shell, ready to paste. `gitShow` and `sha256` need nothing of ours: a clone,
 * git, tail, head and sha256sum (`tail` and `head` keep bytes on every platform, `sed` does not).
 * Paths that hold U+FFFD may stand for names that are not UTF-8, which cannot be spelled here: their blob is named by id.
 */
import type { EntryKind } from "../git/tree-entry.ts";
import { type CitedPlace, printHandle } from "./cite.ts";
import { shellQuote } from "./shell-quote.ts";

export interface VerifyCommands {
  gitShow: string;
  sha256: string;
  gitpinCli: string;
  curl: string;
}

export interface VerifyTarget {
  place: CitedPlace;
  /** What the tree holds there; null when it holds nothing or that is not to be said. */
  kind: EntryKind | null;
  blobSha: string | null;
  /** Base URL of this service; null: none is configured (the command line over a registry file). */
  publicUrl: string | null;
  /** Whether only callers with a token see this repository. */
  needsToken: boolean;
  mustContain?: string | undefined;
  contentSha256?: string | undefined;
}

export function verifyCommands(target: VerifyTarget): VerifyCommands {
  const gitShow = gitCommand(target);
  return {
    gitShow,
    sha256: `${gitShow} | sha256sum`,
    gitpinCli: gitpinCommand(target),
    curl: curlCommand(target),
  };
}

function gitCommand({ place, kind, blobSha }: VerifyTarget): string {
  const { sha, sourcePath, line, lineEnd } = place;
  // A submodule's commit lives in another repository: what this one holds is the entry that names it.
  if (kind === "submodule") {
    return `git --literal-pathspecs ls-tree --full-tree ${sha} -- ${shellQuote(sourcePath)}`;
  }
  if (kind === "directory" || sourcePath === "") {
    return `git ls-tree ${sourcePath === "" ? sha : shellQuote(`${sha}:${sourcePath}`)}`;
  }
  const whole =
    sourcePath.includes("\uFFFD") && blobSha !== null
      ? `git cat-file blob ${blobSha}`
      : `${reader(sourcePath)} ${shellQuote(`${sha}:${sourcePath}`)}`;
  if (line === null) return whole;
  return `${whole} | tail -n +${line} | head -n ${(lineEnd ?? line) - line + 1}`;
}

function gitpinCommand({ place, mustContain, contentSha256 }: VerifyTarget): string {
  const words = ["gitpin verify --handle", shellQuote(printHandle(place))];
  // `--name=value`, so that a text starting with a hyphen is not read as an option.
  if (mustContain !== undefined && !mustContain.includes("\0")) {
    words.push(`--must-contain=${shellQuote(mustContain)}`);
  }
  if (contentSha256 !== undefined) words.push(`--content-sha256=${contentSha256}`);
  return words.join(" ");
}

function curlCommand({ place, publicUrl, needsToken, mustContain, contentSha256 }: VerifyTarget): string {
  const query = [`handle=${encodeURIComponent(printHandle(place))}`];
  if (mustContain !== undefined) query.push(`mustContain=${encodeURIComponent(mustContain.toWellFormed())}`);
  if (contentSha256 !== undefined) query.push(`contentSha256=${contentSha256}`);
  const request = `/v1/verify?${query.join("&")}`;
  const url =
    publicUrl === null
      ? `"$GITPIN_URL"${shellQuote(request)}`
      : shellQuote(publicUrl.replace(/\/+$/, "") + request);
  const credential = needsToken ? ' -H "Authorization: Bearer $GITPIN_TOKEN"' : "";
  return `curl -fsS${credential} ${url}`;
}

/** `git show` reads two dots as a range of commits, and a path such as `...` as one; `cat-file` never does. */
const reader = (path: string): string => (path.includes("..") ? "git cat-file blob" : "git show");
