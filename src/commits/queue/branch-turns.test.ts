/** Turns at chosen times: order, leases, waiters who left, and nothing that waits for ever. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { GitpinError } from "../../errors.ts";
import type { Timer } from "../../ports/timer.ts";
import { BranchTurns, TURN_LIMITS } from "./branch-turns.ts";
import { commitQueue, inProcessQueue, type Turns } from "./commit-queue.ts";

/** Time passes only when it is told to. */
class Hands implements Timer {
  now = 0;
  #due: { at: number; work: () => void }[] = [];

  after(milliseconds: number, work: () => void): () => void {
    const due = { at: this.now + milliseconds, work };
    this.#due.push(due);
    return () => {
      this.#due = this.#due.filter((one) => one !== due);
    };
  }

  async pass(milliseconds: number): Promise<void> {
    const end = this.now + milliseconds;
    for (;;) {
      await settled();
      const [next] = this.#due.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#due = this.#due.filter((one) => one !== next);
      this.now = next.at;
      next.work();
    }
    this.now = end;
  }

  get waiting(): number {
    return this.#due.length;
  }
}

/** Lets every promise that can settle do so. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const BRANCH = { repositoryId: 7, branch: "main" };
const code = (thrown: unknown) => (thrown instanceof GitpinError ? thrown.code : String(thrown));

test("fifty at once go one at a time, in the order they came", async () => {
  const queue = inProcessQueue(new Hands());
  const order: number[] = [];
  let atWork = 0;
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      queue.inTurn(BRANCH, async () => {
        assert.equal(++atWork, 1);
        order.push(index);
        await settled();
        atWork -= 1;
      }),
    ),
  );
  assert.deepEqual(
    order,
    Array.from({ length: 50 }, (_, index) => index),
  );
});

test("branches and repositories do not wait for each other", async () => {
  const queue = inProcessQueue(new Hands());
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = queue.inTurn(BRANCH, () => promise);
  assert.equal(await queue.inTurn({ ...BRANCH, branch: "dev" }, async () => "dev"), "dev");
  assert.equal(await queue.inTurn({ ...BRANCH, repositoryId: 8 }, async () => "8"), "8");
  resolve();
  await held;
});

test("work that throws ends its turn, and what it threw comes out", async () => {
  const queue = inProcessQueue(new Hands());
  await assert.rejects(
    queue.inTurn(BRANCH, async () => {
      throw new RangeError("planned wrongly");
    }),
    RangeError,
  );
  assert.equal(await queue.inTurn(BRANCH, async () => "next"), "next");
});

test("a turn that does not come in 50 seconds is refused with when to come back", async () => {
  const hands = new Hands();
  const queue = inProcessQueue(hands);
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = queue.inTurn(BRANCH, () => promise);
  await settled();
  const refused = queue
    .inTurn(BRANCH, async () => assert.fail("it worked out of turn"))
    .catch((thrown) => thrown);
  await hands.pass(49_999);
  const late = queue.inTurn(BRANCH, async () => "late");
  await hands.pass(1);
  const error = (await refused) as GitpinError;
  assert.equal(error.code, "branch_busy");
  assert.deepEqual(error.data, { branch: "main", retryAfterSeconds: 10 });
  resolve();
  await held;
  assert.equal(await late, "late");
  assert.equal(hands.waiting, 0, "a clock still runs");
});

test("a holder that never ends costs one lease; what it does later ends nobody's turn", async () => {
  const hands = new Hands();
  const turns = new BranchTurns("one", hands);
  const dead = (await turns.take()) ?? "";
  turns.confirm(dead);
  await hands.pass(40_000);
  const next = turns.take();
  await hands.pass(19_999);
  assert.equal(await Promise.race([next, settled()]), undefined);
  await hands.pass(1);
  const second = (await next) ?? "";
  assert.notEqual(second, dead);
  turns.confirm(second);
  const third = turns.take();
  turns.release(dead);
  turns.confirm(dead);
  assert.equal(await Promise.race([third, settled()]), undefined, "an old turn ended the present one");
  turns.release(second);
  assert.notEqual(await third, null);
});

test("a waiter that left takes nobody's time but the moment in which it would have begun", async () => {
  const hands = new Hands();
  const turns = new BranchTurns("one", hands);
  const first = (await turns.take()) ?? "";
  turns.confirm(first);
  // Two who leave without a word: their turns are given out and never taken up.
  void turns.take();
  void turns.take();
  const here = turns.take();
  turns.release(first);
  await hands.pass(2 * TURN_LIMITS.confirmMs);
  assert.notEqual(await Promise.race([here, settled()]), undefined);
});

test("no more than a bound wait at a time", async () => {
  const turns = new BranchTurns("one", new Hands());
  await turns.take();
  for (let waiter = 0; waiter < TURN_LIMITS.waiting; waiter++) void turns.take();
  assert.equal(await turns.take(), null);
});

test("turns of before a restart are unknown, and stop nobody", async () => {
  const hands = new Hands();
  const before = (await new BranchTurns("one", hands).take()) ?? "";
  const after = new BranchTurns("two", hands);
  const turn = (await after.take()) ?? "";
  after.release(before);
  assert.equal(after.idle, false);
  after.release(turn);
  assert.equal(after.idle, true);
});

test("whatever happens in whatever order, one holds at most, order is kept, and all is over in the end", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ step: fc.constantFrom("take", "confirm", "release", "old", "wait"), pick: fc.nat(99) }),
        {
          maxLength: 60,
        },
      ),
      async (steps) => {
        const hands = new Hands();
        const turns = new BranchTurns("one", hands);
        const given: (string | null)[] = [];
        let asked = 0;
        const arrivals: number[] = [];
        for (const { step, pick } of steps) {
          const last = given.findLast((turn) => turn !== null);
          if (step === "take") {
            const arrival = asked++;
            void turns.take().then((turn) => {
              given.push(turn);
              if (turn !== null) arrivals.push(arrival);
            });
          } else if (step === "wait") await hands.pass(pick * 700);
          else if (step === "old") turns.release(given[pick % Math.max(1, given.length)] ?? "none");
          else if (last != null) turns[step](last);
          await settled();
        }
        await hands.pass(100 * TURN_LIMITS.leaseMs);
        assert.equal(given.length, asked, "somebody waits for ever");
        assert.equal(turns.idle, true);
        assert.equal(hands.waiting, 0);
        assert.deepEqual(
          arrivals,
          arrivals.toSorted((a, b) => a - b),
        );
        const turn = given.filter((one) => one !== null);
        assert.equal(new Set(turn).size, turn.length, "a turn was given twice");
      },
    ),
    { numRuns: 200 },
  );
});

/** An object that fails as told. */
function failing(fails: Partial<Record<keyof Turns, number>>): { turns: Turns; asked: (keyof Turns)[] } {
  const asked: (keyof Turns)[] = [];
  const inner = new BranchTurns("one", new Hands());
  const may = async (name: keyof Turns): Promise<void> => {
    asked.push(name);
    const left = fails[name] ?? 0;
    fails[name] = left - 1;
    if (left > 0) throw new Error("The Durable Object's code has been updated");
  };
  return {
    asked,
    turns: {
      take: async () => await may("take").then(() => inner.take()),
      confirm: async (turn) => await may("confirm").then(() => inner.confirm(turn)),
      release: async (turn) => await may("release").then(() => inner.release(turn)),
    },
  };
}

test("an object that restarts is asked once more; one that cannot be asked lets work through", async () => {
  const once = failing({ take: 1 });
  assert.equal(await commitQueue(() => once.turns).inTurn(BRANCH, async () => "done"), "done");
  assert.deepEqual(once.asked, ["take", "take", "confirm", "release"]);
  const never = failing({ take: 2 });
  assert.equal(await commitQueue(() => never.turns).inTurn(BRANCH, async () => "done"), "done");
  assert.deepEqual(never.asked, ["take", "take"]);
});

test("a turn that cannot be confirmed or ended fails nobody", async () => {
  const { turns } = failing({ confirm: 1, release: 1 });
  assert.equal(await commitQueue(() => turns).inTurn(BRANCH, async () => "done"), "done");
  const thrown = await commitQueue(() => failing({ release: 1 }).turns)
    .inTurn(BRANCH, () => Promise.reject(new GitpinError("tree_mismatch", "m", "n")))
    .catch((error: unknown) => error);
  assert.equal(code(thrown), "tree_mismatch");
});
