/** What the two tools answer: options, pages, several repositories, policy, absences, costs, GitHub's engine. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, before, test } from "node:test";
import type { VerificationReport } from "../../src/schema/verification.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";
import { ask } from "./git-grep.ts";

const TIMEOUT = { timeout: 60_000 };
let app: GitRepository;
let notes: GitRepository;
let first: string;
let head: string;
let stack: Stack;

before(async () => {
  app = new GitRepository("app");
  first = app
    .write("src/app.ts", "const a = 1;\nexport const needle = a;\n// needle, Needle, NEEDLE\n")
    .write("src/sub/deep.go", "package needle\n")
    .write("README.md", "# App\nA needle in prose.\n")
    .write("docs/guide.md", "needle guide\n")
    .write("docs/internal/plan.md", "needle plan\n")
    .write(".env", "SECRET_NEEDLE=needle-secret\n")
    .write("private/notes.md", "needle private\n")
    .write("long.ts", `${"x".repeat(700)}needle\n`)
    .commit("first");
  head = app
    .write("docs/wiki.yaml", "exclude: [docs/internal/**]\nsafety:\n  deny: [private/**]\n")
    .write("src/late.ts", "needle late\n")
    .commit("second");
  notes = new GitRepository("notes");
  for (let i = 0; i < 9; i++) notes.write(`n${i}.md`, "needle\n".repeat(20));
  notes.commit("notes");
  stack = await startStack({
    host: {
      repositories: [
        { owner: "o", name: "app", path: app.path, id: 1 },
        { owner: "o", name: "notes", path: notes.path, id: 2 },
      ],
      tokens: ["a-token"],
    },
    registry: [
      { name: "app", owner: "o", repo: "app", id: 1, visibility: "public" },
      { name: "notes", owner: "o", repo: "notes", id: 2, visibility: "public" },
      { name: "gone", owner: "o", repo: "gone", id: 3, visibility: "public" },
      ...Array.from({ length: 8 }, (_, i) => ({ name: `more${i}`, owner: "o", repo: "notes", id: 2 })),
    ],
    vars: { HEAD_MAX_AGE: "3600", GITHUB_TOKEN: "a-token" },
  });
});

after(async () => {
  await stack?.close();
  app.remove();
  notes.remove();
});

const shape = (requests: string[]) =>
  requests.map((request) => request.replaceAll(/[0-9a-f]{40}/g, "SHA").replace(/\?.*/, ""));
const code = (given: Record<string, unknown>) =>
  ask(stack, "pin.search_code", { repository: "app", ...given });
const places = (result: Awaited<ReturnType<typeof code>>) =>
  result.candidates.map(({ sourcePath, line }) => `${sourcePath}:${line}`);

test(
  "a first search costs 4 requests with HEAD, and one for a policy file; a later one of that SHA none",
  TIMEOUT,
  async () => {
    const cold = await stack.counted(() => code({ query: "needle" }));
    assert.deepEqual(shape(cold.requests), [
      "GET /repositories/1/commits/HEAD",
      "GET /repositories/1/git/trees/SHA",
      // HEAD's own policy file.
      "GET /repositories/1/git/blobs/SHA",
      "GET /repositories/1/tarball/SHA",
      "GET /_codeload/o/app/legacy.tar.gz/SHA",
    ]);
    const warm = await stack.counted(() => code({ query: "other", sha: head }));
    assert.deepEqual(warm.requests, []);
    // The older commit has no policy file of its own.
    const older = await stack.counted(() => code({ query: "needle", sha: first }));
    assert.deepEqual(shape(older.requests), [
      "GET /repositories/1/git/commits/SHA",
      // Whether HEAD leads to it.
      "GET /repositories/1/compare/SHA...SHA",
      "GET /repositories/1/git/trees/SHA",
      "GET /repositories/1/tarball/SHA",
      "GET /_codeload/o/app/legacy.tar.gz/SHA",
    ]);
  },
);

test("hits: place, text, ranges, context, citation, and the call that proves the line", TIMEOUT, async () => {
  const result = await code({ query: "needle", paths: ["src/app.ts"], context: 1 });
  assert.deepEqual(places(result), ["src/app.ts:2", "src/app.ts:3"]);
  const [hit, other] = result.candidates;
  assert.equal(hit?.column, 14);
  assert.equal(hit?.text, "export const needle = a;");
  assert.deepEqual(
    hit?.before.map(({ line, text }) => [line, text]),
    [[1, "const a = 1;"]],
  );
  assert.deepEqual(
    other?.ranges,
    [4, 12, 20].map((column) => ({ column, bytes: 6 })),
  );
  assert.equal(hit?.citation.cite, `app/src/app.ts:2 @ ${head}`);
  assert.deepEqual(hit?.next, {
    tool: "pin.prove",
    arguments: { repository: "app", sourcePath: "src/app.ts", lineStart: 2, sha: head },
  });
  const proven = await stack.post("/v1/prove", hit?.next?.arguments);
  assert.equal(proven.status, 200);
  assert.equal(proven.body.content, "export const needle = a;\n");
  const long = await code({ query: "needle", paths: ["long.ts"] });
  assert.equal(long.candidates[0]?.truncated, true);
  assert.equal(long.candidates[0]?.column, 701);
  assert.equal(long.candidates[0]?.lineBytes, 706);
});

test("paths, language, word, case, files and count", TIMEOUT, async () => {
  assert.deepEqual(places(await code({ query: "needle", paths: ["*.md", "!docs"] })), ["README.md:2"]);
  assert.deepEqual(places(await code({ query: "needle", language: "golang" })), ["src/sub/deep.go:1"]);
  assert.deepEqual(places(await code({ query: "NEEDLE", caseSensitive: true })), ["src/app.ts:3"]);
  assert.deepEqual(places(await code({ query: "need", wholeWord: true })), []);
  const files = await code({ query: "needle", filesOnly: true, paths: ["src"] });
  assert.deepEqual(
    files.files.map(({ sourcePath, matchingLines }) => [sourcePath, matchingLines]),
    [
      ["src/app.ts", 2],
      ["src/late.ts", 1],
      ["src/sub/deep.go", 1],
    ],
  );
  assert.deepEqual(files.candidates, []);
  const count = await code({ query: "needle", count: true });
  assert.deepEqual([count.totals.matchingLines, count.totals.matchingFiles], [8, 7]);
  assert.deepEqual([count.candidates, count.files], [[], []]);
  const query = new URLSearchParams([
    ["repository", "app"],
    ["query", "needle"],
    ["paths", "*.go"],
    ["paths", "*.md"],
    ["paths", "!docs"],
  ]);
  const text = await fetch(`${stack.worker.url}/v1/search-code?${query}`, {
    headers: { accept: "text/plain" },
  });
  assert.match(
    await text.text(),
    /^app:README\.md:2:A needle in prose\.\napp:src\/sub\/deep\.go:1:package needle\n# 2 lines/,
  );
});

test("pages are pinned to the commit and the question", TIMEOUT, async () => {
  const seen: string[] = [];
  let given: Record<string, unknown> = { query: "needle", maxResults: 3 };
  for (;;) {
    const page = await code(given);
    assert.equal(page.totals.matchingLines, 8);
    seen.push(...places(page));
    const next = page.repositories[0]?.next;
    if (!next) break;
    assert.equal(next.tool, "pin.search_code");
    given = next.arguments;
  }
  assert.equal(seen.length, 8);
  assert.equal(new Set(seen).size, 8);
  const cursor = (await code({ query: "needle", maxResults: 3 })).nextCursor;
  for (const wrong of [{ query: "other" }, { query: "needle", sha: first }]) {
    const refused = await stack.post<{ error: { code: string } }>("/v1/search-code", {
      repository: "app",
      cursor,
      ...wrong,
    });
    assert.equal(refused.status, 400);
    assert.equal(refused.body.error.code, "invalid_argument");
  }
});

test("policy of HEAD and of the commit: denied files are counted, never searched", TIMEOUT, async () => {
  for (const sha of [head, first]) {
    const result = await code({ query: "needle", sha });
    assert.equal(result.complete, true);
    assert.deepEqual(result.repositories[0]?.skipped, [
      { reason: "denied", count: 2, paths: [".env", "private/notes.md"], detail: null },
    ]);
    assert.equal(JSON.stringify(result).includes("needle-secret"), false);
    assert.equal(
      places(result).some((place) => /private|\.env/.test(place)),
      false,
    );
  }
  const secret = await code({ query: "needle-secret" });
  assert.equal(secret.repositories[0]?.absence?.filesDenied, 2);
});

test(
  "documentation: what the repository exposes, over several repositories, in turn, with failures named",
  TIMEOUT,
  async () => {
    const docs = await ask(stack, "pin.search_docs", { repository: "app", query: "needle" });
    assert.deepEqual(places(docs), ["README.md:2", "docs/guide.md:1"]);
    const all = await ask(stack, "pin.search_docs", { query: "needle", maxResults: 6 });
    assert.deepEqual(
      all.repositories.map(({ repository, status }) => [repository, status]),
      [
        ["app", "ok"],
        ["notes", "ok"],
        ["gone", "failed"],
        ...Array.from({ length: 5 }, (_, i) => [`more${i}`, "ok"]),
      ],
    );
    assert.equal(all.repositories[2]?.error?.code, "repository_unavailable");
    assert.deepEqual([all.status, all.complete], ["partial", false]);
    assert.deepEqual(
      all.notSearched.map(({ repository }) => repository),
      ["more5", "more6", "more7"],
    );
    assert.deepEqual(
      all.candidates.map(({ repository }) => repository),
      ["app", "notes", "more0", "more1", "more2", "more3"],
    );
    const rest = await ask(stack, "pin.search_docs", { query: "needle", cursor: all.nextCursor ?? "" });
    assert.deepEqual(
      rest.repositories.map(({ repository }) => repository),
      ["more5", "more6", "more7"],
    );
    assert.equal(rest.nextCursor, null);
    // A row leads to what of its repository was not shown.
    const more = await ask(stack, "pin.search_docs", all.repositories[1]?.next?.arguments ?? {});
    assert.equal(more.totals.matchingLines, 180);
    // A name that is not registered is a row as well, for code as for documentation.
    for (const tool of ["pin.search_docs", "pin.search_code"] as const) {
      const mixed = await ask(stack, tool, { repositories: ["app", "nosuch"], query: "needle guide" });
      assert.deepEqual(
        mixed.repositories.map(({ repository, status, error }) => [repository, status, error?.code]),
        [
          ["app", "ok", undefined],
          ["nosuch", "failed", "repository_unknown"],
        ],
      );
      assert.deepEqual([mixed.status, places(mixed)], ["partial", ["docs/guide.md:1"]]);
    }
    const failed = await stack.post<{ error: { code: string } }>("/v1/search-docs", {
      repositories: ["gone"],
      query: "x",
    });
    assert.equal(failed.status, 502);
    assert.equal(failed.body.error.code, "repository_unavailable");
  },
);

test("an absence: cited, verified, contradicted elsewhere, and re-checkable with git", TIMEOUT, async () => {
  const result = await code({ query: "haystack (of) it's", paths: ["src", "!*.go"], caseSensitive: true });
  const absence = result.repositories[0]?.absence;
  assert.ok(absence);
  assert.deepEqual([absence.filesSearched, absence.commitSha], [2, head]);
  assert.equal(absence.treeSha, app.git("rev-parse", `${head}^{tree}`));
  assert.deepEqual(result.next, {
    tool: "pin.verify",
    arguments: { repository: "app", sha: head, absence: absence.handle },
  });
  const git = spawnSync("sh", ["-c", absence.verify.gitGrep ?? "exit 9"], {
    cwd: app.path,
    encoding: "utf8",
  });
  assert.deepEqual([git.status, git.stdout, git.stderr], [1, "", ""]);

  const report = await stack.post<VerificationReport>("/v1/verify", result.next?.arguments);
  assert.equal(report.status, 200);
  assert.deepEqual(
    [report.body.status, report.body.claimVerdict, report.body.freshness, report.body.sourcePath],
    ["ok", "supported", "head", ""],
  );
  assert.deepEqual(report.body.absence, absence);
  const byHandle = await stack.get<VerificationReport>("/v1/verify", { absence: absence.handle });
  assert.equal(byHandle.body.status, "ok");

  const wrong = await stack.get<VerificationReport>("/v1/verify", {
    absence: `gitpin-absence:app@${head}?q=LATE`,
  });
  assert.equal(wrong.status, 409);
  assert.deepEqual([wrong.body.status, wrong.body.claimVerdict], ["contradicted", "contradicted"]);
  assert.equal(wrong.body.next?.tool, "pin.search_code");
  const before = await stack.get<VerificationReport>("/v1/verify", {
    absence: `gitpin-absence:app@${first}?q=LATE`,
  });
  assert.deepEqual([before.status, before.body.status, before.body.freshness], [200, "ok", null]);
  const missing = await stack.get<VerificationReport>("/v1/verify", {
    absence: `gitpin-absence:app@${"0".repeat(40)}?q=x`,
  });
  assert.deepEqual([missing.status, missing.body.status], [404, "missing"]);
});

const runInClone = (command: string | null | undefined, cwd = app.path) => {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command ?? "exit 9"], { cwd, encoding: "utf8" });
  return [status, stdout, stderr];
};

test(
  "where no file was searched, nothing is absent: no handle, the reason, and no verdict",
  TIMEOUT,
  async () => {
    for (const [given, handle, reason] of [
      // Denied, so it was not looked at: it holds the text.
      [
        { query: "needle", paths: [".env"] },
        "q=needle&in=.env",
        /of the files that are selected, 1 denied\.$/,
      ],
      [
        { query: "needle", paths: ["*.nothing"] },
        "q=needle&in=%2A.nothing",
        /none that the paths and the language/,
      ],
      [
        { query: "needle", language: "rust" },
        "q=needle&language=rust",
        /none that the paths and the language/,
      ],
    ] as const) {
      const result = await code(given);
      const [row] = result.repositories;
      assert.deepEqual([row?.status, row?.totals.filesSearched, row?.absence], ["ok", 0, null]);
      assert.match(row?.reason ?? "", reason);
      assert.equal(result.next, null);
      const verdict = await stack.get<{ error: { code: string; message: string } }>("/v1/verify", {
        absence: `gitpin-absence:app@${head}?${handle}`,
      });
      assert.deepEqual([verdict.status, verdict.body.error.code], [422, "absence_undecided"]);
      assert.match(verdict.body.error.message, reason);
    }
  },
);

test("the git grep of an absence agrees with it although a denied file holds the text", TIMEOUT, async () => {
  const result = await code({ query: "needle-secret" });
  const absence = result.repositories[0]?.absence;
  const gitGrep = absence?.verify.gitGrep;
  assert.deepEqual(runInClone(gitGrep), [1, "", ""]);
  assert.deepEqual(runInClone(gitGrep, `${app.path}/src`), [1, "", ""]);
  // The denied files are all that it leaves out.
  const bare = gitGrep?.replace(/ ':\(top,exclude,literal\)[^']*'/g, "");
  assert.deepEqual(runInClone(bare), [0, `${head}:.env:1:SECRET_NEEDLE=needle-secret\n`, ""]);
  assert.deepEqual(runInClone(bare, `${app.path}/src`), [
    0,
    `${head}:../.env:1:SECRET_NEEDLE=needle-secret\n`,
    "",
  ]);
});

test("as text: what was skipped, and what an absence looked for", TIMEOUT, async () => {
  const text = async (path: string, query: Record<string, string>) => {
    const response = await fetch(`${stack.worker.url}${path}?${new URLSearchParams(query)}`, {
      headers: { accept: "text/plain", connection: "close" },
    });
    return await response.text();
  };
  const handle = `gitpin-absence:app@${head}?q=needle-secret`;
  const searched = await text("/v1/search-code", { repository: "app", query: "needle-secret", sha: head });
  assert.match(searched, /^# skipped files: 2 denied {2}app@/m);
  assert.ok(searched.endsWith(`# absent: The text "needle-secret" (any case)  ${handle}\n`), searched);
  const verified = await text("/v1/verify", { absence: handle });
  assert.match(verified, /^ok .*The text "needle-secret" \(any case\) does not occur in the \d+ files/);
  const wrong = await text("/v1/verify", { absence: `gitpin-absence:app@${head}?q=late&case=1&in=src` });
  assert.match(wrong, /^contradicted .*The text "late" \(exact case; in src\) is not absent: 1 lines/);
  const nothing = await text("/v1/search-code", { repository: "app", query: "needle", paths: ".env" });
  assert.match(
    nothing,
    /^# skipped files: 1 denied .*\n# No file was searched, so nothing is known to be absent/m,
  );
});

test("arguments of an absence that do not fit together are refused", TIMEOUT, async () => {
  const absence = `gitpin-absence:app@${head}?q=zz`;
  for (const given of [
    { repository: "app", sha: head, absence, sourcePath: "README.md" },
    { repository: "notes", sha: head, absence },
    { repository: "app", sha: first, absence },
    { repository: "app", sha: head, absence: "gitpin-absence:app@1234567?x=1" },
    { repository: "app", sha: head },
  ]) {
    const refused = await stack.post<{ error: { code: string } }>("/v1/verify", given);
    assert.equal(refused.status, 400, JSON.stringify(given));
  }
});

test("wrong questions cost nothing", TIMEOUT, async () => {
  const { requests } = await stack.counted(async () => {
    for (const [given, expected] of [
      [{ query: "(?=a)", mode: "regex" }, "pattern_unsupported"],
      [{ query: "a{1000}{1000}", mode: "regex" }, "pattern_unsupported"],
      [{ query: "a{900}b{900}", mode: "regex" }, "pattern_too_large"],
      [{ query: "a\nb" }, "invalid_argument"],
      [{ query: "a\\nb", mode: "regex" }, "pattern_unsupported"],
      [{ query: "a", language: "klingon" }, "invalid_argument"],
      [{ query: "a", paths: ["[a"] }, "invalid_argument"],
      [{ query: "a", count: true, filesOnly: true }, "invalid_argument"],
      [{ query: "a", sha: head, ref: "main" }, "invalid_argument"],
      [{ query: "a", repositories: ["app"] }, "invalid_argument"],
      [{ query: "a", repository: "unknown" }, "repository_unknown"],
      [{ query: "a", mode: "regex", engine: "github" }, "code_search_unsupported"],
    ] as const) {
      const { body } = await stack.post<{ error: { code: string } }>("/v1/search-code", {
        repository: "app",
        ...given,
      });
      assert.equal(body.error?.code, expected, JSON.stringify(given));
    }
  });
  assert.deepEqual(shape(requests), []);
});

test("GitHub's code search: candidates read at the commit, never complete", TIMEOUT, async () => {
  const asked = await stack.counted(() => code({ query: "needle late", engine: "github" }));
  assert.ok(shape(asked.requests).includes("GET /search/code"));
  const [row] = asked.result.repositories;
  assert.deepEqual(places(asked.result), ["src/late.ts:1"]);
  assert.deepEqual([row?.engine, row?.complete, row?.absence], ["github", false, null]);
  assert.equal(asked.result.status, "partial");
  // The index knows HEAD; at the older commit the candidate is not there.
  const older = await code({ query: "needle late", engine: "github", sha: first });
  assert.deepEqual(places(older), []);
  assert.equal(older.repositories[0]?.absence, null);
  const secret = await code({ query: "needle", engine: "github" });
  assert.equal(JSON.stringify(secret).includes("needle-secret"), false);
});

test(
  "an archive over the bound: GitHub's code search instead, once found out for good",
  TIMEOUT,
  async (t) => {
    const small = await startStack({
      host: { repositories: [{ owner: "o", name: "app", path: app.path, id: 1 }], tokens: ["a-token"] },
      registry: [{ name: "app", owner: "o", repo: "app", id: 1 }],
      vars: { HEAD_MAX_AGE: "3600", GITHUB_TOKEN: "a-token", MAX_ARCHIVE_BYTES: "100" },
    });
    t.after(() => small.close());
    const search = (given: Record<string, unknown>) =>
      ask(small, "pin.search_code", { repository: "app", ...given });
    const found = await small.counted(() => search({ query: "needle late" }));
    assert.equal(found.result.repositories[0]?.engine, "github");
    assert.ok(shape(found.requests).includes("GET /repositories/1/tarball/SHA"));
    const again = await small.counted(() => search({ query: "needle late" }));
    assert.equal(shape(again.requests).includes("GET /repositories/1/tarball/SHA"), false);
    for (const given of [
      { query: "needle", engine: "archive" },
      { query: "n.*e", mode: "regex" },
    ]) {
      await assert.rejects(search(given), /archive_too_large/);
    }
  },
);

test("what is left out leads on: a file with a line too long for an expression, and no git grep past twenty denied", {
  timeout: 60_000,
}, async (t) => {
  const odd = new GitRepository("odd");
  odd.write("one-line.js", `${"x".repeat(12_000_000)}\n`).write("a.txt", "text\n");
  for (let i = 0; i < 21; i++) odd.write(`${i}.pem`, "needle\n");
  const sha = odd.commit("odd");
  const one = await startStack({
    host: { repositories: [{ owner: "o", name: "odd", path: odd.path, id: 1 }] },
    registry: [{ name: "odd", owner: "o", repo: "odd", id: 1, visibility: "public" }],
    vars: { HEAD_MAX_AGE: "3600" },
  });
  t.after(async () => {
    await one.close();
    odd.remove();
  });
  const asked = { query: "[yz]{3}.*[0-9]q", mode: "regex", sha };
  const read = { tool: "pin.read", arguments: { repository: "odd", sourcePath: "one-line.js", sha } };
  for (const result of [
    await ask(one, "pin.search_code", { repository: "odd", ...asked }),
    await ask(one, "pin.search_code", { repositories: ["odd"], ...asked, sha: undefined }),
  ]) {
    const [row] = result.repositories;
    assert.deepEqual(
      [row?.status, row?.complete, row?.absence, result.nextCursor],
      ["ok", false, null, null],
    );
    assert.deepEqual(result.next, read);
    assert.deepEqual(row?.next, read);
    assert.match(row?.incompleteBecause.join() ?? "", /1 file: .*(mode literal|in the file itself)/);
  }
  const { status } = await one.post("/v1/read", { ...read.arguments, lineStart: 1, lineEnd: 1 });
  assert.equal(status, 200);
  const absence = (
    await ask(one, "pin.search_code", { repository: "odd", query: "needle", paths: ["a.txt", "*.pem"] })
  ).repositories[0]?.absence;
  assert.deepEqual([absence?.filesSearched, absence?.filesDenied, absence?.verify.gitGrep], [1, 21, null]);
});
