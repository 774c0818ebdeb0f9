/** Ids are the same for everybody: literal values, computed with Python's `uuid.uuid5`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead } from "../../../test/support/memory-head.ts";
import { ENTITY_NAMESPACE, entityId } from "./entity-id.ts";
import { findEntities } from "./find-entity.ts";

test("an id is UUIDv5 of the five parts joined by NUL", () => {
  assert.equal(ENTITY_NAMESPACE, "5e1d3a64-0b8f-4c2e-9d57-6f2c8a41b790");
  const key = { repositoryId: 4711, path: "src/ä.ts", kind: "function", qualifiedName: "N.f", ordinal: 2 };
  assert.equal(entityId(key), "2ac2a68a-a14b-5e45-8fae-879084eb8928");
  assert.equal(entityId({ ...key, ordinal: 1 }), "f5fed54d-f39c-53f8-bbbe-13a3ea3fa863");
});

test("ids survive line shifts and edits of the body, and tell equals apart", async () => {
  const before = new MemoryHead({
    "a.ts": "export class A {\n  f() {}\n}\nfunction g(a: 1): void;\nfunction g(a: unknown) {}\n",
  });
  const after = new MemoryHead({
    "a.ts":
      "// new\nconst x = 1;\n\n/** doc */\nexport class A {\n  f() { return 1; }\n  h() {}\n}\nfunction g(a: 2): void;\nfunction g(a: unknown) {}\n",
  });
  const ids = async (head: MemoryHead) =>
    new Map(
      (await head.unit("a.ts")).located.map(({ entity }) => [
        `${entity.qualifiedName}#${entity.ordinal}`,
        entity.id,
      ]),
    );
  const [old, now] = [await ids(before), await ids(after)];
  for (const [name, id] of old) assert.equal(now.get(name), id, name);
  assert.equal(new Set(now.values()).size, now.size);
  assert.equal(now.size, 6);
});

test("a name is never guessed: id, then qualified name, then name, with all that fit", async () => {
  const head = new MemoryHead({
    "a.py": "class A:\n    def get(self): pass\n\n\nclass B:\n    def get(self): pass\n\n\ndef put(): pass\n",
  });
  const entities = (await head.unit("a.py")).located.map(({ entity }) => entity);
  const found = (wanted: string) => findEntities(entities, wanted).map(({ qualifiedName }) => qualifiedName);
  assert.deepEqual(found("get"), ["A.get", "B.get"]);
  assert.deepEqual(found("B.get"), ["B.get"]);
  assert.deepEqual(found("put"), ["put"]);
  assert.deepEqual(found("nothing"), []);
  const [first] = entities;
  assert.deepEqual(found((first?.id ?? "").toUpperCase()), ["A"]);
});
