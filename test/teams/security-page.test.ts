/** The security page names tests that are there: a threat without its test is a claim without evidence. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/explanation/security.md"), "utf8");

test("every threat names a test, and every named test exists", () => {
  const rows = page
    .slice(page.indexOf("## Threats"), page.indexOf("## What is not covered"))
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| threat"));
  assert.ok(rows.length >= 18, `${rows.length} threats`);
  for (const row of rows) {
    const evidence = row.split(" | ").at(-1) ?? "";
    const named = [...evidence.matchAll(/`([^`]+\.test\.ts)`(?: "([^"]+)")?/g)];
    assert.notEqual(named.length, 0, row);
    for (const [, file = "", title] of named) {
      assert.ok(existsSync(join(root, file)), file);
      if (title !== undefined) assert.ok(readFileSync(join(root, file), "utf8").includes(title), title);
    }
  }
});
