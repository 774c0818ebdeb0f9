/** The branch that a tip is of, and why a read of it is no base to write on. */
import type { Head, RepositoryReader } from "../../ports/repository-reader.ts";

const HEADS = "refs/heads/";

export const bareBranch = (ref: string): string => (ref.startsWith(HEADS) ? ref.slice(HEADS.length) : ref);

/** Without `refs/heads/`; null where the ref is none of a branch, a tag say. */
export async function branchOf({ ref }: Pick<Head, "ref">, reader: RepositoryReader): Promise<string | null> {
  if (ref === "HEAD") return (await reader.identity()).defaultBranch;
  return ref.startsWith(HEADS) ? bareBranch(ref) : null;
}

export type WritableTip = { branch: string } | { reason: string };

/** Bases are minted of a branch's present tip only. `head` null: read at a commit that was named. */
export async function writableTip(head: Head | null, reader: RepositoryReader): Promise<WritableTip> {
  if (head === null) {
    return { reason: "It was read at a named commit. Leave sha out to read the branch as it stands now." };
  }
  if (head.stale !== null) {
    return { reason: `The branch's present tip is not known: ${head.stale.reason}` };
  }
  const branch = await branchOf(head, reader);
  return branch === null
    ? { reason: `${head.ref} is no branch. Name a registered branch instead.` }
    : { branch };
}
