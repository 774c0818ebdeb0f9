import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { GitRepository } from "../../../test/repositories/git.ts";
import { objectId } from "./hash.ts";
import { EMPTY_TREE, encodeTree, inGitOrder } from "./tree.ts";
import { itemNamed, type ListedRow, rowsOf, treesOf } from "./tree-listing.ts";
import { proveTree } from "./tree-proof.ts";

let repository: GitRepository;
before(() => {
  repository = new GitRepository();
});
after(() => repository.remove());

const BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/** A tree as git itself makes it of these lines. */
const mktree = (lines: string | Uint8Array): string => repository.feed(lines, "mktree", "-z", "--missing");

/** What `git ls-tree -r -t -l -z` says, as rows. */
function listed(treeish: string): ListedRow[] {
  const text = repository.bytes("ls-tree", "-r", "-t", "-l", "-z", treeish).toString("utf8");
  return text
    .split("\0")
    .slice(0, -1)
    .map((line) => {
      const [head = "", path = ""] = line.split("\t");
      const [mode = "", type, id = "", size] = head.split(/ +/);
      assert.ok(type === "blob" || type === "tree" || type === "commit");
      return { path, mode, type, id, size: size === "-" ? null : Number(size) };
    });
}

test("the empty tree", () => {
  assert.equal(objectId("tree", encodeTree([])), EMPTY_TREE);
});

test("order: a directory compares as if its name ended in a slash", () => {
  const items = [
    { name: "a", mode: "040000", id: EMPTY_TREE },
    { name: "a.b", mode: "100644", id: BLOB },
    { name: "a-b", mode: "100644", id: BLOB },
    { name: "a0", mode: "100644", id: BLOB },
  ];
  const names = inGitOrder(items).map((item) => item.name);
  assert.deepEqual(names, ["a-b", "a.b", "a", "a0"]);
});

test("order: by bytes, not by UTF-16 units", () => {
  const items = ["\u{1f600}", "\uff5e", "z"].map((name) => ({ name, mode: "100644", id: BLOB }));
  assert.deepEqual(
    inGitOrder(items).map((item) => item.name),
    ["z", "\uff5e", "\u{1f600}"],
  );
});

test("generated trees have the ids that git gives them", () => {
  const name = fc
    .string({ unit: "binary", minLength: 1, maxLength: 8 })
    .filter((text) => !/[\0/]/.test(text) && ![".", "..", ".git"].includes(text.toLowerCase()))
    .filter((text) => text.isWellFormed() && !/^\.?git/i.test(text));
  const mode = fc.constantFrom("100644", "100755", "120000", "040000", "160000");
  const trees = fc.uniqueArray(fc.record({ name, mode }), { selector: (item) => item.name, maxLength: 12 });
  fc.assert(
    fc.property(trees, (drawn) => {
      const items = drawn.map((item) => ({ ...item, id: item.mode === "040000" ? EMPTY_TREE : BLOB }));
      const type = (of: string) => (of === "040000" ? "tree" : of === "160000" ? "commit" : "blob");
      const lines = items.map((item) => `${item.mode} ${type(item.mode)} ${item.id}\t${item.name}\0`);
      assert.equal(objectId("tree", encodeTree(items)), mktree(lines.join("")));
    }),
    { numRuns: 60 },
  );
});

test("a recursive listing is taken apart into proven trees and put together again", () => {
  repository.write("a/b/c.txt", "c\n").write("a.b/x", "x\n").write("a-b", "y\n").write("ü/\u{1f600}", "z\n");
  repository.commit("files");
  const root = repository.git("rev-parse", "HEAD^{tree}");
  const rows = listed(root);
  const trees = treesOf(root, rows, true);
  assert.ok(!("damaged" in trees));
  assert.ok([...trees.values()].every((tree) => tree.assurance === "hashed"));
  assert.equal(trees.size, 5);
  // Whatever order the host lists in, the trees are git's.
  assert.deepEqual(treesOf(root, rows.toReversed(), true), new Map([...trees].sort()), "order");
  assert.deepEqual([...rowsOf(root, trees)], rows);
});

test("every damaged field of a plain listing is noticed", () => {
  const root = repository.git("rev-parse", "HEAD^{tree}");
  const rows = listed(root);
  const other = "1".repeat(40);
  rows.forEach((row, at) => {
    const damages: ListedRow[] = [
      { ...row, id: other },
      { ...row, path: `${row.path}x` },
      { ...row, mode: row.mode === "100644" ? "100755" : "100644" },
      { ...row, mode: row.mode === "100644" ? "100645" : "040001" },
    ];
    for (const damage of damages) {
      assert.ok("damaged" in treesOf(root, rows.with(at, damage), true), JSON.stringify(damage));
    }
    assert.ok("damaged" in treesOf(root, rows.toSpliced(at, 1), true), `without ${row.path}`);
    assert.ok("damaged" in treesOf(root, rows.toSpliced(at, 0, row), true), `twice ${row.path}`);
  });
  assert.ok("damaged" in treesOf(other, rows, true), "another root");
  assert.ok("damaged" in treesOf(root, [], true), "nothing");
});

test("names that are not UTF-8 rest on the host's word, for their tree only", () => {
  const entry = (name: string) => Buffer.from(`100644 blob ${BLOB}\t${name}\0`, "latin1");
  const odd = mktree(Buffer.concat([entry("caf\u00e9"), entry("caf\u00e8"), entry("plain")]));
  const root = mktree(`040000 tree ${odd}\todd\x00100644 blob ${BLOB}\tz\0`);
  const trees = treesOf(root, listed(root), true);
  assert.ok(!("damaged" in trees));
  assert.equal(trees.get(root)?.assurance, "hashed");
  const tree = trees.get(odd);
  assert.equal(tree?.assurance, "attested");
  assert.ok(tree);
  assert.throws(
    () => itemNamed(tree, "caf\ufffd"),
    { code: "path_ambiguous" },
    "two names look alike: neither is given out",
  );
  assert.equal(itemNamed(tree, "plain")?.id, BLOB);
});

test("a name that truly holds U+FFFD is proven like any other", () => {
  const root = mktree(`100644 blob ${BLOB}\ta\ufffdb\0`);
  const trees = treesOf(root, listed(root), true);
  assert.ok(!("damaged" in trees));
  assert.equal(trees.get(root)?.assurance, "hashed");
});

test("modes of old trees: proven as listed, attested where the host prints newer ones", () => {
  const old = { name: "a", mode: "100664", id: BLOB };
  const plain = { name: "b", mode: "100644", id: BLOB };
  const id = objectId("tree", encodeTree([old, plain]));
  assert.equal(proveTree(id, [old, plain]), "hashed");
  assert.equal(proveTree(id, [{ ...old, mode: "100644" }, plain]), "attested");
  assert.equal(proveTree(id, [{ ...old, mode: "100640" }, plain]), "attested");
  assert.equal(
    proveTree(id, [
      { ...old, mode: "100644" },
      { ...plain, name: "c" },
    ]),
    "damaged",
  );
  const new_ = objectId("tree", encodeTree([plain]));
  assert.equal(proveTree(new_, [{ ...plain, mode: "100664" }]), "damaged", "a digit was damaged on its way");
});
