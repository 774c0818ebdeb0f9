/** What comes out of the store is proven again: damage of any kind, under any key, is dropped and fetched anew. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type Awkward, awkwardRepository } from "../../test/repositories/awkward.ts";
import { type Hosted, hosted } from "../../test/repositories/hosted.ts";
import type { RepositoryReader } from "../ports/repository-reader.ts";

let awkward: Awkward;
let at: Hosted;
/** A commit with a header that JSON does not carry: it stays attested. */
let attested: string;
before(async () => {
  awkward = awkwardRepository();
  const raw = awkward.repository.bytes("cat-file", "commit", awkward.head).toString();
  attested = awkward.repository.feed(
    raw.replace("\n\n", "\nHG:extra x\n\n"),
    ...["hash-object", "-w", "-t", "commit", "--stdin"],
  );
  // The host cuts the whole, but not the root alone: so single trees are kept, too.
  const entries = (...args: string[]) =>
    awkward.repository.git("ls-tree", ...args, "HEAD").split("\n").length;
  const limit = entries() + 1;
  assert.ok(entries("-r", "-t") > limit);
  at = await hosted(awkward.repository.path, { treeEntryLimit: limit });
});
beforeEach(() => {
  at.store.values.clear();
  at.store.dropped.length = 0;
});
after(async () => {
  await at.host.close();
  awkward.repository.remove();
});

/** One read for every kind of key. */
async function readAll(reader: RepositoryReader): Promise<unknown[]> {
  const commit = await reader.commit(awkward.head);
  const odd = await reader.commit(attested);
  assert.ok(commit && odd);
  assert.deepEqual([commit.assurance, odd.assurance], ["hashed", "attested"]);
  const found = await reader.entry(commit, "src/app.ts");
  assert.ok(found);
  return [
    commit,
    odd,
    found,
    await reader.paths(commit),
    Buffer.from(await reader.blob(found.entry.id)).toString(),
    await reader.reachable(awkward.first),
    await reader.relation(awkward.first, awkward.head),
    await reader.log(awkward.head, 2),
  ];
}

test("every kind of key carries host, repository and full id", async () => {
  await readAll(at.call(at.isolate()).reader);
  const host = new URL(at.host.url).host;
  const kinds = [...at.store.values.keys()].map((key) => {
    const form =
      /^v1\/(?<host>[^/]+)\/7001\/(?<kind>\w+)\/[0-9a-f]{40}(?:\/[0-9a-f]{64}|\/[0-9a-f]{40}|\/\d+)?$/.exec(
        key,
      );
    assert.equal(form?.groups?.host, host, key);
    return form?.groups?.kind;
  });
  assert.deepEqual([...new Set(kinds)].sort(), [
    "blob",
    "commit",
    "level",
    "log",
    "reachable",
    "relation",
    "tree",
  ]);
});

test("an intact store answers without any request", async () => {
  const fresh = await readAll(at.call(at.isolate()).reader);
  const { reader, ledger } = at.call(at.isolate());
  assert.deepEqual(await readAll(reader), fresh);
  assert.equal(ledger.upstreamRequests, 0);
  assert.deepEqual(at.store.dropped, []);
});

const DAMAGES: Record<string, (bytes: Uint8Array, others: Uint8Array[]) => Uint8Array> = {
  "a flipped bit at the start": (bytes) => bytes.with(0, (bytes[0] ?? 0) ^ 1),
  "a flipped bit in the middle": (bytes) =>
    bytes.with(bytes.length >> 1, (bytes[bytes.length >> 1] ?? 0) ^ 1),
  "a flipped bit at the end": (bytes) => bytes.with(bytes.length - 1, (bytes.at(-1) ?? 0) ^ 1),
  "cut by one": (bytes) => bytes.subarray(0, -1),
  "cut in half": (bytes) => bytes.subarray(0, bytes.length >> 1),
  emptied: () => new Uint8Array(),
  "one byte more": (bytes) => Uint8Array.of(...bytes, 0),
  "not UTF-8": () => Uint8Array.of(0xff, 0xfe, 0xfd),
  "what belongs under another key": (bytes, others) => others.find((other) => other !== bytes) ?? bytes,
};

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(`damage of every entry: ${name}`, async () => {
    const fresh = await readAll(at.call(at.isolate()).reader);
    const intact = new Map(at.store.values);
    for (const [key, bytes] of intact) {
      const sameKind = [...intact].filter(
        ([other]) => other.split("/")[3] === key.split("/")[3] && other !== key,
      );
      const others = [...sameKind, ...[...intact].filter(([other]) => other !== key)];
      at.store.values.clear();
      for (const [other, value] of intact) at.store.values.set(other, value);
      at.store.values.set(
        key,
        damage(
          bytes,
          others.map(([, value]) => value),
        ),
      );
      at.store.dropped.length = 0;
      const { reader, ledger } = at.call(at.isolate());
      assert.deepEqual(await readAll(reader), fresh, key);
      assert.deepEqual(at.store.dropped, [key]);
      assert.ok(ledger.upstreamRequests > 0, "fetched again");
      assert.deepEqual(at.store.values.get(key), bytes, "and kept again");
    }
  });
}

test("a store that always fails costs requests, not answers", async () => {
  const fresh = await readAll(at.call(at.isolate()).reader);
  const broken = at.isolate({
    store: () => ({ get: async () => null, put: () => undefined, drop: () => undefined }),
  });
  assert.deepEqual(await readAll(at.call(broken).reader), fresh);
});
