import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { type Peculiar, peculiarRepository } from "../testing/peculiar.ts";
import { errorOf, ID, type Served, serve } from "../testing/served.ts";

let odd: Peculiar;
let served: Served;

before(async () => {
  odd = peculiarRepository();
  served = await serve(odd.repository.path);
});

after(async () => {
  await served.host.close();
  odd.remove();
});

const pathOf = (location: string | undefined): string => String(location).slice(served.host.url.length);
const entry = (archive: Buffer, path: string): string =>
  execFileSync("tar", ["-xzOf", "-", path], { input: archive }).toString();

test("tarball: a redirect on the same host, named as GitHub names it", async () => {
  const expected: Record<string, string> = {
    "/tarball": "refs/heads/main",
    "/tarball/": "refs/heads/main",
    "/tarball/main": "refs/heads/main",
    "/tarball/feature/one": "refs/heads/feature/one",
    "/tarball/signed": "refs/tags/signed",
    [`/tarball/${odd.merge}`]: odd.merge,
  };
  for (const [path, ref] of Object.entries(expected)) {
    const reply = await served.get(path);
    assert.equal(reply.status, 302);
    assert.equal(reply.headers["cache-control"], "public, must-revalidate, max-age=0");
    assert.equal(reply.headers.location, `${served.host.url}/_codeload/octo/demo/legacy.tar.gz/${ref}`);
  }
  assert.deepEqual(errorOf(await served.get("/tarball/nope")), [404, "Not Found"]);
});

test("the archive is git's: one top folder, attributes of the tree, no filters of the clone", async () => {
  const reply = await served.ask(`/_codeload/octo/demo/legacy.tar.gz/${odd.head}`);
  assert.equal(reply.status, 200);
  const top = `octo-demo-${odd.head.slice(0, 7)}`;
  assert.equal(reply.headers["content-type"], "application/x-gzip");
  assert.equal(reply.headers["content-disposition"], `attachment; filename=${top}.tar.gz`);
  odd.repository.git("config", "--unset", "filter.shout.smudge");
  const expected = odd.repository.bytes("archive", "--format=tar", `--prefix=${top}/`, odd.head);
  odd.repository.git("config", "filter.shout.smudge", "tr a-z A-Z");
  assert.deepEqual(gunzipSync(reply.body), expected);
  assert.equal(entry(reply.body, `${top}/version.txt`), `${odd.head}\n`);
  assert.equal(entry(reply.body, `${top}/loud.txt`), "quiet\n");
  assert.throws(() =>
    execFileSync("tar", ["-tzf", "-", `${top}/secret`], { input: reply.body, stdio: "pipe" }),
  );
});

test("an ETag is honoured", async () => {
  const path = `/_codeload/octo/demo/legacy.tar.gz/${odd.head}`;
  const { etag } = (await served.ask(path, { method: "HEAD" })).headers;
  assert.match(String(etag), /^W\/"[0-9a-f]{64}"$/);
  const again = await served.ask(path, { headers: { "if-none-match": String(etag) } });
  assert.deepEqual([again.status, again.body.length], [304, 0]);
});

test("a token must not be sent to the download host", async () => {
  const { location } = (await served.get("/tarball/main", { authorization: "Bearer t" })).headers;
  const reply = await served.ask(pathOf(location), { headers: { authorization: "Bearer t" } });
  assert.equal(reply.status, 400);
  const record = served.host.requests.at(-1);
  assert.deepEqual([record?.authorization, record?.status], [true, 400]);
});

test("a zipball too", async () => {
  const { location } = (await served.get("/zipball/main")).headers;
  const reply = await served.ask(pathOf(location));
  assert.equal(reply.headers["content-type"], "application/zip");
  assert.equal(reply.body.subarray(0, 2).toString(), "PK");
});

test("a private repository's address carries a token for that address, for five minutes", async () => {
  let now = Date.UTC(2026, 0, 1);
  const hidden = await serve(odd.repository.path, {
    repositories: [{ owner: "octo", name: "demo", path: odd.repository.path, id: ID, private: true }],
    now: () => now,
  });
  try {
    const { location } = (await hidden.get("/tarball/main", { authorization: "Bearer t" })).headers;
    const path = String(location).slice(hidden.host.url.length);
    assert.match(path, /^\/_codeload\/octo\/demo\/legacy\.tar\.gz\/refs\/heads\/main\?token=[\w-]{20,}$/);
    assert.equal((await hidden.ask(path)).status, 200);
    assert.equal((await hidden.ask(path.replace("heads/main", "heads/feature/one"))).status, 404);
    assert.equal((await hidden.ask(path.replace(/\?.*/, ""))).status, 404);
    now += 5 * 60 * 1000;
    assert.equal((await hidden.ask(path)).status, 404);
  } finally {
    await hidden.host.close();
  }
});
