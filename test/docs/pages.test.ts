/** The documentation agrees with what is there: links lead somewhere, settings are complete, generated pages are fresh. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { allPages, checkout, textOf } from "./pages.ts";

test("relative links lead to files, and anchors to headings", () => {
  const broken: string[] = [];
  for (const page of allPages) {
    const text = textOf(page).replace(/^```.*?^```$/gms, "");
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|mailto:)/.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? join(checkout, page) : join(checkout, dirname(page), path);
      const headings = existsSync(file) && file.endsWith(".md") ? anchors(readFileSync(file, "utf8")) : [];
      if (!existsSync(file) || (anchor !== undefined && !headings.includes(anchor)))
        broken.push(`${page}: ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

/** As GitHub makes them: lower case, blanks to hyphens, other punctuation left out. */
const anchors = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );

test("the configuration page names every setting", () => {
  const source = readFileSync(join(checkout, "src/config.ts"), "utf8");
  const settings = [...source.matchAll(/^ {4}([A-Z][A-Z_]+): /gm)].map(([, name]) => name ?? "");
  assert.ok(settings.length > 10);
  const page = textOf("docs/reference/configuration.md");
  assert.deepEqual(
    settings.filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
});

test("generated pages are what the code says", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/reference.ts", "--check"], {
    cwd: checkout,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
});

test("the reference names arguments inside arguments, and the HTTP status of each result", () => {
  const tools = textOf("docs/reference/tools.md").split("\n");
  const typeOf = (field: string) =>
    tools.find((line) => line.startsWith(`| \`${field}\` |`))?.split(" | ")[1];
  assert.equal(typeOf("operations[].payload"), "object with exactly one of its fields");
  assert.equal(
    typeOf("operations[].payload.EntitySourcePatch.edits[].old_text"),
    "string (1 to 131072 units)",
  );
  assert.equal(
    typeOf("operations[].payload.UnitImports.add"),
    "array of string (0 to 2000 units) (0 to 100), optional",
  );
  assert.equal(typeOf("pull_request.draft"), "boolean, optional");

  const rest = textOf("docs/reference/rest.md");
  for (const row of [
    "| `planned` | 200 | `kin_mutate` |",
    "| `conflict` | 409 | `kin_mutate` |",
    "| `refused` | 409 | `kin_find_entities`, `get_entity_source` |",
    "| `refused` | 422 | `kin_mutate` |",
    "| `/v1/status` | GET |",
  ]) {
    assert.ok(rest.includes(`\n${row}\n`), row);
  }
});
