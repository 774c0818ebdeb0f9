import assert from "node:assert/strict";
import { test } from "node:test";
import { GitpinError } from "../../errors.ts";
import { type RepositoryEntry, repositoryEntry } from "../../schema/registry.ts";
import { assertMayWrite, mayWriteBranch, mayWritePath, mayWriteRepository } from "./writable.ts";

const entryWith = (fields: object = {}): RepositoryEntry =>
  repositoryEntry.parse({ name: "app", owner: "owner", repo: "app", ...fields });
const opening = (writable: object, fields: object = {}) =>
  entryWith({ writable: { branches: ["main"], ...writable }, ...fields });
const paths = (...globs: string[]) => opening({ paths: globs });
const rule = (entry: RepositoryEntry, path: string) => {
  const decision = mayWritePath(entry, path);
  return decision.allowed ? null : decision.rule;
};

test("what the entry does not open is closed", () => {
  const closed = entryWith();
  const refusal = {
    allowed: false,
    rule: "registry: writable",
    reason: "The registry opens this repository to no changes.",
  };
  assert.deepEqual(mayWriteRepository(closed, null), refusal);
  assert.deepEqual(mayWriteBranch(closed, "main"), refusal);
  assert.deepEqual(mayWritePath(closed, "a.ts"), refusal);
});

test("a team changes its own entries only; who has no team changes all", () => {
  const public_ = opening({}, { visibility: "public" });
  const blue = opening({}, { team: "blue" });
  assert.deepEqual(mayWriteRepository(public_, null), { allowed: true });
  assert.deepEqual(mayWriteRepository(blue, null), { allowed: true });
  assert.deepEqual(mayWriteRepository(blue, "blue"), { allowed: true });
  const refusal = {
    allowed: false,
    rule: "registry: team",
    reason: "Only repositories of the token's own team may be changed.",
  };
  assert.deepEqual(mayWriteRepository(public_, "blue"), refusal);
  assert.deepEqual(mayWriteRepository(blue, "green"), refusal);
});

test("branches by globs over their names, case by case", () => {
  const entry = opening({ branches: ["main", "agent/*", "release/**"] });
  const may = (branch: string) => mayWriteBranch(entry, branch).allowed;
  for (const open of ["main", "agent/a", "release/1", "release/1/fix"]) assert.equal(may(open), true, open);
  for (const closed of ["Main", "mainly", "x/main", "agent", "agent/a/b", "AGENT/a", "refs/heads/main", ""]) {
    assert.equal(may(closed), false, closed);
  }
});

test("paths default to all, and match case by case", () => {
  assert.equal(rule(opening({}), "src/a/b.ts"), null);
  const entry = paths("src/**", "*.py");
  for (const open of ["src/a.ts", "src/.a/b.ts", "setup.py"]) assert.equal(rule(entry, open), null, open);
  for (const closed of ["SRC/a.ts", "lib/setup.py", "srcs/a.ts"]) {
    assert.equal(rule(entry, closed), "registry: writable.paths", closed);
  }
});

test("what is denied is never written, whatever opens it", () => {
  const entry = opening({ paths: ["**", ".env.py"] }, { deny: ["generated/"], allow: ["**"] });
  assert.equal(rule(entry, "generated/a.ts"), "registry: deny[0]");
  assert.equal(rule(entry, "GENERATED/a.ts"), "registry: deny[0]");
  assert.equal(rule(entry, ".env.py"), "default: .env*");
  assert.equal(rule(entry, "src/.aws/x.py"), "default: .aws/");
});

test("places that decide what runs, who reviews and what may be seen are opened by name only", () => {
  const guarded: [path: string, place: string][] = [
    [".github/workflows/ci.yml", ".github/workflows"],
    [".github/workflows", ".github/workflows"],
    [".GitHub/Workflows/ci.yml", ".github/workflows"],
    [".github/actions/build/index.js", ".github/actions"],
    [".github/scripts/release.py", ".github"],
    [".github/CODEOWNERS", ".github"],
    ["CODEOWNERS", "codeowners"],
    ["docs/CODEOWNERS", "docs/codeowners"],
    [".gitpin/wiki.yaml", ".gitpin"],
    [".gitpin/plugin.py", ".gitpin"],
    ["docs/wiki.yaml", "docs/wiki.yaml"],
  ];
  for (const [path, place] of guarded) {
    for (const globs of [
      ["**"],
      ["**/*", "*"],
      ["{.github,docs,.gitpin}/**", "[C]ODEOWNERS", "**"],
      [".g*/**", "**"],
    ])
      assert.equal(rule(paths(...globs), path), `guarded: ${place}`, `${path} by ${globs}`);
  }
  for (const near of [
    ".github2/a.py",
    "src/.github/workflows/x.js",
    "docs/CODEOWNERS.md",
    "src/CODEOWNERS",
  ]) {
    assert.equal(rule(paths("**"), near), null, near);
  }
});

test("a pattern that starts with the place opens it, and no narrower one", () => {
  assert.equal(rule(paths(".github/**"), ".github/scripts/a.py"), null);
  assert.equal(rule(paths(".github/**"), ".github/workflows/ci.yml"), "guarded: .github/workflows");
  assert.equal(rule(paths(".github/**"), ".github/actions/a/index.js"), "guarded: .github/actions");
  assert.equal(rule(paths(".github/w*/**"), ".github/workflows/ci.yml"), "guarded: .github/workflows");
  assert.equal(rule(paths(".github/workflows/**"), ".github/workflows/ci.yml"), null);
  assert.equal(rule(paths("/.github/workflows/ci.yml"), ".github/workflows/ci.yml"), null);
  assert.equal(
    rule(paths("/.github/workflows/ci.yml", "**"), ".github/workflows/x.yml"),
    "guarded: .github/workflows",
  );
  assert.equal(rule(paths("CODEOWNERS"), "CODEOWNERS"), null);
  assert.equal(rule(paths("docs/wiki.yaml"), "docs/wiki.yaml"), null);
});

test("no path leads through what git takes for its own folder", () => {
  const entry = paths("**", ".git/**");
  for (const path of [
    ".git/hooks/a.py",
    "a/.GIT/x.py",
    "a/.git",
    ".git./x.py",
    ".git /x",
    "GIT~1/x.py",
    ".g\u200cit/x",
    ".git::$INDEX_ALLOCATION/x",
  ]) {
    assert.equal(rule(entry, path), "git", JSON.stringify(path));
  }
  assert.equal(rule(entry, "a/git/x.py"), null);
});

test("the first thing that may not be changed is named", () => {
  const entry = opening({ paths: ["src/**"] }, { team: "blue" });
  const refusal = (asked: Parameters<typeof assertMayWrite>[1]) => {
    try {
      assertMayWrite(entry, asked);
      return null;
    } catch (error) {
      assert.ok(error instanceof GitpinError);
      return [error.code, error.data];
    }
  };
  const asked = { team: "blue", branch: "main", paths: ["src/a.ts"] };
  assert.equal(refusal(asked), null);
  const refused = (data: object) => ["write_not_allowed", { repository: "app", ...data }];
  assert.deepEqual(refusal({ ...asked, team: "green" }), refused({ rule: "registry: team" }));
  assert.deepEqual(
    refusal({ ...asked, branch: "dev", paths: ["x"] }),
    refused({ branch: "dev", rule: "registry: writable.branches" }),
  );
  assert.deepEqual(
    refusal({ ...asked, paths: ["src/a.ts", "b.ts", "c.ts"] }),
    refused({ path: "b.ts", rule: "registry: writable.paths" }),
  );
});
