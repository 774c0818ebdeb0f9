/** The ledger at chosen times: who holds a request, what a cut-off call leaves behind, and what is kept for how long. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { requestsInNode } from "../../../test/support/requests-in-node.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import { GitpinError } from "../../errors.ts";
import type { Caller } from "../../ports/registry.ts";
import type { Claim, Intent } from "../../ports/request-ledger.ts";
import { ledgerName } from "./request-ledger.ts";
import { REQUEST_LIMITS } from "./request-store.ts";

const blue: Caller = { id: "token:0123456789abcdef", team: "blue", scopes: ["kin:write"] };
const commit = (digit: string) => digit.repeat(40) as ObjectId;
const intent = (digit: string, receipt = `receipt ${digit}`): Intent => ({
  repositoryId: 7,
  branch: "main",
  commit: commit(digit),
  receipt,
});
const fenceOf = (claim: Claim): number =>
  claim.status === "claimed" ? claim.fence : assert.fail(claim.status);

async function refusal(work: Promise<unknown>): Promise<GitpinError> {
  const thrown = await work.then(
    () => assert.fail("nothing was thrown"),
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof GitpinError, String(thrown));
  return thrown;
}

test("claimed, settled, repeated: the first receipt is the answer for thirty days", async () => {
  const { ledger, clock } = requestsInNode();
  const claim = await ledger.claim(blue, "r1", "d1");
  assert.deepEqual(claim, { status: "claimed", fence: 1, earlier: [] });
  assert.equal(await ledger.intend(blue, "r1", 1, intent("a")), true);
  await ledger.settle(blue, "r1", 1, "the receipt");
  assert.deepEqual(await ledger.claim(blue, "r1", "d1"), {
    status: "settled",
    fence: 1,
    receipt: "the receipt",
  });
  assert.deepEqual(await ledger.claim(blue, "r1", "d2"), { status: "mismatch" });
  clock.ms += REQUEST_LIMITS.keptMs - 1;
  assert.deepEqual(await ledger.claim(blue, "r1", "d1"), {
    status: "settled",
    fence: 1,
    receipt: "the receipt",
  });
  clock.ms += 1;
  assert.deepEqual(await ledger.claim(blue, "r1", "d2"), { status: "claimed", fence: 2, earlier: [] });
});

test("while a call is at work its repeat is told when to come back; arguments are compared first", async () => {
  const { ledger, clock } = requestsInNode();
  await ledger.claim(blue, "r1", "d1");
  clock.ms += 20_500;
  assert.deepEqual(await ledger.claim(blue, "r1", "d1"), { status: "in_progress", retryAfterSeconds: 100 });
  assert.deepEqual(await ledger.claim(blue, "r1", "other"), { status: "mismatch" });
});

test("a call that was cut off is taken over, with what it was about to do; it can do no more", async () => {
  const { ledger, clock } = requestsInNode();
  const first = fenceOf(await ledger.claim(blue, "r1", "d1"));
  clock.ms += 100_000;
  // Announcing a commit says that it is alive.
  assert.equal(await ledger.intend(blue, "r1", first, intent("a")), true);
  clock.ms += 119_999;
  assert.deepEqual(await ledger.claim(blue, "r1", "d1"), { status: "in_progress", retryAfterSeconds: 1 });
  clock.ms += 1;
  assert.deepEqual(await ledger.claim(blue, "r1", "d1"), {
    status: "claimed",
    fence: 2,
    earlier: [intent("a")],
  });
  assert.equal(await ledger.intend(blue, "r1", first, intent("b")), false);
  await ledger.settle(blue, "r1", first, "too late");
  await ledger.release(blue, "r1", first);
  assert.equal(await ledger.intend(blue, "r1", 2, intent("c")), true);
  clock.ms += REQUEST_LIMITS.leaseMs;
  assert.deepEqual(await ledger.claim(blue, "r1", "d1"), {
    status: "claimed",
    fence: 3,
    earlier: [intent("a"), intent("c")],
  });
  await ledger.settle(blue, "r1", 3, "found out");
  assert.deepEqual(await ledger.claim(blue, "r1", "d1"), {
    status: "settled",
    fence: 3,
    receipt: "found out",
  });
});

test("an id that was given up starts anew, with any arguments; its old holder does not hold the new one", async () => {
  const { ledger, clock } = requestsInNode();
  const first = fenceOf(await ledger.claim(blue, "r1", "d1"));
  clock.ms += REQUEST_LIMITS.leaseMs;
  const second = fenceOf(await ledger.claim(blue, "r1", "d1"));
  await ledger.release(blue, "r1", second);
  const third = fenceOf(await ledger.claim(blue, "r1", "d2"));
  assert.equal(new Set([first, second, third]).size, 3);
  assert.equal(await ledger.intend(blue, "r1", first, intent("a")), false);
  await ledger.settle(blue, "r1", first, "not mine");
  assert.deepEqual(await ledger.claim(blue, "r1", "d2"), { status: "in_progress", retryAfterSeconds: 120 });
});

test("what is settled is settled: nothing announces, settles or gives it up again", async () => {
  const { ledger } = requestsInNode();
  const fence = fenceOf(await ledger.claim(blue, "r1", "d1"));
  await ledger.settle(blue, "r1", fence, "one");
  assert.equal(await ledger.intend(blue, "r1", fence, intent("a")), false);
  await ledger.settle(blue, "r1", fence, "two");
  await ledger.release(blue, "r1", fence);
  assert.deepEqual(await ledger.claim(blue, "r1", "d1"), { status: "settled", fence, receipt: "one" });
});

test("a settled receipt is amended by whoever was told it, and kept no longer for that", async () => {
  const { ledger, clock, failing } = requestsInNode();
  const fence = fenceOf(await ledger.claim(blue, "r1", "d1"));
  await ledger.amend(blue, "r1", fence, "not settled");
  assert.equal((await ledger.claim(blue, "r1", "d1")).status, "in_progress");
  await ledger.settle(blue, "r1", fence, "one");
  await ledger.amend(blue, "r1", fence + 1, "another's");
  await ledger.amend(blue, "r2", fence, "nobody's");
  assert.deepEqual(await ledger.claim(blue, "r1", "d1"), { status: "settled", fence, receipt: "one" });
  assert.equal((await ledger.claim(blue, "r2", "d1")).status, "claimed");
  clock.ms += REQUEST_LIMITS.keptMs - 1;
  await ledger.amend(blue, "r1", fence, "better");
  assert.deepEqual(await ledger.claim(blue, "r1", "d1"), { status: "settled", fence, receipt: "better" });
  failing.on = true;
  await ledger.amend(blue, "r1", fence, "lost on its way");
  failing.on = false;
  assert.deepEqual(await ledger.claim(blue, "r1", "d1"), { status: "settled", fence, receipt: "better" });
  clock.ms += 1;
  assert.equal((await ledger.claim(blue, "r1", "d1")).status, "claimed");
});

test("a receipt comes back as it was, whatever its length and characters", async () => {
  const { ledger, objects } = requestsInNode();
  // Halves of pairs would fall on both sides of every boundary in one of the two.
  const texts = [
    "",
    "x",
    `${"\u{1F600}".repeat(700_000)}`,
    `a${"\u{1F600}".repeat(700_000)}`,
    "é\n\0\u2028".repeat(300_000),
  ];
  for (const [index, text] of texts.entries()) {
    const fence = fenceOf(await ledger.claim(blue, `r${index}`, "d"));
    assert.equal(await ledger.intend(blue, `r${index}`, fence, intent("a", text)), true);
    await ledger.settle(blue, `r${index}`, fence, text);
    const claim = await ledger.claim(blue, `r${index}`, "d");
    assert.ok(claim.status === "settled" && claim.receipt === text, `text ${index}`);
  }
  const [object] = objects.values();
  const [longest] =
    object?.sqlite.sql
      .exec<{ bytes: number }>("SELECT MAX(LENGTH(CAST(text AS BLOB))) AS bytes FROM texts")
      .toArray() ?? [];
  assert.ok((longest?.bytes ?? 0) <= 1_500_000, "a row would not fit");
});

test("a first commit is announced by what it is to hold, beside commits that exist", async () => {
  const { ledger, clock } = requestsInNode();
  const fence = fenceOf(await ledger.claim(blue, "r1", "d1"));
  const first: Intent = {
    repositoryId: 7,
    branch: "main",
    commit: null,
    tree: commit("c"),
    message: `Begin \u{1F600}\n\nGitpin-Request: r1`,
  };
  assert.equal(await ledger.intend(blue, "r1", fence, first), true);
  assert.equal(await ledger.intend(blue, "r1", fence, intent("a")), true);
  clock.ms += REQUEST_LIMITS.leaseMs;
  const claim = await ledger.claim(blue, "r1", "d1");
  assert.deepEqual(claim.status === "claimed" && claim.earlier, [first, intent("a")]);
});

test("more than is kept for one id is refused before anything moves", async () => {
  const { ledger } = requestsInNode();
  const fence = fenceOf(await ledger.claim(blue, "r1", "d1"));
  const half = "x".repeat(REQUEST_LIMITS.announcedUnits / 2);
  assert.equal(await ledger.intend(blue, "r1", fence, intent("a", half)), true);
  assert.equal(await ledger.intend(blue, "r1", fence, intent("b", half)), true);
  const tooLong = await refusal(ledger.intend(blue, "r1", fence, intent("c", "x")));
  assert.equal(tooLong.code, "body_too_large");
  assert.deepEqual(tooLong.data, { limitUnits: 8_000_000, limitAttempts: 32 });

  const many = fenceOf(await ledger.claim(blue, "r2", "d1"));
  for (let count = 0; count < REQUEST_LIMITS.intents; count++) {
    assert.equal(await ledger.intend(blue, "r2", many, intent("a")), true);
  }
  assert.equal((await refusal(ledger.intend(blue, "r2", many, intent("b")))).code, "body_too_large");
});

test("ids are kept up to a bound; then new ones are refused, those that are kept still answer, and old ones make room", async () => {
  const { ledger, clock, objects } = requestsInNode();
  await ledger.settle(blue, "r0", fenceOf(await ledger.claim(blue, "r0", "d")), "kept");
  clock.ms += 86_400_000;
  const [object] = objects.values();
  object?.sqlite.database.exec(`
    WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${REQUEST_LIMITS.ids - 2})
    INSERT INTO requests SELECT 'r' || value, 'd', value, 0, ${clock.ms}, 0 FROM n`);
  assert.equal((await ledger.claim(blue, "the last one", "d")).status, "claimed");
  const full = await refusal(ledger.claim(blue, "one too many", "d"));
  assert.deepEqual([full.code, full.data], ["request_ids_full", { most: 10_000 }]);
  assert.deepEqual(await ledger.claim(blue, "r0", "d"), { status: "settled", fence: 1, receipt: "kept" });
  // Another caller has room of its own.
  assert.equal((await ledger.claim({ ...blue, id: "token:fedcba9876543210" }, "r", "d")).status, "claimed");
  clock.ms += 29 * 86_400_000;
  assert.equal((await ledger.claim(blue, "one too many", "d")).status, "claimed");
});

test("receipts are kept up to a bound of their sum", async () => {
  const { ledger, objects } = requestsInNode();
  await ledger.settle(blue, "r0", fenceOf(await ledger.claim(blue, "r0", "d")), "kept");
  const [object] = objects.values();
  object?.sqlite.database.exec(`UPDATE requests SET units = ${REQUEST_LIMITS.units}`);
  assert.equal((await refusal(ledger.claim(blue, "r1", "d"))).code, "request_ids_full");
  assert.equal((await ledger.claim(blue, "r0", "d")).status, "settled");
});

test("what is removed leaves nothing behind, by a touch or by the alarm", async () => {
  const { ledger, clock, objects } = requestsInNode();
  const fence = fenceOf(await ledger.claim(blue, "r1", "d1"));
  await ledger.intend(blue, "r1", fence, intent("a"));
  clock.ms += 1000;
  await ledger.settle(blue, "r2", fenceOf(await ledger.claim(blue, "r2", "d1")), "two");
  const [object] = objects.values();
  const { store, sqlite } = object ?? assert.fail();
  const left = () =>
    ["requests", "intents", "texts"].map(
      (table) => sqlite.sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`).toArray()[0]?.n,
    );
  assert.equal(store.nextExpiry(), clock.ms - 1000 + REQUEST_LIMITS.keptMs);
  clock.ms += REQUEST_LIMITS.keptMs - 1000;
  store.expire();
  assert.deepEqual(left(), [1, 0, 1]);
  assert.equal(store.nextExpiry(), clock.ms + 1000);
  clock.ms += 1000;
  store.expire();
  assert.deepEqual(left(), [0, 0, 0]);
  assert.equal(store.nextExpiry(), null);
});

test("what one caller asks under an id says nothing to another, be it of another team or the same", async () => {
  const { ledger, objects } = requestsInNode();
  const fence = fenceOf(await ledger.claim(blue, "r1", "d1"));
  await ledger.settle(blue, "r1", fence, "blue's receipt");
  const others: Caller[] = [
    { ...blue, id: "token:fedcba9876543210" },
    { ...blue, team: "green" },
    { id: "operator", team: null, scopes: ["kin:write"] },
    { id: "anonymous", team: null, scopes: ["kin:write"] },
    { ...blue, team: null },
  ];
  for (const other of others) {
    assert.deepEqual(await ledger.claim(other, "r1", "d2"), { status: "claimed", fence: 1, earlier: [] });
  }
  assert.equal(objects.size, 1 + others.length);
  assert.equal(ledgerName({ id: 'x",null,"y', team: null, scopes: [] }), '[null,"x\\",null,\\"y"]');
});

test("where the object cannot be asked nothing is claimed or moved; settling and giving up never fail", async () => {
  const { ledger, clock, failing } = requestsInNode();
  failing.on = true;
  assert.equal((await refusal(ledger.claim(blue, "r1", "d1"))).code, "requests_unavailable");
  failing.on = false;
  const fence = fenceOf(await ledger.claim(blue, "r1", "d1"));
  await ledger.intend(blue, "r1", fence, intent("a"));
  failing.on = true;
  assert.equal((await refusal(ledger.intend(blue, "r1", fence, intent("b")))).code, "requests_unavailable");
  await ledger.settle(blue, "r1", fence, "lost on its way");
  await ledger.release(blue, "r1", fence);
  failing.on = false;
  clock.ms += REQUEST_LIMITS.leaseMs;
  // The commit that landed is found by what was announced.
  assert.deepEqual(await ledger.claim(blue, "r1", "d1"), {
    status: "claimed",
    fence: 2,
    earlier: [intent("a")],
  });
});

test("whatever is called when: one fence holds at a time, intents are never lost, and a receipt changes by amending alone", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          step: fc.constantFrom("claim", "intend", "settle", "amend", "release", "wait"),
          pick: fc.nat(200),
        }),
        { maxLength: 60 },
      ),
      (steps) => {
        const { ledger, clock, objects } = requestsInNode();
        void ledger.claim(blue, "r", "d");
        const { store } = [...objects.values()][0] ?? assert.fail();
        const fences = [1];
        let holder: number | null = 1;
        let announced: string[] = [];
        let receipt: string | null = null;
        for (const [index, { step, pick }] of steps.entries()) {
          const fence = fences[pick % fences.length] ?? 0;
          const holds: boolean = fence === holder && receipt === null;
          if (step === "wait") clock.ms += pick * 1000;
          else if (step === "intend") {
            const kept = store.intend("r", fence, intent("a", `i${index}`)) === "kept";
            assert.equal(kept, holds && announced.length < REQUEST_LIMITS.intents);
            if (kept) announced.push(`i${index}`);
          } else if (step === "settle") {
            store.settle("r", fence, `s${index}`);
            if (holds) receipt = `s${index}`;
          } else if (step === "amend") {
            store.amend("r", fence, `m${index}`);
            if (receipt !== null && fence === holder) receipt = `m${index}`;
          } else if (step === "release") {
            store.release("r", fence);
            if (holds) {
              holder = null;
              announced = [];
            }
          } else {
            const claim = store.claim("r", "d");
            if (receipt !== null) assert.deepEqual(claim, { status: "settled", fence: holder, receipt });
            else if (claim.status === "claimed") {
              assert.equal(fences.includes(claim.fence), false);
              assert.deepEqual(
                claim.earlier.map((one) => one.commit !== null && one.receipt),
                announced,
              );
              fences.push(claim.fence);
              holder = claim.fence;
            } else assert.equal(claim.status, "in_progress");
          }
        }
      },
    ),
    { numRuns: 200 },
  );
});
