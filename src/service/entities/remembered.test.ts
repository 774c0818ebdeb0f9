/** What is remembered of parsed files: bounded, by repository, path and blob, newest kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Entity } from "../../core/entity/entity.ts";
import type { EntityParser, SourceReading } from "../../ports/entity-parser.ts";
import { RememberedReadings, rememberedBy } from "./remembered.ts";

const entity = (id: string, path: string): Entity => ({
  id,
  kind: "function",
  name: "f",
  qualifiedName: "f",
  ordinal: 1,
  language: "go",
  path,
  startLine: 1,
  endLine: 1,
  startByte: 0,
  endByte: 1,
  signature: "x".repeat(300),
});
const reading = (path: string, ids: readonly string[]): SourceReading => ({
  status: "read",
  language: "go",
  entities: ids.map((id) => entity(id, path)),
  faults: [],
});
const at = (path: string, blob = "b", repositoryId = 1) => ({ repositoryId, path, blob });

test("by repository, path and blob", () => {
  const remembered = new RememberedReadings();
  const kept = reading("a.go", ["1"]);
  remembered.keep(at("a.go"), kept);
  assert.equal(remembered.get(at("a.go")), kept);
  for (const other of [at("b.go"), at("a.go", "c"), at("a.go", "b", 2)])
    assert.equal(remembered.get(other), null);
  assert.equal(remembered.pathOf(1, "1"), "a.go");
  assert.equal(remembered.pathOf(2, "1"), null);
  assert.equal(remembered.pathOf(1, "2"), null);
});

test("a refusal is remembered too", () => {
  const remembered = new RememberedReadings();
  const refused: SourceReading = { status: "refused", reason: "not_utf8", message: "m" };
  remembered.keep(at("a.go"), refused);
  assert.equal(remembered.get(at("a.go")), refused);
});

test("what is used stays, what was used longest ago goes; one that is too large is not kept", () => {
  const remembered = new RememberedReadings();
  const ids = Array.from({ length: 1_000 }, (_, n) => `${n}`);
  remembered.keep(at("0"), reading("0", ids));
  for (let n = 1; n <= 20; n++) {
    remembered.keep(at(`${n}`), reading(`${n}`, ids));
    remembered.get(at("0"));
  }
  assert.notEqual(remembered.get(at("0")), null);
  assert.equal(remembered.get(at("1")), null);
  assert.notEqual(remembered.get(at("20")), null);
  const huge = Array.from({ length: 4_000 }, (_, n) => `h${n}`);
  remembered.keep(at("huge"), reading("huge", huge));
  assert.equal(remembered.get(at("huge")), null);
});

test("files of entities are remembered up to a bound", () => {
  const remembered = new RememberedReadings();
  for (let n = 0; n < 40; n++) {
    remembered.keep(
      at(`${n}`),
      reading(
        `${n}`,
        Array.from({ length: 1_000 }, (_, m) => `${n}-${m}`),
      ),
    );
  }
  assert.equal(remembered.pathOf(1, "0-0"), null);
  assert.equal(remembered.pathOf(1, "39-999"), "39");
});

test("each parser has a memory of its own", () => {
  const one = {} as EntityParser;
  assert.equal(rememberedBy(one), rememberedBy(one));
  assert.notEqual(rememberedBy(one), rememberedBy({} as EntityParser));
});
