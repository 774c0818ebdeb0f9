/** Names of branches (the judge is `git check-ref-format --branch`), and the digest of a call. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import { argumentsDigest } from "./canonical.ts";
import { branchNameFault, targetOf } from "./target.ts";

const gitTakes = (name: string): boolean =>
  spawnSync("git", ["check-ref-format", `refs/heads/${name}`]).status === 0;

const ODD = [
  "main",
  "agent/fix-1",
  "a..b",
  "a.lock",
  "a.lock/b",
  ".a",
  "a/.b",
  "a.",
  "a//b",
  "/a",
  "a/",
  "-a",
  "@",
  "a@{b",
  "a b",
  "a~1",
  "a^",
  "a:b",
  "a?",
  "a*",
  "a[",
  "a\\b",
  "a\u007f",
  "a\tb",
  "ä/ö",
  "x".repeat(200),
  "a-",
  "a/@",
];

test("a name that is taken here is one that git takes", () => {
  const character = fc.constantFrom(..."ab/.-@{~^:?*[\\ \u007f\tl".split(""), ".lock", "..", "//", "ü");
  const name = fc.array(character, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(name, fc.constantFrom(...ODD)), (text) => {
      if (branchNameFault(text) === null) assert.ok(gitTakes(text), JSON.stringify(text));
    }),
    { numRuns: 300 },
  );
});

test("ordinary names are taken; what stands for something else is not", () => {
  for (const name of ["main", "agent/fix-1", "ä/ö", "release-1.2", "a/@", "refs"]) {
    assert.equal(branchNameFault(name), null, name);
  }
  for (const name of [
    "",
    "@",
    "HEAD",
    "refs/heads/main",
    "0123456789012345678901234567890123456789",
    "-a",
    "a\u0085b",
  ]) {
    assert.notEqual(branchNameFault(name), null, name);
  }
});

test("the branch of the bases is the target unless another is named", () => {
  assert.deepEqual(targetOf({}, "main"), { branch: "main", baseBranch: "main", create: false });
  assert.deepEqual(targetOf({ branch: "dev" }, "main"), { branch: "dev", baseBranch: "main", create: false });
  assert.deepEqual(targetOf({ branch: "x", create_branch: true, pull_request: { title: "t" } }, "main"), {
    branch: "x",
    baseBranch: "main",
    create: true,
  });
  assert.throws(() => targetOf({ branch: "x", create_branch: true }, "../../etc"), {
    code: "invalid_argument",
  });
});

test("equal arguments have equal digests, whatever the order of keys", () => {
  assert.equal(
    argumentsDigest({ a: 1, b: [{ c: "x", d: null }] }),
    argumentsDigest({ b: [{ d: null, c: "x" }], a: 1 }),
  );
  assert.equal(argumentsDigest({ a: 1, b: undefined }), argumentsDigest({ a: 1 }));
  assert.notEqual(argumentsDigest([1, 2]), argumentsDigest([2, 1]));
  assert.notEqual(argumentsDigest({ a: "1" }), argumentsDigest({ a: 1 }));
  assert.notEqual(argumentsDigest({ a: { b: 1 } }), argumentsDigest({ a: {}, b: 1 }));
  const value = fc.jsonValue();
  const shuffled = (given: unknown): unknown =>
    Array.isArray(given)
      ? given.map(shuffled)
      : typeof given === "object" && given !== null
        ? Object.fromEntries(
            Object.entries(given)
              .reverse()
              .map(([key, member]) => [key, shuffled(member)]),
          )
        : given;
  fc.assert(
    fc.property(value, value, (one, other) => {
      assert.equal(argumentsDigest(one), argumentsDigest(shuffled(one)));
      const same = JSON.stringify(one) === JSON.stringify(other);
      if (same) assert.equal(argumentsDigest(one), argumentsDigest(other));
    }),
  );
});
