import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { GitRepository } from "../../../test/repositories/git.ts";
import { parsed } from "../testing/client.ts";
import { errorOf, type Served, serve } from "../testing/served.ts";
import type { Fault, FaultRule } from "./faults.ts";

const CONTENT = "0123456789";
const RAW = { accept: "application/vnd.github.raw+json" };
const any = (): boolean => true;

let repository: GitRepository;
let served: Served;
let blob: string;

before(async () => {
  repository = new GitRepository();
  repository.write("a.txt", CONTENT).commit("one");
  blob = repository.git("rev-parse", "HEAD:a.txt");
  served = await serve(repository.path);
});

afterEach(() => served.host.faults.clear());

after(async () => {
  await served.host.close();
  repository.remove();
});

const fault = (rule: Omit<FaultRule, "match">) => served.host.faults.add({ match: any, ...rule });
const content = async (): Promise<string> => {
  const { content: text } = await served.json<{ content: string }>(`/git/blobs/${blob}`);
  return Buffer.from(text, "base64").toString();
};

test("a status, so many times, for what matches", async () => {
  const added = served.host.faults.add({
    match: (method, path) => method === "GET" && path.endsWith("/branches"),
    kind: "status",
    status: 502,
    times: 2,
    headers: { "x-more": "1" },
  });
  assert.equal((await served.get("/tags")).status, 200);
  const reply = await served.get("/branches");
  assert.deepEqual([reply.status, reply.headers["x-more"]], [502, "1"]);
  assert.equal((await served.get("/branches")).status, 502);
  assert.equal((await served.get("/branches")).status, 200);
  assert.equal(added.hits, 2);
  assert.deepEqual(served.host.requests.at(-2)?.fault, "status");
});

test("the page of an overloaded GitHub", async () => {
  fault({ kind: "html-503" });
  const reply = await served.get("");
  assert.equal(reply.status, 503);
  assert.equal(reply.headers["content-type"], "text/html; charset=utf-8");
  assert.match(reply.body.toString(), /^<!DOCTYPE html>/);
});

test("limits: primary with nothing left, secondary with and without retry-after", async () => {
  fault({ kind: "primary-limit", times: 1, status: 429 });
  const primary = await served.get("");
  assert.deepEqual([primary.status, primary.headers["x-ratelimit-remaining"]], [429, "0"]);
  assert.match(errorOf(primary)[1], /^API rate limit exceeded for 127\.0\.0\.1\./);
  fault({ kind: "secondary-limit", times: 1, retryAfterSeconds: 7 });
  const secondary = await served.get("");
  assert.deepEqual([secondary.status, secondary.headers["retry-after"]], [403, "7"]);
  assert.match(errorOf(secondary)[1], /^You have exceeded a secondary rate limit\./);
  fault({ kind: "secondary-limit-no-retry-after", times: 1 });
  const silent = await served.get("");
  assert.equal(silent.headers["retry-after"], undefined);
  assert.ok(Number(silent.headers["x-ratelimit-remaining"]) > 0);
});

test("one byte flipped: JSON stays valid, base64 decodes, exactly one bit differs", async () => {
  fault({ kind: "flip-byte" });
  assert.equal(await content(), "0123446789");
  const raw = await served.get(`/git/blobs/${blob}`, RAW);
  assert.equal(raw.body.toString(), "0123446789");
  served.host.faults.clear();
  fault({ kind: "flip-byte", offset: 0 });
  assert.equal(await content(), "1123456789");
  served.host.faults.clear();
  const truth = await served.json<{ tree: { sha: string }[] }>("/git/trees/main");
  fault({ kind: "flip-byte" });
  const lie = await served.json<{ tree: { sha: string }[] }>("/git/trees/main");
  assert.notEqual(lie.tree[0]?.sha, truth.tree[0]?.sha);
  assert.equal(lie.tree[0]?.sha.slice(1), truth.tree[0]?.sha.slice(1));
});

test("one byte missing, in a valid frame", async () => {
  fault({ kind: "short" });
  assert.equal(await content(), "012345678");
  assert.equal((await served.get(`/git/blobs/${blob}`, RAW)).body.toString(), "012345678");
});

test("broken JSON that arrives whole", async () => {
  fault({ kind: "bad-json" });
  const reply = await served.get("");
  assert.equal(reply.status, 200);
  assert.throws(() => parsed(reply), SyntaxError);
});

test("connections that break: reset, cut, less than was promised", async () => {
  for (const kind of ["reset", "cut", "wrong-length"] as const) {
    fault({ kind, times: 1 });
    await assert.rejects(served.get(`/git/blobs/${blob}`), /ECONNRESET|aborted|socket hang up/, kind);
  }
  assert.equal((await served.get("")).status, 200);
});

test("a request that hangs is let go by release, others pass meanwhile", async () => {
  const hanging = served.host.faults.add({ match: (_, path) => path.endsWith("/tags"), kind: "hang" });
  const arrived = served.host.nextRequest(({ path }) => path.endsWith("/tags"));
  const reply = served.get("/tags");
  const record = await arrived;
  assert.equal((await served.get("/branches")).status, 200);
  assert.equal(record.status, 0);
  hanging.release();
  assert.equal((await reply).status, 200);
  assert.equal(record.status, 200);
});

test("a delay comes before the true answer", async () => {
  fault({ kind: "delay", ms: 1 });
  assert.equal(await content(), CONTENT);
});

test("an answer may be rewritten, archives too", async () => {
  fault({ kind: "rewrite", rewrite: (answer) => ({ ...answer, status: 203, body: Buffer.from("other") }) });
  const reply = await served.ask("/_codeload/octo/demo/legacy.tar.gz/refs/heads/main");
  assert.deepEqual([reply.status, reply.body.toString()], [203, "other"]);
});

/** A host that takes writes, with a fault that its next writes meet. */
async function writing(
  rule: Omit<FaultRule, "match">,
  run: (own: Served, fault: Fault, sha: string) => Promise<void>,
  match: FaultRule["match"] = (method) => method !== "GET",
): Promise<void> {
  const own = await serve(repository.path, { writable: true });
  try {
    const { sha } = await own.made<{ sha: string }>("POST", "/git/commits", {
      message: "m",
      tree: repository.git("rev-parse", "main^{tree}"),
      parents: [repository.git("rev-parse", "main")],
    });
    await run(own, own.host.faults.add({ match, times: 1, ...rule }), sha);
  } finally {
    await own.host.close();
    repository.git("update-ref", "-d", "refs/heads/made");
  }
}

const made = (): boolean => repository.git("for-each-ref", "refs/heads/made") !== "";
const make = (own: Served, sha: string) => own.put("POST", "/git/refs", { ref: "refs/heads/made", sha });

test("a fault before a write keeps it from happening", async () => {
  for (const kind of ["status", "html-503", "secondary-limit", "primary-limit"] as const) {
    await writing({ kind, ...(kind === "status" && { status: 502 }) }, async (own, _, sha) => {
      const { status } = await make(own, sha);
      assert.equal(status, { status: 502, "html-503": 503 }[kind as string] ?? 403);
      assert.equal(made(), false);
      assert.equal((await make(own, sha)).status, 201);
    });
  }
  await writing({ kind: "reset" }, async (own, _, sha) => {
    await assert.rejects(make(own, sha));
    assert.equal(made(), false);
  });
});

test("a fault afterwards: the write has happened, and the client is told something else or nothing", async () => {
  for (const kind of ["status", "html-503", "secondary-limit"] as const) {
    await writing({ kind, afterwards: true }, async (own, _, sha) => {
      assert.ok((await make(own, sha)).status >= 403);
      assert.equal(made(), true);
    });
  }
  for (const kind of ["reset", "cut"] as const) {
    await writing({ kind, afterwards: true }, async (own, fault, sha) => {
      await assert.rejects(make(own, sha));
      assert.deepEqual([made(), fault.hits], [true, 1]);
    });
  }
});

test("a write that hangs afterwards was made while nobody answers", async () => {
  await writing({ kind: "hang", afterwards: true }, async (own, fault, sha) => {
    const reply = make(own, sha);
    await fault.struck;
    assert.equal(made(), true);
    fault.release();
    assert.equal((await reply).status, 201);
  });
});

test("one GraphQL mutation is hit by its name, and recorded by it", async () => {
  const match: FaultRule["match"] = (_, path, fields) => path === "/graphql" && fields.includes("updateRefs");
  await writing(
    { kind: "status", status: 502, afterwards: true },
    async (own, _, sha) => {
      const { node_id: repositoryId } = await own.json<{ node_id: string }>("");
      const refUpdates = [{ name: "refs/heads/made", afterOid: sha }];
      const query =
        "mutation($input: UpdateRefsInput!) { moved: updateRefs(input: $input) { clientMutationId } }";
      assert.deepEqual(await own.graphql("{ rateLimit { cost } }"), { data: { rateLimit: { cost: 1 } } });
      await assert.rejects(own.graphql(query, { input: { repositoryId, refUpdates } }), /502/);
      assert.equal(made(), true);
      assert.deepEqual(
        own.host.requests.slice(-2).map(({ fields, fault }) => [fields, fault]),
        [
          [["rateLimit"], null],
          [["updateRefs"], "status"],
        ],
      );
    },
    match,
  );
});
