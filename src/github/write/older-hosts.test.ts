/** Hosts without `updateRefs`, repositories without commits, and rules: the ways around compare-and-swap, with their faults. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { commitFile, planned, type Writing, writing } from "../../../test/repositories/writing.ts";
import { GitpinError } from "../../errors.ts";
import type { FaultRule } from "../../local/host.ts";
import { graphqlUrl } from "./write-client.ts";

let numbers = 0;
/** No two tests write the same. */
const fresh = (): number => ++numbers;

const patch = (method: string) => method === "PATCH";
const put = (method: string) => method === "PUT";
const graphql = (_: string, path: string) => path === "/graphql";
const read = (method: string, path: string) => method === "GET" && path.includes("/commits/heads");

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => value,
    (error: unknown) => (error instanceof GitpinError ? error.code : error),
  );

/** A commit that is made and not landed, on a host whose lack is known already. */
async function onOldHost(here: Writing, timeoutMs = 10_000) {
  const github = here.at.isolate({ timeoutMs });
  const { reader, writer } = here.at.call(github);
  const request = await planned(reader, here.head, [commitFile("a", `${fresh()}\n`)]);
  await reader.identity();
  const commit = await writer.prepare(request);
  const probe = here.git("commit-tree", `${here.head}^{tree}`, "-p", here.head, "-m", "probe");
  here.git("update-ref", "refs/heads/probe", here.head);
  assert.equal(await writer.advance("probe", here.head, probe), "moved");
  here.git("update-ref", "refs/heads/main", here.head);
  here.at.forget();
  return { writer, commit };
}

test("GraphQL is asked beside the REST API", () => {
  assert.equal(graphqlUrl("https://api.github.com"), "https://api.github.com/graphql");
  assert.equal(graphqlUrl("https://ghe.example/api/v3"), "https://ghe.example/api/graphql");
  assert.equal(graphqlUrl("https://api.octo.ghe.com"), "https://api.octo.ghe.com/graphql");
});

test("a fast-forward whose outcome was not told is read off the branch", async (context) => {
  const here = await writing({ refUpdates: false });
  context.after(() => here.close());
  const lost: Omit<FaultRule, "match">[] = [
    { kind: "status", status: 502 },
    { kind: "html-503", afterwards: true },
    { kind: "reset", afterwards: true },
    { kind: "hang", afterwards: true },
    { kind: "cut" },
    { kind: "bad-json" },
  ];
  for (const rule of lost) {
    const { writer, commit } = await onOldHost(here, rule.kind === "hang" ? 400 : 10_000);
    here.at.host.faults.add({ ...rule, times: 1, match: patch });
    assert.equal(await writer.advance("main", here.head, commit), "moved", rule.kind);
    const patches = here.at.host.requests.filter(({ method }) => patch(method)).length;
    assert.equal(patches, rule.kind === "status" ? 2 : 1, rule.kind);
    assert.equal(here.git("rev-parse", "main"), commit, rule.kind);
    here.at.host.faults.clear();
  }
  const { writer, commit } = await onOldHost(here);
  here.at.host.faults.add({ kind: "reset", match: patch });
  assert.equal(await codeOf(writer.advance("main", here.head, commit)), "write_unknown");
  assert.equal(here.git("rev-parse", "main"), here.head);
});

test("a branch that cannot be read is not moved at all", async (context) => {
  const here = await writing({ refUpdates: false });
  context.after(() => here.close());
  const { writer, commit } = await onOldHost(here);
  here.at.host.faults.add({ kind: "status", status: 500, match: read });
  assert.equal(await codeOf(writer.advance("main", here.head, commit)), "upstream_unavailable");
  assert.deepEqual(
    here.at.host.requests.filter(({ method }) => method !== "GET"),
    [],
  );
});

test("a branch that moves between the read and the fast-forward", async (context) => {
  const here = await writing({ refUpdates: false });
  context.after(() => here.close());
  const { writer, commit } = await onOldHost(here);
  const waiting = here.at.host.faults.add({ kind: "hang", match: patch });
  const asked = here.at.host.nextRequest(({ method }) => patch(method));
  const moving = writer.advance("main", here.head, commit);
  await asked;
  const foreign = here.foreign(here.head, "x", "x\n");
  here.git("update-ref", "refs/heads/main", foreign);
  waiting.release();
  assert.equal(await moving, "raced");
  assert.equal(here.git("rev-parse", "main"), foreign);
});

test("what hosts say that know no updateRefs", async (context) => {
  const here = await writing();
  context.after(() => here.close());
  const answers: [status: number, body: object][] = [
    [
      200,
      {
        errors: [
          {
            message: "Field 'updateRefs' doesn't exist on type 'Mutation'",
            extensions: { code: "undefinedField", typeName: "Mutation", fieldName: "updateRefs" },
          },
        ],
      },
    ],
    [
      200,
      {
        errors: [
          { message: "UpdateRefsInput isn't a defined input type (on $input)" },
          { message: "Field 'updateRefs' doesn't exist on type 'Mutation'" },
        ],
      },
    ],
    [404, { message: "Not Found" }],
  ];
  for (const [status, body] of answers) {
    const github = here.at.isolate();
    const { reader, writer } = here.at.call(github);
    const parent = here.git("rev-parse", "main");
    const request = await planned(reader, parent, [commitFile("a", `${fresh()}\n`)]);
    const commit = await writer.prepare(request);
    const fault = here.at.host.faults.add({
      kind: "rewrite",
      match: graphql,
      rewrite: (answer) => ({ ...answer, status, body: Buffer.from(JSON.stringify(body)) }),
    });
    // The host itself serves the mutation, so it is asked to move from elsewhere: it refuses, and the fast-forward moves.
    const other = here.foreign(parent, "x", `${fresh()}\n`);
    here.git("update-ref", "refs/heads/main", other);
    assert.equal(await writer.advance("main", parent, commit), "raced");
    here.git("update-ref", "refs/heads/main", parent);
    assert.equal(await writer.advance("main", parent, commit), "moved");
    assert.equal(fault.hits, 1, "learnt once");
    here.at.host.faults.clear();
  }
});

test("the first commit: an outcome that was not told", async () => {
  const lost: Omit<FaultRule, "match">[] = [
    { kind: "status", status: 500 },
    { kind: "status", status: 502, afterwards: true },
    { kind: "reset", afterwards: true },
    { kind: "bad-json" },
  ];
  for (const rule of lost) {
    const here = await writing({}, null);
    try {
      const { writer } = here.at.call(here.at.isolate());
      here.at.host.faults.add({ ...rule, times: 1, match: put });
      const commit = await writer.firstCommit(commitFile("a.go", "package a\n"), "main", "Begin");
      assert.equal(here.git("rev-parse", "main"), commit, rule.kind);
      assert.equal(here.git("rev-list", "--count", "--all"), "1");
      const landed = rule.afterwards === true || rule.kind === "bad-json";
      assert.equal(here.at.host.requests.filter(({ method }) => put(method)).length, landed ? 1 : 2);
    } finally {
      await here.close();
    }
  }
});

test("the first commit: not told, and the branch cannot be read, or holds another's", async () => {
  const file = commitFile("a.go", "package a\n");
  const here = await writing({}, null);
  try {
    const { writer } = here.at.call(here.at.isolate());
    here.at.host.faults.add({ kind: "reset", match: put });
    const unreadable = here.at.host.faults.add({ kind: "status", status: 500, match: read });
    assert.equal(await codeOf(writer.firstCommit(file, "main", "Begin")), "write_unknown");
    unreadable.remove();
    assert.equal(
      await codeOf(writer.firstCommit(file, "main", "Begin")),
      "write_unknown",
      "twice not served",
    );
    const blob = here.feed("x\n", "hash-object", "-w", "--stdin");
    const tree = here.feed(`100644 blob ${blob}\tx\n`, "mktree");
    const root = here.git("commit-tree", tree, "-m", "theirs");
    here.git("update-ref", "refs/heads/main", root);
    assert.equal(await writer.firstCommit(file, "main", "Begin"), null);
    here.git("update-ref", "refs/heads/main", here.git("commit-tree", tree, "-p", root, "-m", "more"));
    assert.equal(await codeOf(writer.firstCommit(file, "main", "Begin")), "write_unknown");
  } finally {
    await here.close();
  }
});

test("protected branches, archived repositories and a token that may only read", async () => {
  const cases: [Parameters<typeof writing>[2], Parameters<typeof writing>[0], string, unknown][] = [
    [{ protectedBranches: ["main"] }, {}, "branch_protected", "rules"],
    [{ protectedBranches: ["main"] }, { refUpdates: false }, "branch_protected", "rules"],
    [{ archived: true }, {}, "write_forbidden", "archived"],
    [
      {},
      { tokens: [{ value: "a-token", permissions: { contents: "read" } }] },
      "write_forbidden",
      "permission",
    ],
    [{}, { writable: false }, "write_forbidden", "permission"],
  ];
  for (const [served, options, code, reason] of cases) {
    const here = await writing(options, undefined, served);
    try {
      const { reader, writer } = here.at.call(here.at.isolate());
      const request = await planned(reader, here.head, [commitFile("a", "a\n")]);
      const land = async () => writer.advance("main", here.head, await writer.prepare(request));
      await assert.rejects(land(), (error: GitpinError) => {
        assert.deepEqual([error.code, error.data.reason], [code, reason]);
        return true;
      });
      assert.equal(here.git("rev-parse", "main"), here.head);
      if (code === "branch_protected") {
        assert.equal(await codeOf(writer.createBranch("main2", here.head)), "moved");
      }
    } finally {
      await here.close();
    }
  }
});

test("without a credential nothing is sent", async (context) => {
  const here = await writing({ repositories: [] });
  context.after(() => here.close());
  const { writer, ledger } = here.at.call(here.at.isolate({ token: null }));
  const file = commitFile("a", "a\n");
  const tree = "1".repeat(40);
  const id = "2".repeat(40);
  for (const work of [
    writer.prepare({ parent: id, parentTree: tree, files: [file], tree, message: "m" }),
    writer.createBranch("a", id),
    writer.firstCommit(file, "main", "m"),
    writer.openPullRequest({ title: "t", head: "a", base: "main" }),
  ]) {
    await assert.rejects(work, {
      code: "write_forbidden",
      data: { permission: "contents: write", reason: "no_credential" },
    });
  }
  assert.equal(ledger.upstreamRequests, 0);
});

test("creating content: GitHub's bound is never met, because it is counted ahead", async (context) => {
  const here = await writing({ contentLimit: {} });
  context.after(() => here.close());
  const github = here.at.isolate();
  const { reader, writer } = here.at.call(github);
  await reader.identity();
  let parent = here.head;
  let landed = 0;
  let refusal: GitpinError | null = null;
  while (refusal === null && landed < 40) {
    try {
      const request = await planned(reader, parent, [commitFile("a", `${landed}\n`)]);
      const commit = await writer.prepare(request);
      assert.equal(await writer.advance("main", parent, commit), "moved");
      writer.wrote("main", commit, request.files);
      parent = commit;
      landed += 1;
    } catch (thrown) {
      assert.ok(thrown instanceof GitpinError);
      refusal = thrown;
    }
  }
  assert.equal(landed, 26, "three requests each, of 80 a minute");
  assert.deepEqual(
    [refusal?.code, refusal?.data],
    [
      "upstream_rate_limited",
      { kind: "secondary", resetAt: "2026-06-01T00:01:00.000Z", retryAfterSeconds: 60 },
    ],
  );
  assert.ok(here.at.host.requests.every(({ status }) => status < 400));
  assert.equal((await here.at.call(github).reader.head()).sha, parent, "reading goes on");
  here.at.clock.ms += 60_000;
  const request = await planned(reader, parent, [commitFile("a", "later\n")]);
  assert.equal(await writer.advance("main", parent, await writer.prepare(request)), "moved");
});
