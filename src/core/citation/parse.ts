/**
 * Reads `cite` and `handle` back. What `cite.ts` prints parses to exactly what was printed; unencoded input of the
 * older kind is read where only one reading is possible. Where two are, it refuses and says so: a wrong guess would
 * check the wrong file.
 *
 * A final `:n` or `:a-b` is always the lines. Ambiguous are: a path part that holds both raw special characters and
 * percent sequences, and two line-like endings in a row (`a.ts:12:5`, a compiler's line and column).
 */
import { GitpinError } from "../../errors.ts";
import { LIMITS } from "../../schema/common.ts";
import { pathFault } from "../git/path.ts";
import type { CitedPlace } from "./cite.ts";
import { holdsRawCharacter } from "./encode-path.ts";

export interface ParsedCitation extends CitedPlace {
  form: "cite" | "handle";
}

const CITE = /^([A-Za-z0-9._-]{1,100})\/(.*) @ ([0-9a-fA-F]{7,40})$/s;
const HANDLE = /^gitpin:([A-Za-z0-9._-]{1,100})@([0-9a-fA-F]{7,40}):(.*)$/s;
const LINES = /:([0-9]+)(?:-([0-9]+))?$/;
const TRIPLET = /%[0-9A-Fa-f]{2}/;

/**
 * `sha` is 7 to 40 lower-case hex digits. White space around the text is ignored. Throws `invalid_citation`; `field` is the argument
 * that it names in `data`, where the text was one.
 */
export function parseCitation(text: string, field?: string): ParsedCitation {
  const invalid = invalidIn(field);
  const trimmed = text.trim();
  const handle = HANDLE.exec(trimmed);
  if (handle !== null) {
    return { form: "handle", ...place(handle[1] ?? "", handle[3] ?? "", handle[2] ?? "", invalid) };
  }
  const cite = CITE.exec(trimmed);
  if (cite !== null) return { form: "cite", ...place(cite[1] ?? "", cite[2] ?? "", cite[3] ?? "", invalid) };
  throw invalid(shapeFault(trimmed));
}

function place(repository: string, pathAndLines: string, sha: string, invalid: Invalid): CitedPlace {
  const match = LINES.exec(pathAndLines);
  const pathPart = match === null ? pathAndLines : pathAndLines.slice(0, match.index);
  if (match !== null && LINES.test(pathPart)) {
    throw invalid("it ends in two numbers, which could be a line and a column or part of the path");
  }
  const lines =
    match === null ? { line: null, lineEnd: null } : lineNumbers(match[1] ?? "", match[2], invalid);
  const sourcePath = decodePath(pathPart, invalid);
  const fault = pathFault(sourcePath);
  if (fault !== null) throw invalid(`its path is not one inside a git tree: ${fault}`);
  if (sourcePath === "" && lines.line !== null) throw invalid("it names a line but no path");
  return { repository, sourcePath, sha: sha.toLowerCase(), ...lines };
}

function lineNumbers(
  first: string,
  last: string | undefined,
  invalid: Invalid,
): { line: number; lineEnd: number } {
  const line = Number(first);
  const lineEnd = last === undefined ? line : Number(last);
  if (line < 1) throw invalid("lines are counted from 1");
  if (lineEnd < line) throw invalid("its last line comes before its first");
  if (lineEnd > LIMITS.line) throw invalid(`its line is beyond ${LIMITS.line}`);
  return { line, lineEnd };
}

function decodePath(text: string, invalid: Invalid): string {
  const encoded = TRIPLET.test(text);
  const raw = holdsRawCharacter(text) || text.replace(/%[0-9A-Fa-f]{2}/g, "").includes("%");
  if (!encoded) return text;
  if (raw) throw invalid("its path is percent-encoded in part only, so it could mean two paths");
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw invalid("its percent sequences are not UTF-8", cause);
  }
}

function shapeFault(text: string): string {
  if (text === "") return "it is empty";
  if (text.startsWith("gitpin:")) return "it does not have the form of a handle";
  if (/@\s*\(no commit\)$/.test(text)) return "it names no commit, so nothing can be checked";
  if (!/ @ [0-9a-fA-F]{7,40}$/.test(text))
    return "it does not end in ` @ ` and a commit id of 7 to 40 hex digits";
  return "it does not start with a registry name and a slash";
}

type Invalid = (what: string, cause?: unknown) => GitpinError;

const invalidIn =
  (field: string | undefined): Invalid =>
  (what, cause) =>
    new GitpinError(
      "invalid_citation",
      `This is not a citation that can be read: ${what}.`,
      "Give it as `repo/path:line @ fullSha` or `gitpin:repo@fullSha:path:line`, with `%`, `:`, `@`, `#`, white space and control characters of the path percent-encoded.",
      field === undefined ? {} : { field },
      { cause },
    );
