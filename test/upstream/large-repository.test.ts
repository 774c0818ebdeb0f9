/**
 * 120,000 paths, a directory of 20,000, a tree that GitHub cuts: every tool is right about them, against git itself, and reading
 * them stays within an isolate's memory.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import type { Catalog } from "../../src/schema/catalog.ts";
import type { Comparison } from "../../src/schema/comparison.ts";
import type { EvidencePack, EvidenceSlice } from "../../src/schema/evidence.ts";
import type { SearchResult } from "../../src/schema/search.ts";
import { type ManyPaths, manyPaths, PATHS, WIDE } from "../repositories/many-paths.ts";
import { type Answer, type Stack, startStack } from "../stack.ts";
import type { LargeReading } from "./large-reader.ts";

const NEEDLE = "area-3/dir-07/file-500.ts";
let many: ManyPaths;
let stack: Stack;

before(async () => {
  many = manyPaths();
  stack = await startStack({
    host: {
      repositories: [{ owner: "octo", name: "many", path: many.repository.path, id: 5 }],
    },
    registry: [{ name: "many", owner: "octo", repo: "many", id: 5 }],
    vars: { HEAD_MAX_AGE: "3600" },
  });
});
after(async () => {
  await stack.close();
  many.repository.remove();
});

const git = (...args: string[]): string[] => many.repository.git(...args).split("\n");

test("catalog and prove: the right HEAD, the right bytes, and only the trees on the way", async () => {
  const { body } = await stack.get<Catalog>("/v1/catalog");
  assert.deepEqual([body.repositories[0]?.status, body.repositories[0]?.headSha], ["ok", many.head]);
  const { result, requests } = await stack.counted(() =>
    stack.get<EvidencePack>("/v1/prove", { repository: "many", sourcePath: NEEDLE, lineStart: 1 }),
  );
  assert.equal(result.body.content, "export const needle = 'found once';\n");
  assert.equal(result.body.proof?.tree, "hashed");
  assert.equal(result.body.blobSha, many.repository.git("rev-parse", `${many.head}:${NEEDLE}`));
  assert.ok(
    requests.some((request) => request.includes("recursive=1")),
    "the whole is tried once",
  );
  assert.ok(requests.length <= 6, requests.join("\n"));
});

test("read: a directory of 20,000, page by page, as git lists it", async () => {
  const names: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Answer<EvidenceSlice> = await stack.get<EvidenceSlice>("/v1/read", {
      repository: "many",
      sourcePath: WIDE,
      limit: 1000,
      ...(cursor === null ? {} : { cursor }),
    });
    assert.equal(page.status, 200);
    assert.equal(page.body.totalEntries, 19_999);
    names.push(...(page.body.entries ?? []).map(({ sourcePath }) => sourcePath));
    cursor = page.body.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(names, git("ls-tree", "--name-only", many.head, `${WIDE}/`));
});

test("compare: what git diff says, though both trees are cut", async () => {
  const { status, body } = await stack.get<Comparison>("/v1/compare", {
    repository: "many",
    base: many.first,
    head: many.head,
  });
  assert.equal(status, 200);
  const changes = body.changes.map((change) => `${change.status}\t${change.sourcePath}`);
  assert.deepEqual(changes, git("diff", "--name-status", "--no-renames", many.first, many.head));
});

test("search: the one file of 120,000", async () => {
  const { status, body } = await stack.get<SearchResult>("/v1/search-code", {
    repository: "many",
    query: "needle",
  });
  assert.equal(status, 200);
  assert.deepEqual(
    body.candidates.map(({ sourcePath }) => sourcePath),
    [NEEDLE],
  );
});

/** The adapter alone in a process whose JavaScript heap may not grow beyond `heapMb`. */
async function reading(heapMb: number): Promise<LargeReading> {
  const script = join(import.meta.dirname, "large-reader.ts");
  const bounded = ["--expose-gc", `--max-old-space-size=${heapMb}`, "--max-semi-space-size=2"];
  const child = spawn(process.execPath, [...bounded, script, stack.host.url, many.head, NEEDLE], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const printed = await text(child.stdout);
  assert.equal(await ended, 0, "the reader ran out of memory");
  return JSON.parse(printed) as LargeReading;
}

test("memory: walking a cut tree of 120,000 paths fits an isolate beside everything else", async () => {
  const read = await reading(72);
  const { paths, complete, assurance, wide } = read;
  assert.deepEqual(
    { paths, complete, assurance, wide },
    { paths: PATHS, complete: true, assurance: "hashed", wide: 19_999 },
  );
  assert.ok(read.peak < 90 * 1024 * 1024, `${read.peak} bytes`);
});
