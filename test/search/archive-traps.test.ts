/** Archives that are not the tree, and archives that are not archives: the result stays exact, or says what it lacks, or fails. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { SearchResult } from "../../src/schema/search.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, type StackOptions, startStack } from "../stack.ts";
import { ask, everyHit, gitGrep } from "./git-grep.ts";

type Vars = Record<string, string>;

/** A stack over one repository; both are gone when the test ends. */
async function withStack(
  context: { after(work: () => Promise<void>): void },
  repository: GitRepository,
  { vars = {}, ...more }: Partial<StackOptions> & { vars?: Vars } = {},
): Promise<Stack> {
  const stack = await startStack({
    host: { repositories: [{ owner: "o", name: "app", path: repository.path, id: 7 }] },
    registry: [{ name: "app", owner: "o", repo: "app", id: 7 }],
    vars: { HEAD_MAX_AGE: "3600", ...vars },
    ...more,
  });
  context.after(async () => {
    await stack.close();
    repository.remove();
  });
  return stack;
}

const isDownload = (_: string, path: string): boolean => path.startsWith("/_codeload/");
const rowOf = (result: SearchResult) => {
  const [row] = result.repositories;
  if (row === undefined) throw new Error("no repository was searched");
  return row;
};

/** Attributes that change what an archive holds, names and contents of every kind, a submodule. */
function trapped(): GitRepository {
  const repository = new GitRepository("trapped");
  repository.git("config", "core.safecrlf", "false");
  repository
    .write(".gitattributes", "ignored/ export-ignore\nsubst.txt export-subst\n*.bat text eol=crlf\n")
    .write("ignored/secretive.txt", "needle ignored\n")
    .write("subst.txt", "needle $Format:%H$\n")
    .write("run.bat", "needle one\nneedle two\n")
    .write(`${"d".repeat(100)}/${"e".repeat(100)}/${"f".repeat(100)}.txt`, "needle far\n")
    .write("latin1.txt", Buffer.from("needle caf\xe9\n", "latin1"))
    .write("late-nul.txt", Buffer.concat([Buffer.alloc(8001, "x\n"), Buffer.from("\0\nneedle late\n")]))
    .write("binary.dat", "needle\0")
    .write("empty.txt", "")
    .write(
      "model.bin",
      `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12\nx-note needle\n`,
    );
  repository.shell("ln -s needle link && printf 'needle raw' > \"$(printf 'na\\377me.txt')\"");
  repository.git("add", "--all");
  repository.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},vendor/lib`);
  return repository;
}

test("export-ignore, export-subst, eol, submodule, odd names: exactly what git grep finds", {
  timeout: 60_000,
}, async (t) => {
  const repository = trapped();
  repository.git("commit", "--quiet", "--message", "traps");
  const commit = repository.git("rev-parse", "HEAD");
  const stack = await withStack(t, repository);
  for (const query of ["needle", "Format:%H", "needle two\r", "x-note", "late"]) {
    const ours = await everyHit(stack, { repository: "app", sha: commit }, { query });
    assert.deepEqual(ours, gitGrep(repository, commit, { query }), query);
  }
  const result = await ask(stack, "pin.search_code", { repository: "app", query: "needle" });
  const row = rowOf(result);
  assert.equal(result.complete, true);
  assert.deepEqual(row.submodules, ["vendor/lib"]);
  assert.equal(row.archive?.from, "store");
  assert.equal(row.archive?.replacedFiles, 3);
  assert.deepEqual(
    row.skipped.map(({ reason, paths }) => [reason, paths]),
    [
      ["binary", ["binary.dat"]],
      ["symlink", ["link"]],
    ],
  );
});

test("more differing files than are read: named as missing, and no absence", {
  timeout: 60_000,
}, async (t) => {
  const repository = new GitRepository("many");
  repository.git("config", "core.safecrlf", "false");
  repository.write(".gitattributes", "*.txt text eol=crlf\n");
  for (let i = 0; i < 60; i++) repository.write(`f${String(i).padStart(2, "0")}.txt`, `line ${i}\n`);
  const commit = repository.commit("many");
  const stack = await withStack(t, repository);
  const result = await ask(stack, "pin.search_code", { repository: "app", query: "nowhere", sha: commit });
  const row = rowOf(result);
  assert.equal(result.complete, false);
  assert.equal(result.status, "partial");
  assert.equal(row.absence, null);
  const missing = row.skipped.find(({ reason }) => reason === "missing");
  assert.equal(missing?.count, 10);
  assert.equal(missing?.paths[0], "f50.txt");
  assert.match(row.incompleteBecause.join(), /10 files/);
  const handle = `gitpin-absence:app@${commit}?q=nowhere`;
  const verdict = await stack.get<{ error: { code: string } }>("/v1/verify", { absence: handle });
  assert.equal(verdict.status, 422);
  assert.equal(verdict.body.error.code, "absence_undecided");
});

test("an empty commit and an empty repository", { timeout: 60_000 }, async (t) => {
  const repository = new GitRepository("empty-commit");
  const commit = repository.commit("nothing");
  const stack = await withStack(t, repository);
  const result = await ask(stack, "pin.search_code", { repository: "app", query: "x", sha: commit });
  assert.equal(result.complete, true);
  assert.equal(result.totals.filesSearched, 0);
  assert.equal(rowOf(result).treeSha, "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
  const empty = new GitRepository("no-commit");
  t.after(() => empty.remove());
  await stack.host.add({ owner: "o", name: "none", path: empty.path });
  stack.host.remove("o/app");
  const second = await withStack(t, new GitRepository("none"));
  const refused = await second.post<{ error: { code: string } }>("/v1/search-code", {
    repository: "app",
    query: "x",
  });
  assert.equal(refused.status, 404);
  assert.equal(refused.body.error.code, "repository_empty");
});

test("one file of 60 MB is searched to its end", { timeout: 60_000 }, async (t) => {
  const repository = new GitRepository("large");
  const line = `${"all work and no play ".repeat(4)}\n`;
  repository.write("large.txt", `${line.repeat(Math.ceil(60_000_000 / line.length))}the needle\n`);
  const commit = repository.commit("large");
  const stack = await withStack(t, repository);
  const result = await ask(stack, "pin.search_code", { repository: "app", query: "needle", sha: commit });
  assert.equal(result.complete, true);
  assert.ok(result.totals.bytesSearched > 60_000_000);
  assert.equal(result.candidates[0]?.line, Math.ceil(60_000_000 / line.length) + 1);
});

test("damaged on the way: asked for once more; damaged for good: an error, never an empty list", {
  timeout: 60_000,
}, async (t) => {
  const repository = new GitRepository("damaged");
  for (let i = 0; i < 20; i++) repository.write(`f${i}.txt`, `needle ${i}\n`.repeat(200));
  const commit = repository.commit("files");
  const html = Buffer.from("<!DOCTYPE html><title>Unicorn!</title>");
  const stack = await withStack(t, repository, { uncached: true });
  const search = () =>
    stack.post<SearchResult & { error: { code: string } }>("/v1/search-code", {
      repository: "app",
      query: "needle",
      sha: commit,
      count: true,
    });
  const kinds = [
    { kind: "cut" },
    { kind: "flip-byte" },
    { kind: "wrong-length" },
    { kind: "reset" },
    { kind: "html-503" },
    { kind: "rewrite", rewrite: (answer: object) => ({ ...answer, body: html }) },
  ] as const;
  for (const fault of kinds) {
    const once = stack.host.faults.add({ ...fault, match: isDownload, times: 1 } as Parameters<
      typeof stack.host.faults.add
    >[0]);
    const mended = await search();
    assert.equal(once.hits, 1, fault.kind);
    assert.equal(mended.status, 200, `${fault.kind} ${JSON.stringify(mended.body)}`);
    assert.equal(mended.body.totals.matchingLines, 4000, fault.kind);
    once.remove();
    const always = stack.host.faults.add({ ...fault, match: isDownload } as Parameters<
      typeof stack.host.faults.add
    >[0]);
    const failed = await search();
    assert.ok(failed.status === 502 || failed.status === 504, `${fault.kind} ${failed.status}`);
    assert.match(failed.body.error.code, /^upstream_(?:corrupt|unavailable)$/, fault.kind);
    always.remove();
  }
  assert.equal((await search()).body.totals.matchingLines, 4000);
});

test("a decompression bomb ends at its bound, and the Worker lives", { timeout: 60_000 }, async (t) => {
  const repository = new GitRepository("bomb");
  const commit = repository.write("a.txt", "needle\n").commit("file");
  const stack = await withStack(t, repository);
  const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  // Members of a gzip file may follow one another: 2 GiB and more in two megabytes.
  const bomb = Buffer.concat([
    gzipSync(repository.bytes("archive", "--prefix=top/", commit).subarray(0, 1536)),
    ...Array.from({ length: 40 }, () => zeros),
  ]);
  stack.host.faults.add({
    kind: "rewrite",
    match: isDownload,
    rewrite: (answer) => ({ ...answer, body: bomb }),
  });
  const { status, body } = await stack.post<{ error: { code: string } }>("/v1/search-code", {
    repository: "app",
    query: "needle",
    sha: commit,
  });
  assert.ok(status === 413 || status === 502, String(status));
  assert.match(body.error.code, /^(?:archive_too_large|upstream_corrupt)$/);
  assert.equal((await stack.get("/healthz")).status, 200);
});

test("no credential leaves the API, and what is stored is not trusted", { timeout: 60_000 }, async (t) => {
  const repository = new GitRepository("private");
  const commit = repository.write("a.txt", "needle\n").commit("file");
  const stack = await withStack(t, repository, {
    host: {
      repositories: [{ owner: "o", name: "app", path: repository.path, id: 7, private: true }],
      tokens: ["a-token"],
    },
    vars: { GITHUB_TOKEN: "a-token" },
  });
  const search = async () =>
    rowOf(await ask(stack, "pin.search_code", { repository: "app", query: "needle", sha: commit }));
  assert.equal((await search()).archive?.from, "host");
  const downloads = stack.host.requests.filter(({ path }) => path.startsWith("/_codeload/"));
  assert.deepEqual(
    downloads.map(({ authorization }) => authorization),
    [false],
  );
  assert.match(downloads[0]?.path ?? "", /\?token=/);
  assert.equal(
    stack.worker.logs.some((line) => /token=|_codeload/.test(line)),
    false,
  );

  const kv = await stack.worker.kv();
  const { keys } = await kv.list({ prefix: "v1/" });
  const parts = keys
    .map(({ name }) => name)
    .filter((name) => /\/archive\/[0-9a-f]{40}\/[0-9a-f]{64}$/.test(name));
  assert.equal(parts.length, 1);
  assert.ok(keys.every(({ name, expiration }) => !name.includes("/archive/") || expiration !== undefined));
  const part = new Uint8Array((await kv.get(parts[0] ?? "", { type: "arrayBuffer" })) ?? new ArrayBuffer(0));
  part[part.length >> 1] = (part[part.length >> 1] ?? 0) ^ 1;
  await kv.put(parts[0] ?? "", part);
  assert.equal((await search()).archive?.from, "host");
  assert.equal((await search()).archive?.from, "store");
});

test("a redirect to any other host is refused", { timeout: 60_000 }, async (t) => {
  const repository = new GitRepository("redirect");
  const commit = repository.write("a.txt", "needle\n").commit("file");
  const stack = await withStack(t, repository);
  for (const location of ["http://127.0.0.1:9/_codeload/x", "file:///etc/passwd", "//evil.example/x", ""]) {
    const fault = stack.host.faults.add({
      kind: "rewrite",
      match: (_, path) => path.includes("/tarball/"),
      rewrite: (answer) => ({ ...answer, headers: { ...answer.headers, location } }),
    });
    const { status, body } = await stack.post<{ error: { code: string; message: string } }>(
      "/v1/search-code",
      {
        repository: "app",
        query: "needle",
        sha: commit,
      },
    );
    fault.remove();
    assert.equal(status, 502, location);
    assert.equal(body.error.code, "upstream_unexpected");
    assert.equal(JSON.stringify(body).includes("evil"), false);
  }
  assert.deepEqual(
    stack.host.requests.filter(({ path }) => path.startsWith("/_codeload/")),
    [],
  );
});
