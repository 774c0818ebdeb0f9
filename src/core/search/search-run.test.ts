import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { GitpinError } from "../../errors.ts";
import { type ArchiveFile, type FileKind, heldFile } from "../archive/archive-file.ts";
import { parseQuery, type SearchOptions } from "./query.ts";
import { runSearch, type SearchOutcome } from "./search-run.ts";
import { BLOCK_LIMITS } from "./text-blocks.ts";
import { SEARCH_WORK, WorkBudget } from "./work-budget.ts";

const COMMIT = "c".repeat(40);

type Files = Readonly<Record<string, string | Uint8Array | { kind: FileKind } | { missing: string }>>;

function fileOf(path: string, content: Files[string]): ArchiveFile {
  const place = { rawPath: path, path, kind: "file" as FileKind };
  if (typeof content === "string" || content instanceof Uint8Array) {
    return heldFile(place, Buffer.from(content as string));
  }
  if ("missing" in content)
    return { ...heldFile(place, Buffer.alloc(0)), bytes: null, missing: content.missing };
  return heldFile({ ...place, kind: content.kind }, Buffer.from("target"));
}

/** The same file, not held: in pieces of this many bytes. */
function streamed(file: ArchiveFile, size: number): ArchiveFile {
  const bytes = file.bytes ?? Buffer.alloc(0);
  return {
    ...file,
    bytes: null,
    async *pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
}

interface Setting {
  work?: number;
  denied?: (path: string) => boolean;
  pause?: () => Promise<void>;
  streamedBy?: number;
}

async function search(files: Files, options: SearchOptions, setting: Setting = {}): Promise<SearchOutcome> {
  async function* all(): AsyncGenerator<ArchiveFile> {
    for (const [path, content] of Object.entries(files)) {
      const file = fileOf(path, content);
      yield setting.streamedBy === undefined || file.missing !== null
        ? file
        : streamed(file, setting.streamedBy);
    }
  }
  return runSearch(all(), parseQuery(options), {
    commit: COMMIT,
    denied: setting.denied ?? (() => false),
    work: new WorkBudget(setting.pause ?? (async () => undefined), setting.work),
  });
}

const places = (outcome: SearchOutcome): string[] =>
  outcome.hits.map((hit) => `${hit.path}:${hit.line}:${hit.column}`);

const FILES: Files = {
  "a.txt": "needle\nother\nNeedle needle\n",
  "b/c.md": "none\n",
  "b/d.md": "a needle",
  "bin.dat": "needle\0",
  link: { kind: "symlink" },
  "secret.pem": "needle\n",
  "z.ts": "\n\nneedle\n",
};

test("hits in git's order with line, column, ranges, and totals of the whole commit", async () => {
  const outcome = await search(FILES, { query: "NEEDLE" }, { denied: (path) => path.endsWith(".pem") });
  assert.deepEqual(places(outcome), ["a.txt:1:1", "a.txt:3:1", "b/d.md:1:3", "z.ts:3:1"]);
  assert.deepEqual(outcome.hits[1], {
    path: "a.txt",
    line: 3,
    column: 1,
    text: "Needle needle",
    textColumn: 1,
    lineBytes: 13,
    truncated: false,
    ranges: [
      { column: 1, bytes: 6 },
      { column: 8, bytes: 6 },
    ],
    moreRanges: false,
    before: [],
    after: [],
  });
  assert.deepEqual(outcome.totals, {
    filesSearched: 4,
    bytesSearched: 49,
    matchingFiles: 3,
    matchingLines: 4,
  });
  assert.deepEqual(outcome.skipped, [
    { reason: "binary", count: 1, paths: ["bin.dat"], detail: null },
    { reason: "symlink", count: 1, paths: ["link"], detail: null },
    { reason: "denied", count: 1, paths: ["secret.pem"], detail: null },
  ]);
  assert.equal(outcome.complete, true, "what git grep -I and policy leave out is no gap");
  assert.equal(outcome.nextCursor, null);
  assert.match(outcome.dialect, /simple case folding/);
});

test("files and count answers; paths and language narrow what is searched and counted", async () => {
  const files = await search(FILES, { query: "needle", answer: "files" });
  assert.deepEqual(files.files, [
    { path: "a.txt", matchingLines: 2 },
    { path: "b/d.md", matchingLines: 1 },
    { path: "secret.pem", matchingLines: 1 },
    { path: "z.ts", matchingLines: 1 },
  ]);
  assert.deepEqual(files.hits, []);
  const counted = await search(FILES, { query: "needle", answer: "count", include: ["b"], language: "md" });
  assert.deepEqual([counted.hits, counted.files], [[], []]);
  assert.deepEqual(counted.totals, {
    filesSearched: 2,
    bytesSearched: 13,
    matchingFiles: 1,
    matchingLines: 1,
  });
});

test("context stays inside the file and is numbered", async () => {
  const { hits } = await search({ f: "1\n2\nhit\n4\nhit\n6" }, { query: "hit", context: 2 });
  assert.deepEqual(
    hits.map(({ before, after }) =>
      [before, after].map((lines) => lines.map(({ line, text }) => `${line} ${text}`)),
    ),
    [
      [
        ["1 1", "2 2"],
        ["4 4", "5 hit"],
      ],
      [["3 hit", "4 4"], ["6 6"]],
    ],
  );
});

test("pages: every hit once, the same totals on each, and the cursor holds for nothing else", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 7 }, (_, i) => [`f${i}`, "x\nno\nx x\nx\n".repeat(i % 3)]),
  );
  const whole = await search(files, { query: "x", maxResults: 500 });
  for (const answer of ["hits", "files"] as const) {
    const every = await search(files, { query: "x", answer, maxResults: 500 });
    for (const maxResults of [1, 2, 3, 5, 18, 19]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await search(files, { query: "x", answer, maxResults, cursor });
        assert(page.hits.length + page.files.length <= maxResults);
        assert.deepEqual(page.totals, whole.totals);
        assert.equal(page.complete, true);
        seen.push(...places(page), ...page.files.map(({ path }) => path));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      assert.deepEqual(seen, [...places(every), ...every.files.map(({ path }) => path)]);
    }
  }
  const { nextCursor } = await search(files, { query: "x", maxResults: 1 });
  assert(nextCursor !== null);
  for (const options of [
    { query: "y" },
    { query: "x", wholeWord: true },
    { query: "x", answer: "files" as const },
  ]) {
    await assert.rejects(search(files, { ...options, cursor: nextCursor }), /another query/);
  }
  await assert.rejects(search(files, { query: "x", cursor: "bm9uc2Vuc2U" }), GitpinError);
  const noFiles = (async function* (): AsyncGenerator<ArchiveFile> {
    yield* [];
  })();
  const other = runSearch(noFiles, parseQuery({ query: "x", cursor: nextCursor }), {
    commit: "d".repeat(40),
    denied: () => false,
    work: new WorkBudget(async () => undefined),
  });
  await assert.rejects(other, /another commit/);
});

test("a search that runs out of work says so and goes on from there; together its pages are the whole", async () => {
  const names = Array.from({ length: 12 }, (_, i) => `f${String(i).padStart(2, "0")}`);
  const files = Object.fromEntries(names.map((name) => [name, "x\ny\nx\n"]));
  const whole = await search(files, { query: "x", maxResults: 500 });
  const seen: string[] = [];
  const starts = new Set<string | null>();
  const stops = new Set<string>();
  let cursor: string | undefined;
  do {
    // Enough for the six bytes of a few files, not for telling where their lines match.
    const page = await search(files, { query: "x", cursor }, { work: 40 });
    assert(page.work <= 40);
    assert.equal(page.complete, false);
    starts.add(page.searchedFrom);
    seen.push(...places(page));
    if (page.stoppedAt !== null) stops.add(page.stoppedAt);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  assert.deepEqual(seen, places(whole));
  assert.deepEqual([...stops], ["f03", "f06", "f09"]);
  assert.deepEqual([...starts], [null, "f03", "f06", "f09"]);
});

test("a file that is too much work even alone, a blob that is missing: left out and incomplete", async () => {
  const files = {
    a: "x\n",
    b: "x".repeat(1000),
    c: { missing: "its blob is larger than this service reads" },
    d: "x\n",
  };
  const outcome = await search(files, { query: "x" }, { work: 900 });
  assert.deepEqual(places(outcome), ["a:1:1", "d:1:1"]);
  assert.equal(outcome.complete, false);
  assert.deepEqual(outcome.skipped, [
    { reason: "too_costly", count: 1, paths: ["b"], detail: null },
    { reason: "missing", count: 1, paths: ["c"], detail: "its blob is larger than this service reads" },
  ]);
});

test("long lines are left out by an expression, searched by a literal, and shown around their match", async () => {
  const line = `${"é".repeat(200_000)}needle${"b".repeat(5000)}`;
  const files = { f: `needle\n${line}\nneedle\n` };
  const regex = await search(files, {
    query: "(?:n|m)eedle|(?:b|c){300}",
    mode: "regex",
    caseSensitive: true,
  });
  assert.deepEqual(places(regex), ["f:1:1", "f:3:1"]);
  assert.deepEqual([regex.complete, regex.skipped[0]?.reason], [false, "long_lines"]);
  const literal = await search(files, { query: "needle" });
  assert.deepEqual(places(literal), ["f:1:1", "f:2:400001", "f:3:1"]);
  const hit = literal.hits[1];
  assert.deepEqual([hit?.textColumn, hit?.lineBytes, hit?.truncated], [399_901, 405_006, true]);
  assert.equal(hit?.text, `${"é".repeat(50)}needle${"b".repeat(394)}`);
  assert.equal(literal.complete, true);
});

test("files in pieces give the same answer as files that are held", async () => {
  const line = fc
    .array(fc.constantFrom("x", "y", "needle", "é", " "), { maxLength: 6 })
    .map((parts) => parts.join(""));
  const text = fc.array(line, { maxLength: 30 }).map((lines) => lines.join("\n"));
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 50 }), fc.nat(3), async (content, size, context) => {
      const options = { query: "needle", context };
      const held = await search({ f: content }, options);
      assert.deepEqual(await search({ f: content }, options, { streamedBy: size }), held);
    }),
  );
});

test("a file of many windows: numbers, context and totals as if it were held; others run meanwhile", async () => {
  const filler = `${"0123456789abcde\n".repeat(4095)}needle in it ok\n`;
  const content = filler.repeat(320);
  assert(content.length > 2 * BLOCK_LIMITS.window);
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses++;
  };
  const options = { query: "needle", context: 1, maxResults: 500 };
  const held = await search({ f: content }, options);
  const pieces = await search({ f: content }, options, { streamedBy: 300_001, pause });
  assert.deepEqual(pieces, held);
  assert.equal(pieces.totals.matchingLines, 320);
  assert.deepEqual(
    pieces.hits.slice(0, 2).map(({ line }) => line),
    [4096, 8192],
  );
  assert.equal(pieces.hits.at(-1)?.line, 320 * 4096);
  assert.deepEqual(
    pieces.hits[100]?.after.map(({ text }) => text),
    ["0123456789abcde"],
  );
  assert(pauses >= 19, `${pauses} pauses in ${content.length} bytes`);
});

test("a big binary file and a line that does not fit are said, not searched in part as if whole", async () => {
  const binary = await search(
    { f: `\0${"needle\n".repeat(2_000_000)}` },
    { query: "needle" },
    { streamedBy: 1_000_000 },
  );
  assert.deepEqual([binary.skipped[0]?.reason, binary.complete, binary.hits.length], ["binary", true, 0]);
  const content = `needle\n${"x".repeat(BLOCK_LIMITS.window * 2)}\nneedle\n`;
  const long = await search({ f: content }, { query: "needle" }, { streamedBy: 1_000_000 });
  assert.deepEqual(
    [long.skipped[0]?.reason, long.complete, places(long)],
    ["line_too_long", false, ["f:1:1"]],
  );
});

test("an expensive expression pauses by its work, not by its bytes", async () => {
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses++;
  };
  const files = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`f${i + 10}`, "ab\n".repeat(20_000)]),
  );
  const expensive = await search(files, { query: "(?:a|b)*a(?:a|b){80}c", mode: "regex" }, { pause });
  assert(expensive.work > 20 * 60_000 * 80);
  assert(pauses >= Math.floor(expensive.work / SEARCH_WORK.untilPause / 2), `${pauses}`);
  pauses = 0;
  await search(files, { query: "abc" }, { pause });
  assert.equal(pauses, 1);
});

test("options out of bounds are refused by name", () => {
  const cases: [SearchOptions, string][] = [
    [{ query: "" }, "query"],
    [{ query: "a\nb" }, "query"],
    [{ query: "\ud800" }, "query"],
    [{ query: "x".repeat(1001) }, "query"],
    [{ query: "x", context: 6 }, "context"],
    [{ query: "x", context: 0.5 }, "context"],
    [{ query: "x", maxResults: 0 }, "maxResults"],
    [{ query: "x", maxResults: 501 }, "maxResults"],
    [{ query: "x", language: "klingon" }, "language"],
  ];
  for (const [options, field] of cases) {
    assert.throws(
      () => parseQuery(options),
      (error) =>
        error instanceof GitpinError && error.code === "invalid_argument" && error.data.field === field,
    );
  }
});
