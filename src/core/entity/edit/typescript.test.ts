/** Edits of TypeScript and TSX; the project's own tsc parses the results. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runCases } from "../../../../test/support/edit-cases.ts";
import { typescriptCases } from "./typescript.fixture.ts";

const results = runCases("TypeScript", typescriptCases);

test("TypeScript: tsc parses every result", () => {
  assert.ok(results.size >= 29);
  const folder = mkdtempSync(join(tmpdir(), "typescript-edits-"));
  try {
    const files = [...results.values()].map(({ path, text }, index) => {
      const file = join(folder, `${index}${path.endsWith("x") ? ".tsx" : ".ts"}`);
      writeFileSync(file, text);
      return file;
    });
    const options = [
      "--noEmit",
      "--noCheck",
      "--noResolve",
      "--target",
      "esnext",
      "--module",
      "esnext",
      "--jsx",
      "preserve",
    ];
    const run = spawnSync("tsc", ["--ignoreConfig", ...options, ...files], { encoding: "utf8", cwd: folder });
    // TS1xxx is the parser; the other numbers are about names and files that these texts do not have.
    const syntax = run.stdout.split("\n").filter((line) => /error TS1\d{3}:/.test(line));
    assert.deepEqual(syntax, []);
    writeFileSync(join(folder, "control.ts"), "const = ;");
    const control = spawnSync("tsc", ["--ignoreConfig", ...options, "control.ts"], {
      encoding: "utf8",
      cwd: folder,
    });
    assert.match(control.stdout, /error TS1\d{3}:/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
