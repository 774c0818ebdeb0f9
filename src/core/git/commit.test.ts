import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { GitRepository } from "../../../test/repositories/git.ts";
import { decodeCommit, encodeCommit } from "./commit.ts";
import { type HostCommit, rebuildCommit } from "./commit-rebuild.ts";
import { objectId } from "./hash.ts";

let repository: GitRepository;
let keys: string;
before(() => {
  repository = new GitRepository();
  keys = mkdtempSync(join(tmpdir(), "gitpin-key-"));
  const key = join(keys, "key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", key]);
  repository.git("config", "gpg.format", "ssh");
  repository.git("config", "user.signingKey", key);
  repository.write("a", "a\n").commit("first");
});
after(() => {
  repository.remove();
  rmSync(keys, { recursive: true });
});

const raw = (sha: string): Buffer => repository.bytes("cat-file", "commit", sha);
const write = (text: string): string => repository.feed(text, "hash-object", "-w", "-t", "commit", "--stdin");

/** What GitHub's JSON tells of a commit: dates in UTC, one newline less, the payload of a signed one. */
function asHost(sha: string): HostCommit {
  const bytes = raw(sha);
  const decoded = decodeCommit(bytes);
  assert.ok(decoded);
  const person = ({ name, email, seconds }: typeof decoded.author) => ({
    name,
    email,
    date: new Date(seconds * 1000).toISOString().replace(".000Z", "Z"),
  });
  const text = bytes.toString("utf8");
  const signed = /^gpgsig (?<signature>.*(?:\n .*)*)\n/m.exec(text.slice(0, text.indexOf("\n\n") + 1));
  return {
    sha,
    tree: decoded.tree,
    parents: decoded.parents,
    author: person(decoded.author),
    committer: person(decoded.committer),
    message: decoded.message.replace(/\n$/, ""),
    signature: signed?.groups?.signature?.replaceAll("\n ", "\n") ?? null,
    payload: signed === null ? null : text.replace(signed[0], ""),
  };
}

function assertRebuilt(sha: string, why: string): void {
  const bytes = rebuildCommit(asHost(sha));
  assert.ok(bytes, why);
  assert.equal(Buffer.compare(bytes, raw(sha)), 0, why);
}

const TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const unsigned = (authorZone: string, committerZone: string, message: string, later = 0): string =>
  `tree ${TREE}\nauthor A U Thor <a@example.com> 1767225600 ${authorZone}\n` +
  `committer C O Mitter <c@example.com> ${1767225600 + later} ${committerZone}\n\n${message}`;

test("a commit made by git is rebuilt from the host's JSON", () => {
  assertRebuilt(repository.git("rev-parse", "HEAD"), "plain");
  repository.git(
    "commit",
    "--quiet",
    "--allow-empty",
    "--message",
    "subject\n\nbody: ü \u{1f600}\n\n- a\n- b",
  );
  assertRebuilt(repository.git("rev-parse", "HEAD"), "body");
});

test("merges, with and without parents' order", () => {
  const head = repository.git("rev-parse", "HEAD");
  const side = repository.feed("side\n", "commit-tree", `${head}^{tree}`, "-p", head);
  const third = repository.feed("third\n", "commit-tree", `${head}^{tree}`);
  const merge = repository.feed(
    "octopus\n",
    "commit-tree",
    `${head}^{tree}`,
    "-p",
    head,
    "-p",
    side,
    "-p",
    third,
  );
  assertRebuilt(merge, "octopus");
  assert.deepEqual(decodeCommit(raw(merge))?.parents, [head, side, third]);
});

test("messages without a final newline, with several, and empty ones", () => {
  for (const message of [
    "no newline",
    "one\n",
    "two\n\n",
    "three\n\n\n",
    "",
    "\n",
    "\n\nleading\n",
    "cr\r\n",
  ]) {
    assertRebuilt(write(unsigned("+0000", "+0000", message)), JSON.stringify(message));
  }
});

test("every pair of a few zones, near and far", () => {
  const zones = ["+0000", "-0700", "+0545", "+1400", "-0330", "-0000", "+0200", "+0100"];
  for (const author of zones) {
    for (const committer of zones) {
      assertRebuilt(write(unsigned(author, committer, "zones\n", 7)), `${author} ${committer}`);
    }
  }
});

test("signed commits, also with further headers, and with the blank line that some signers leave", () => {
  repository.git("commit", "--quiet", "--allow-empty", "-S", "--message", "signed");
  const sha = repository.git("rev-parse", "HEAD");
  assert.match(raw(sha).toString(), /^gpgsig -----BEGIN SSH SIGNATURE/m);
  assertRebuilt(sha, "ssh");
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n";
  const [head = "", message = ""] = unsigned("+0530", "-0800", "signed\n").split("\n\n");
  assertRebuilt(write(`${head}\n${signature} \n\n${message}`), "blank continuation line");
  assertRebuilt(write(`${head}\nencoding UTF-8\n${signature}\n${message}`), "after encoding");
  assertRebuilt(write(`${head}\n${signature}encoding UTF-8\n\n${message}`), "before encoding");
  const mergetag = `mergetag object ${TREE}\n type commit\n tag v1\n \n text\n`;
  assertRebuilt(write(`${head}\n${mergetag}${signature}\n${message}`), "with a mergetag");
});

test("what JSON does not carry stays the host's word, within bounds", () => {
  const [head = "", message = ""] = unsigned("+0000", "+0000", "text\n").split("\n\n");
  const extra = asHost(write(`${head}\nHG:extra something\n\n${message}`));
  assert.equal(rebuildCommit(extra), null);
  const odd = asHost(write(unsigned("+0017", "+0000", "an unheard-of zone\n")));
  assert.equal(rebuildCommit(odd), null);
  const long = asHost(write(unsigned("+0017", "+0000", "x".repeat(1_000_000))));
  assert.equal(rebuildCommit(long), null);
});

test("a payload that was changed is not taken", () => {
  repository.git("commit", "--quiet", "--allow-empty", "-S", "--message", "signed again");
  const host = asHost(repository.git("rev-parse", "HEAD"));
  assert.ok(host.payload);
  assert.equal(rebuildCommit({ ...host, payload: host.payload.replace("again", "Again") }), null);
  assert.equal(rebuildCommit({ ...host, payload: "" }), null);
});

test("encode and decode are inverse", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 12 }).map((s) => s.replace(/[<>\n\0]/g, "").trim());
  const zone = fc.constantFrom("+0000", "-0330", "+1345");
  const plain = { noNullPrototype: true };
  const signature = fc.record(
    { name: text, email: text, seconds: fc.integer({ min: -5e9, max: 5e9 }), zone },
    plain,
  );
  const id = fc.constantFrom(TREE, "1".repeat(40));
  const commit = fc.record(
    {
      tree: id,
      parents: fc.array(id, { maxLength: 3 }),
      author: signature,
      committer: signature,
      message: fc.string({ unit: "grapheme", maxLength: 40 }),
    },
    plain,
  );
  fc.assert(
    fc.property(commit, (drawn) => {
      const bytes = new TextEncoder().encode(encodeCommit(drawn));
      assert.deepEqual(decodeCommit(bytes), drawn);
    }),
  );
});

test("what is not a commit does not decode", () => {
  for (const text of ["", "tree x", "tree 1\nauthor a\ncommitter b\n\nx"]) {
    assert.equal(decodeCommit(Buffer.from(text)), null, text);
  }
  assert.equal(
    objectId("commit", raw(repository.git("rev-parse", "HEAD"))),
    repository.git("rev-parse", "HEAD"),
  );
});
