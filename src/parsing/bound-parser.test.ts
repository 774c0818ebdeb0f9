/** The port over a binding: what is sent, in how many calls, and what the failures of another Worker become. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead } from "../../test/support/memory-head.ts";
import type { HeadView } from "../core/entity/edit/head-view.ts";
import type { Outcome } from "../core/entity/edit/outcome.ts";
import type { PlanRequest } from "../core/entity/edit/plan-mutation.ts";
import { GitpinError } from "../errors.ts";
import type { SourceFile, SourceReading } from "../ports/entity-parser.ts";
import { boundParser } from "./bound-parser.ts";
import type { EntitiesRpc } from "./entities-rpc.ts";

const MIB = 1024 * 1024;
const REQUEST: PlanRequest = {
  repositoryId: 1,
  repository: "demo",
  branch: "main",
  head: null,
  tree: null,
  operations: [],
};
const NOTHING: Outcome = {
  status: "refused",
  refusal: { code: "no_change", applied: false, operation: null, reason: "r", next_step: "n" },
};

const file = (path: string, bytes: Uint8Array): SourceFile => ({
  repositoryId: 1,
  path,
  mode: "100644",
  bytes,
});
const readingOf = ({ path }: SourceFile): SourceReading => ({
  status: "refused",
  reason: "language_unsupported",
  message: path,
});

/** As the runtime marks the errors of another Worker. */
const remote = (message: string, marks: { retryable?: boolean; overloaded?: boolean }) =>
  Object.assign(new Error(message), { remote: true, ...marks });

function fake(given: Partial<EntitiesRpc>): EntitiesRpc {
  return {
    read: async (files) => files.map(readingOf),
    plan: async () => NOTHING,
    ...given,
  };
}

test("files are sent a few megabytes at a time, and the readings come in their order", async () => {
  const calls: number[] = [];
  const parser = boundParser(
    fake({
      read: async (files) => {
        calls.push(files.length);
        return files.map(readingOf);
      },
    }),
  );
  const files = Array.from({ length: 40 }, (_, index) => file(`${index}.go`, new Uint8Array(MIB / 2)));
  const readings = await parser.readAll(files);
  assert.deepEqual(calls, [16, 16, 8]);
  assert.deepEqual(readings, files.map(readingOf));
  assert.deepEqual(await parser.readAll([]), []);
});

test("what an answer leaves out is asked for again", async () => {
  const parser = boundParser(fake({ read: async (files) => files.slice(0, 2).map(readingOf) }));
  const files = Array.from({ length: 5 }, (_, index) => file(`${index}.go`, new Uint8Array(1)));
  assert.deepEqual(await parser.readAll(files), files.map(readingOf));
});

test("an answer of none, or of more than was asked, is no answer", async () => {
  for (const count of [0, 2]) {
    const parser = boundParser(
      fake({ read: async ([first]) => Array.from({ length: count }, () => readingOf(first as SourceFile)) }),
    );
    await assert.rejects(parser.read(file("a.go", new Uint8Array(1))), { code: "entities_unavailable" });
  }
});

test("bytes cross in a buffer of their own, and no more of them than is parsed", async () => {
  const sent: Uint8Array[] = [];
  const keep = (bytes: Uint8Array | undefined) => sent.push(bytes ?? new Uint8Array());
  const parser = boundParser(
    fake({
      read: async (files) => {
        for (const { bytes } of files) keep(bytes);
        return files.map(readingOf);
      },
      plan: async (_, view) => {
        keep((await view.file("part.go"))?.bytes);
        keep((await view.file("big.go"))?.bytes);
        assert.equal(await view.file("none.go"), null);
        return NOTHING;
      },
    }),
  );
  const part = new TextEncoder().encode("xxpackage a\nxx").subarray(2, 12);
  const big = new Uint8Array(3 * MIB);
  await parser.readAll([file("part.go", part), file("big.go", big)]);
  await parser.plan(REQUEST, new MemoryHead({ "part.go": part, "big.go": big }));
  const sizes = sent.map(({ byteLength, buffer }) => [byteLength, buffer.byteLength]);
  const whole = [10, 10];
  const cut = [MIB / 2 + 1, MIB / 2 + 1];
  assert.deepEqual(sizes, [whole, cut, whole, cut]);
  assert.equal(new TextDecoder().decode(sent[0]), "package a\n");
});

const FAILURES: [string, unknown, number][] = [
  ["an isolate that had gone", remote("Network connection lost.", { retryable: true }), 2],
  ["one that has too much to do", remote("overloaded", { retryable: true, overloaded: true }), 1],
  ["one that ran out of memory", remote("Worker exceeded memory limit.", {}), 1],
  ["a method that is not there", new TypeError('does not implement the method "read"'), 1],
  ["what is no error", null, 1],
];

for (const [name, thrown, calls] of FAILURES) {
  test(`${name} is entities_unavailable after ${calls} call(s)`, async () => {
    let asked = 0;
    const fail = () => {
      asked += 1;
      return Promise.reject(thrown);
    };
    const parser = boundParser(fake({ read: fail, plan: fail }));
    const read = await parser.read(file("a.go", new Uint8Array(1))).catch((error: unknown) => error);
    assert.ok(read instanceof GitpinError);
    assert.equal(read.code, "entities_unavailable");
    assert.equal(read.cause, thrown);
    assert.equal(asked, calls);
    await assert.rejects(parser.plan(REQUEST, new MemoryHead({})), { code: "entities_unavailable" });
    assert.equal(asked, 2 * calls);
  });
}

test("a call that came to an isolate which had gone is made once more, and answered", async () => {
  let asked = 0;
  const parser = boundParser(
    fake({
      read: async (files) => {
        asked += 1;
        if (asked === 1) throw remote("Network connection lost.", { retryable: true });
        return files.map(readingOf);
      },
    }),
  );
  assert.equal((await parser.read(file("a.go", new Uint8Array(1)))).status, "refused");
});

test("the view's own error is thrown as it was, and never asked for again", async () => {
  const mine = Object.assign(new GitpinError("upstream_timeout", "m", "n"), { retryable: true });
  const view: HeadView = new MemoryHead({});
  view.goModules = () => Promise.reject(mine);
  let asked = 0;
  const parser = boundParser(
    fake({
      plan: async (_, given) => {
        asked += 1;
        await given.goModules().catch(() => {
          throw remote("m", { retryable: true });
        });
        return NOTHING;
      },
    }),
  );
  assert.equal(await parser.plan(REQUEST, view).catch((error: unknown) => error), mine);
  assert.equal(asked, 1);
});

test("what the other side holds for an answer is let go of", async () => {
  let disposed = 0;
  const held = <T extends object>(answer: T): T =>
    Object.defineProperty(answer, Symbol.dispose, { value: () => (disposed += 1) });
  const parser = boundParser(
    fake({ read: async (files) => held(files.map(readingOf)), plan: async () => held({ ...NOTHING }) }),
  );
  await parser.read(file("a.go", new Uint8Array(1)));
  await parser.plan(REQUEST, new MemoryHead({}));
  assert.equal(disposed, 2);
});
