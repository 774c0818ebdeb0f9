// What changed between two trees, file by file, as GitHub's "diff entries" need it.
// Owns: `git diff-tree` and reading its output. Renames are looked for, copies are not (GitHub does the same).
// Refuses: external diffs and text conversions. Patches stop at GitHub's limits for a diff; counts never do.
import type { GitRepository } from "./repository.ts";

export type FileStatus = "added" | "removed" | "modified" | "renamed" | "copied" | "changed";

export interface FileChange {
  status: FileStatus;
  /** New path, or the old one of a removed file. Bytes that are not UTF-8 read U+FFFD. */
  path: string;
  previousPath: string | null;
  /** The new blob, or the old one of a removed file. */
  sha: string;
  additions: number;
  deletions: number;
}

/** The empty tree; git knows it without storing it. */
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

const STATUS: Record<string, FileStatus> = {
  A: "added",
  D: "removed",
  M: "modified",
  R: "renamed",
  C: "copied",
  T: "changed",
};
const DIFF = ["diff-tree", "-r", "-M", "-l1000", "--no-ext-diff", "--no-textconv", "--no-color"];
const FILE_PATCH_BYTES = 500 * 1024;
const FILE_PATCH_LINES = 20_000;
const TOTAL_PATCH_BYTES = 1024 * 1024;
/** Beyond this much of a diff nothing is read for patches; it is far above what is shown. */
const READ_BYTES = 16 * 1024 * 1024;

/** Every changed file, in path order. `from` and `to` are full SHAs of commits or trees. */
export async function changedFiles(git: GitRepository, from: string, to: string): Promise<FileChange[]> {
  const { stdout } = await git.run([...DIFF, "--raw", "--numstat", "--no-abbrev", "-z", from, to]);
  const fields = splitFields(stdout);
  const changes: FileChange[] = [];
  let next = 0;
  const take = (): string => fields[next++] ?? "";
  while (fields[next]?.startsWith(":")) {
    const [, , before = "", after = "", letter = ""] = take().split(" ");
    const status = STATUS[letter.charAt(0)] ?? "changed";
    const first = take();
    const moved = status === "renamed" || status === "copied";
    changes.push({
      status,
      path: moved ? take() : first,
      previousPath: moved ? first : null,
      sha: status === "removed" ? before : after,
      additions: 0,
      deletions: 0,
    });
  }
  for (const change of changes) {
    const [additions, deletions, path] = take().split("\t");
    if (path === "") next += 2;
    change.additions = count(additions);
    change.deletions = count(deletions);
  }
  return changes;
}

function splitFields(output: Buffer): string[] {
  return output.toString("utf8").split("\0").slice(0, -1);
}

/** Binary files count as `-`, which GitHub shows as 0. */
function count(text: string | undefined): number {
  return text === undefined || text === "-" ? 0 : Number(text);
}

/** A changed type is shown as a removal and an addition. */
const sectionsOf = (change: FileChange): number => (change.status === "changed" ? 2 : 1);

/**
 * The hunks of each of `changes` (the first ones that `changedFiles` gave for the same trees), from the first `@@` on
 * and without the last newline; null for binary files, mere renames and what is beyond the limits.
 */
export async function patches(
  git: GitRepository,
  from: string,
  to: string,
  changes: FileChange[],
): Promise<(string | null)[]> {
  const wanted = changes.reduce((sum, change) => sum + sectionsOf(change), 0);
  const sections = await readSections(git, from, to, wanted);
  let next = 0;
  let left = TOTAL_PATCH_BYTES;
  return changes.map((change) => {
    const own = sections.slice(next, next + sectionsOf(change));
    next += own.length;
    const hunks = own.map(hunksOf).filter((hunk) => hunk !== null);
    const size = hunks.reduce((sum, hunk) => sum + hunk.length, 0);
    if (hunks.length === 0 || size > FILE_PATCH_BYTES || size > left) return null;
    const text = hunks.map((hunk) => hunk.toString("utf8")).join("\n");
    if (text.split("\n").length > FILE_PATCH_LINES) return null;
    left -= size;
    return text;
  });
}

const SECTION = "diff --git ";

/** The first `wanted` sections of the diff, fewer if they are beyond what is read; git is ended when they are there. */
async function readSections(git: GitRepository, from: string, to: string, wanted: number): Promise<Buffer[]> {
  const sections: Buffer[] = [];
  let rest = Buffer.alloc(0);
  let length = 0;
  let ended = true;
  if (wanted === 0) return sections;
  await git.run([...DIFF, "-p", "-U3", from, to], [0], (piece) => {
    length += piece.length;
    rest = Buffer.concat([rest, piece]);
    for (let at = rest.indexOf(`\n${SECTION}`); at >= 0; at = rest.indexOf(`\n${SECTION}`)) {
      sections.push(rest.subarray(0, at + 1));
      rest = rest.subarray(at + 1);
    }
    ended = sections.length < wanted && length <= READ_BYTES;
    return ended;
  });
  // What is left is a whole section only when git came to its end.
  if (ended && rest.length > 0) sections.push(rest);
  return sections;
}

function hunksOf(section: Buffer): Buffer | null {
  const at = section.indexOf("\n@@ ");
  return at < 0 ? null : section.subarray(at + 1, section.length - 1);
}

/** The whole difference as `git diff` prints it. */
export async function diffText(git: GitRepository, from: string, to: string): Promise<Buffer> {
  return (await git.run([...DIFF, "-p", "-U3", from, to])).stdout;
}

/** The commits after `base` (null: the one commit `head` alone) as mail messages. */
export async function mailText(git: GitRepository, base: string | null, head: string): Promise<Buffer> {
  const range = base === null ? ["--root", "-1", head] : [`${base}..${head}`];
  const plain = ["--stdout", "--no-ext-diff", "--no-textconv", "--no-color"];
  return (await git.run(["format-patch", ...plain, ...range])).stdout;
}
