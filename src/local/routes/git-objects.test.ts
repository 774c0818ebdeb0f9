import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AWKWARD_FILES, type Awkward, awkwardRepository } from "../../../test/repositories/awkward.ts";
import { parsed } from "../testing/client.ts";
import { type Peculiar, peculiarRepository } from "../testing/peculiar.ts";
import { errorOf, type Served, serve } from "../testing/served.ts";

interface BlobJson {
  sha: string;
  size: number;
  content: string;
  encoding: string;
}

interface TreeJson {
  sha: string;
  url: string;
  truncated: boolean;
  tree: { path: string; mode: string; type: string; sha: string; size?: number; url?: string }[];
}

const RAW = { accept: "application/vnd.github.raw+json" };

let awkward: Awkward;
let odd: Peculiar;
let named: Served;
let peculiar: Served;

before(async () => {
  awkward = awkwardRepository();
  odd = peculiarRepository();
  named = await serve(awkward.repository.path);
  peculiar = await serve(odd.repository.path);
});

after(async () => {
  await Promise.all([named.host.close(), peculiar.host.close()]);
  awkward.repository.remove();
  odd.remove();
});

test("blobs: base64 in lines of 60 with a final newline, and raw, byte for byte", async () => {
  for (const [path, content] of Object.entries(AWKWARD_FILES)) {
    const sha = awkward.repository.feed(content, "hash-object", "--stdin");
    if (path === "README.md") continue;
    const blob = await named.json<BlobJson>(`/git/blobs/${sha}`);
    const expected = Buffer.from(content);
    assert.deepEqual(Buffer.from(blob.content, "base64"), expected, path);
    assert.equal(
      blob.content,
      expected.toString("base64").replace(/.{1,60}/g, (line) => `${line}\n`),
    );
    assert.deepEqual([blob.size, blob.encoding, blob.sha], [expected.length, "base64", sha]);
    assert.deepEqual((await named.get(`/git/blobs/${sha}`, RAW)).body, expected, path);
  }
});

test("blobs: malformed, missing, of another type, too large", async () => {
  const malformed = "The sha parameter must be exactly 40 characters and contain only [0-9a-f].";
  assert.deepEqual(errorOf(await named.get("/git/blobs/main")), [422, malformed]);
  assert.deepEqual(errorOf(await named.get(`/git/blobs/${"0".repeat(40)}`)), [404, "Not Found"]);
  assert.deepEqual(errorOf(await named.get(`/git/blobs/${awkward.head}`)), [404, "Not Found"]);
  const small = await serve(awkward.repository.path, { limits: { blobBytes: 100 } });
  try {
    const big = awkward.repository.git("rev-parse", "HEAD:big.txt");
    const reply = await small.get(`/git/blobs/${big}`, RAW);
    assert.equal(reply.status, 403);
    assert.deepEqual(parsed<{ errors: unknown }>(reply).errors, [
      { resource: "Blob", field: "data", code: "too_large" },
    ]);
  } finally {
    await small.host.close();
  }
});

test("trees, flat and recursive, are git's", async () => {
  const listing = (...options: string[]) =>
    odd.repository
      .bytes("ls-tree", "-l", "-z", ...options, odd.head)
      .toString()
      .split("\0")
      .filter(Boolean)
      .map((line) => {
        const [meta = "", path = ""] = line.split("\t");
        const [mode, type, sha, size] = meta.split(/ +/);
        return { path, mode, type, sha, ...(size !== "-" && { size: Number(size) }) };
      });
  const shown = (tree: TreeJson) => tree.tree.map(({ url: _, ...entry }) => entry);
  const flat = await peculiar.json<TreeJson>(`/git/trees/${odd.head}`);
  assert.deepEqual(shown(flat), listing());
  for (const value of ["=1", "=0", "=false", "=true", "=", ""]) {
    const deep = await peculiar.json<TreeJson>(`/git/trees/${odd.head}?recursive${value}`);
    assert.deepEqual(shown(deep), listing("-r", "-t"), value);
    assert.equal(deep.truncated, false);
  }
  const module = flat.tree.find(({ path }) => path === "vendor");
  assert.match(String(module?.url), /\/git\/trees\/[0-9a-f]{40}$/);
});

test("trees: the answer's sha is what was asked for, or the commit a ref leads to", async () => {
  const tree = odd.repository.git("rev-parse", `${odd.head}^{tree}`);
  const shaFor = async (name: string) => (await peculiar.json<TreeJson>(`/git/trees/${name}`)).sha;
  assert.equal(await shaFor(tree), tree);
  assert.equal(await shaFor(odd.head), odd.head);
  assert.equal(await shaFor("main"), odd.head);
  assert.equal(await shaFor("feature/one"), odd.feature);
  assert.equal(await shaFor("feature%2Fone"), odd.feature);
  assert.equal(await shaFor("signed"), odd.signed);
});

test("trees: cut at a number of entries or bytes, and said so", async () => {
  const limited = async (limits: { treeEntries?: number; treeBytes?: number }) => {
    const small = await serve(odd.repository.path, { limits });
    try {
      return await small.json<TreeJson>("/git/trees/main?recursive=1");
    } finally {
      await small.host.close();
    }
  };
  const whole = await peculiar.json<TreeJson>("/git/trees/main?recursive=1");
  const cut = await limited({ treeEntries: 3 });
  assert.equal(cut.truncated, true);
  assert.deepEqual(
    cut.tree.map(({ path }) => path),
    whole.tree.slice(0, 3).map(({ path }) => path),
  );
  const exact = await limited({ treeEntries: whole.tree.length });
  assert.deepEqual([exact.truncated, exact.tree.length], [false, whole.tree.length]);
  const short = await limited({ treeBytes: 1000 });
  assert.equal(short.truncated, true);
  assert.ok(short.tree.length > 0 && short.tree.length < whole.tree.length);
});

test("trees: a blob is 422, the unknown 404", async () => {
  const blob = odd.repository.git("rev-parse", `${odd.head}:main.txt`);
  const message = "Invalid object requested. SHA must identify a commit or a tree.";
  assert.deepEqual(errorOf(await peculiar.get(`/git/trees/${blob}`)), [422, message]);
  assert.deepEqual(errorOf(await peculiar.get("/git/trees/nope")), [404, "Not Found"]);
  assert.deepEqual(errorOf(await peculiar.get("/git/trees/main:dir")), [404, "Not Found"]);
});

test("git commits: by SHA only, with what GitHub drops dropped", async () => {
  interface GitCommitJson {
    sha: string;
    message: string;
    author: { name: string; email: string; date: string };
    tree: { sha: string };
    parents: { sha: string }[];
  }
  const commit = await peculiar.json<GitCommitJson>(`/git/commits/${odd.merge}`);
  const [tree, parents, message] = odd.repository
    .git("show", "-s", "--format=%T%x00%P%x00%B", odd.merge)
    .split("\0");
  assert.equal(commit.tree.sha, tree);
  assert.deepEqual(
    commit.parents.map(({ sha }) => sha),
    parents?.split(" "),
  );
  assert.equal(`${commit.message}\n`, message);
  assert.match(commit.author.date, /^2026-01-01T\d\d:\d\d:00Z$/);
  for (const name of ["main", odd.merge.slice(0, 7), tree ?? "", odd.merge.toUpperCase()]) {
    assert.deepEqual(errorOf(await peculiar.get(`/git/commits/${name}`)), [404, "Not Found"], name);
  }
});

test("tags: the tag object, its signature and what it leads to", async () => {
  interface TagJson {
    tag: string;
    message: string;
    tagger: { name: string; date: string };
    object: { sha: string; type: string };
    verification: { reason: string; signature: string; payload: string };
  }
  const signed = await peculiar.json<TagJson>(`/git/tags/${odd.signedTag}`);
  assert.deepEqual([signed.tag, signed.object.sha, signed.object.type], ["signed", odd.signed, "commit"]);
  const { payload, signature, reason } = signed.verification;
  assert.equal(reason, "unknown_key");
  const whole = payload + signature;
  assert.equal(odd.repository.feed(whole, "hash-object", "-t", "tag", "--stdin"), odd.signedTag);

  const outer = awkward.repository.git("rev-parse", "refs/tags/nested");
  const nested = await named.json<TagJson>(`/git/tags/${outer}`);
  assert.deepEqual([nested.object.type, nested.message], ["tag", "a tag of a tag"]);
  const inner = await named.json<TagJson>(`/git/tags/${nested.object.sha}`);
  assert.deepEqual([inner.object.type, inner.object.sha], ["commit", awkward.before]);
  assert.deepEqual(errorOf(await named.get(`/git/tags/${awkward.head}`)), [404, "Not Found"]);
});
