/** Lines of files that are too large to be read whole: in one pass, hashed, never held. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { GitRepository } from "../../test/repositories/git.ts";
import { type Hosted, hosted } from "../../test/repositories/hosted.ts";
import { GitpinError } from "../errors.ts";
import type { BlobLines } from "../ports/repository-reader.ts";
import type { GitHub } from "./github.ts";

const MB = 1024 * 1024;
const LINE = `${"x".repeat(1023)}\n`;
/** 40 MB: `line N` first, then a kilobyte, twenty thousand times, and an end without a line feed. */
const lines = Array.from(
  { length: 20_000 },
  (_, i) => `line ${i + 1}\n${LINE}${LINE.repeat(i % 3 === 0 ? 1 : 0)}`,
);
const TEXT = `${lines.join("")}end`;

let repository: GitRepository;
let head: string;
let at: Hosted;

before(async () => {
  repository = new GitRepository("large");
  repository.write("large.txt", TEXT).write("beyond.bin", new Uint8Array(100 * MB + 1));
  head = repository.commit("large");
  at = await hosted(repository.path);
});
beforeEach(() => {
  at.forget();
  at.store.values.clear();
  at.host.faults.clear();
});
after(async () => {
  await at.host.close();
  repository.remove();
});

async function read(github: GitHub, path: string, start: number, end: number): Promise<BlobLines> {
  const { reader } = at.call(github);
  const commit = await reader.commit(head);
  assert.ok(commit);
  const found = await reader.entry(commit, path);
  assert.ok(found);
  return reader.lines(found.entry, { start, end });
}

const code = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no error",
    (error: unknown) => (error instanceof GitpinError ? error.code : String(error)),
  );

const text = ({ bytes }: BlobLines): string | null => (bytes === null ? null : Buffer.from(bytes).toString());

const byGit = (start: number, end: number): string =>
  repository.shell(`git show ${head}:large.txt | sed -n '${start},${end}p'`).toString();

test("lines are those of git, wherever they stand; the file's length is told", async () => {
  const github = at.isolate();
  const total = Number(repository.shell(`git show ${head}:large.txt | grep -c ''`).toString());
  for (const [start, end] of [
    [1, 1],
    [2, 5],
    [30_001, 30_010],
    [total - 1, total],
  ] as const) {
    const found = await read(github, "large.txt", start, end);
    assert.equal(text(found), byGit(start, end));
    assert.equal(found.totalLines, total);
    assert.equal(found.start.length, 8000);
  }
  assert.equal(text(await read(github, "large.txt", total, total + 1)), null);
});

test("what was read once is kept: by this isolate and, sealed, in the store", async () => {
  const github = at.isolate();
  const first = await read(github, "large.txt", 7, 9);
  const requests = at.host.requests.length;
  assert.deepEqual(await read(github, "large.txt", 7, 9), first);
  assert.deepEqual(text(await read(at.isolate(), "large.txt", 7, 9)), text(first));
  assert.equal(at.host.requests.length, requests);
  const [key, sealed] = [...at.store.values].find(([name]) => name.includes("/lines/")) ?? [];
  assert.ok(key && sealed && sealed.length < 100_000, "the lines, not the file");
  sealed[200] = (sealed[200] ?? 0) ^ 1;
  assert.equal(text(await read(at.isolate(), "large.txt", 7, 9)), text(first));
  assert.equal(at.host.requests.length, requests + 1, "damage is noticed, and fetched again");
});

test("a flipped byte anywhere in the file, or one too few: nothing is served", async () => {
  for (const offset of [0, 5 * MB, TEXT.length - 1]) {
    at.host.faults.clear();
    at.store.values.clear();
    const rule = at.host.faults.add({
      kind: "flip-byte",
      offset,
      match: (_, path) => path.includes("/git/blobs/"),
    });
    assert.equal(await code(read(at.isolate(), "large.txt", 2, 2)), "upstream_corrupt");
    assert.equal(rule.hits, 2, "asked for once more");
  }
  at.host.faults.clear();
  at.host.faults.add({ kind: "short", match: (_, path) => path.includes("/git/blobs/") });
  assert.equal(await code(read(at.isolate(), "large.txt", 2, 2)), "upstream_corrupt");
  at.host.faults.clear();
  at.host.faults.add({ kind: "cut", times: 1, match: (_, path) => path.includes("/git/blobs/") });
  assert.equal(text(await read(at.isolate(), "large.txt", 1, 1)), "line 1\n", "a cut is repeated over");
});

test("bounds: the whole file, more lines than may be held, a file beyond GitHub's bound", async () => {
  const github = at.isolate();
  const { reader } = at.call(github);
  const commit = await reader.commit(head);
  assert.ok(commit);
  const found = await reader.entry(commit, "large.txt");
  assert.ok(found);
  await assert.rejects(reader.blob(found.entry.id), (error) => {
    assert.ok(error instanceof GitpinError && error.code === "blob_too_large");
    return error.nextStep.startsWith("Ask for some of its lines");
  });
  assert.equal(await code(read(github, "large.txt", 1, 30_000)), "blob_too_large");
  const before = at.host.requests.length;
  assert.equal(await code(read(github, "beyond.bin", 1, 1)), "blob_too_large");
  assert.equal(at.host.requests.length, before, "without a request");
});
