import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { isRefName } from "./ref-name.ts";

const gitAccepts = (name: string): boolean =>
  spawnSync("git", ["check-ref-format", `refs/heads/${name}`]).status === 0;

test("names that could mean something else to git are refused", () => {
  const refused = [
    "",
    "main~1",
    "main^{tree}",
    "@{1}",
    "a..b",
    ":/fix",
    "a b",
    "*",
    "x.lock",
    "/a",
    "a/",
    ".a",
    "@",
  ];
  assert.deepEqual(refused.filter(isRefName), []);
  const accepted = ["main", "feature/one", "v1.0.0", "ümläut", "-dash", "a@b", "refs/heads/main"];
  assert.deepEqual(
    accepted.filter((name) => !isRefName(name)),
    [],
  );
});

test("nothing that git refuses is accepted", () => {
  const piece = fc.constantFrom(
    "a",
    "B",
    "/",
    ".",
    "@",
    "{",
    "~",
    "^",
    ":",
    "*",
    "[",
    " ",
    "-",
    "ü",
    ".lock",
    "\\",
  );
  const names = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(names, (name) => {
      if (isRefName(name)) assert.ok(gitAccepts(name), name);
    }),
    { numRuns: 150 },
  );
});
