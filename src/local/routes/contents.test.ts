import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AWKWARD_FILES, type Awkward, awkwardRepository } from "../../../test/repositories/awkward.ts";
import { parsed } from "../testing/client.ts";
import { type Peculiar, peculiarRepository, SUBMODULE_SHA } from "../testing/peculiar.ts";
import { errorOf, ID, type Served, serve } from "../testing/served.ts";

interface Content {
  type: string;
  name: string;
  path: string;
  sha: string;
  size: number;
  content?: string;
  encoding?: string;
  target?: string;
  submodule_git_url?: string | null;
  git_url: string | null;
  html_url: string | null;
  download_url: string | null;
  url: string;
  entries?: Content[];
}

const RAW = { accept: "application/vnd.github.raw+json" };
const OBJECT = { accept: "application/vnd.github.object+json" };
const NEWER = { "x-github-api-version": "2026-03-10" };

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

const encode = (path: string): string => path.split("/").map(encodeURIComponent).join("/");
const blobOf = (path: string): string => odd.repository.git("rev-parse", `${odd.head}:${path}`);

test("every awkward name is found, with its bytes, as JSON and raw", async () => {
  for (const [path, content] of Object.entries(AWKWARD_FILES)) {
    const target = `/contents/${encode(path)}?ref=${awkward.before}`;
    const file = await named.json<Content>(target);
    assert.equal(file.type, "file", path);
    assert.equal(file.path, path);
    assert.equal(file.name, path.split("/").at(-1));
    assert.equal(file.encoding, "base64");
    assert.deepEqual(Buffer.from(file.content ?? "", "base64"), Buffer.from(content), path);
    const raw = await named.get(target, RAW);
    assert.deepEqual(raw.body, Buffer.from(content), path);
    assert.equal(raw.headers["content-type"], "application/vnd.github.raw+json; charset=utf-8");
  }
});

test("a slash in a path may be encoded; a leading one is not taken away", async () => {
  assert.equal((await named.json<Content>("/contents/src%2Fapp.ts")).path, "src/app.ts");
  for (const path of [
    "%2Fsrc",
    "src//app.ts",
    "src/%2e%2e/README.md",
    "../README.md",
    "nope",
    "README.md/x",
    "%ff",
  ]) {
    assert.deepEqual(errorOf(await named.get(`/contents/${path}`)), [404, "Not Found"], path);
  }
});

test("the ETag of a file is its blob", async () => {
  const reply = await named.get("/contents/README.md");
  const { sha } = parsed<Content>(reply);
  assert.equal(reply.headers.etag, `W/"${sha}"`);
  const again = await named.get("/contents/README.md", { "if-none-match": `W/"${sha}"` });
  assert.deepEqual([again.status, again.body.length], [304, 0]);
});

test("a directory with a trailing slash is redirected, and its ref is lost", async () => {
  const reply = await named.get("/contents/src/?ref=light");
  assert.equal(reply.status, 302);
  assert.equal(reply.headers.location, `${named.host.url}/repositories/${ID}/contents/src`);
  assert.equal((await named.get("/contents/")).status, 200);
  assert.equal((await named.get("/contents")).status, 200);
});

test("directories: entries in git's order with types and sizes, cut without a sign", async () => {
  const entries = await peculiar.json<Content[]>("/contents/");
  const expected = odd.repository
    .bytes("ls-tree", "--name-only", "-z", odd.head)
    .toString()
    .split("\0")
    .slice(0, -1);
  assert.deepEqual(
    entries.map(({ name }) => name),
    expected,
  );
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  assert.deepEqual([byName.get("dir")?.type, byName.get("dir")?.size], ["dir", 0]);
  assert.deepEqual([byName.get("kept.txt")?.type, byName.get("kept.txt")?.size], ["symlink", 13]);
  assert.deepEqual([byName.get("main.txt")?.type, byName.get("main.txt")?.size], ["file", 5]);
  assert.ok(byName.has("bad-\ufffd-name.txt"));
  assert.equal((await peculiar.get(`/contents/${encode("bad-\ufffd-name.txt")}`)).status, 404);
  assert.ok(entries.every(({ content }) => content === undefined));

  const small = await serve(odd.repository.path, { limits: { directoryEntries: 2 } });
  try {
    assert.equal((await small.json<Content[]>("/contents")).length, 2);
  } finally {
    await small.host.close();
  }
});

test("the object form wraps a directory and leaves a file as it is", async () => {
  const directory = await peculiar.json<Content>("/contents/dir", OBJECT);
  assert.equal(directory.type, "dir");
  assert.deepEqual(
    directory.entries?.map(({ path }) => path),
    ["dir/inner.txt", "dir/renamed.txt"],
  );
  assert.equal((await peculiar.json<Content>("/contents/main.txt", OBJECT)).content, "bWFpbgo=\n");
});

test("a link to a file shows the file under the link's own SHA and path", async () => {
  for (const [path, target] of [
    ["kept.txt", "dir/inner.txt"],
    ["nested/link-up", "dir/inner.txt"],
  ] as const) {
    const link = await peculiar.json<Content>(`/contents/${path}`);
    assert.deepEqual([link.type, link.path, link.sha], ["file", path, blobOf(path)], target);
    assert.equal(Buffer.from(link.content ?? "", "base64").toString(), "inner\n");
    assert.equal(link.size, 6);
    assert.equal((await peculiar.get(`/contents/${path}`, RAW)).body.toString(), "inner\n");
  }
});

test("other links are symlinks with a target: to a directory, out of the repository, to nothing, to a link", async () => {
  for (const [path, target] of [
    ["link-to-dir", "dir"],
    ["link-out", "../../etc/passwd"],
    ["link-absolute", "/etc/passwd"],
    ["link-dangling", "nowhere"],
    ["link-to-link", "kept.txt"],
  ] as const) {
    const link = await peculiar.json<Content>(`/contents/${path}`);
    assert.deepEqual([link.type, link.target, link.size], ["symlink", target, target.length], path);
    assert.equal(link.sha, blobOf(path));
    assert.equal(link.content, undefined);
    assert.equal((await peculiar.get(`/contents/${path}`, RAW)).body.toString(), target);
  }
  assert.equal((await peculiar.get("/contents/link-to-dir/inner.txt")).status, 404);
});

test("submodules: their address, links only on GitHub, type by API version in listings", async () => {
  const onGithub = await peculiar.json<Content>("/contents/vendor/on-github");
  assert.deepEqual(
    [onGithub.type, onGithub.size, onGithub.sha, onGithub.download_url, onGithub.submodule_git_url],
    ["submodule", 0, SUBMODULE_SHA, null, "https://github.com/octocat/Spoon-Knife.git"],
  );
  assert.match(
    String(onGithub.git_url),
    new RegExp(`/repos/octocat/Spoon-Knife/git/trees/${SUBMODULE_SHA}$`),
  );
  const elsewhere = await peculiar.json<Content>("/contents/vendor/elsewhere");
  assert.deepEqual(
    [elsewhere.submodule_git_url, elsewhere.git_url, elsewhere.html_url],
    ["https://example.com/other.git", null, null],
  );
  assert.equal((await peculiar.json<Content>("/contents/vendor/unlisted")).submodule_git_url, null);
  const types = async (headers: Record<string, string>): Promise<string[]> =>
    (await peculiar.json<Content[]>("/contents/vendor", headers)).map(({ type }) => type);
  assert.deepEqual(await types({}), ["file", "file", "file"]);
  assert.deepEqual(await types(NEWER), ["submodule", "submodule", "submodule"]);
});

test("beyond 1 MB: no content in JSON, all of it raw; or the older 403; beyond 100 MB nothing", async () => {
  const big = `/contents/big.txt`;
  const file = await named.json<Content>(big);
  const size = 5120 * (16 * 64 + 1);
  assert.deepEqual([file.content, file.encoding, file.size], ["", "none", size]);
  assert.equal((await named.get(big, RAW)).body.length, size);
  const older = await serve(awkward.repository.path, { limits: { largeContents: "forbidden" } });
  const tiny = await serve(awkward.repository.path, { limits: { blobBytes: 1000 } });
  try {
    const refused = await older.get(big);
    assert.equal(refused.status, 403);
    assert.match(errorOf(refused)[1], /^This API returns blobs up to 1 MB in size\. /);
    assert.equal((await older.get(big, OBJECT)).status, 200);
    assert.equal((await tiny.get(big, RAW)).status, 403);
    assert.equal((await tiny.get("/contents/README.md", RAW)).status, 200);
  } finally {
    await Promise.all([older.host.close(), tiny.host.close()]);
  }
});

test("refs in every form; an unknown one in GitHub's words", async () => {
  for (const ref of [
    "main",
    "heads/main",
    "refs/heads/main",
    "HEAD",
    awkward.head,
    awkward.head.slice(0, 9),
  ]) {
    assert.equal((await named.get(`/contents/README.md?ref=${ref}`)).status, 200, ref);
  }
  assert.deepEqual(errorOf(await named.get("/contents/README.md?ref=nope")), [
    404,
    "No commit found for the ref nope",
  ]);
  assert.deepEqual(errorOf(await named.get("/contents/src/app.ts?ref=light")), [404, "Not Found"]);
});

test("download addresses lead to the bytes", async () => {
  const file = await peculiar.json<Content>("/contents/nested/a/b/c.txt");
  const { pathname } = new URL(String(file.download_url));
  assert.equal((await peculiar.ask(pathname)).body.toString(), "deep\n");
});
