import assert from "node:assert/strict";
import { test } from "node:test";
import type { Background } from "../ports/background.ts";
import type { Key } from "./keys.ts";
import { createKvStore, type Namespace } from "./kv-store.ts";
import { MemoryTier } from "./memory-tier.ts";
import { seal, unseal } from "./sealed.ts";
import { type Delay, SingleFlight } from "./single-flight.ts";

const key = <T>(text: string): Key<T> => text;

test("memory: least recently used go first, by weight", () => {
  const tier = new MemoryTier(3000);
  for (const name of ["a", "b"]) tier.set(key<string>(name), name, 1000);
  assert.equal(tier.get(key<string>("a")), "a");
  tier.set(key<string>("c"), "c", 1000);
  assert.equal(tier.get(key<string>("b")), undefined);
  assert.equal(tier.get(key<string>("a")), "a");
  assert.equal(tier.get(key<string>("c")), "c");
  assert.ok(tier.bytes <= 3000);
});

test("memory: setting again replaces, deleting frees, too heavy is not kept", () => {
  const tier = new MemoryTier(10_000);
  const a = key<number>("a");
  tier.set(a, 1, 4000);
  tier.set(a, 2, 100);
  assert.deepEqual([tier.get(a), tier.size], [2, 1]);
  tier.set(a, 3, 8000);
  assert.equal(tier.get(a), undefined, "the value before it is gone, too");
  assert.deepEqual([tier.size, tier.bytes], [0, 0]);
  tier.delete("never");
  const off = new MemoryTier(0);
  off.set(a, 1, 0);
  assert.equal(off.get(a), undefined);
});

const pending: Promise<unknown>[] = [];
const background: Background = { keepAlive: (work) => void pending.push(work) };

function namespaceOf(
  methods: Partial<Record<keyof Namespace, (...args: never[]) => Promise<unknown>>>,
): Namespace {
  return methods as unknown as Namespace;
}

test("kv: what is put is got back, as bytes, with a bound on how long a place keeps it", async () => {
  const values = new Map<string, Uint8Array>();
  const asked: unknown[] = [];
  const { open, failures } = createKvStore(
    namespaceOf({
      get: async (name: string, options: unknown) => {
        asked.push(options);
        return values.get(name)?.slice().buffer ?? null;
      },
      put: async (name: string, value: Uint8Array) => void values.set(name, value),
      delete: async (name: string) => void values.delete(name),
    }),
  );
  const store = open(background);
  assert.equal(await store.get("k"), null);
  store.put("k", Uint8Array.of(1, 2));
  assert.deepEqual(await store.get("k"), Uint8Array.of(1, 2));
  store.drop("k");
  assert.equal(await store.get("k"), null);
  assert.deepEqual(asked[0], { type: "arrayBuffer", cacheTtl: 3600 });
  assert.equal(pending.length, 2, "writes live in the background");
  assert.deepEqual(failures, { reads: 0, writes: 0 });
});

test("kv: failures are misses, counted, and never thrown; what is too large is not sent", async () => {
  const fail = () => Promise.reject(new Error("KV GET failed: 503"));
  const thrown = () => {
    throw new Error("synchronous");
  };
  for (const method of [fail, thrown]) {
    const { open, failures } = createKvStore(namespaceOf({ get: method, put: method, delete: method }));
    const store = open(background);
    assert.equal(await store.get("k"), null);
    store.put("k", Uint8Array.of(1));
    store.drop("k");
    await Promise.all(pending);
    assert.deepEqual(failures, { reads: 1, writes: 2 });
  }
  const puts: number[] = [];
  const { open } = createKvStore(
    namespaceOf({ put: async (_: string, value: Uint8Array) => void puts.push(value.byteLength) }),
  );
  open(background).put("k", new Uint8Array(26_214_400));
  open(background).put("k", new Uint8Array(26_214_401));
  assert.deepEqual(puts, [26_214_400]);
});

test("a seal holds for its key and text only", () => {
  const sealed = seal("k", "text \ufffd\u0000\ufeff");
  assert.equal(unseal("k", sealed), "text \ufffd\u0000\ufeff");
  assert.equal(unseal("other", sealed), null);
  sealed.forEach((byte, at) => {
    for (const bit of [1, 128]) assert.notEqual(unseal("k", sealed.with(at, byte ^ bit)), "text");
    assert.equal(unseal("k", sealed.subarray(0, at)), null);
  });
  assert.equal(unseal("k", seal("k", "")), "");
});

/** Timers that fire when they are told to. */
function manualDelay(): { delay: Delay; fire: () => void; waiting: () => number } {
  const timers = new Set<() => void>();
  return {
    delay: () => {
      const { promise: done, resolve } = Promise.withResolvers<void>();
      timers.add(resolve);
      return { done, cancel: () => void timers.delete(resolve) };
    },
    fire: () => {
      for (const resolve of timers) resolve();
    },
    waiting: () => timers.size,
  };
}

const quiet: Background = { keepAlive: () => undefined };
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("flight: equal work in flight is done once, other work is not held up", async () => {
  const flights = new SingleFlight(1000);
  let runs = 0;
  const gate = Promise.withResolvers<string>();
  const work = () => {
    runs += 1;
    return gate.promise;
  };
  const all = Array.from({ length: 50 }, () => flights.run(key<string>("k"), quiet, work));
  assert.equal(await flights.run(key<string>("other"), quiet, async () => "other"), "other");
  gate.resolve("done");
  assert.deepEqual(new Set(await Promise.all(all)), new Set(["done"]));
  assert.equal(runs, 1);
  await flights.run(key<string>("k"), quiet, work);
  assert.equal(runs, 2, "nothing is remembered once it has landed");
});

test("flight: a failure is everybody's, and the next one tries again", async () => {
  const flights = new SingleFlight(1000);
  const failing = () => Promise.reject(new Error("no"));
  const all = Array.from({ length: 3 }, () => flights.run(key<string>("k"), quiet, failing));
  const outcomes = await Promise.allSettled(all);
  assert.ok(outcomes.every((outcome) => outcome.status === "rejected"));
  assert.equal(await flights.run(key<string>("k"), quiet, async () => "yes"), "yes");
});

test("flight: the leader's work is kept alive in its background, and never rejects there", async () => {
  const kept: Promise<unknown>[] = [];
  const flights = new SingleFlight(1000);
  const run = flights.run(key<string>("k"), { keepAlive: (work) => void kept.push(work) }, () =>
    Promise.reject(new Error("no")),
  );
  await assert.rejects(run);
  assert.equal(kept.length, 1);
  await Promise.all(kept);
});

test("flight: followers of a dead leader do the work themselves, once", async () => {
  const { delay, fire, waiting } = manualDelay();
  const flights = new SingleFlight(1000, delay);
  let runs = 0;
  const dead = flights.run(key<string>("k"), quiet, () => new Promise<string>(() => undefined));
  void dead;
  const followers = Array.from({ length: 20 }, () =>
    flights.run(key<string>("k"), quiet, async () => {
      runs += 1;
      await settled();
      return "alive";
    }),
  );
  assert.equal(waiting(), 20);
  fire();
  assert.deepEqual(new Set(await Promise.all(followers)), new Set(["alive"]));
  assert.equal(runs, 1);
  assert.equal(waiting(), 0, "no timer is left");
  assert.equal(await flights.run(key<string>("k"), quiet, async () => "next"), "next");
});

test("flight: a second dead leader is not waited for without end", async () => {
  const { delay, fire } = manualDelay();
  const flights = new SingleFlight(1000, delay);
  const never = () => new Promise<string>(() => undefined);
  void flights.run(key<string>("k"), quiet, never);
  void flights.run(key<string>("k"), quiet, never);
  const last = flights.run(key<string>("k"), quiet, async () => "alive");
  fire();
  await settled();
  fire();
  assert.equal(await last, "alive");
});

test("flight: a slow leader that lands late does not disturb the one who overtook it", async () => {
  const { delay, fire } = manualDelay();
  const flights = new SingleFlight(1000, delay);
  const slow = Promise.withResolvers<string>();
  const first = flights.run(key<string>("k"), quiet, () => slow.promise);
  const second = Promise.withResolvers<string>();
  const follower = flights.run(key<string>("k"), quiet, () => second.promise);
  fire();
  await settled();
  slow.resolve("late");
  assert.equal(await first, "late");
  const third = flights.run(key<string>("k"), quiet, async () => "third");
  second.resolve("second");
  assert.equal(await follower, "second");
  assert.equal(await third, "second", "it joined the flight that is on");
});
