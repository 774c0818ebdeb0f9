/** Every way in which the host may fail: the right typed error or the right answer, never a wrong or an empty one. */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { type Awkward, awkwardRepository } from "../../test/repositories/awkward.ts";
import { type Hosted, hosted } from "../../test/repositories/hosted.ts";
import { GitpinError } from "../errors.ts";
import type { FaultKind, FaultRule } from "../local/host.ts";
import type { RepositoryReader } from "../ports/repository-reader.ts";

let awkward: Awkward;
let at: Hosted;
before(async () => {
  awkward = awkwardRepository();
  at = await hosted(awkward.repository.path);
});
beforeEach(() => {
  at.forget();
  at.store.values.clear();
});
afterEach(() => at.host.faults.clear());
after(async () => {
  await at.host.close();
  awkward.repository.remove();
});

async function caught(work: Promise<unknown>): Promise<GitpinError> {
  const outcome = await work.then(
    (value) => value,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof GitpinError, `no error, but ${JSON.stringify(outcome)}`);
  const told = JSON.stringify(outcome.report());
  for (const secret of ["a-token", at.host.url, "documentation_url", "Unicorn", "Server Error"]) {
    assert.ok(!told.includes(secret), `${told} tells ${secret}`);
  }
  return outcome;
}

/** The reads that the product is made of, each through exactly one request of its own family. */
const READS: Record<string, { path: RegExp; run(reader: RepositoryReader): Promise<unknown> }> = {
  head: { path: /\/commits\/HEAD/, run: (reader) => reader.head() },
  commit: { path: /\/git\/commits\//, run: (reader) => reader.commit(awkward.before) },
  tree: { path: /\/git\/trees\//, run: async (reader) => reader.paths(await commitOf(reader)) },
  blob: {
    path: /\/git\/blobs\//,
    run: async (reader) => {
      const found = await reader.entry(await commitOf(reader), "src/app.ts");
      assert.ok(found);
      return Buffer.from(await reader.blob(found.entry.id)).toString();
    },
  },
  identity: { path: /\/repositories\/\d+$/, run: (reader) => reader.identity() },
};

async function commitOf(reader: RepositoryReader) {
  const commit = await reader.commit(awkward.head);
  assert.ok(commit);
  return commit;
}

const fault = (read: string, rule: Omit<FaultRule, "match">) => {
  const pattern = READS[read]?.path;
  assert.ok(pattern);
  return at.host.faults.add({ ...rule, match: (_, path) => pattern.test(path) });
};

/** What each fault means, and how often it is met before we give up. */
const FAULTS: { kind: FaultKind; status?: number; message?: string; codes: string[]; requests: number }[] = [
  { kind: "status", status: 500, codes: ["upstream_unavailable"], requests: 3 },
  { kind: "status", status: 502, codes: ["upstream_unavailable"], requests: 3 },
  { kind: "html-503", codes: ["upstream_unavailable"], requests: 3 },
  { kind: "reset", codes: ["upstream_unavailable"], requests: 3 },
  { kind: "cut", codes: ["upstream_unavailable"], requests: 3 },
  { kind: "wrong-length", codes: ["upstream_unavailable"], requests: 3 },
  { kind: "status", status: 401, message: "Bad credentials", codes: ["upstream_unauthorized"], requests: 1 },
  {
    kind: "status",
    status: 403,
    message: "Resource not accessible by integration",
    codes: ["upstream_forbidden"],
    requests: 1,
  },
  { kind: "status", status: 400, codes: ["upstream_unexpected"], requests: 1 },
  { kind: "status", status: 451, codes: ["upstream_forbidden"], requests: 1 },
  { kind: "primary-limit", codes: ["upstream_rate_limited"], requests: 1 },
  { kind: "primary-limit", status: 429, codes: ["upstream_rate_limited"], requests: 1 },
  { kind: "secondary-limit", codes: ["upstream_rate_limited"], requests: 1 },
  { kind: "secondary-limit", status: 429, codes: ["upstream_rate_limited"], requests: 1 },
  { kind: "secondary-limit-no-retry-after", codes: ["upstream_rate_limited"], requests: 1 },
  { kind: "bad-json", codes: ["upstream_corrupt"], requests: 2 },
];

for (const read of Object.keys(READS)) {
  for (const { kind, status, message, codes, requests } of FAULTS) {
    test(`${read}: ${kind} ${status ?? ""}`, async () => {
      const made = fault(read, {
        kind,
        ...(status === undefined ? {} : { status }),
        ...(message === undefined ? {} : { message }),
      });
      const { reader } = at.call(at.isolate());
      const error = await caught(READS[read]?.run(reader) ?? Promise.resolve());
      assert.ok(codes.includes(error.code), `${error.code}: ${error.message}`);
      assert.equal(made.hits, requests);
    });
  }

  test(`${read}: two failures are repeated over`, async () => {
    const made = fault(read, { kind: "status", status: 502, times: 2 });
    const { reader, ledger } = at.call(at.isolate());
    assert.ok(await READS[read]?.run(reader));
    assert.equal(made.hits, 2);
    assert.equal(ledger.upstreamRequests, at.host.requests.length, "repeats are counted");
  });

  test(`${read}: an answer cut once is asked for again`, async () => {
    fault(read, { kind: "cut", times: 1 });
    const { reader } = at.call(at.isolate());
    assert.ok(await READS[read]?.run(reader));
  });

  test(`${read}: no answer in time`, async () => {
    const made = fault(read, { kind: "hang" });
    const { reader } = at.call(at.isolate({ timeoutMs: 150 }));
    const error = await caught(READS[read]?.run(reader) ?? Promise.resolve());
    assert.equal(error.code, "upstream_timeout");
    assert.equal(made.hits, 1, "not repeated");
  });

  test(`${read}: a page of HTML in place of the answer`, async () => {
    fault(read, {
      kind: "rewrite",
      rewrite: (answer) => ({
        ...answer,
        headers: { ...answer.headers, "content-type": "text/html" },
        body: Buffer.from("<html>sign in</html>"),
      }),
    });
    const { reader } = at.call(at.isolate());
    const error = await caught(READS[read]?.run(reader) ?? Promise.resolve());
    assert.equal(error.code, read === "blob" ? "upstream_corrupt" : "upstream_unexpected");
  });

  test(`${read}: redirected out of the API`, async () => {
    const before = { reader: at.call(at.isolate()).reader };
    for (const location of [
      "https://evil.example/",
      `${at.host.url}/repositories/1/x`,
      "//evil.example/x",
      "/",
    ]) {
      const made = fault(read, {
        kind: "rewrite",
        rewrite: (a) => ({ ...a, status: 302, headers: { location } }),
      });
      const error = await caught(READS[read]?.run(before.reader) ?? Promise.resolve());
      assert.equal(error.code, "upstream_unexpected", location);
      made.remove();
    }
  });
}

for (const kind of ["flip-byte", "short"] as const) {
  test(`${kind}: a blob is asked for again, then refused`, async () => {
    fault("blob", { kind, times: 1 });
    const once = at.call(at.isolate());
    assert.equal(
      await READS.blob?.run(once.reader),
      awkward.repository.bytes("cat-file", "blob", `${awkward.head}:src/app.ts`).toString(),
    );
    at.host.faults.clear();
    at.store.values.clear();
    const always = fault("blob", { kind });
    const { reader } = at.call(at.isolate());
    assert.equal((await caught(READS.blob?.run(reader) ?? Promise.resolve())).code, "upstream_corrupt");
    assert.equal(always.hits, 2);
    assert.deepEqual(
      [...at.store.values.keys()].filter((key) => key.includes("/blob/")),
      [],
      "nothing was kept",
    );
  });
}

test("a digit of an id in a tree: refused, and never kept", async () => {
  const made = fault("tree", { kind: "flip-byte" });
  const { reader } = at.call(at.isolate());
  const error = await caught(READS.tree?.run(reader) ?? Promise.resolve());
  assert.equal(error.code, "upstream_corrupt");
  assert.equal(made.hits, 2);
  assert.deepEqual(
    [...at.store.values.keys()].filter((key) => key.includes("/tree/")),
    [],
  );
});

test("an entry that a tree's answer leaves out is noticed", async () => {
  fault("tree", {
    kind: "rewrite",
    rewrite: (answer) => {
      const tree = JSON.parse(String(answer.body));
      tree.tree.pop();
      return { ...answer, body: Buffer.from(JSON.stringify(tree)) };
    },
  });
  const { reader } = at.call(at.isolate());
  assert.equal((await caught(READS.tree?.run(reader) ?? Promise.resolve())).code, "upstream_corrupt");
});

test("another commit than asked for, and another tree, are refused", async () => {
  const other = "1".repeat(40);
  const swapped = (answer: { body: Buffer | null }) => {
    const value = JSON.parse(String(answer.body));
    return Buffer.from(JSON.stringify({ ...value, sha: other }));
  };
  for (const read of ["commit", "tree"]) {
    const made = fault(read, {
      kind: "rewrite",
      rewrite: (answer) => ({ ...answer, body: swapped(answer) }),
    });
    const { reader } = at.call(at.isolate());
    assert.equal((await caught(READS[read]?.run(reader) ?? Promise.resolve())).code, "upstream_unexpected");
    made.remove();
  }
});

test("a commit whose tree the host changes is not proven", async () => {
  fault("commit", { kind: "flip-byte" });
  const { reader } = at.call(at.isolate());
  const commit = await reader.commit(awkward.before);
  assert.equal(commit?.assurance, "attested");
});

test("a limit: no wait, the time to come back, and no request until then", async () => {
  const resetAt = at.clock.ms / 1000 + 1800;
  const made = fault("commit", { kind: "primary-limit", headers: { "x-ratelimit-reset": String(resetAt) } });
  const github = at.isolate();
  const first = await caught(at.call(github).reader.commit(awkward.before));
  assert.equal(first.data.retryAfterSeconds, 1800);
  assert.equal(first.data.resetAt, new Date(resetAt * 1000).toISOString());
  made.remove();
  at.clock.ms += 1_000_000;
  const second = at.call(github);
  const error = await caught(second.reader.commit(awkward.before));
  assert.deepEqual([error.code, error.data.retryAfterSeconds], ["upstream_rate_limited", 800]);
  assert.equal(second.ledger.upstreamRequests, 0);
  at.clock.ms += 800_000;
  assert.ok(await at.call(github).reader.commit(awkward.before));
});

test("a secondary limit without a time: at least a minute", async () => {
  fault("commit", { kind: "secondary-limit-no-retry-after" });
  const error = await caught(at.call(at.isolate()).reader.commit(awkward.before));
  assert.equal(error.data.retryAfterSeconds, 60);
});

test("a tip that cannot be refreshed is used and says so", async () => {
  const reasons: [Omit<FaultRule, "match">, string][] = [
    [{ kind: "html-503" }, "upstream_unavailable"],
    [{ kind: "hang" }, "upstream_timeout"],
    [{ kind: "status", status: 401 }, "upstream_unauthorized"],
    [{ kind: "secondary-limit" }, "upstream_rate_limited"],
    [{ kind: "bad-json" }, "upstream_corrupt"],
  ];
  for (const [rule, code] of reasons) {
    // Short for the one that waits it out; on a busy machine an honest answer takes a while.
    const github = at.isolate({ timeoutMs: rule.kind === "hang" ? 1_000 : 10_000 });
    const before = await at.call(github).reader.head();
    awkward.repository.git("update-ref", "refs/heads/main", awkward.before);
    at.clock.ms += 20_000;
    const made = fault("head", rule);
    const head = await at.call(github).reader.head();
    assert.equal(head.sha, awkward.head);
    assert.equal(head.checkedAt, before.checkedAt);
    assert.equal(head.stale?.code, code);
    made.release();
    at.clock.ms += 61_000;
    const after = await at.call(github).reader.head();
    assert.deepEqual([after.sha, after.stale], [awkward.before, null]);
    awkward.repository.git("update-ref", "refs/heads/main", awkward.head);
    at.clock.ms += 61_000;
  }
});

test("a repository that is gone, or hidden, is never a missing commit", async () => {
  const { reader } = at.call(at.isolate(), { id: 4242 });
  for (const work of [() => reader.head(), () => reader.commit(awkward.head), () => reader.identity()]) {
    assert.equal((await caught(work())).code, "repository_unavailable");
  }
  const named = at.call(at.isolate(), { id: undefined, repo: "nowhere" });
  assert.equal((await caught(named.reader.head())).code, "repository_unavailable");
  const stranger = at.call(at.isolate({ token: null }));
  assert.equal((await caught(stranger.reader.commit(awkward.head))).code, "repository_unavailable");
});

test("that the repository can be read is remembered for a minute", async () => {
  const github = at.isolate();
  const { reader, ledger } = at.call(github);
  assert.equal(await reader.commit("1".repeat(40)), null);
  assert.equal(await reader.commit("2".repeat(40)), null);
  assert.equal(ledger.upstreamRequests, 3);
  at.clock.ms += 60_000;
  assert.equal(await reader.commit("3".repeat(40)), null);
  assert.equal(ledger.upstreamRequests, 5);
});

test("reachability that cannot be found out is null", async () => {
  const kinds: Omit<FaultRule, "match">[] = [
    { kind: "html-503" },
    { kind: "primary-limit" },
    { kind: "reset" },
    { kind: "bad-json" },
    { kind: "status", status: 401 },
  ];
  for (const rule of kinds) {
    const compare = at.host.faults.add({ ...rule, match: (_, path) => path.includes("/compare/") });
    assert.equal(await at.call(at.isolate()).reader.reachable(awkward.lost), null, rule.kind);
    compare.remove();
    const tip = fault("head", rule);
    assert.equal(await at.call(at.isolate()).reader.reachable(awkward.before), null, rule.kind);
    tip.remove();
  }
});

test("a blob above the bound", async () => {
  const small = at.call(at.isolate({ maxBlobBytes: 100 }));
  const found = await small.reader.entry(await commitOf(small.reader), "big.txt");
  assert.ok(found);
  const error = await caught(small.reader.blob(found.entry.id));
  assert.deepEqual([error.code, error.data.maxBytes], ["blob_too_large", 100]);
  // The store may hold it from a time of a larger bound.
  const large = at.call(at.isolate());
  await large.reader.blob(found.entry.id);
  const again = at.call(at.isolate({ maxBlobBytes: 100 }));
  assert.equal((await caught(again.reader.blob(found.entry.id))).code, "blob_too_large");
});

test("a tree that names what the host does not have", async () => {
  const { reader } = at.call(at.isolate());
  assert.equal((await caught(reader.blob("1".repeat(40)))).code, "upstream_unexpected");
});
