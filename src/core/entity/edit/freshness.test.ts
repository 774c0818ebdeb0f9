/** When the head has moved: what is carried over, and what is a conflict that hands out the present. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";

const A = "def f():\n    return 1\n\n\ndef g():\n    return 2\n";
const then = new MemoryHead({
  "src/a.py": A,
  "b.ts": "export const x = 1;\n",
  "go/a.go": "package a\n\nfunc F() {}\n",
});
const now = (files: Record<string, string>) =>
  new MemoryHead(
    { "src/a.py": A, "b.ts": "export const x = 1;\n", "go/a.go": "package a\n\nfunc F() {}\n", ...files },
    then,
  );

test("another file changed: carried over, with the head it came from", async () => {
  const moved = now({ "b.ts": "export const x = 2;\n" });
  const plan = await moved.plan(await then.patch("src/a.py", "g", ["2", "3"]));
  assert.deepEqual(plan.rebasedFrom, [then.head]);
  assert.equal(textsOf(plan)["src/a.py"], A.replace("return 2", "return 3"));
});

test("lines above changed: the entity is found at its new place", async () => {
  const changed = A.replace("return 1", "x = 1\n    return x");
  const moved = now({ "src/a.py": changed });
  const plan = await moved.plan(await then.remove("src/a.py", "g"));
  assert.equal(textsOf(plan)["src/a.py"], "def f():\n    x = 1\n    return x\n");
});

test("nothing moved: nothing is said to be carried over", async () => {
  const plan = await then.plan(await then.patch("src/a.py", "g", ["2", "3"]));
  assert.deepEqual(plan.rebasedFrom, []);
});

test("the entity changed: conflict with its present source and a base that works at once", async () => {
  const moved = now({ "src/a.py": A.replace("return 2", "return 22") });
  const conflict = await moved.conflict(await then.patch("src/a.py", "g", ["return 2", "return 3"]));
  assert.equal(conflict.code, "source_base_conflict");
  assert.equal(conflict.operation, 0);
  assert.equal(conflict.current_source?.body, "def g():\n    return 22");
  assert.deepEqual(conflict.current_repository_base, moved.repositoryBase());
  assert.deepEqual(conflict.current_source?.source_base, (await moved.base("src/a.py", "g")).base);
});

test("the entity or its file is gone: conflict without a source", async () => {
  for (const files of [{ "src/a.py": "def f():\n    return 1\n" }, { "src/a.py": "" }]) {
    const conflict = await now(files).conflict(await then.patch("src/a.py", "g", ["return 2", "return 3"]));
    assert.equal(conflict.code, "source_base_conflict");
    assert.equal(conflict.current_source, undefined);
  }
  const gone = new MemoryHead({ "x.py": "" }, then);
  assert.equal(
    (await gone.conflict(await then.remove("src/a.py", "g"))).reason,
    "src/a.py is not there any more.",
  );
});

test("another overload took the place: the same id with other bytes is a conflict", async () => {
  const before = new MemoryHead({ "a.ts": "function f(a: string): void;\nfunction f(a: unknown) {}\n" });
  const after = new MemoryHead(
    { "a.ts": "function f(a: 1): void;\nfunction f(a: string): void;\nfunction f(a: unknown) {}\n" },
    before,
  );
  const conflict = await after.conflict(await before.remove("a.ts", "f#1"));
  assert.equal(conflict.current_source?.body, "function f(a: 1): void;");
});

test("a base that does not describe its own commit is a conflict", async () => {
  const { base, id } = await then.base("src/a.py", "g");
  for (const over of [
    { blob: "0".repeat(40) },
    { start_byte: base.start_byte + 1 },
    { end_byte: 0 },
    { body_sha256: "0".repeat(64) },
  ]) {
    const payload = { EntityRemove: { source_base: { ...base, ...over } } };
    const conflict = await then.conflict({ verb: "remove", target: id, description: "", payload });
    assert.equal(conflict.code, "source_base_conflict");
    assert.deepEqual(conflict.current_source?.source_base, base);
  }
});

test("units: carried over while their directory is unchanged, else a conflict", async () => {
  const unit = { language: "go", path: "go/a.go" };
  const elsewhere = now({ "b.ts": "export const x = 2;\n" });
  const plan = await elsewhere.plan(then.imports(unit, { add: ["fmt"] }));
  assert.deepEqual(plan.rebasedFrom, [then.head]);
  const beside = now({ "go/b.go": "package a\n" });
  const conflict = await beside.conflict(then.imports(unit, { add: ["fmt"] }));
  assert.equal(conflict.code, "repository_base_conflict");
  assert.equal(conflict.current_source, undefined);
  assert.deepEqual(conflict.current_repository_base, beside.repositoryBase());
});

test("units: a tree that is not the head's is a conflict", async () => {
  const operation = then.imports({ language: "go", path: "go/a.go" }, { add: ["fmt"] });
  const imports = operation.payload.UnitImports;
  assert.ok(imports);
  imports.repository_base = { ...imports.repository_base, tree: "0".repeat(40) };
  assert.equal((await then.conflict(operation)).code, "repository_base_conflict");
});

test("planned on another branch: the bases are of their own, a conflict's are of the planned one", async () => {
  const dev = now({ "b.ts": "export const x = 2;\n" });
  const request = { branch: "dev", baseBranch: "main" };
  const outcome = await dev.outcome([await then.patch("src/a.py", "g", ["2", "3"])], request);
  assert.equal(outcome.status, "planned");
  const conflict = await dev.outcome([await then.patch("b.ts", "x", ["1", "3"])], request);
  assert.equal(conflict.status === "conflict" && conflict.conflict.current_source?.source_base.branch, "dev");
});

test("a conflict of one operation stops the call", async () => {
  const moved = now({ "src/a.py": A.replace("return 2", "return 22") });
  const conflict = await moved.conflict(
    await then.patch("src/a.py", "f", ["return 1", "return 3"]),
    await then.patch("src/a.py", "g", ["return 2", "return 3"]),
  );
  assert.equal(conflict.operation, 1);
});
