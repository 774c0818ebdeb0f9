import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { GitRepository } from "../../../test/repositories/git.ts";
import { CatFile } from "./cat-file.ts";
import { cleanEnvironment } from "./environment.ts";

let repository: GitRepository;
const readers: CatFile[] = [];

function reader(mode: "--batch" | "--batch-check" = "--batch"): CatFile {
  const environment = cleanEnvironment({ GIT_DIR: join(repository.path, ".git") });
  const made = new CatFile(mode, repository.path, environment);
  readers.push(made);
  return made;
}

const store = (content: string | Uint8Array): string =>
  repository.feed(content, "hash-object", "-w", "--stdin");

before(() => {
  repository = new GitRepository();
});

after(() => {
  for (const one of readers) one.close();
  repository.remove();
});

test("many objects asked for at once come back each to its asker, byte for byte", async () => {
  const contents = Array.from({ length: 60 }, (_, n) =>
    n === 7 ? Buffer.alloc(0) : Buffer.alloc(n * 5000, `${n}\n\0`),
  );
  const shas = contents.map(store);
  const cat = reader();
  const found = await Promise.all(shas.map((sha) => cat.read(sha)));
  for (const [index, object] of found.entries()) {
    assert.ok(object);
    assert.equal(object.type, "blob");
    assert.equal(object.size, contents[index]?.length);
    const hash = createHash("sha1").update(`blob ${object.size}\0`).update(object.content).digest("hex");
    assert.equal(hash, shas[index]);
  }
});

test("sizes alone", async () => {
  const sha = store("twelve bytes");
  const info = await reader("--batch-check").read(sha);
  assert.deepEqual(info, { sha, type: "blob", size: 12, content: Buffer.alloc(0) });
});

test("an object that was missing is seen once it is there, loose or packed", async () => {
  const cat = reader();
  const tree = repository.feed("", "mktree");
  const next = (message: string): string => repository.feed(message, "commit-tree", tree);
  const absent = "0123456789012345678901234567890123456789";
  assert.equal(await cat.read(absent), null);
  const loose = next("loose");
  assert.equal((await cat.read(loose))?.type, "commit");
  const packed = next("packed");
  repository.git("update-ref", "refs/heads/packed", packed);
  repository.git("repack", "-a", "-d", "--quiet");
  assert.equal((await cat.read(packed))?.type, "commit");
  assert.equal(await cat.read(absent), null);
});

test("only full object names are passed on", async () => {
  const cat = reader();
  for (const name of [
    "HEAD",
    "main",
    "0123",
    `${"a".repeat(40)}^{tree}`,
    "A".repeat(40),
    `${"a".repeat(40)}\n`,
  ]) {
    await assert.rejects(cat.read(name), TypeError);
  }
});

test("after close nothing is read", async () => {
  const cat = reader();
  const waiting = cat.read("0123456789012345678901234567890123456789");
  cat.close();
  await assert.rejects(waiting, /closed/);
  await assert.rejects(cat.read("0123456789012345678901234567890123456789"), /closed/);
});
