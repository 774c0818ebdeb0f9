import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { EntryKind } from "../git/tree-entry.ts";
import { anyPath } from "./nasty-paths.fixture.ts";
import { permalink } from "./permalink.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const WEB = "https://github.com/owner/name";
const link = (
  sourcePath: string,
  line: number | null = null,
  lineEnd = line,
  kind: EntryKind | null = "file",
) => permalink(WEB, { repository: "app", sourcePath, sha: SHA, line, lineEnd }, kind).replace(`${WEB}/`, "");

test("files, lines and ranges", () => {
  assert.equal(link("src/main.ts"), `blob/${SHA}/src/main.ts`);
  assert.equal(link("src/main.ts", 3), `blob/${SHA}/src/main.ts#L3`);
  assert.equal(link("src/main.ts", 3, 7), `blob/${SHA}/src/main.ts#L3-L7`);
  assert.equal(link("src/main.ts", 3, 7, null), `blob/${SHA}/src/main.ts#L3-L7`);
});

test("rendered files get the plain view where lines are named", () => {
  assert.equal(link("README.md"), `blob/${SHA}/README.md`);
  assert.equal(link("README.MD", 3), `blob/${SHA}/README.MD?plain=1#L3`);
  assert.equal(link("docs/a.rst", 1, 2), `blob/${SHA}/docs/a.rst?plain=1#L1-L2`);
});

test("directories and submodules", () => {
  assert.equal(link("src/core", null, null, "directory"), `tree/${SHA}/src/core`);
  assert.equal(link("", null, null, "directory"), `tree/${SHA}`);
  assert.equal(link("vendor/lib", null, null, "submodule"), `tree/${SHA}/vendor`);
  assert.equal(link("lib", null, null, "submodule"), `tree/${SHA}`);
});

test("special characters of a path cannot leave it", () => {
  assert.equal(link("a#b?c%d e/é(1)'.ts", 1), `blob/${SHA}/a%23b%3Fc%25d%20e/%C3%A9%281%29%27.ts#L1`);
});

test("a URL parser reads every path back", () => {
  fc.assert(
    fc.property(anyPath, (path) => {
      const url = new URL(`${WEB}/${link(path, 2)}`);
      assert.equal(decodeURIComponent(url.pathname), `/owner/name/blob/${SHA}/${path}`);
      assert.equal(url.hash, "#L2");
    }),
  );
});
