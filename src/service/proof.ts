/** What of a found blob was re-computed here, and what rests on the host's word. */
import type { Commit, FoundEntry } from "../ports/repository-reader.ts";
import type { Proof } from "../schema/common.ts";

/** A blob is always hashed: the reader refuses bytes that are not. */
export const proofOf = ({ commit, found }: { commit: Commit; found: FoundEntry }): Proof => ({
  commit: commit.assurance,
  tree: found.assurance,
  blob: "hashed",
});
