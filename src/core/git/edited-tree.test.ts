/** Trees after edits, against what `git write-tree` makes of the same index. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { GitRepository } from "../../../test/repositories/git.ts";
import {
  type EditedFile,
  type EditedTree,
  editedTree,
  type Levels,
  levelsOfPaths,
  type TreeFault,
  touchedDirectories,
} from "./edited-tree.ts";
import { objectId } from "./hash.ts";
import { EMPTY_TREE } from "./tree.ts";
import { kindOfMode, type TreeEntry } from "./tree-entry.ts";

let repository: GitRepository;
before(() => {
  repository = new GitRepository();
});
after(() => repository.remove());

interface Row {
  path: string;
  mode: string;
  id: string;
}

const BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
const OTHER = "d".repeat(40);

/** The root tree of an index that holds these rows, later ones in place of earlier ones. */
function writeTree(rows: readonly Row[]): string {
  repository.git("read-tree", "--empty");
  const info = rows.map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`).join("");
  repository.feed(info, "update-index", "-z", "--index-info");
  return repository.git("write-tree", "--missing-ok");
}

const entryOf = (line: string, directory = ""): TreeEntry => {
  const [head = "", name = ""] = line.split("\t");
  const [mode = "", , id = ""] = head.split(" ");
  const path = directory === "" ? name : `${directory}/${name}`;
  return { path, mode, kind: kindOfMode(mode) ?? "file", id, size: null };
};

const lines = (...args: string[]): string[] =>
  repository
    .bytes(...args)
    .toString("utf8")
    .split("\0")
    .slice(0, -1);

const allPaths = (tree: string): TreeEntry[] =>
  lines("ls-tree", "-r", "-z", tree).map((line) => entryOf(line));

/** The touched directories as `git ls-tree` lists them one by one. */
function levelsOf(tree: string, paths: string[]): Levels {
  const levels = new Map<string, TreeEntry[]>();
  for (const directory of touchedDirectories(paths)) {
    const found = lines("ls-tree", "-z", tree, "--", directory === "" ? "." : directory);
    if (directory !== "" && !found.some((line) => line.startsWith("040000"))) continue;
    levels.set(
      directory,
      lines("ls-tree", "-z", `${tree}:${directory}`).map((line) => entryOf(line, directory)),
    );
  }
  return levels;
}

const file = (path: string, text: string, mode = "100644"): EditedFile => {
  const bytes = Buffer.from(text);
  return { path, mode, bytes, blob: objectId("blob", bytes) };
};

function edited(outcome: EditedTree | TreeFault): EditedTree {
  assert.ok("root" in outcome, JSON.stringify(outcome));
  return outcome;
}

test("touched directories: the root, then every directory on the way", () => {
  assert.deepEqual(touchedDirectories(["a/b/c.txt", "a/d.txt", "e.txt"]), ["", "a", "a/b"]);
  assert.deepEqual(touchedDirectories([]), [""]);
});

test("one file deep down: only the trees on the way are made, and git stores them under the same ids", () => {
  const rows = [
    { path: "a/b/c.txt", mode: "100644", id: BLOB },
    { path: "a/z.txt", mode: "100755", id: BLOB },
    { path: "x/y.txt", mode: "100644", id: BLOB },
  ];
  const root = writeTree(rows);
  const files = [file("a/b/c.txt", "new\n")];
  const { root: after, made } = edited(editedTree(root, levelsOf(root, ["a/b/c.txt"]), files));
  const blob = repository.feed("new\n", "hash-object", "-w", "--stdin");
  assert.equal(files[0]?.blob, blob);
  assert.equal(after, writeTree([...rows, { path: "a/b/c.txt", mode: "100644", id: blob }]));
  assert.deepEqual(
    made.map(({ directory, id }) => [directory, id]),
    [
      ["", after],
      ["a", repository.git("rev-parse", `${after}:a`)],
      ["a/b", repository.git("rev-parse", `${after}:a/b`)],
    ],
  );
  for (const { id, bytes } of made) {
    assert.ok(repository.bytes("cat-file", "tree", id).equals(bytes));
    assert.equal(repository.feed(bytes, "hash-object", "-t", "tree", "--stdin", "--literally"), id);
  }
  assert.deepEqual(made[2]?.items, [{ name: "c.txt", mode: "100644", kind: "file", id: blob, size: 4 }]);
});

test("into an empty repository, new directories and all", () => {
  const after = edited(editedTree(EMPTY_TREE, new Map(), [file("src/new/main.go", "package main\n")]));
  const blob = objectId("blob", Buffer.from("package main\n"));
  assert.equal(after.root, writeTree([{ path: "src/new/main.go", mode: "100644", id: blob }]));
  assert.equal(after.made.length, 3);
});

test("what is written as it stood makes nothing", () => {
  const root = writeTree([{ path: "a/b", mode: "100644", id: BLOB }]);
  assert.deepEqual(editedTree(root, levelsOf(root, ["a/b"]), [file("a/b", "")]), { root, made: [] });
});

test("a file is not turned into a directory, nor a directory into a file", () => {
  const root = writeTree([
    { path: "a", mode: "100644", id: BLOB },
    { path: "link", mode: "120000", id: BLOB },
    { path: "sub", mode: "160000", id: OTHER },
    { path: "d/e", mode: "100644", id: BLOB },
  ]);
  const outcome = (...files: EditedFile[]) => editedTree(root, levelsOfPaths(allPaths(root)), files);
  assert.deepEqual(outcome(file("a/b", "")), { fault: "not_a_directory", path: "a" });
  assert.deepEqual(outcome(file("link/b/c", "")), { fault: "not_a_directory", path: "link" });
  assert.deepEqual(outcome(file("sub/b", "")), { fault: "not_a_directory", path: "sub" });
  assert.deepEqual(outcome(file("d", "")), { fault: "is_a_directory", path: "d" });
  assert.deepEqual(outcome(file("n", ""), file("n/o", "")), { fault: "is_a_directory", path: "n" });
  assert.deepEqual(outcome(file("n", ""), file("n", "x")), { fault: "written_twice", path: "n" });
});

test("no path and no mode that a file cannot have", () => {
  const root = writeTree([]);
  for (const path of ["../a", "/a", "a//b", "a\0", "a/"]) {
    assert.throws(() => editedTree(root, new Map(), [file(path, "")]), { code: "invalid_path" }, path);
  }
  assert.throws(() => editedTree(root, new Map(), [file("", "")]), RangeError);
  for (const mode of ["040000", "160000", "100", ""]) {
    assert.throws(() => editedTree(root, new Map(), [file("a", "", mode)]), RangeError, mode);
  }
});

const mktree = (text: string | Uint8Array): string => repository.feed(text, "mktree", "-z", "--missing");

test("trees that a listing does not tell whole are refused where they are touched, and only there", () => {
  const latin = mktree(Buffer.from(`100644 blob ${BLOB}\tcaf\u00e9\0`, "latin1"));
  const holdsEmpty = mktree(`040000 tree ${EMPTY_TREE}\tempty\0`);
  const old = repository.feed(
    Buffer.concat([Buffer.from("100664 a\0"), Buffer.from(BLOB, "hex")]),
    "hash-object",
    "-w",
    "-t",
    "tree",
    "--stdin",
    "--literally",
  );
  const plain = mktree(`100644 blob ${BLOB}\tb\0`);
  const root = mktree(
    `040000 tree ${latin}\tlatin\x00040000 tree ${holdsEmpty}\tholds-empty\x00040000 tree ${old}\told\x00040000 tree ${plain}\tplain\0`,
  );
  repository.git("read-tree", "--empty");
  assert.deepEqual(
    editedTree(root, levelsOfPaths(allPaths(root)), [file("plain/b", "x")]),
    { fault: "not_rebuilt", path: "" },
    "from all paths: the empty directory is in none of them",
  );
  const at = (path: string, print = (entry: TreeEntry) => entry) => {
    const levels = [...levelsOf(root, [path])].map(
      ([directory, entries]) => [directory, entries.map(print)] as const,
    );
    return editedTree(root, new Map(levels), [file(path, "x")]);
  };
  const made = edited(at("plain/b"));
  const expected = mktree(`100644 blob ${objectId("blob", Buffer.from("x"))}\tb\0`);
  assert.equal(
    made.root,
    mktree(
      `040000 tree ${latin}\tlatin\x00040000 tree ${holdsEmpty}\tholds-empty\x00040000 tree ${old}\told\x00040000 tree ${expected}\tplain\0`,
    ),
  );
  assert.deepEqual(at("latin/x"), { fault: "not_rebuilt", path: "latin" });
  assert.equal(edited(at("holds-empty/x")).made.length, 2);
  assert.equal(edited(at("holds-empty/empty/x")).made.length, 3);
  assert.deepEqual(at("old/b"), { fault: "not_rebuilt", path: "old" }, "git prints the old mode as 100644");
  const older = (entry: TreeEntry) => (entry.path === "old/a" ? { ...entry, mode: "100664" } : entry);
  assert.equal(edited(at("old/b", older)).made.length, 2, "an old mode that the listing tells is kept");
});

test("a touched directory that was not listed, or is another one, is not built upon", () => {
  const root = writeTree([{ path: "a/b", mode: "100644", id: BLOB }]);
  const levels = new Map(levelsOf(root, ["a/b"]));
  assert.deepEqual(editedTree(root, new Map(), [file("x", "")]), { fault: "not_rebuilt", path: "" });
  assert.deepEqual(editedTree(OTHER, levels, [file("x", "")]), { fault: "not_rebuilt", path: "" });
  levels.delete("a");
  assert.deepEqual(editedTree(root, levels, [file("a/c", "")]), { fault: "not_rebuilt", path: "a" });
  levels.set("a", []);
  assert.deepEqual(editedTree(root, levels, [file("a/c", "")]), { fault: "not_rebuilt", path: "a" });
});

const segment = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom("a", "a.b", "a-b", "a0", "b", "B", "\u00e9", "e\u0301", "\u{1f600}", "\uff5e"),
  },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 }) },
);
const path = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join("/"))
  .filter((text) => text.isWellFormed() && !/[\0\\:]/.test(text))
  .filter((text) => text.split("/").every((name) => name !== "" && !/^\.+$|git/i.test(name)));

/** Rows without a file on the way to another. */
function consistent<T extends { path: string }>(rows: readonly T[]): T[] {
  const kept: T[] = [];
  for (const row of rows) {
    const clashes = kept.some(
      (one) =>
        one.path.startsWith(`${row.path}/`) || row.path.startsWith(`${one.path}/`) || one.path === row.path,
    );
    if (!clashes) kept.push(row);
  }
  return kept;
}

test("generated commits and edits: from all paths as from touched directories, the tree that git writes", () => {
  const standing = fc.array(
    fc.record({ path, mode: fc.constantFrom("100644", "100644", "100755", "120000", "160000") }),
    { maxLength: 14 },
  );
  const edits = fc.array(
    fc.record({
      path: fc.option(path),
      nth: fc.nat(),
      mode: fc.constantFrom("100644", "100755", "120000"),
      text: fc.constantFrom("", "one\n", "two\n"),
    }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(standing, edits, (drawn, changes) => {
      const rows = consistent(drawn).map((row) => ({ ...row, id: row.mode === "160000" ? OTHER : BLOB }));
      const files = consistent(
        changes.map(({ path: fresh, nth, mode, text }) =>
          file(fresh ?? rows[nth % Math.max(1, rows.length)]?.path ?? "a", text, mode),
        ),
      ).filter(
        ({ path: at }) => !rows.some(({ path: one }) => one.startsWith(`${at}/`) || at.startsWith(`${one}/`)),
      );
      const root = writeTree(rows);
      const everything = levelsOfPaths(allPaths(root));
      const single = levelsOf(
        root,
        files.map(({ path: at }) => at),
      );
      const expected = writeTree([
        ...rows,
        ...files.map(({ path: at, mode, blob }) => ({ path: at, mode, id: blob })),
      ]);
      const outcome = edited(editedTree(root, everything, files));
      assert.equal(outcome.root, expected);
      assert.deepEqual(editedTree(root, single, files), outcome);
      for (const { directory, id, bytes } of outcome.made) {
        assert.equal(repository.git("rev-parse", `${expected}:${directory}`), id);
        assert.equal(objectId("tree", bytes), id);
      }
    }),
    { numRuns: 60 },
  );
});
