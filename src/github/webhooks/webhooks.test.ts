/** Webhooks taken in: GitHub's signature and example payloads, each delivery once, failure then redelivery, hostile bodies. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { beforeEach, test } from "node:test";
import { delivery, example, published, type Signed } from "../../../test/github-webhooks/payloads.ts";
import { newsObjects, type ObjectsInNode } from "../../../test/repositories/objects-in-node.ts";
import { GitpinError } from "../../errors.ts";
import { crossing } from "../budget/crossing.ts";
import { NewsFeed } from "../news/news-feed.ts";
import type { NewsStore } from "../news/news-store.ts";
import { readEvent } from "./events.ts";
import { createReceiver, HELD_BYTES_AT_MOST, type Receive, WEBHOOK_BYTES_AT_MOST } from "./receiver.ts";
import { createVerifier, isSignature } from "./signature.ts";

const SECRET = "a-secret-of-the-webhook";
const URL_HERE = "https://gitpin.example/webhooks/github";
const HELLO = { id: 186853002, owner: "Codertocat", repo: "Hello-World" };

const clock = { ms: 0, now: () => clock.ms };
let objects: ObjectsInNode;
let feed: NewsFeed;
let receive: Receive;
let publicNow: boolean | Error;
let forgotten: number;
/** Addresses of refused deliveries. */
let refusals: (string | null)[];
let refusalsAtMost: number;
let whileAsked: () => Promise<unknown>;

beforeEach(() => {
  clock.ms = Date.UTC(2026, 5, 1);
  publicNow = true;
  forgotten = 0;
  refusals = [];
  refusalsAtMost = 100;
  whileAsked = async () => undefined;
  objects = newsObjects(clock);
  const home = crossing<NewsStore>(() => objects.getByName("news"));
  feed = new NewsFeed(home, clock, 5000);
  receive = createReceiver({
    secrets: [SECRET, "the-secret-that-comes-next"],
    news: home,
    async isPublic() {
      if (publicNow instanceof Error) throw publicNow;
      const answer = publicNow;
      await whileAsked();
      return answer;
    },
    async installationsChanged() {
      forgotten += 1;
    },
    async refusedFrom(address) {
      refusals.push(address);
      if (refusals.length > refusalsAtMost) throw new GitpinError("rate_limited", "", "");
    },
    written: () => feed.expire(),
  });
});

const send = (event: string, payload: unknown, signed: Signed = {}) =>
  receive(delivery(URL_HERE, event, payload, signed));

async function code(work: Promise<unknown>): Promise<string> {
  const outcome = await work.then(
    () => "no error",
    (error: unknown) => error,
  );
  if (!(outcome instanceof GitpinError)) return String(outcome);
  assert.ok(!JSON.stringify(outcome.report()).includes(SECRET));
  return outcome.code;
}

test("GitHub's own test vector", () => {
  const verifier = createVerifier(["other", "It's a Secret to Everybody"]);
  for (const piece of ["Hello,", " ", "World!"]) verifier.update(new TextEncoder().encode(piece));
  const header = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
  assert.ok(isSignature(header));
  assert.equal(verifier.holds(header), true);
});

test("every published payload is understood, and events that mean nothing here are taken quietly", async () => {
  for (const { event, payload } of published) {
    const { outcome } = await send(event, payload);
    assert.equal(outcome, event === "meta" ? "ignored" : "recorded", `${event} ${payload.action ?? ""}`);
  }
  assert.equal((await send("star", { action: "created" })).outcome, "ignored");
  assert.equal((await send("", {})).outcome, "ignored");
});

test("what the published pushes tell", () => {
  const refs = published
    .filter(({ event }) => event === "push")
    .map(({ payload }) => readEvent("push", Buffer.from(JSON.stringify(payload)))?.items);
  assert.ok(refs.length >= 7);
  for (const items of refs) {
    const [item] = items ?? [];
    assert.ok(item?.kind === "push" && item.repositoryId === HELLO.id);
    const expected =
      item.refs[0] === "refs/heads/master" ? ["refs/heads/master", "HEAD"] : ["refs/tags/simple-tag"];
    assert.deepEqual(item.refs, expected);
  }
});

test("signatures: wrong, missing, of another body, of the old form; both secrets hold", async () => {
  const payload = example("push");
  const body = JSON.stringify(payload);
  const sha1 = createHmac("sha1", SECRET).update(body).digest("hex");
  const own = createHmac("sha256", SECRET).update(body).digest("hex");
  for (const signed of [
    { secret: "not-this-secret-at-all" },
    { secret: null },
    { signature: `sha1=${sha1}` },
    { signature: "sha256=" },
    { signature: `sha256=${"0".repeat(64)}` },
    { signature: `sha256=${own.slice(0, 63)}` },
    { signature: own },
  ]) {
    assert.equal(await code(send("push", payload, signed)), "webhook_refused", JSON.stringify(signed));
  }
  const other = JSON.stringify({ ...payload, ref: "refs/heads/evil" });
  assert.equal(await code(send("push", other, { signature: `sha256=${own}` })), "webhook_refused");
  assert.deepEqual(objects.calls, [], "nothing was looked up or written");
  assert.equal((await send("push", payload, { secret: "the-secret-that-comes-next" })).outcome, "recorded");
});

test("a body is not read without a signature, nor past GitHub's bound", async () => {
  let pulled = 0;
  const endless = () =>
    new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1_048_576));
      },
    });
  const request = (headers: Record<string, string>) =>
    new Request(URL_HERE, { method: "POST", body: endless(), headers, duplex: "half" } as RequestInit);
  const signature = `sha256=${"0".repeat(64)}`;
  assert.equal(await code(receive(request({}))), "webhook_refused");
  assert.equal(pulled <= 1, true);
  assert.equal(await code(receive(request({ "x-hub-signature-256": signature }))), "body_too_large");
  assert.ok(pulled <= WEBHOOK_BYTES_AT_MOST / 1_048_576 + 3, `${pulled} MiB were read`);
  const announced = request({ "x-hub-signature-256": signature, "content-length": "26214401" });
  assert.equal(await code(receive(announced)), "body_too_large");
});

test("signed, but not what GitHub sends: refused, and not recorded", async () => {
  for (const payload of [
    "",
    "null",
    "[]",
    "{",
    '{"ref":"refs/heads/main"}',
    '{"ref":7,"repository":{"id":1}}',
    { ref: "refs/heads/main", repository: { id: -1, full_name: "a/b" } },
    { ref: "main", repository: { id: 1, full_name: "a/b" } },
  ]) {
    assert.equal(await code(send("push", payload)), "invalid_argument", JSON.stringify(payload));
  }
  assert.equal(await code(send("push", example("push"), { delivery: "x" })), "invalid_argument");
  assert.deepEqual(objects.calls, []);
});

test("a delivery counts once; a replay changes nothing", async () => {
  const payload = example("push");
  const signed = { delivery: "aaaaaaaa-0000-0000-0000-000000000001" };
  assert.equal((await send("push", payload, signed)).outcome, "recorded");
  await feed.refresh();
  const at = feed.tipChangedAt(HELLO.id, ["refs/tags/simple-tag"]);
  assert.equal(at, clock.ms);
  clock.ms += 60_000;
  assert.equal((await send("push", payload, signed)).outcome, "duplicate");
  await feed.refresh();
  assert.equal(feed.tipChangedAt(HELLO.id, ["refs/tags/simple-tag"]), at);
});

test("the same delivery twice at once: one counts", async () => {
  const signed = { delivery: "aaaaaaaa-0000-0000-0000-000000000002" };
  const outcomes = await Promise.all([1, 2, 3].map(() => send("push", example("push"), signed)));
  assert.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), ["duplicate", "duplicate", "recorded"]);
});

test("a delivery that failed is not recorded, so its redelivery works", async () => {
  const signed = { delivery: "aaaaaaaa-0000-0000-0000-000000000003" };
  await send("repository", example("repository", "privatized"));
  publicNow = new GitpinError("upstream_rate_limited", "", "");
  assert.equal(
    await code(send("repository", example("repository", "publicized"), signed)),
    "upstream_rate_limited",
  );
  await feed.refresh();
  assert.equal(feed.isPrivate(HELLO), true);
  publicNow = true;
  assert.equal((await send("repository", example("repository", "publicized"), signed)).outcome, "recorded");
  await feed.refresh();
  assert.equal(feed.isPrivate(HELLO), false);

  objects.failing.on = true;
  const push = { delivery: "aaaaaaaa-0000-0000-0000-000000000004" };
  assert.notEqual(await code(send("push", example("push"), push)), "no error");
  objects.failing.on = false;
  assert.equal((await send("push", example("push"), push)).outcome, "recorded");
});

test("private is believed at once, public only when GitHub says so itself", async () => {
  await send("repository", example("repository", "privatized"));
  await feed.refresh();
  assert.equal(feed.isPrivate(HELLO), true);
  assert.equal(feed.isPrivate({ owner: "codertocat", repo: "HELLO-world" }), true, "by name, in any case");
  assert.equal(feed.isPrivate({ ...HELLO, id: 1 }), false, "another repository of that name");
  // An old piece of news that comes late, or one that is forged with the secret, brings nothing back.
  publicNow = false;
  assert.equal((await send("repository", example("repository", "publicized"))).outcome, "recorded");
  await feed.refresh();
  assert.equal(feed.isPrivate(HELLO), true);
  const push = example("push");
  assert.ok(push.repository);
  await send("push", push);
  await feed.refresh();
  assert.equal(feed.isPrivate(HELLO), true, "a push that was public when it was made");
});

test("a push to a repository that is private now says so", async () => {
  const push = example("push");
  await send("push", { ...push, repository: { ...push.repository, private: true } });
  await feed.refresh();
  assert.equal(feed.isPrivate(HELLO), true);
});

const ZERO = "0".repeat(40);

test("pushes out of order, forced, of a deleted branch, of a new one: each voids its ref, whatever it says of it", async () => {
  const sha = (digit: string) => digit.repeat(40);
  const pushes = [
    { ref: "refs/heads/master", before: sha("b"), after: sha("c"), forced: false },
    { ref: "refs/heads/master", before: sha("a"), after: sha("b"), forced: false },
    { ref: "refs/heads/master", before: sha("c"), after: sha("a"), forced: true },
    { ref: "refs/heads/feature", before: sha("a"), after: ZERO, deleted: true, head_commit: null },
    { ref: "refs/heads/feature", before: ZERO, after: sha("d"), created: true },
  ];
  for (const push of pushes) {
    clock.ms += 60_000;
    assert.equal((await send("push", { ...example("push"), ...push })).outcome, "recorded");
    await feed.refresh();
    assert.equal(feed.tipChangedAt(HELLO.id, [push.ref]), clock.ms);
  }
  assert.equal(feed.tipChangedAt(HELLO.id, ["HEAD"]), clock.ms - 120_000);
  assert.equal(feed.tipChangedAt(HELLO.id, ["refs/heads/other"]), Number.NEGATIVE_INFINITY);
  assert.equal(feed.tipChangedAt(1, ["refs/heads/master"]), Number.NEGATIVE_INFINITY);
});

test("deletion, rename, transfer: the repository is looked at anew, by every name it had", async () => {
  const about = { id: 186853261, owner: "Octocoders", repo: "Hello-World" };
  await send("repository", example("repository", "transferred"));
  await feed.refresh();
  assert.equal(feed.repositoryChangedAt({ owner: "octocat", repo: "hello-world" }), clock.ms);
  assert.equal(feed.repositoryChangedAt(about), clock.ms);
  assert.equal(feed.gone(about), null);
  clock.ms += 60_000;
  await send("repository", { ...example("repository", "renamed"), action: "deleted", changes: undefined });
  await feed.refresh();
  assert.equal(feed.gone(about), "deleted");
  assert.equal(feed.tipChangedAt(about.id, ["refs/heads/x"]), clock.ms, "all tips are void");
  await send("repository", example("repository", "created"));
  await feed.refresh();
  assert.equal(feed.gone(about), null);
});

test("installations: what can no longer be read is marked, by list or by owner, until it can be again", async () => {
  const listed = (payload: Record<string, unknown>, member: string) => {
    const [first] = payload[member] as { id: number; full_name: string }[];
    assert.ok(first);
    const [owner = "", repo = ""] = first.full_name.split("/");
    return { id: first.id, owner, repo };
  };
  const told = async (event: string, payload: Record<string, unknown>) => {
    await send(event, payload);
    await feed.refresh();
  };
  const removed = example("installation_repositories", "removed");
  await told("installation_repositories", removed);
  const one = listed(removed, "repositories_removed");
  assert.equal(feed.gone(one), "no_access");
  await told("installation_repositories", {
    ...removed,
    action: "added",
    repositories_added: removed.repositories_removed,
    repositories_removed: [],
  });
  assert.equal(feed.gone(one), null);

  const suspend = example("installation", "suspend");
  const { account } = suspend.installation as { account: { login: string } };
  await told("installation", suspend);
  assert.equal(feed.gone({ owner: account.login.toUpperCase(), repo: "any" }), "no_access");
  await told("installation", example("installation", "unsuspend"));
  assert.equal(feed.gone({ owner: account.login, repo: "any" }), null);

  const deleted = example("installation", "deleted");
  await told("installation", deleted);
  assert.equal(feed.gone(listed(deleted, "repositories")), "no_access");
  assert.equal(forgotten, 5, "who opens what is looked up anew");
});

test("other isolates know within the bound, this one from its next call on", async () => {
  const other = new NewsFeed(
    crossing<NewsStore>(() => objects.getByName("news")),
    clock,
    5000,
  );
  await other.refresh();
  clock.ms += 1000;
  await send("repository", example("repository", "privatized"));
  await feed.refresh();
  assert.equal(feed.isPrivate(HELLO), true);
  await other.refresh();
  assert.equal(other.isPrivate(HELLO), false, "it asked a second ago");
  clock.ms += 4000;
  await other.refresh();
  assert.equal(other.isPrivate(HELLO), true);
});

test("news that cannot be asked for leave what is known", async () => {
  await send("repository", example("repository", "privatized"));
  await feed.refresh();
  clock.ms += 10_000;
  objects.failing.on = true;
  await feed.refresh();
  assert.equal(feed.isPrivate(HELLO), true);
  assert.deepEqual([feed.failures, feed.known], [1, true]);
  const cold = new NewsFeed(
    crossing<NewsStore>(() => objects.getByName("news")),
    clock,
    5000,
  );
  await cold.refresh();
  assert.equal(cold.known, false, "this one knows nothing, and says so");
  objects.failing.on = false;
  await cold.refresh();
  assert.deepEqual([cold.known, cold.isPrivate(HELLO)], [true, true]);
});

const repositoryOf = (id: number, name: string, hidden = false) => ({
  id,
  full_name: `octo/${name}`,
  private: hidden,
});
const renamed = (id: number, from: string, to: string) =>
  send("repository", {
    action: "renamed",
    changes: { repository: { name: { from } } },
    repository: repositoryOf(id, to),
  });
const told = (action: string, id: number, name: string) =>
  send("repository", { action, repository: repositoryOf(id, name, action === "privatized") });
const X = { owner: "octo", repo: "x" };

test("by name, privacy sticks: news of another repository that once had the name makes nothing public", async () => {
  await renamed(99, "x", "elsewhere");
  await told("privatized", 700, "x");
  await feed.refresh();
  assert.equal(feed.isPrivate(X), true);
  await told("edited", 99, "elsewhere");
  await feed.refresh();
  assert.equal(feed.isPrivate(X), true);
  assert.equal(feed.isPrivate({ ...X, id: 99 }), false, "who has an id is not taken for another");
});

test("a name given on: private is who has it now, and what its former holder becomes says nothing of it", async () => {
  await renamed(700, "x", "x-legacy");
  await told("created", 900, "x");
  await told("privatized", 900, "x");
  await told("deleted", 700, "x-legacy");
  await feed.refresh();
  assert.equal(feed.isPrivate(X), true);
  assert.equal(feed.gone(X), null, "deleted is the one that had the name before");
  assert.equal(feed.gone({ owner: "octo", repo: "x-legacy" }), "deleted");
  await told("edited", 700, "x-legacy");
  await feed.refresh();
  assert.equal(feed.isPrivate(X), true);
  await told("deleted", 900, "x");
  await feed.refresh();
  assert.equal(feed.gone(X), "deleted");
});

test("names swapped, read by a cold isolate: rows come in the order of arrival, whatever their ids", async () => {
  await renamed(900, "x", "swap");
  await renamed(100, "y", "x");
  await renamed(900, "swap", "y");
  await told("privatized", 900, "y");
  await told("deleted", 100, "x");
  const cold = new NewsFeed(
    crossing<NewsStore>(() => objects.getByName("news")),
    clock,
    5000,
  );
  assert.equal(cold.known, false);
  await cold.refresh();
  assert.equal(cold.known, true);
  const Y = { owner: "octo", repo: "y" };
  assert.deepEqual([cold.isPrivate(X), cold.isPrivate(Y)], [true, true]);
  assert.deepEqual([cold.gone(X), cold.gone(Y)], ["deleted", null]);
  assert.deepEqual([cold.isPrivate({ ...X, id: 100 }), cold.isPrivate({ ...Y, id: 900 })], [false, true]);
});

test("private again while GitHub was asked whether it is public: it is asked again, and stays private", async () => {
  await told("privatized", 700, "x");
  let asked = 0;
  whileAsked = async () => {
    asked += 1;
    if (asked > 1) return;
    publicNow = false;
    await told("privatized", 700, "x");
  };
  assert.equal((await told("publicized", 700, "x")).outcome, "recorded");
  await feed.refresh();
  assert.deepEqual([asked, feed.isPrivate(X)], [2, true]);
});

test("other news of it while GitHub was asked: asked again, and public; without end: not recorded", async () => {
  await told("privatized", 700, "x");
  let asked = 0;
  whileAsked = async () => {
    asked += 1;
    if (asked === 1) await told("edited", 700, "x");
    else await told("edited", 701, "another");
  };
  await told("publicized", 700, "x");
  await feed.refresh();
  assert.deepEqual([asked, feed.isPrivate(X)], [2, false]);
  whileAsked = () => told("privatized", 700, "x");
  const again = { delivery: "aaaaaaaa-0000-0000-0000-000000000007" };
  const payload = { action: "publicized", repository: repositoryOf(700, "x") };
  assert.equal(await code(send("repository", payload, again)), "upstream_unexpected");
  await feed.refresh();
  assert.equal(feed.isPrivate(X), true);
  whileAsked = async () => undefined;
  assert.equal((await send("repository", payload, again)).outcome, "recorded");
});

test("refused deliveries count against their address, accepted ones do not", async () => {
  refusalsAtMost = 2;
  const forged = () => {
    const request = delivery(URL_HERE, "push", example("push"), { secret: "not-this-secret-at-all" });
    request.headers.set("cf-connecting-ip", "192.0.2.7");
    return code(receive(request));
  };
  assert.deepEqual([await forged(), await forged()], ["webhook_refused", "webhook_refused"]);
  assert.equal(await forged(), "rate_limited");
  assert.deepEqual(refusals, ["192.0.2.7", "192.0.2.7", "192.0.2.7"]);
  assert.equal((await send("push", example("push"))).outcome, "recorded");
  assert.equal(refusals.length, 3);
});

test("deliveries that arrive together are held up to a bound, and let go when they end", async () => {
  const headers = { "x-hub-signature-256": `sha256=${"0".repeat(64)}` };
  const open = () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const init = { method: "POST", body: readable, headers, duplex: "half" } as RequestInit;
    return { writer: writable.getWriter(), outcome: code(receive(new Request(URL_HERE, init))) };
  };
  const [first, second] = [open(), open()];
  const half = HELD_BYTES_AT_MOST / 2;
  await first.writer.write(new Uint8Array(half));
  await second.writer.write(new Uint8Array(half));
  const third = open();
  third.writer.write(new Uint8Array(1)).catch(() => undefined);
  assert.equal(await third.outcome, "rate_limited");
  assert.equal((await Promise.allSettled([first.writer.close(), second.writer.close()])).length, 2);
  assert.deepEqual([await first.outcome, await second.outcome], ["webhook_refused", "webhook_refused"]);
  assert.equal((await send("push", example("push"))).outcome, "recorded");
});
