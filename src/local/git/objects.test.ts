import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommit, parseTag, parseTree } from "./objects.ts";

const TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

test("a signed commit gives its signature, and what was signed", () => {
  const content = [
    `tree ${TREE}`,
    "author A U Thor <a@example.com> 1700000000 +0530",
    "committer C O Mitter <c@example.com> 1700000060 -0800",
    "gpgsig -----BEGIN SSH SIGNATURE-----",
    " AAAA",
    " -----END SSH SIGNATURE-----",
    "",
    "subject",
    "",
    "body",
    "",
  ];
  const commit = parseCommit(Buffer.from(content.join("\n")));
  assert.deepEqual(commit, {
    tree: TREE,
    parents: [],
    author: { name: "A U Thor", email: "a@example.com", seconds: 1700000000 },
    committer: { name: "C O Mitter", email: "c@example.com", seconds: 1700000060 },
    message: "subject\n\nbody\n",
    signature: "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----",
    payload: [...content.slice(0, 3), ...content.slice(6)].join("\n"),
  });
});

test("odd identities and messages are shown with what can be read", () => {
  const content = `tree ${TREE}\nauthor  <> 1 +0000\ncommitter broken\nencoding unknown-8bit\n\n`;
  const commit = parseCommit(Buffer.from(content));
  assert.deepEqual(commit.author, { name: "", email: "", seconds: 1 });
  assert.deepEqual(commit.committer, { name: "broken", email: "", seconds: 0 });
  assert.equal(commit.message, "");
  assert.equal(parseCommit(Buffer.from(`tree ${TREE}\n`)).message, "");
});

test("a tag without tagger and signature", () => {
  const tag = parseTag(Buffer.from(`object ${TREE}\ntype tree\ntag v0\n\nold\n`));
  assert.deepEqual(tag, {
    object: TREE,
    type: "tree",
    tag: "v0",
    tagger: null,
    message: "old\n",
    signature: null,
    payload: null,
  });
});

test("tree entries keep the bytes of their names, modes have six digits", () => {
  const sha = "00112233445566778899aabbccddeeff00112233";
  const name = Buffer.from([0x61, 0xff]);
  const content = Buffer.concat([Buffer.from("40000 "), name, Buffer.from([0]), Buffer.from(sha, "hex")]);
  assert.deepEqual(parseTree(content), [{ mode: "040000", name, sha }]);
});
