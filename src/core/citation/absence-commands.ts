/**
 * The commands of an absence, for a POSIX shell, ready to paste. `gitGrep` needs nothing of ours: run anywhere in a clone, it
 * searches the files that we searched, prints nothing and ends with 1 when the text is absent. It is null where git has no
 * way to say the same (a language, braces in a glob, documentation alone, letters beyond ASCII without regard to case, more
 * denied files than are named). Binary files and symlinks need no word: `git grep -I <commit>` passes them over as we do.
 */
import { type Absence, printAbsence } from "./absence.ts";
import { shellQuote } from "./shell-quote.ts";

export interface AbsenceCommands {
  gitGrep: string | null;
  gitpinCli: string;
  curl: string;
}

export interface AbsenceService {
  /** Base URL of this service; null where there is none. */
  publicUrl: string | null;
  /** Whether only callers with a token see this repository. */
  needsToken: boolean;
  /** Paths that the query selects and policy kept from the search; null when not all of them are known. */
  denied: readonly string[] | null;
}

export function absenceCommands(
  absence: Absence,
  { publicUrl, needsToken, denied }: AbsenceService,
): AbsenceCommands {
  const handle = printAbsence(absence);
  const request = `/v1/verify?absence=${encodeURIComponent(handle)}`;
  const url =
    publicUrl === null
      ? `"$GITPIN_URL"${shellQuote(request)}`
      : shellQuote(publicUrl.replace(/\/+$/, "") + request);
  const credential = needsToken ? ' -H "Authorization: Bearer $GITPIN_TOKEN"' : "";
  return {
    gitGrep: denied === null ? null : gitGrep(absence, denied),
    gitpinCli: `gitpin verify --absence ${shellQuote(handle)}`,
    curl: `curl -fsS${credential} ${url}`,
  };
}

function gitGrep(absence: Absence, denied: readonly string[]): string | null {
  const { query, mode, caseSensitive, wholeWord, include, exclude, language, documents, sha } = absence;
  const globs = [...include, ...exclude];
  const unspeakable = language !== null || documents || globs.some((glob) => /[{}\\[\]\p{Cc}]/u.test(glob));
  // What git folds beyond ASCII depends on the locale.
  const folded = !caseSensitive && /[^\x20-\x7e\t]/.test(query);
  // A name that is not UTF-8 is not known by its bytes here, and a control character is nothing to paste.
  const unnameable = denied.some((path) => /[\p{Cc}\ufffd]/u.test(path));
  if (unspeakable || folded || unnameable || query.includes("\0")) return null;
  const flags = ["-n", "-I", mode === "regex" ? "-P" : "-F"];
  if (!caseSensitive) flags.push("-i");
  if (wholeWord) flags.push("-w");
  const specs = [
    // Said outright, for git would look only below the folder it is run in.
    ...(include.length === 0 ? [":(top)"] : include.flatMap((glob) => pathspecs(glob, ""))),
    ...exclude.flatMap((glob) => pathspecs(glob, ",exclude")),
    ...denied.map((path) => `:(top,exclude,literal)${path}`),
  ];
  return `git grep ${flags.join(" ")} -e ${shellQuote(query)} ${sha} -- ${specs.map(shellQuote).join(" ")}`;
}

/** What a glob of a search stands for, as git writes it: itself and all below, at any depth when it names no folder. */
function pathspecs(glob: string, more: string): string[] {
  const rooted = glob.startsWith("/") || glob.startsWith("./");
  const bare = glob.replace(/^\.?\/+/, "").replace(/\/+$/, "");
  const here = [bare, `${bare}/**`];
  const all = rooted || bare.includes("/") ? here : [...here, ...here.map((one) => `**/${one}`)];
  return all.map((one) => `:(top,icase,glob${more})${one}`);
}
