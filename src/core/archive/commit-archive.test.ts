import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { awkwardRepository } from "../../../test/repositories/awkward.ts";
import { GitRepository } from "../../../test/repositories/git.ts";
import { GitpinError } from "../../errors.ts";
import { objectId } from "../git/hash.ts";
import type { TreeEntry } from "../git/tree-entry.ts";
import { kindOfMode } from "../git/tree-entry.ts";
import { archiveDifference } from "./archive-difference.ts";
import { CommitArchive } from "./commit-archive.ts";
import { gunzip } from "./gunzip.ts";
import { patchedFiles } from "./patched-files.ts";
import { rawPathOfText } from "./raw-path.ts";
import { TAR_LIMITS } from "./tar.ts";

const repositories: GitRepository[] = [];
after(() => {
  for (const repository of repositories) repository.remove();
});

function newRepository(): GitRepository {
  const repository = new GitRepository();
  repositories.push(repository);
  return repository;
}

const archiveOf = (repository: GitRepository, commit: string): Buffer =>
  repository.bytes("archive", "--format=tar.gz", "--prefix=owner-name-1234567/", commit);

/** The bytes as a stream of chunks of this many bytes. */
function streamOf(bytes: Uint8Array, size = 10_000): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + size)));
      at += size;
    },
  });
}

const open = (archive: Uint8Array, commit: string, limits = TAR_LIMITS): CommitArchive =>
  new CommitArchive(gunzip(streamOf(archive)).next, { commit, hash: true, limits });

async function drain(archive: CommitArchive): Promise<void> {
  for await (const file of archive.files()) assert.equal(file.missing, null);
}

const treeOf = (repository: GitRepository, commit: string): string =>
  repository.git("rev-parse", `${commit}^{tree}`);

/** What `git ls-tree -r` says of all files: mode kind, blob, size by raw path. */
function listed(repository: GitRepository, commit: string): [string, string][] {
  const records = repository.bytes("ls-tree", "-r", "-z", commit).toString("latin1").split("\0");
  return records.filter(Boolean).map((record) => {
    const [mode = "", , rest = ""] = record.split(" ");
    const tab = rest.indexOf("\t");
    return [record.slice(record.indexOf("\t") + 1), `${kindOfMode(mode)} ${rest.slice(0, tab)}`];
  });
}

/** As GitHub's recursive tree tells it: names as text. */
function listing(repository: GitRepository, commit: string): TreeEntry[] {
  const records = repository.bytes("ls-tree", "-r", "-l", "-z", commit).toString("utf8").split("\0");
  return records.filter(Boolean).map((record) => {
    const [mode = "", , id = "", size = ""] = record.slice(0, record.indexOf("\t")).split(/ +/);
    const kind = kindOfMode(mode);
    assert(kind !== null);
    const path = record.slice(record.indexOf("\t") + 1);
    return { path, mode, kind, id, size: size === "-" ? null : Number(size) };
  });
}

async function fails(archive: CommitArchive, code: string, fault?: RegExp): Promise<void> {
  await assert.rejects(drain(archive), (error) => {
    assert(error instanceof GitpinError, String(error));
    assert.equal(error.code, code, error.message);
    if (fault !== undefined) assert.match(error.message, fault);
    return true;
  });
}

test("an archive of plain files is the tree: same root, same blobs as git ls-tree, in its order", async () => {
  const repository = newRepository();
  repository
    .write("a", "1\n")
    .write("a.b", "2\n")
    .write("a-b/c", "3\n")
    .write("a0", "4\n")
    .write("a/z".replace("a/", "b/"), "");
  repository
    .write("crlf", "x\r\ny\r\n")
    .write("bom", "\ufeffx")
    .write("nul", "a\0b")
    .write("é/ü/日本", "utf8\n");
  repository.write(`${"d".repeat(90)}/${"e".repeat(90)}/${"f".repeat(118)}`, "300 characters\n");
  repository
    .write("five-twelve", "x".repeat(512))
    .write("run.sh", "#!/bin/sh\n")
    .write('quote"and\ttab\nline', "odd\n");
  symlinkSync("../elsewhere", join(repository.path, "link"));
  symlinkSync("t".repeat(150), join(repository.path, "long-link"));
  repository.git("add", "--all");
  repository.git("update-index", "--chmod=+x", "run.sh");
  const blob = repository.feed("latin1 name\n", "hash-object", "-w", "--stdin");
  const name = Buffer.concat([Buffer.from(`100644 ${blob}\tcaf`), Buffer.from([0xe9]), Buffer.from("/x\n")]);
  repository.feed(name, "update-index", "--index-info");
  repository.git("commit", "--quiet", "--message", "all");
  const commit = repository.git("rev-parse", "HEAD");

  const archive = open(archiveOf(repository, commit), commit);
  await drain(archive);
  assert.equal(archive.rootTree(), treeOf(repository, commit));
  assert.deepEqual(
    [...archive.record].map(([path, { kind, id }]) => [path, `${kind} ${id}`]),
    listed(repository, commit),
  );
  assert.deepEqual(archiveDifference(archive.record, listing(repository, commit)), {
    toRead: [],
    extra: [],
    submodules: [],
  });
});

test("generated trees: the rebuilt root is git's", async () => {
  const repository = newRepository();
  const segment = fc.stringMatching(/^[a-c.\-0 ]{1,4}$/).filter((name) => name !== "." && name !== "..");
  const paths = fc.uniqueArray(fc.array(segment, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(paths, async (generated) => {
      repository.git("read-tree", "--empty");
      const all = generated.map((segments) => segments.join("/"));
      // A path that is also a folder of another one cannot stand in a tree.
      const legal = all.filter((path) => !all.some((other) => other.startsWith(`${path}/`)));
      const blob = repository.feed("x\n", "hash-object", "-w", "--stdin");
      repository.feed(
        legal.map((path) => `100644 ${blob}\t${path}\0`).join(""),
        "update-index",
        "-z",
        "--index-info",
      );
      const commit = repository.git("commit-tree", repository.git("write-tree"), "-m", "x");
      const archive = open(archiveOf(repository, commit), commit);
      await drain(archive);
      assert.equal(archive.rootTree(), treeOf(repository, commit));
    }),
    { numRuns: 25 },
  );
});

test("where the archive is not the tree, the difference names the paths and the blobs mend it", async () => {
  const repository = newRepository();
  repository.write(
    ".gitattributes",
    "hidden export-ignore\nsubst export-subst\n*.win text eol=crlf\ngone/ export-ignore\n",
  );
  repository
    .write("hidden", "not in the archive\n")
    .write("subst", "$Format:%H$\n")
    .write("a.win", "one\ntwo\n");
  repository.write("gone/deep/file", "deep\n").write("kept", "kept\n");
  const first = repository.commit("first");
  repository.git("update-index", "--add", "--cacheinfo", `160000,${first},vendor/lib`);
  repository.git("commit", "--quiet", "--message", "submodule");
  const commit = repository.git("rev-parse", "HEAD");

  const bytes = archiveOf(repository, commit);
  const archive = open(bytes, commit);
  await drain(archive);
  assert.notEqual(archive.rootTree(), treeOf(repository, commit));
  const difference = archiveDifference(archive.record, listing(repository, commit));
  assert.deepEqual(
    difference.toRead.map(({ path }) => path),
    ["a.win", "gone/deep/file", "hidden", "subst"],
  );
  assert.deepEqual(difference.extra, []);
  assert.deepEqual(difference.submodules, ["vendor/lib"]);

  const read = async (id: string): Promise<Uint8Array> => repository.bytes("cat-file", "blob", id);
  const seen: [string, string][] = [];
  for await (const file of patchedFiles(open(bytes, commit).files(), difference, { read, maxReads: 3 })) {
    const known = file.bytes === null ? `missing: ${file.missing}` : objectId("blob", file.bytes);
    seen.push([file.rawPath, known]);
  }
  const blobs = new Map(listed(repository, commit).map(([path, what]) => [path, what.split(" ")[1]]));
  assert.deepEqual(seen, [
    [".gitattributes", blobs.get(".gitattributes")],
    ["a.win", blobs.get("a.win")],
    ["gone/deep/file", blobs.get("gone/deep/file")],
    ["hidden", blobs.get("hidden")],
    ["kept", blobs.get("kept")],
    ["subst", "missing: 4 files of this commit differ from its archive, more than the 3 that are read"],
  ]);
});

test("a file the archive made up is left out; a name that is not UTF-8 is matched through its text", () => {
  const file = { kind: "file", id: "a".repeat(40), size: 1 } as const;
  const record = new Map([
    ["caf\u00e9", file],
    ["made-up", file],
  ]);
  const entry = { path: "caf\ufffd", mode: "100644", kind: "file", id: file.id, size: 1 } as const;
  assert.deepEqual(archiveDifference(record, [entry]), { toRead: [], extra: ["made-up"], submodules: [] });
  const changed = archiveDifference(record, [{ ...entry, id: "b".repeat(40) }]);
  assert.deepEqual(
    changed.toRead.map(({ rawPath }) => rawPath),
    ["caf\u00e9"],
  );
  assert.equal(rawPathOfText("é"), "\u00c3\u00a9");
});

test("the awkward repository differs by its submodule alone", async () => {
  const { repository, head } = awkwardRepository();
  repositories.push(repository);
  const archive = open(archiveOf(repository, head), head);
  await drain(archive);
  const difference = archiveDifference(archive.record, listing(repository, head));
  assert.deepEqual(difference, { toRead: [], extra: [], submodules: ["vendor/lib"] });
});

test("a file over the held bound comes in pieces and is hashed all the same, read or not", async () => {
  const repository = newRepository();
  repository.write("big", "0123456789\n".repeat(40_000)).write("small", "s\n").write("zz", "last\n");
  const commit = repository.commit("big");
  const limits = { ...TAR_LIMITS, heldBytes: 1000 };
  for (const reads of [true, false]) {
    const archive = open(archiveOf(repository, commit), commit, limits);
    let bytes = 0;
    for await (const file of archive.files()) {
      assert.equal(file.bytes === null, file.path === "big");
      if (reads) for await (const piece of file.pieces()) bytes += piece.byteLength;
    }
    assert.equal(bytes, reads ? 440_000 + 2 + 5 : 0);
    assert.equal(archive.rootTree(), treeOf(repository, commit));
  }
});

test("a commit without files has the empty tree", async () => {
  const repository = newRepository();
  const commit = repository.commit("nothing");
  const archive = open(archiveOf(repository, commit), commit);
  await drain(archive);
  assert.equal(archive.rootTree(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
});

test("a damaged, cut or foreign archive is refused, never read in part as if whole", async (t) => {
  const repository = newRepository();
  for (let i = 0; i < 40; i++) repository.write(`file-${i}`, `${i} `.repeat(500 + i * 37));
  const commit = repository.commit("files");
  const gz = archiveOf(repository, commit);
  const tar = repository.bytes("archive", "--format=tar", "--prefix=top/", commit);

  await t.test("cut download, at any place", async () => {
    for (let cut = 1; cut < gz.length; cut += 97)
      await fails(open(gz.subarray(0, cut), commit), "upstream_corrupt");
  });
  await t.test("flipped byte of the compressed stream, at any place behind gzip's header", async () => {
    for (let at = 10; at < gz.length; at += 53) {
      const bad = Buffer.from(gz);
      bad[at] = (bad[at] ?? 0) ^ 0x20;
      await fails(open(bad, commit), "upstream_corrupt");
    }
  });
  await t.test("HTML instead of gzip, and nothing at all", async () => {
    await fails(open(Buffer.from("<!doctype html><p>Unicorn!"), commit), "upstream_corrupt", /gzip/);
    await fails(open(new Uint8Array(0), commit), "upstream_corrupt");
  });
  await t.test("tar without end marker, cut inside a file, flipped header", async () => {
    await fails(open(gzipSync(tar.subarray(0, tar.length - 10_240)), commit), "upstream_corrupt");
    await fails(open(gzipSync(tar.subarray(0, 3000)), commit), "upstream_corrupt", /ends/);
    const flipped = Buffer.from(tar);
    flipped[1024] = 0x41;
    await fails(open(gzipSync(flipped), commit), "upstream_corrupt", /checksum/);
  });
  await t.test("an archive of another commit, or of none", async () => {
    await fails(open(gz, "0".repeat(40)), "upstream_corrupt", /does not name the commit/);
    const tree = repository.bytes("archive", "--format=tar.gz", "--prefix=top/", treeOf(repository, commit));
    await fails(open(tree, commit), "upstream_corrupt", /does not name the commit/);
  });
  await t.test("changed content shows as another root", async () => {
    const changed = Buffer.from(tar);
    const at = changed.indexOf("5 5 5 5 ");
    changed[at] = 0x36;
    const archive = open(gzipSync(changed), commit);
    await drain(archive);
    assert.notEqual(archive.rootTree(), treeOf(repository, commit));
    const { toRead } = archiveDifference(archive.record, listing(repository, commit));
    assert.equal(toRead.length, 1);
  });
  await t.test("a decompression bomb stops at its bound", async () => {
    const limits = { ...TAR_LIMITS, totalBytes: 5_000_000 };
    const bomb = gzipSync(Buffer.concat([tar, Buffer.alloc(50_000_000)]));
    await fails(open(bomb, commit, limits), "archive_too_large", /5000000 unpacked bytes/);
    await fails(open(gz, commit, { ...TAR_LIMITS, entries: 10 }), "archive_too_large", /10 entries/);
  });
  await t.test("a failure of the source keeps its own code", async () => {
    const gone = new GitpinError("upstream_unavailable", "gone", "again");
    let sent = false;
    const source = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent) return controller.error(gone);
        sent = true;
        controller.enqueue(new Uint8Array(gz.subarray(0, 400)));
      },
    });
    await fails(new CommitArchive(gunzip(source).next, { commit, hash: true }), "upstream_unavailable");
  });
});
