/** Creations that declare several names: all are listed, and none may be taken. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";

const created = async (head: MemoryHead, ...call: Parameters<MemoryHead["create"]>) =>
  (await head.plan(await head.create(...call))).entities.map(
    ({ entity }) => `${entity.kind} ${entity.qualifiedName}#${entity.ordinal}`,
  );

test("everything that a body declares is listed, what was named first", async () => {
  const ts = new MemoryHead({ "a.ts": "function f() {}\n\nclass C {\n  m() {}\n}\n" });
  assert.deepEqual(await created(ts, "a.ts", "f", "const", "b", "const [a, b] = g();"), [
    "const b#1",
    "const a#1",
  ]);
  assert.deepEqual(
    await created(ts, "a.ts", "C", "method", "C.x", "get x() {\n  return 1;\n}\nset x(_v) {}"),
    ["method C.x#1", "method C.x#2"],
  );
  const go = new MemoryHead({ "a.go": "package a\n\nfunc f() {}\n" });
  assert.deepEqual(await created(go, "a.go", "f", "const", "A", "const (\n\tA = iota\n\tB\n)"), [
    "const A#1",
    "const B#1",
  ]);
});

test("a name beside the one that was named is not free either", async () => {
  const go = new MemoryHead({ "a.go": "package a\n\nfunc f() {}\n", "b.go": "package a\n\nconst B = 1\n" });
  const group = "const (\n\tA = 1\n\tB = 2\n)";
  const unit = { language: "go", package: ".", name: "a" };
  for (const call of [
    await go.create("a.go", "f", "const", "A", group),
    go.createInUnit(unit, "const", "A", group),
  ]) {
    const { code, reason } = await go.refusal(call);
    assert.deepEqual([code, reason], ["name_taken", "B already names a const in b.go, line 3."]);
  }
  const js = new MemoryHead({ "a.js": "const { p, q } = f();\n\nfunction g() {}\n" });
  assert.equal(
    (await js.refusal(await js.create("a.js", "g", "const", "r", "const { r, q } = h();"))).code,
    "name_taken",
  );
  const twice = [
    await js.create("a.js", "g", "const", "r", "const [r, s] = h();"),
    await js.create("a.js", "g", "const", "s", "const s = 1;"),
  ];
  const { reason } = await js.refusal(...twice);
  assert.equal(reason, "operations[0] and operations[1] both create s.");
});

test("a pattern is replaced in one call: its names go, others of them come", async () => {
  const js = new MemoryHead({ "a.js": "const { p, q } = f();\n\nfunction g() {}\n" });
  const plan = await js.plan(
    await js.remove("a.js", "p"),
    await js.remove("a.js", "q"),
    await js.create("a.js", "g", "const", "q", "const { q, r } = f();"),
  );
  assert.equal(textsOf(plan)["a.js"], "function g() {}\n\nconst { q, r } = f();\n");
});

test("a name in the body of what is created is nobody's", async () => {
  const js = new MemoryHead({ "a.js": "function g() {}\n\nclass C {\n  inner() {}\n}\n" });
  await js.plan(
    await js.create("a.js", "g", "function", "h", "function h() {\n  function g() {}\n}"),
    await js.create("a.js", "C", "method", "C.m", "m() {\n  function inner() {}\n}"),
    await js.create("a.js", "g", "class", "D", "class D {\n  g() {}\n}"),
  );
});
