/** Every answer about a commit equals what git itself says of it: bytes, hashes, listings, ancestry, abbreviations. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { EvidencePack, EvidenceSlice } from "../../src/schema/evidence.ts";
import type { VerificationReport } from "../../src/schema/verification.ts";
import { type Awkward, awkwardRepository, SECRET_WORD } from "../repositories/awkward.ts";
import { type Stack, startStack } from "../stack.ts";

let awkward: Awkward;
let stack: Stack;

before(async () => {
  awkward = awkwardRepository();
  stack = await startStack({
    host: { repositories: [{ owner: "octo", name: "awkward", path: awkward.repository.path }] },
    registry: [
      { name: "awkward", owner: "Octo", repo: "AWKWARD", refs: ["release/1.x", "tags/nested", "same-name"] },
    ],
  });
});

after(async () => {
  await stack.close();
  awkward.repository.remove();
});

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const bytesOf = (pack: Pick<EvidencePack, "content" | "encoding">) =>
  Buffer.from(pack.content ?? "", pack.encoding === "base64" ? "base64" : "utf8");

interface TreeRow {
  mode: string;
  type: string;
  id: string;
  path: string;
}

function lsTree(...args: string[]): TreeRow[] {
  return awkward.repository
    .bytes("ls-tree", "-z", ...args)
    .toString("utf8")
    .split("\0")
    .filter((row) => row !== "")
    .map((row) => {
      const [, mode = "", type = "", id = "", path = ""] = /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(row) ?? [];
      return { mode, type, id, path };
    });
}

/** Lines as `tail` and `head` cut them. */
function gitLines(bytes: Buffer, start: number, end: number): Buffer {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const feed = bytes.indexOf(10, at);
    const next = feed === -1 ? bytes.length : feed + 1;
    lines.push(bytes.subarray(at, next));
    at = next;
  }
  return Buffer.concat(lines.slice(start - 1, end));
}

test("every blob of HEAD and of an older commit comes back byte for byte, or is blocked", async () => {
  let compared = 0;
  for (const sha of [awkward.head, awkward.before]) {
    for (const { type, id, path } of lsTree("-r", sha)) {
      if (type !== "blob" || path === "big.txt") continue;
      const query = sha === awkward.head ? {} : { sha };
      const { status, body } = await stack.get<EvidencePack>("/v1/prove", {
        repository: "awkward",
        sourcePath: path,
        ...query,
      });
      if (path === ".env" || path === "config/server.pem") {
        assert.equal(status, 403, path);
        assert.equal(body.status, "blocked");
        assert.equal(JSON.stringify(body).includes(SECRET_WORD), false);
        assert.equal(body.blobSha, null);
        continue;
      }
      const blob = awkward.repository.bytes("cat-file", "blob", id);
      assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
      assert.equal(body.blobSha, id);
      assert.equal(body.commitSha, sha);
      assert.deepEqual(bytesOf(body), blob, path);
      assert.equal(body.contentSha256, sha256(blob), path);
      assert.deepEqual(body.proof, { commit: "hashed", tree: "hashed", blob: "hashed" });
      compared++;
    }
  }
  assert.ok(compared > 70, `only ${compared} blobs were compared`);
});

test("the printed commands print, in a shell, the bytes and the hash of the answer", async () => {
  for (const { type, path } of lsTree("-r", awkward.head)) {
    if (type !== "blob" || path === ".env" || path === "config/server.pem") continue;
    for (const lines of [{}, { lineStart: 1 }]) {
      const query = { repository: "awkward", sourcePath: path, ...lines };
      const { status, body } = await stack.get<EvidencePack>("/v1/prove", query);
      if (body.totalLines === 0 && "lineStart" in lines) {
        assert.equal(status, 404, path);
        continue;
      }
      const printed = awkward.repository.shell(body.citation.verify.gitShow);
      assert.equal(sha256(printed), body.contentSha256, body.citation.verify.gitShow);
      const hashed = awkward.repository.shell(body.citation.verify.sha256).toString("utf8");
      assert.equal(hashed.slice(0, 64), body.contentSha256);
      if (path !== "big.txt") assert.deepEqual(printed, bytesOf(body), path);
    }
  }
  const readme = await stack.get<EvidencePack>("/v1/prove", {
    repository: "awkward",
    sourcePath: "README.md",
  });
  const verdict = awkward.repository.shell(readme.body.citation.verify.curl).toString("utf8");
  assert.equal((JSON.parse(verdict) as VerificationReport).status, "ok");
});

test("generated line ranges equal what tail and head cut", async () => {
  const files = lsTree("-r", awkward.head).filter(
    ({ type, path }) => type === "blob" && !/\.env|\.pem/.test(path),
  );
  const asked = fc.record({
    file: fc.constantFrom(...files),
    start: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 5200 })),
    extent: fc.integer({ min: 0, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ file, start, extent }) => {
      const blob = awkward.repository.bytes("cat-file", "blob", file.id);
      const total = gitLines(blob, 1, Number.MAX_SAFE_INTEGER).length === 0 ? 0 : countLines(blob);
      const end = start + extent;
      const { status, body } = await stack.post<EvidencePack>("/v1/prove", {
        repository: "awkward",
        sourcePath: file.path,
        lineStart: start,
        lineEnd: end,
      });
      assert.equal(body.totalLines, total);
      if (end > total) {
        assert.equal(status, 404);
        assert.equal(body.status, "missing");
        assert.equal(body.content, null);
        return;
      }
      const slice = gitLines(blob, start, end);
      assert.equal(status, 200);
      assert.deepEqual(body.range, { start, end });
      assert.equal(body.contentSha256, sha256(slice));
      assert.deepEqual(bytesOf(body), slice);
    }),
    { numRuns: 150 },
  );
});

function countLines(blob: Buffer): number {
  let lines = 0;
  for (const byte of blob) if (byte === 10) lines++;
  return blob.length > 0 && blob.at(-1) !== 10 ? lines + 1 : lines;
}

test("directories list what ls-tree lists, in its order, through pages", async () => {
  const directories = [
    "",
    ...lsTree("-r", "-d", awkward.head)
      .filter(({ type }) => type === "tree")
      .map(({ path }) => path),
  ];
  for (const directory of directories) {
    const expected = lsTree(directory === "" ? awkward.head : `${awkward.head}:${directory}`);
    const seen: [string, string | null][] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string | number> = { repository: "awkward", limit: 7 };
      if (directory !== "") query.sourcePath = directory;
      if (cursor !== null) query.cursor = cursor;
      const { status, body }: { status: number; body: EvidenceSlice } = await stack.get("/v1/read", query);
      assert.equal(status, 200, directory);
      assert.equal(body.totalEntries, expected.length);
      assert.equal(body.truncated, body.nextCursor !== null);
      for (const entry of body.entries ?? []) seen.push([entry.name, entry.id]);
      cursor = body.nextCursor;
    } while (cursor !== null);
    assert.deepEqual(
      seen,
      expected.map(({ path, id }) => [path, path === ".env" || path === "server.pem" ? null : id]),
      directory,
    );
  }
});

test("symlinks, submodules, LFS pointers and executables are named as what they are", async () => {
  const prove = async (sourcePath: string) =>
    (await stack.get<EvidencePack>("/v1/prove", { repository: "awkward", sourcePath })).body;
  const link = await prove("link-escape");
  assert.deepEqual([link.status, link.entryType, link.content], ["ok", "symlink", "../../outside"]);
  const through = await prove("link-dir/app.ts");
  assert.deepEqual([through.status, through.content], ["missing", null]);
  const submodule = await prove("vendor/lib");
  assert.deepEqual(
    [submodule.status, submodule.entryType, submodule.content],
    ["missing", "submodule", null],
  );
  assert.match(submodule.reason ?? "", new RegExp(awkward.first));
  assert.equal((await prove("model.bin")).lfsPointer, true);
  assert.equal((await prove("run.sh")).entryType, "executable");
  const directory = await prove("src");
  assert.deepEqual(
    [directory.status, directory.entryType, directory.next?.tool],
    ["missing", "directory", "pin.read"],
  );
});

test("refs: the registered ones only, tags peeled, a branch before a tag of the same name", async () => {
  const at = async (ref: string) =>
    await stack.get<EvidencePack>("/v1/prove", { repository: "awkward", sourcePath: "README.md", ref });
  assert.equal((await at("release/1.x")).body.commitSha, awkward.release);
  assert.equal((await at("tags/nested")).body.commitSha, awkward.before);
  assert.equal((await at("same-name")).body.commitSha, awkward.head);
  const other = await at("light");
  assert.equal(other.status, 400);
  assert.equal((other.body as unknown as { error: { code: string } }).error.code, "ref_not_registered");
});

test("abbreviations are object ids, never branches that look like them", async () => {
  const commits = awkward.repository.git("rev-list", "--all").split("\n");
  for (const sha of commits) {
    for (const length of [7, 12, 39]) {
      const digits = sha.slice(0, length);
      const found = awkward.repository.git("rev-parse", `--disambiguate=${digits}`).split("\n");
      const { status, body } = await stack.get<EvidencePack & { error?: { code: string } }>("/v1/read", {
        repository: "awkward",
        sha: digits.toUpperCase(),
      });
      if (body.error !== undefined) {
        // GitHub answers such an abbreviation with the branch of that name; it must not be believed.
        assert.deepEqual(
          [status, body.error.code, digits],
          [400, "sha_not_resolved", awkward.before.slice(0, 7)],
        );
        continue;
      }
      assert.deepEqual(found, [sha]);
      assert.equal(body.commitSha, sha);
    }
  }
  const nothing = await stack.get<{ error: { code: string } }>("/v1/read", {
    repository: "awkward",
    sha: "0123456",
  });
  assert.deepEqual([nothing.status, nothing.body.error.code], [400, "sha_not_resolved"]);
});

test("reachable equals merge-base --is-ancestor, and unreachable commits of a private repository are blocked", async () => {
  const tips = ["main", "release/1.x", "refs/tags/nested^{commit}", "refs/heads/same-name"];
  const candidates = [awkward.first, awkward.before, awkward.head, awkward.release, awkward.lost];
  for (const sha of candidates) {
    const expected = tips.some((tip) => isAncestor(sha, tip));
    const { status, body } = await stack.get<EvidenceSlice>("/v1/read", { repository: "awkward", sha });
    assert.equal(body.reachable, expected, sha);
    assert.equal(status, expected ? 200 : 403);
    if (!expected) assert.equal(body.entries, null);
  }
  const oracle = await stack.get<VerificationReport>("/v1/verify", {
    repository: "awkward",
    sourcePath: "src/app.ts",
    sha: awkward.lost,
    mustContain: "666",
  });
  assert.deepEqual(
    [oracle.status, oracle.body.status, oracle.body.claimVerdict],
    [403, "blocked", "unproven"],
  );
});

function isAncestor(sha: string, tip: string): boolean {
  try {
    awkward.repository.git("merge-base", "--is-ancestor", sha, tip);
    return true;
  } catch {
    return false;
  }
}

test("freshness: head, unchanged, moved, changed, gone; verdicts and their HTTP status", async () => {
  const verify = async (query: Record<string, string | number>) => {
    const { status, body } = await stack.get<VerificationReport>("/v1/verify", {
      repository: "awkward",
      ...query,
    });
    return [status, body.status, body.freshness, body.movedTo, body.claimVerdict];
  };
  const app = { sourcePath: "src/app.ts", sha: awkward.before };
  assert.deepEqual(await verify({ ...app, sha: awkward.head, line: 3 }), [200, "ok", "head", null, null]);
  assert.deepEqual(await verify({ sourcePath: "crlf.txt", sha: awkward.before }), [
    200,
    "ok",
    "unchanged",
    null,
    null,
  ]);
  assert.deepEqual(await verify({ ...app, line: 1 }), [200, "ok", "moved", { start: 3, end: 3 }, null]);
  assert.deepEqual(await verify({ ...app, line: 3, lineEnd: 5 }), [
    200,
    "ok",
    "moved",
    { start: 5, end: 7 },
    null,
  ]);
  assert.deepEqual(await verify({ ...app, line: 2 }), [409, "mismatch", "changed", null, null]);
  assert.deepEqual(await verify(app), [409, "mismatch", "changed", null, null]);
  assert.deepEqual(await verify({ sourcePath: "gone-later.txt", sha: awkward.before }), [
    409,
    "mismatch",
    "gone",
    null,
    null,
  ]);
  assert.deepEqual(await verify({ ...app, line: 1, mustContain: "answer = 42" }), [
    200,
    "ok",
    "moved",
    { start: 3, end: 3 },
    "supported",
  ]);
  assert.deepEqual(await verify({ ...app, line: 1, mustContain: "answer = 43" }), [
    409,
    "contradicted",
    "moved",
    { start: 3, end: 3 },
    "contradicted",
  ]);
  assert.deepEqual(await verify({ ...app, line: 99 }), [404, "missing", null, null, null]);
  assert.deepEqual(await verify({ sourcePath: "nope.ts", sha: awkward.before, mustContain: "x" }), [
    404,
    "missing",
    null,
    null,
    "unproven",
  ]);
  assert.deepEqual(await verify({ ...app, sha: "0".repeat(40) }), [404, "missing", null, null, null]);
  assert.deepEqual(await verify({ sourcePath: ".env", sha: awkward.before, mustContain: SECRET_WORD }), [
    403,
    "blocked",
    null,
    null,
    "unproven",
  ]);
});
