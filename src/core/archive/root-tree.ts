/**
 * Rebuilds the root tree's id from a flat list of files: what `git write-tree` would answer for them.
 * Follows git's tree format (`<mode> SP <name> NUL <20 bytes>`). Names are bytes here, so any name git allows is exact.
 * Empty directories and submodules are not in the list; a tree that has them gets another id, which is the point.
 */
import { objectId } from "../git/hash.ts";
import type { ObjectId } from "../git/object-id.ts";
import type { FileKind, FileRecord } from "./archive-file.ts";
import type { RawPath } from "./raw-path.ts";

const MODES: Record<FileKind, string> = { file: "100644", executable: "100755", symlink: "120000" };

const record = (mode: string, name: string, id: ObjectId): string =>
  `${mode} ${name}\0${Buffer.from(id, "hex").toString("latin1")}`;

/** Directories that are still open, the root first. `records` are in git's order because the paths are. */
interface OpenTree {
  name: string;
  records: string[];
}

/** `files` in git's order of paths, as a `CommitArchive` records them. */
export function rootTreeId(files: Iterable<readonly [RawPath, FileRecord]>): ObjectId {
  const root: OpenTree = { name: "", records: [] };
  const open: OpenTree[] = [root];
  const close = (): void => {
    const done = open.pop();
    const parent = open.at(-1);
    if (done !== undefined && parent !== undefined) {
      parent.records.push(record("40000", done.name, treeId(done)));
    }
  };
  for (const [path, file] of files) {
    const segments = path.split("/");
    const name = segments.pop() ?? "";
    let depth = 1;
    while (depth < open.length && open[depth]?.name === segments[depth - 1]) depth++;
    while (open.length > depth) close();
    for (const segment of segments.slice(depth - 1)) open.push({ name: segment, records: [] });
    open.at(-1)?.records.push(record(MODES[file.kind], name, file.id));
  }
  while (open.length > 1) close();
  return treeId(root);
}

const treeId = (tree: OpenTree): ObjectId => objectId("tree", Buffer.from(tree.records.join(""), "latin1"));
