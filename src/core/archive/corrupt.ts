/**
 * The two ways an archive is refused: it is not the bytes the host meant to send, or it is more than we unpack.
 * Neither message holds content of the archive.
 */
import { GitpinError } from "../../errors.ts";

/** `fault` is a clause: "it ends inside a file". */
export function corruptArchive(fault: string, cause?: unknown): GitpinError {
  return new GitpinError(
    "upstream_corrupt",
    `The host's archive of this commit is damaged: ${fault}.`,
    "Ask again: the archive is then downloaded anew. Nothing of the damaged one was used.",
    { fault },
    cause === undefined ? {} : { cause },
  );
}

/** `limit` names the bound, e.g. "unpacked bytes"; `bound` is its value. */
export function archiveTooLarge(limit: string, bound: number): GitpinError {
  return new GitpinError(
    "archive_too_large",
    `The archive of this commit goes over this service's bound of ${bound} ${limit}.`,
    "Read or prove single files of this commit instead, or run `git grep` on a clone.",
    { limit, bound },
  );
}
