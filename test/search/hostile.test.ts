/** Expressions made to hurt: each ends in bounded, counted work or a refusal that explains itself, while others are served. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SEARCH_WORK } from "../../src/core/search/work-budget.ts";
import type { SearchResult } from "../../src/schema/search.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";

const PATTERNS = [
  "(a+)+$",
  "(a|a)*$",
  "(a|aa)+$",
  "(a*)*b",
  "(x+x+)+y",
  "([a-zA-Z]+)*$",
  "(.*a){20}",
  "(.*)*(.*)*(.*)*x",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(a?){60}a{60}",
  "(a|b)*a(a|b){20}[cd]",
  "(a|b)*a(a|b){100}[cd]",
  "((a{1,40}){1,10}){1,5}",
  "a{1000}",
  "((((a{10}){10}){10}){10}){10}",
  "(?:(?:(?:a*)*)*)*",
  "[^b]*[^c]*[^d]*[^e]*[^f]*z",
  "\\pL+\\pN*\\pL+\\pN*$",
  "(?i)(ſ|s|K|k)+$",
  "(\\w+\\s?)*;$",
  ".*.*.*.*.*.*.*.*.*.*=",
  "(a+)\\1",
  "(?<=a)b",
  "(?=(a+))a*b\\1",
  `(${"(".repeat(300)}a${")".repeat(300)})*`,
  `${"(a|b|".repeat(100)}c${")".repeat(100)}`,
  Array.from({ length: 90 }, (_, i) => `w${i}x*`).join("|"),
];

let repository: GitRepository;
let stack: Stack;

before(async () => {
  repository = new GitRepository("hostile");
  const random = Array.from({ length: 40_000 }, (_, i) => "ab"[(i * 7919 + (i >> 3)) & 1]).join("");
  repository
    .write("a.txt", `${"a".repeat(5000)}!\n`.repeat(40))
    .write("x.txt", `${"x".repeat(30)}\n`.repeat(4000))
    .write("ab.txt", `${random}\n`.repeat(8))
    .write("one-line.txt", "ab".repeat(500_000))
    .write("words.txt", "the quick brown fox jumps; over the lazy dog\n".repeat(2000))
    .commit("texts");
  stack = await startStack({
    host: { repositories: [{ owner: "o", name: "hostile", path: repository.path, id: 1 }] },
    registry: [{ name: "hostile", owner: "o", repo: "hostile", id: 1 }],
    vars: { HEAD_MAX_AGE: "3600" },
  });
});

after(async () => {
  await stack?.close();
  repository.remove();
});

const search = (query: string) =>
  stack.post<SearchResult & { error: { code: string; nextStep: string } }>("/v1/search-code", {
    repository: "hostile",
    query,
    mode: "regex",
    count: true,
  });

test(`${PATTERNS.length} hostile patterns, with /healthz answering all the while`, {
  timeout: 120_000,
}, async () => {
  assert.ok(PATTERNS.length >= 20);
  assert.equal((await search("warm")).status, 200);
  let running = true;
  let answered = 0;
  let slowest = 0;
  const watch = (async () => {
    while (running) {
      const started = performance.now();
      const { status } = await stack.get("/healthz");
      assert.equal(status, 200);
      slowest = Math.max(slowest, performance.now() - started);
      answered++;
    }
  })();
  try {
    for (const pattern of PATTERNS) {
      const { status, body } = await search(pattern);
      if (status === 200) {
        const [row] = body.repositories;
        assert.ok(row?.complete || (row?.incompleteBecause.length ?? 0) > 0, pattern);
      } else {
        assert.match(body.error.code, /^pattern_(?:unsupported|too_large)$/, `${pattern} ${status}`);
        assert.notEqual(body.error.nextStep, "");
      }
    }
  } finally {
    running = false;
    await watch;
  }
  assert.ok(answered > PATTERNS.length, `${answered} answers`);
  // Far above one stretch of counted work on a slow machine, far below a search that never lets go.
  assert.ok(slowest < 10_000, `${slowest} ms`);
  assert.ok(SEARCH_WORK.untilPause < SEARCH_WORK.total);
});

test("searches that come together wait for each other, and all are answered", {
  timeout: 60_000,
}, async () => {
  const answers = await Promise.all(
    ["quick", "lazy", "[a-z]+ dog", "x{30}", "nowhere"].map((query) => search(query)),
  );
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.totals?.matchingLines]),
    [
      [200, 2000],
      [200, 2000],
      [200, 2000],
      [200, 4000],
      [200, 0],
    ],
  );
});
