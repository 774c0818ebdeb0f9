/**
 * `tools/list` is part of the product: a change of it is a change for every model that reads it, so it is pinned.
 * After a wanted change: `UPDATE_GOLDEN=1 node --test test/tools/golden.test.ts`, then read the difference before you commit it.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { listTools } from "../../src/mcp/tool-listing.ts";
import { everyTool } from "./every-tool.ts";

const file = join(import.meta.dirname, "../golden/tools-list.json");

test("tools/list is what test/golden/tools-list.json says", () => {
  const listing = `${JSON.stringify(listTools(everyTool(), "underscore"), null, 1)}\n`;
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, listing);
  const [golden, now] = [readFileSync(file, "utf8"), listing].map(
    (text) => JSON.parse(text) as ReturnType<typeof listTools>,
  );
  assert.deepEqual(
    now?.map(({ name }) => name),
    golden?.map(({ name }) => name),
  );
  for (const [index, tool] of (now ?? []).entries()) assert.deepEqual(tool, golden?.[index], tool.name);
});
