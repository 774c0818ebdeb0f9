/** `pin.prove_set`, `pin.verify_set` and `pin.analyze`: independent items, ids that anyone can recompute, briefs. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { encodePath } from "../../src/core/citation/encode-path.ts";
import type { Coverage, EvidenceBrief } from "../../src/schema/brief.ts";
import type { EvidenceSet } from "../../src/schema/evidence-set.ts";
import type { VerificationSetReport } from "../../src/schema/verification-set.ts";
import { commitTree } from "../repositories/awkward.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";

let one: GitRepository;
let two: GitRepository;
let stack: Stack;
let first: string;
let head: string;

const WIDE = 110;

before(async () => {
  one = new GitRepository("one");
  one.write("README.md", "# One\n\nsays one\n").write("a b.txt", "x\ny\nz\n").write(".env", "SECRET\n");
  one.write("ten-thousand.txt", "123456789\n".repeat(1000));
  first = one.write("docs/architecture.md", "Built\n=====\n").commit("first");
  const wide = Object.fromEntries(Array.from({ length: WIDE }, (_, n) => [`wide/${n}.txt`, `${n}\n`]));
  head = commitTree(
    one,
    first,
    { ...wide, "a b.txt": null, "moved.txt": "x\ny\nz\n", ".env": "OTHER\n" },
    "wide",
  );
  one.git("update-ref", "refs/heads/main", head);
  two = new GitRepository("two");
  two
    .write("README.md", "# Two\n")
    .write("AGENTS.md", "\n")
    .write("docs/wiki.yaml", "exclude: [AGENTS.md]\n");
  two.commit("only");
  stack = await startStack({
    host: {
      repositories: [
        { owner: "octo", name: "one", path: one.path, id: 7501 },
        { owner: "octo", name: "two", path: two.path, id: 7502 },
      ],
    },
    registry: [
      { name: "one", owner: "octo", repo: "one", id: 7501 },
      { name: "two", owner: "octo", repo: "two", id: 7502 },
      { name: "gone", owner: "octo", repo: "gone" },
    ],
    vars: { HEAD_MAX_AGE: "3600" },
  });
});

after(async () => {
  await stack?.close();
  one.remove();
  two.remove();
});

const proveSet = (items: unknown[]) => stack.post<EvidenceSet>("/v1/prove-set", { items });
const verifySet = (body: unknown) => stack.post<VerificationSetReport>("/v1/verify-set", body);

/** The recipe as it is documented, in a shell. */
function recomputed(lines: string[]): string {
  const text = lines.map((line) => `${line}\n`).join("");
  return execFileSync("sh", ["-c", "LC_ALL=C sort -u | sha256sum"], { input: text, encoding: "utf8" }).slice(
    0,
    64,
  );
}

test("all items ok: 200, in their order, an id that sort and sha256sum give, and a next that verifies", async () => {
  const items = [
    { repository: "one", sourcePath: "moved.txt", lineStart: 2, lineEnd: 3, claim: "y" },
    { repository: "two", sourcePath: "README.md" },
    { repository: "one", sourcePath: "a b.txt", sha: first, lineStart: 1 },
  ];
  const { status, body } = await proveSet(items);
  assert.deepEqual([status, body.status], [200, "ok"]);
  assert.deepEqual(
    body.items.map(({ index, pack }) => [index, pack?.sourcePath, pack?.content]),
    [
      [0, "moved.txt", "y\nz\n"],
      [1, "README.md", "# Two\n"],
      [2, "a b.txt", "x\n"],
    ],
  );
  const tip = two.git("rev-parse", "HEAD");
  assert.equal(
    body.evidenceSetId,
    recomputed([
      `one\tmoved.txt\t${head}\t2\t3`,
      `two\tREADME.md\t${tip}\t\t`,
      `one\t${encodePath("a b.txt")}\t${first}\t1\t1`,
    ]),
  );
  assert.equal(body.next?.tool, "pin.verify_set");
  const verified = await verifySet(body.next?.arguments);
  // The oldest of the three is gone at HEAD, which its verdict says.
  assert.deepEqual([verified.status, verified.body.status], [409, "not-ok"]);
  assert.deepEqual(
    verified.body.items.map(({ report }) => report?.status),
    ["ok", "ok", "mismatch"],
  );
  assert.deepEqual(
    [verified.body.evidenceSetId, verified.body.evidenceSetIdMatches],
    [body.evidenceSetId, true],
  );
});

test("the id is independent of order and duplicates, over generated sets", async () => {
  const item = fc.record({
    repository: fc.constantFrom("one", "two"),
    sourcePath: fc.constant("README.md"),
    lineStart: fc.option(fc.constant(1), { nil: undefined }),
  });
  const sets = fc
    .array(item, { minLength: 1, maxLength: 8 })
    .chain((items) => fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length })));
  await fc.assert(
    fc.asyncProperty(sets, async ([items, shuffled]) => {
      const distinct = [...new Map(items.map((each) => [JSON.stringify(each), each])).values()];
      const answers = await Promise.all([items, shuffled, distinct].map(proveSet));
      const ids = answers.map(({ body }) => body.evidenceSetId);
      assert.match(ids[0] ?? "", /^[0-9a-f]{64}$/);
      assert.deepEqual(new Set(ids).size, 1);
    }),
    { numRuns: 20 },
  );
});

test("one bad item never sinks the others", async () => {
  const good = { repository: "one", sourcePath: "README.md" };
  const { status, body } = await proveSet([
    { ...good, repository: "nope" },
    { ...good, sourcePath: ".env" },
    good,
    { ...good, sourcePath: "../x" },
    { ...good, repository: "gone" },
    { ...good, lineStart: 9 },
    { ...good, lineEnd: 2 },
  ]);
  assert.deepEqual([status, body.status], [409, "partial"]);
  assert.deepEqual(
    body.items.map(({ pack, error }) => pack?.status ?? error?.code),
    [
      "repository_unknown",
      "blocked",
      "ok",
      "invalid_path",
      "repository_unavailable",
      "missing",
      "invalid_argument",
    ],
  );
  const alone = await proveSet([good]);
  assert.equal(body.evidenceSetId, alone.body.evidenceSetId);
  const failed = await proveSet([{ ...good, sourcePath: "nope" }]);
  assert.deepEqual([failed.status, failed.body.status, failed.body.evidenceSetId], [409, "failed", null]);
  const nine = await stack.post<{ error: { data: { field: string } } }>("/v1/prove-set", {
    items: Array(9).fill(good),
  });
  assert.deepEqual([nine.status, nine.body.error.data.field], [400, "items"]);
});

test("a verified set: ok, another id, an item that could not be checked", async () => {
  const item = { repository: "one", sourcePath: "README.md", sha: head, line: 3, mustContain: "says one" };
  const ok = await verifySet({ items: [item] });
  assert.deepEqual([ok.status, ok.body.status, ok.body.evidenceSetIdMatches], [200, "ok", null]);
  const other = await verifySet({ items: [item], evidenceSetId: "0".repeat(64) });
  assert.deepEqual(
    [other.status, other.body.status, other.body.evidenceSetIdMatches],
    [409, "not-ok", false],
  );
  const upper = await verifySet({ items: [item], evidenceSetId: ok.body.evidenceSetId?.toUpperCase() });
  assert.deepEqual([upper.status, upper.body.evidenceSetIdMatches], [200, true]);
  const unchecked = await verifySet({
    items: [item, { ...item, repository: "gone" }, { ...item, mustContain: "no" }],
  });
  assert.deepEqual(
    [unchecked.status, unchecked.body.status, unchecked.body.evidenceSetId],
    [409, "incomplete", null],
  );
  assert.deepEqual(unchecked.body.verdicts, {
    ok: 1,
    mismatch: 0,
    contradicted: 1,
    missing: 0,
    blocked: 0,
    unchecked: 1,
  });
});

test("an absence may be among the items; a set of places it is not then", async () => {
  const absence = { repository: "one", sha: head, absence: `gitpin-absence:one@${head}?q=stands-nowhere` };
  const place = { repository: "one", sourcePath: "README.md", sha: head };
  const { status, body } = await verifySet({ items: [absence, place] });
  assert.deepEqual([status, body.status, body.evidenceSetId], [200, "ok", null]);
});

test("eight items share the byte bound of one answer", async () => {
  const big = { repository: "one", sourcePath: "ten-thousand.txt" };
  const { body } = await proveSet(Array(8).fill(big));
  const sizes = body.items.map(({ pack }) => pack?.truncation?.returnedBytes);
  assert.deepEqual(sizes, Array(8).fill(8190));
  const alone = await proveSet([big]);
  assert.equal(alone.body.items[0]?.pack?.truncated, false);
  const small = await proveSet([{ repository: "one", sourcePath: "README.md", maxBytes: 6 }]);
  assert.deepEqual(
    [small.body.items[0]?.pack?.content, small.body.items[0]?.pack?.truncated],
    ["# One\n", true],
  );
});

test("coverage: documents found, missing, hidden; a repository that fails is named with the reason", async () => {
  const { body } = await stack.get<Coverage>("/v1/analyze", { operation: "compare" });
  const states = (name: string) =>
    body.rows.find(({ repository }) => repository === name)?.documents.map(({ state }) => state);
  assert.deepEqual(states("one"), ["found", "found", "missing", "missing"]);
  assert.deepEqual(states("two"), ["found", "missing", "blocked", "missing"]);
  assert.deepEqual([body.examined, body.notExamined], [2, 1]);
  assert.match(
    body.rows.find(({ repository }) => repository === "gone")?.reason ?? "",
    /^repository_unavailable: /,
  );
});

test("brief: facts with citations that verify; the audience changes nothing but the presentation", async () => {
  const brief = async (more: Record<string, unknown>) =>
    (await stack.post<EvidenceBrief>("/v1/analyze", { operation: "brief", repositories: ["one"], ...more }))
      .body;
  const range = { changeRange: `${first.slice(0, 10)}..${head}` };
  const technical = await brief(range);
  const leaders = await brief({ ...range, audience: "leadership" });
  assert.deepEqual(
    { ...leaders, audience: null, presentation: null },
    { ...technical, audience: null, presentation: null },
  );
  assert.notDeepEqual(leaders.presentation, technical.presentation);
  assert.deepEqual(technical.inferences, []);
  assert.equal(technical.scope.changeRange?.base, first);
  // .env, the move, and the added files; 100 become facts, the rest a gap that says how many.
  const total = WIDE + 2;
  assert.equal(technical.technicalTrace.changesTotal, total);
  assert.equal(technical.knownFacts.filter(({ label }) => label === "Change").length, 100);
  assert.ok(technical.gaps.some(({ statement }) => statement.includes(`${total - 100} of ${total}`)));
  assert.match(technical.knownFacts[0]?.statement ?? "", /README\.md .*titled "One"/);
  const moved = technical.knownFacts.find(({ trace }) => trace.sourcePath === "moved.txt");
  assert.match(moved?.statement ?? "", /moved unchanged from a b\.txt/);
  const env = technical.knownFacts.find(({ trace }) => trace.sourcePath === ".env");
  assert.deepEqual([env?.trace.citation?.provenance, env?.trace.citation?.blobSha], ["blocked", null]);
  const verified = await verifySet(technical.next?.arguments);
  assert.deepEqual([verified.status, verified.body.status], [200, "ok"]);
  for (const command of technical.technicalTrace.commands.slice(0, 2)) {
    assert.ok(one.shell(command).length > 0, command);
  }
});

test("what does not go together is an argument error", async () => {
  const fieldOf = async (body: unknown) => {
    const answer = await stack.post<{ error: { code: string; data: { field: string } } }>(
      "/v1/analyze",
      body,
    );
    return [answer.status, answer.body.error?.code, answer.body.error?.data.field];
  };
  const range = `${first}..${head}`;
  assert.deepEqual(await fieldOf({ operation: "gaps", audience: "design" }), [
    400,
    "invalid_argument",
    "audience",
  ]);
  assert.deepEqual(await fieldOf({ operation: "brief", changeRange: range }), [
    400,
    "invalid_argument",
    "changeRange",
  ]);
  assert.deepEqual(
    await fieldOf({ operation: "brief", repositories: ["one"], changeRange: `${"0".repeat(40)}..${head}` }),
    [400, "invalid_argument", "changeRange"],
  );
});
