/** The error of a file whose entities are not read. Its text names the path and the reason, never content. */
import { GitpinError } from "../../errors.ts";

/** Why a file is refused, stable: goes out as `data.reason`. */
export type RefusalReason =
  | "too_large"
  | "not_utf8"
  | "binary"
  | "lfs_pointer"
  | "symlink"
  | "submodule"
  | "directory"
  | "language_unsupported"
  | "parse_budget"
  | "too_many_errors";

const WORDS: Record<RefusalReason, string> = {
  too_large: "is larger than this service parses",
  not_utf8: "is not valid UTF-8",
  binary: "holds NUL bytes, so it is binary",
  lfs_pointer: "is a Git LFS pointer: its own bytes are not in git",
  symlink: "is a symlink, which is never followed",
  submodule: "is a submodule: it names a commit of another repository",
  directory: "is a directory",
  language_unsupported: "is in no language whose entities are read",
  parse_budget: "costs more to parse than any ordinary source of its size",
  too_many_errors: "holds more syntax errors in one place than are walked",
};

export function sourceRefused(reason: RefusalReason, path?: string): GitpinError {
  const subject = path === undefined ? "The source" : path;
  return new GitpinError(
    "source_refused",
    `${subject} ${WORDS[reason]}.`,
    "Read it with pin_read instead; its entities cannot be listed or edited here.",
    path === undefined ? { reason } : { reason, path },
  );
}
