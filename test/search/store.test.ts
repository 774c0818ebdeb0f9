/** Where archives are kept: in R2 where a bucket is bound, in parts; expired or damaged ones are fetched anew. */
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";
import { ArchiveStore, StoredArchiveDamaged } from "../../src/cache/archive/archive-store.ts";
import type { Manifest } from "../../src/cache/archive/manifest.ts";
import { type ArchiveStorage, PART_BYTES } from "../../src/cache/archive/storage.ts";
import { MemoryTier } from "../../src/cache/memory-tier.ts";
import { GitRepository } from "../repositories/git.ts";
import { startStack } from "../stack.ts";
import { ask } from "./git-grep.ts";

test("an archive of several parts in R2: written in parts, read without a request, nothing in KV", {
  timeout: 60_000,
}, async (t) => {
  const repository = new GitRepository("parts");
  const sha = repository
    .write("a.bin", Buffer.concat([Buffer.from([0]), randomBytes(20_000_000)]))
    .write("z.txt", "the needle\n")
    .commit("large");
  const stack = await startStack({
    host: { repositories: [{ owner: "o", name: "app", path: repository.path, id: 1 }] },
    registry: [{ name: "app", owner: "o", repo: "app", id: 1 }],
    vars: { HEAD_MAX_AGE: "3600" },
    r2: ["ARCHIVES"],
  });
  t.after(async () => {
    await stack.close();
    repository.remove();
  });
  const search = () => ask(stack, "pin.search_code", { repository: "app", query: "needle", sha });
  const first = await search();
  assert.equal(first.repositories[0]?.archive?.from, "host");
  assert.ok((first.repositories[0]?.archive?.bytes ?? 0) > PART_BYTES);
  const later = await stack.counted(search);
  assert.deepEqual(later.requests, []);
  assert.equal(later.result.repositories[0]?.archive?.from, "store");
  assert.deepEqual(later.result.candidates[0]?.sourcePath, "z.txt");
  const { keys } = await (await stack.worker.kv()).list();
  assert.deepEqual(
    keys.filter(({ name }) => name.includes("/archive/")),
    [],
  );
});

/** A storage in memory that fails on request. */
function memoryStorage() {
  const values = new Map<string, Uint8Array>();
  const state = { values, failing: false };
  const guard = async <T>(value: T): Promise<T> => {
    if (state.failing) throw new Error("the store is down");
    return value;
  };
  const storage: ArchiveStorage = {
    readManifest: (key) => guard(values.get(key) ?? null),
    writeManifest: async (key, bytes) => void values.set(key, await guard(bytes)),
    dropManifest: async (key) => void values.delete(key),
    readPart: (place, { sha256 }) => guard(values.get(`${place}/${sha256}`) ?? null),
    writer: (key) => ({
      write: async ({ sha256 }, bytes) => void values.set(`${key}/${sha256}`, (await guard(bytes)).slice()),
      finish: () => guard(key),
      abort: () => Promise.resolve(),
    }),
  };
  return { storage, state };
}

const KEY = "v1/host/1/archive/x";

function store(storage: ArchiveStorage | null, clock = { ms: 1000, now: () => clock.ms }) {
  const fresh = () => new ArchiveStore({ storage, ttlSeconds: 10, memory: new MemoryTier(1_000_000), clock });
  return { fresh, clock };
}

async function record(into: ArchiveStore, pieces: readonly Uint8Array[]): Promise<Manifest | null> {
  const recording = into.record(KEY, "c".repeat(40));
  for (const piece of pieces) await recording.add(piece);
  return await recording.keep(null);
}

async function read(from: ArchiveStore, manifest: Manifest): Promise<Buffer> {
  const source = from.open(manifest);
  const pieces: Uint8Array[] = [];
  for (let piece = await source.next(); piece !== null; piece = await source.next()) pieces.push(piece);
  return Buffer.concat(pieces);
}

test("pieces of any length come back as they were, in parts of one size, in another isolate too", async () => {
  const { storage } = memoryStorage();
  const { fresh } = store(storage);
  const pieces = [1, 70_000, PART_BYTES - 5, 3, PART_BYTES + 9, 12].map((length, i) =>
    Buffer.alloc(length, i + 1),
  );
  const manifest = await record(fresh(), pieces);
  assert.deepEqual(
    manifest?.parts.map(({ bytes }) => bytes === PART_BYTES),
    [true, true, false],
  );
  const other = fresh();
  const found = await other.find(KEY);
  assert.deepEqual(found, manifest);
  const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  assert.equal(digest(await read(other, found as Manifest)), digest(Buffer.concat(pieces)));
});

test("expired, damaged, gone, unreadable", async () => {
  const { storage, state } = memoryStorage();
  const { fresh, clock } = store(storage);
  const manifest = (await record(fresh(), [Buffer.from("archive")])) as Manifest;
  clock.ms += 9_999;
  assert.notEqual(await fresh().find(KEY), null);
  clock.ms += 1;
  assert.equal(await fresh().find(KEY), null);
  clock.ms = 1000;

  const part = `${KEY}/${manifest.parts[0]?.sha256}`;
  state.values.set(part, Buffer.from("Archive"));
  await assert.rejects(read(fresh(), manifest), StoredArchiveDamaged);
  state.values.set(part, Buffer.from("archiv"));
  await assert.rejects(read(fresh(), manifest), StoredArchiveDamaged);
  state.values.delete(part);
  await assert.rejects(read(fresh(), manifest), StoredArchiveDamaged);

  const sealed = Buffer.from(state.values.get(KEY) ?? []);
  sealed.writeUInt8(sealed.readUInt8(80) ^ 1, 80);
  state.values.set(KEY, sealed);
  assert.equal(await fresh().find(KEY), null);
  assert.equal(state.values.has(KEY), false, "a damaged manifest is dropped");
});

test("a commit made from another stands on its archive, for as long as that is kept, and no longer", async () => {
  const { storage } = memoryStorage();
  const clock = { ms: 1000, now: () => clock.ms };
  const fresh = () =>
    new ArchiveStore({ storage, ttlSeconds: 100, memory: new MemoryTier(1_000_000), clock });
  const manifest = (await record(fresh(), [Buffer.from("archive")])) as Manifest;
  const made = `${KEY}2`;
  const difference = { toRead: [], extra: ["x"], submodules: [], tree: "hashed" } as const;
  const change = () => ({ ...difference, toRead: [], extra: ["x"], submodules: [] });

  await fresh().derive(`${KEY}-unknown`, made, change);
  assert.equal(await fresh().find(made), null, "nothing to stand on");
  await fresh().derive(KEY, made, () => null);
  assert.equal(await fresh().find(made), null, "no way to stand on it");

  clock.ms += 40_000;
  await fresh().derive(KEY, made, change);
  const found = (await fresh().find(made)) as Manifest;
  assert.deepEqual(found, { ...manifest, difference });
  assert.equal((await read(fresh(), found)).toString(), "archive");
  const further = `${KEY}3`;
  await fresh().derive(made, further, change);
  assert.equal((await read(fresh(), (await fresh().find(further)) as Manifest)).toString(), "archive");

  clock.ms += 1;
  await fresh().derive(KEY, `${KEY}4`, change);
  assert.equal(await fresh().find(`${KEY}4`), null, "less than a minute is left");
  clock.ms += 59_999;
  assert.equal(await fresh().find(made), null, "expired with what it stands on");
});

test("a store that fails is no error: nothing is kept, and that is counted", async () => {
  const { storage, state } = memoryStorage();
  const { fresh } = store(storage);
  state.failing = true;
  const failing = fresh();
  assert.equal(await failing.find(KEY), null);
  assert.equal(await record(failing, [Buffer.alloc(PART_BYTES + 1)]), null);
  assert.equal(failing.failures, 2);
  state.failing = false;
  assert.equal(await fresh().find(KEY), null);
  const none = store(null).fresh();
  assert.equal(await record(none, [Buffer.from("x")]), null);
  assert.equal(await none.find(KEY), null);
});
