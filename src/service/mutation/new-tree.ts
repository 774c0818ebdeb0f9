/** The root tree that a plan makes, computed here before anything is sent: the host must come to the same id. */
import { type Refusal, refused } from "../../core/entity/edit/outcome.ts";
import { type EditedFile, editedTree, touchedDirectories } from "../../core/git/edited-tree.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import { EMPTY_TREE } from "../../core/git/tree.ts";
import type { TreeEntry } from "../../core/git/tree-entry.ts";
import type { Commit, RepositoryReader } from "../../ports/repository-reader.ts";
import { sideBySide } from "../side-by-side.ts";

/** Null for `commit`: the repository has none. A refusal where the tree cannot be made, or not be made for sure. */
export async function newTree(
  reader: RepositoryReader,
  commit: Commit | null,
  files: readonly EditedFile[],
): Promise<ObjectId | Refusal> {
  const levels = new Map<string, readonly TreeEntry[]>();
  if (commit === null) levels.set("", []);
  else {
    await sideBySide(touchedDirectories(files.map(({ path }) => path)), async (directory) => {
      const listing = await reader.directory(commit, directory);
      if (listing !== null) levels.set(directory, listing.entries);
    });
  }
  const made = editedTree(commit?.tree ?? EMPTY_TREE, levels, files);
  if ("root" in made) return made.root;
  const place = made.path === "" ? "the root" : made.path;
  const [code, reason, nextStep] =
    made.fault === "not_rebuilt"
      ? ([
          "source_refused",
          `The directory ${place} holds names or modes that GitHub's API cannot tell apart, so it cannot be written safely.`,
          "Commit this change with git in a clone.",
        ] as const)
      : ([
          "unit_occupied",
          `${place} cannot be both a file and a directory.`,
          "Choose another place.",
        ] as const);
  const { outcome } = refused(code, null, reason, nextStep);
  if (outcome.status !== "refused") throw new TypeError("a refusal is one");
  return outcome.refusal;
}
