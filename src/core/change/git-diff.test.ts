/**
 * The oracle is git: generated trees are written with plumbing (`hash-object`, `update-index --index-info`,
 * `write-tree`) and what `git diff --name-status -z` says of two of them must be what we say, letter and order.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { outputOf } from "../../../test/support/small-shell.ts";
import { kindOfMode } from "../git/tree-entry.ts";
import { pairExactRenames } from "./renames.ts";
import { diffTrees, type ListedPath } from "./tree-diff.ts";

let folder = "";
const git = (args: string[], input: string | Buffer = ""): string =>
  outputOf("git", args, {
    cwd: folder,
    input,
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  }).toString();

before(() => {
  folder = mkdtempSync(join(tmpdir(), "tree-diff-"));
  git(["init", "-q", "."]);
});
after(() => rmSync(folder, { recursive: true, force: true }));

interface Leaf {
  mode: "100644" | "100755" | "120000" | "160000";
  /** Text of the blob; of a submodule, what its commit id is made from. */
  text: string;
}
type Tree = ReadonlyMap<string, Leaf>;

const segment = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("a", "b", "c", "a-b", "a.b", "a0", "x") },
  { weight: 1, arbitrary: fc.constantFrom("ä", "日本", "😀", "\uff5e", "\u{10000}", "with space", 'quo"te') },
  {
    weight: 1,
    arbitrary: fc.constantFrom("tab\there", "new\nline", "back\\slash", "-dash", "#h", "%25", "a:b"),
  },
);
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const leaf: fc.Arbitrary<Leaf> = fc.record({
  mode: fc.constantFrom<Leaf["mode"][]>("100644", "100644", "100755", "120000", "160000"),
  text: fc.constantFrom("", "one", "two", "three\n"),
});
const changes = fc.array(fc.tuple(path, fc.option(leaf, { nil: null })), { maxLength: 14 });
const history = fc.tuple(fc.array(fc.tuple(path, leaf), { maxLength: 14 }), changes);

/** Puts a leaf at a path, removing whatever git could not hold beside it (a file and a folder of one name). */
function put(tree: Map<string, Leaf>, at: string, value: Leaf | null): void {
  for (const other of tree.keys()) {
    if (other === at || other.startsWith(`${at}/`) || at.startsWith(`${other}/`)) tree.delete(other);
  }
  if (value !== null) tree.set(at, value);
}

const blobs = new Map<string, string>();
function idOf(value: Leaf): string {
  if (value.mode === "160000") return Buffer.from(value.text.padEnd(20, "s")).toString("hex").slice(0, 40);
  const known = blobs.get(value.text) ?? git(["hash-object", "-w", "--stdin"], value.text).trim();
  blobs.set(value.text, known);
  return known;
}

const NO_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

function writeTree(tree: Tree): string {
  if (tree.size === 0) return git(["hash-object", "-w", "-t", "tree", "--stdin"]).trim();
  git(["read-tree", "--empty"]);
  const entries = [...tree].map(([at, value]) => `${value.mode} ${idOf(value)}\t${at}\0`);
  git(["update-index", "-z", "--index-info"], entries.join(""));
  return git(["write-tree", "--missing-ok"]).trim();
}

const listing = (tree: string): ListedPath[] =>
  git(["ls-tree", "-r", "-z", tree])
    .split("\0")
    .filter((row) => row !== "")
    .map((row) => {
      const [about = "", at = ""] = [row.slice(0, row.indexOf("\t")), row.slice(row.indexOf("\t") + 1)];
      const [mode = "", , id = ""] = about.split(" ");
      const kind = kindOfMode(mode);
      assert.notEqual(kind, null);
      return { path: at, mode, kind: kind ?? "file", id };
    });

function compare(base: string, head: string): void {
  const diff = (option: string) =>
    git(["diff", "--name-status", "-z", option, "--ignore-submodules=none", base, head]);
  const [before, after] = [listing(base), listing(head)];
  const plain = diffTrees(before, after);
  assert.equal(plain.map((change) => `${change.status}\0${change.path}\0`).join(""), diff("--no-renames"));
  const withRenames = pairExactRenames(plain).map((change) =>
    change.status === "R" ? `R100\0${change.from}\0${change.path}\0` : `${change.status}\0${change.path}\0`,
  );
  assert.equal(withRenames.join(""), diff("-M100%"));
}

test("generated histories: letters, order and exact renames are git's", () => {
  fc.assert(
    fc.property(history, ([first, then]) => {
      const tree = new Map<string, Leaf>();
      for (const [at, value] of first) put(tree, at, value);
      const base = writeTree(tree);
      for (const [at, value] of then) put(tree, at, value);
      compare(base, writeTree(tree));
    }),
    { numRuns: 150 },
  );
});

test("one folder moved into another, with copies of one content, pairs as git pairs it", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(path, { maxLength: 12 }),
      fc.uniqueArray(path, { maxLength: 12 }),
      (left, right) => {
        const trees = [left, right].map((paths, side) => {
          const tree = new Map<string, Leaf>();
          for (const at of paths)
            put(tree, `${side === 0 ? "old" : "new"}/${at}`, { mode: "100644", text: "same" });
          return writeTree(tree);
        });
        compare(trees[0] ?? NO_TREE, trees[1] ?? NO_TREE);
      },
    ),
    { numRuns: 60 },
  );
});

test("git looks at a hundred equal sources and no further, and so do we", () => {
  const many = new Map<string, Leaf>();
  for (let n = 0; n < 130; n += 1) {
    many.set(`old/${String(n).padStart(3, "0")}`, { mode: "100644", text: "same" });
  }
  const base = writeTree(many);
  for (const wanted of ["098", "099", "100", "101", "129"]) {
    compare(base, writeTree(new Map([[`new/${wanted}`, { mode: "100644", text: "same" }]])));
  }
});
