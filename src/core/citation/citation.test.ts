import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { citation } from "../../schema/citation.ts";
import { type CitationRequest, citationOf } from "./citation.ts";
import { anyPath } from "./nasty-paths.fixture.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const BLOB = "89abcdef0123456789abcdef0123456789abcdef";
const request: CitationRequest = {
  repository: "app",
  sourcePath: "docs/a b.md",
  lines: { start: 3 },
  commitSha: SHA,
  blobSha: BLOB,
  kind: "file",
  provenance: "git-commit",
  webUrl: "https://github.com/owner/name",
  publicUrl: "https://pin.example/",
  needsToken: false,
};

test("a whole citation", () => {
  assert.deepEqual(citationOf(request), {
    cite: `app/docs/a%20b.md:3 @ ${SHA}`,
    handle: `gitpin:app@${SHA}:docs/a%20b.md:3`,
    repoAtSha: `app@${SHA}`,
    verify: {
      gitShow: `git show '${SHA}:docs/a b.md' | tail -n +3 | head -n 1`,
      sha256: `git show '${SHA}:docs/a b.md' | tail -n +3 | head -n 1 | sha256sum`,
      gitpinCli: `gitpin verify --handle gitpin:app@${SHA}:docs/a%20b.md:3`,
      curl: `curl -fsS 'https://pin.example/v1/verify?handle=gitpin%3Aapp%40${SHA}%3Adocs%2Fa%2520b.md%3A3'`,
    },
    permalink: `https://github.com/owner/name/blob/${SHA}/docs/a%20b.md?plain=1#L3`,
    repository: "app",
    sourcePath: "docs/a b.md",
    line: 3,
    lineEnd: 3,
    commitSha: SHA,
    blobSha: BLOB,
    provenance: "git-commit",
  });
});

test("a whole file has no lines", () => {
  const { line, lineEnd, cite } = citationOf({ ...request, lines: null });
  assert.deepEqual([line, lineEnd, cite], [null, null, `app/docs/a%20b.md @ ${SHA}`]);
});

test("a blocked citation carries no hash of the content", () => {
  const blocked = citationOf({
    ...request,
    sourcePath: "caf\uFFFD.pem",
    provenance: "blocked",
    contentSha256: "c".repeat(64),
  });
  assert.equal(blocked.blobSha, null);
  assert.doesNotMatch(JSON.stringify(blocked), new RegExp(`${BLOB}|${"c".repeat(64)}`));
});

test("every citation is of the schema", () => {
  fc.assert(
    fc.property(anyPath, fc.option(fc.integer({ min: 1, max: 99 })), (sourcePath, start) => {
      citation.parse(
        citationOf({ ...request, sourcePath, lines: start === null ? null : { start, end: start + 1 } }),
      );
    }),
  );
});
