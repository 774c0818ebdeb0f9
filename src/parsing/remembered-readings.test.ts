/** Readings kept in memory: the same for the same file, never for another, and bounded. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeEntityParser } from "../../test/support/entity-parser.ts";
import { roomOfReading } from "../core/entity/room.ts";
import type { EntityParser, SourceFile } from "../ports/entity-parser.ts";
import { rememberReadings } from "./remembered-readings.ts";

const parser = nodeEntityParser();

function counted(): { parser: EntityParser; paths: string[] } {
  const paths: string[] = [];
  const read: EntityParser["read"] = (file) => {
    paths.push(file.path);
    return parser.read(file);
  };
  return { parser: { ...parser, read }, paths };
}

const file = (more: Partial<SourceFile> = {}): SourceFile => ({
  repositoryId: 1,
  path: "a.py",
  mode: "100644",
  bytes: new TextEncoder().encode("def f():\n    pass\n"),
  ...more,
});

test("what was read is not parsed again", async () => {
  const { parser: under, paths } = counted();
  const remembering = rememberReadings(under, 1_000_000);
  const first = await remembering.read(file());
  assert.deepEqual(first, await parser.read(file()));
  assert.deepEqual(await remembering.readAll([file(), file()]), [first, first]);
  assert.deepEqual(paths, ["a.py"]);
});

test("another repository, path, mode or byte is another file", async () => {
  const remembering = rememberReadings(parser, 1_000_000);
  await remembering.read(file());
  for (const more of [
    { repositoryId: 2 },
    { path: "b.py" },
    { mode: "120000" },
    { bytes: new TextEncoder().encode("def g():\n    pass\n") },
  ]) {
    assert.deepEqual(await remembering.read(file(more)), await parser.read(file(more)));
  }
});

test("what was not asked for longest goes first, and one that is larger than all room is not kept", async () => {
  const reading = await parser.read(file());
  assert.equal(reading.status, "read");
  const { parser: under, paths } = counted();
  const remembering = rememberReadings(under, 2.5 * roomOfReading(reading.entities, []));
  for (const path of ["a.py", "b.py", "a.py", "c.py", "a.py", "b.py"]) await remembering.read(file({ path }));
  assert.deepEqual(paths, ["a.py", "b.py", "c.py", "b.py"]);
  const large = file({ path: "large.py", bytes: new TextEncoder().encode("def f(): pass\n".repeat(9)) });
  await remembering.read(large);
  await remembering.read(large);
  assert.deepEqual(paths.slice(4), ["large.py", "large.py"]);
});
