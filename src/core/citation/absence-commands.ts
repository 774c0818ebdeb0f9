/**
 * The commands of an absence, for a POSIX shell, ready to paste. `gitGrep` needs nothing of ours: it prints nothing and ends
 * with 1 when the text is absent, also of the files that policy kept from our own search. It is null where git has no way
 * to say the same (a language, braces in a glob, documentation alone, letters beyond ASCII without regard to case).
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
}

export function absenceCommands(
  absence: Absence,
  { publicUrl, needsToken }: AbsenceService,
): AbsenceCommands {
  const handle = printAbsence(absence);
  const request = `/v1/verify?absence=${encodeURIComponent(handle)}`;
  const url =
    publicUrl === null
      ? `"$GITPIN_URL"${shellQuote(request)}`
      : shellQuote(publicUrl.replace(/\/+$/, "") + request);
  const credential = needsToken ? ' -H "Authorization: Bearer $GITPIN_TOKEN"' : "";
  return {
    gitGrep: gitGrep(absence),
    gitpinCli: `gitpin verify --absence ${shellQuote(handle)}`,
    curl: `curl -fsS${credential} ${url}`,
  };
}

function gitGrep(absence: Absence): string | null {
  const { query, mode, caseSensitive, wholeWord, include, exclude, language, documents, sha } = absence;
  const globs = [...include, ...exclude];
  const unspeakable = language !== null || documents || globs.some((glob) => /[{}\\[\]\p{Cc}]/u.test(glob));
  // What git folds beyond ASCII depends on the locale.
  const folded = !caseSensitive && /[^\x20-\x7e\t]/.test(query);
  if (unspeakable || folded || query.includes("\0")) return null;
  const flags = ["-n", "-I", mode === "regex" ? "-P" : "-F"];
  if (!caseSensitive) flags.push("-i");
  if (wholeWord) flags.push("-w");
  const specs = [
    ...include.flatMap((glob) => pathspecs(glob, "")),
    ...exclude.flatMap((glob) => pathspecs(glob, ",exclude")),
  ];
  const paths = specs.length === 0 ? "" : ` -- ${specs.map(shellQuote).join(" ")}`;
  return `git grep ${flags.join(" ")} -e ${shellQuote(query)} ${sha}${paths}`;
}

/** What a glob of a search stands for, as git writes it: itself and all below, at any depth when it names no folder. */
function pathspecs(glob: string, more: string): string[] {
  const rooted = glob.startsWith("/") || glob.startsWith("./");
  const bare = glob.replace(/^\.?\/+/, "").replace(/\/+$/, "");
  const here = [bare, `${bare}/**`];
  const all = rooted || bare.includes("/") ? here : [...here, ...here.map((one) => `**/${one}`)];
  return all.map((one) => `:(top,icase,glob${more})${one}`);
}
