import assert from "node:assert/strict";
import { test } from "node:test";
import { GitpinError } from "../../errors.ts";
import { type RepositoryEntry, repositoryEntry } from "../../schema/registry.ts";
import { createPolicy, type Decision, decide, isDocumentation } from "./policy.ts";
import { NO_WIKI, readWikiPolicy, type WikiPolicy } from "./wiki-policy.ts";

const entryWith = (fields: Partial<RepositoryEntry> = {}): RepositoryEntry =>
  repositoryEntry.parse({ name: "app", owner: "owner", repo: "app", ...fields });
const wiki = (text: string): WikiPolicy =>
  readWikiPolicy([{ path: ".gitpin/wiki.yaml", bytes: new TextEncoder().encode(text) }]);
const rule = (decision: Decision) => (decision.allowed ? null : decision.rule);

test("what the registry denies is denied, whatever else allows it", () => {
  const context = {
    entry: entryWith({ deny: ["x", "private/"], allow: ["**"] }),
    headWiki: NO_WIKI,
    citedWiki: NO_WIKI,
  };
  assert.deepEqual(decide("private/a.ts", context), {
    allowed: false,
    rule: "registry: deny[1]",
    reason: "The registry forbids this path.",
  });
  assert.equal(rule(decide("private", context)), "registry: deny[1]");
  assert.equal(rule(decide("src/a.ts", context)), null);
});

test("the registry's allow lifts the default deny list and nothing else", () => {
  const entry = entryWith({ allow: ["config/.env.example", "certs/**"] });
  const context = { entry, headWiki: wiki("safety: {deny: ['certs/internal/']}"), citedWiki: NO_WIKI };
  assert.equal(rule(decide("config/.env.example", context)), null);
  assert.equal(rule(decide("certs/ca.pem", context)), null);
  assert.deepEqual(decide("other/ca.pem", context), {
    allowed: false,
    rule: "default: *.pem",
    reason: "Paths that look like secrets (*.pem) are not served.",
  });
  assert.equal(rule(decide("certs/internal/ca.pem", context)), "wiki: .gitpin/wiki.yaml: safety.deny[0]");
});

test("HEAD's file and the cited commit's both deny, source too", () => {
  const context = {
    entry: entryWith(),
    headWiki: wiki("safety: {deny: [src/new.ts]}"),
    citedWiki: wiki("safety: {deny: [a, src/old.ts]}"),
  };
  assert.deepEqual(decide("src/new.ts", context), {
    allowed: false,
    rule: "wiki: .gitpin/wiki.yaml: safety.deny[0]",
    reason: "The repository's own policy (.gitpin/wiki.yaml at HEAD) forbids this path.",
  });
  assert.deepEqual(decide("SRC/OLD.ts", context), {
    allowed: false,
    rule: "wiki: .gitpin/wiki.yaml: safety.deny[1]",
    reason: "The repository's own policy (.gitpin/wiki.yaml at the cited commit) forbids this path.",
  });
  assert.equal(rule(decide("src/other.ts", context)), null);
});

test("a policy that cannot be read exposes nothing of the repository", () => {
  const broken = wiki("collections: [");
  for (const context of [
    { entry: entryWith({ allow: ["**"] }), headWiki: broken, citedWiki: NO_WIKI },
    { entry: entryWith({ allow: ["**"] }), headWiki: NO_WIKI, citedWiki: broken },
  ]) {
    const policy = createPolicy(context);
    for (const path of ["", "README.md", "src/main.ts", ".gitpin/wiki.yaml"]) {
      assert.equal(rule(policy.decide(path)), "wiki: .gitpin/wiki.yaml", path);
      assert.equal(policy.exposesDocument(path), false);
    }
  }
});

test("collections, expose and exclude narrow documentation, never source", () => {
  const headWiki = wiki("expose: ['docs/**']\nexclude: ['docs/drafts/']");
  const policy = createPolicy({ entry: entryWith(), headWiki, citedWiki: headWiki });
  const shown = (path: string) => [
    policy.isDocumentation(path),
    policy.exposesDocument(path),
    policy.decide(path).allowed,
  ];
  assert.deepEqual(shown("docs/a.md"), [true, true, true]);
  assert.deepEqual(shown("docs/drafts/a.md"), [true, false, true]);
  assert.deepEqual(shown("README.md"), [true, false, true]);
  assert.deepEqual(shown("docs/a.ts"), [false, false, true]);
  assert.deepEqual(shown("docs/secrets/passwords.txt"), [true, false, false]);
});

test("an old commit's narrower file still narrows", () => {
  const policy = createPolicy({ entry: entryWith(), headWiki: NO_WIKI, citedWiki: wiki("expose: [a.md]") });
  assert.deepEqual([policy.exposesDocument("a.md"), policy.exposesDocument("b.md")], [true, false]);
});

test("documentation is by extension unless the registry says which", () => {
  const byExtension = entryWith();
  for (const path of ["a.md", "A.MD", "x/b.mdx", "c.rst", "d.adoc", "e.txt"]) {
    assert.equal(isDocumentation(path, byExtension), true, path);
  }
  for (const path of ["a.ts", "md", "README", "a.md.ts", ""]) {
    assert.equal(isDocumentation(path, byExtension), false, path);
  }
  const byGlob = entryWith({ docs: { include: ["handbook/**"], exclude: ["**/draft*"] } });
  assert.equal(isDocumentation("handbook/a.html", byGlob), true);
  assert.equal(isDocumentation("handbook/draft.md", byGlob), false);
  assert.equal(isDocumentation("README.md", byGlob), false);
  const excluding = entryWith({ docs: { include: [], exclude: ["CHANGELOG.md"] } });
  assert.equal(isDocumentation("README.md", excluding), true);
  assert.equal(isDocumentation("changelog.md", excluding), false);
});

test("a registry glob that cannot be used stops everything, and is named", () => {
  const context = { entry: entryWith({ deny: ["a", "b["] }), headWiki: NO_WIKI, citedWiki: NO_WIKI };
  assert.throws(
    () => decide("a", context),
    (error) => error instanceof GitpinError && error.code === "internal" && error.data.field === "deny[1]",
  );
});
