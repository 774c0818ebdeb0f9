// Lists a tree with sizes, flat or recursive, through `git ls-tree`.
// Owns: reading its output and stopping at a limit (git is ended then, the rest is not even read).
import { entryType } from "./objects.ts";
import type { GitRepository } from "./repository.ts";

export interface ListedEntry {
  mode: string;
  type: "blob" | "tree" | "commit";
  sha: string;
  /** Bytes; null for trees, submodules and blobs the store does not hold. */
  size: number | null;
  /** Path from the listed tree on; bytes that are not UTF-8 read U+FFFD. */
  path: string;
}

export interface Listing {
  entries: ListedEntry[];
  truncated: boolean;
}

/** In git's order, trees before what they hold. `keep` answers whether there is room for one more entry. */
export async function listTree(
  git: GitRepository,
  tree: string,
  recursive: boolean,
  keep: (entry: ListedEntry, index: number) => boolean,
): Promise<Listing> {
  const listing: Listing = { entries: [], truncated: false };
  let rest = Buffer.alloc(0);
  await git.run(
    ["ls-tree", "-l", "-z", "--full-tree", ...(recursive ? ["-r", "-t"] : []), tree],
    [0],
    (piece) => {
      const all = Buffer.concat([rest, piece]);
      let from = 0;
      for (let to = all.indexOf(0); to >= 0; to = all.indexOf(0, from)) {
        const entry = parseLine(all.subarray(from, to));
        if (!keep(entry, listing.entries.length)) {
          listing.truncated = true;
          return false;
        }
        listing.entries.push(entry);
        from = to + 1;
      }
      rest = all.subarray(from);
      return true;
    },
  );
  return listing;
}

function parseLine(line: Buffer): ListedEntry {
  const tab = line.indexOf(0x09);
  const [mode = "", , sha = "", size = ""] = line.toString("latin1", 0, tab).split(/ +/);
  return {
    mode,
    type: entryType(mode),
    sha,
    size: /^\d+$/.test(size) ? Number(size) : null,
    path: line.subarray(tab + 1).toString("utf8"),
  };
}
