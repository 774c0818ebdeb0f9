/** What the reads about entities cost in requests to GitHub: cold, again, and in another isolate over the same store. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ReadService, startReadService } from "./read-service.ts";
import { SOURCES_ENTRY, type Sources, sourceRepository } from "./sources.ts";

let sources: Sources;

before(() => {
  sources = sourceRepository();
});

after(() => sources.repository.remove());

const shape = (requests: readonly string[]) =>
  requests.map((request) => request.replace(/^GET /, "").replaceAll(/[0-9a-f]{40}/g, "SHA")).toSorted();

/** The repository's own address, of which nothing is left. */
const REPOSITORY = "";
const HEAD = "/commits/HEAD?per_page=1";
const TREE = "/git/trees/SHA?recursive=1";
const BLOB = "/git/blobs/SHA";
const ARCHIVE = ["/_codeload/octo/sources/legacy.tar.gz/SHA", "/tarball/SHA"];
/** The repository has a policy file, which every first call reads. */
const OPENED = [HEAD, TREE, BLOB];

const place = { repository: "sources" };

for (const [what, tool, given, expected] of [
  ["status", "kin_status", {}, [...OPENED, REPOSITORY]],
  ["entities of one file", "kin_find_entities", { path: "api/store.go" }, [...OPENED, BLOB]],
  ["entities of a few files", "kin_find_entities", { path: "py" }, [...OPENED, BLOB]],
  ["entities of many files: their archive", "kin_find_entities", { limit: 200 }, [...OPENED, ...ARCHIVE]],
  ["entities by name: the search", "kin_find_entities", { query: "area" }, [...OPENED, ...ARCHIVE]],
  // The repository itself says what its branch is called.
  [
    "a source in its file",
    "get_entity_source",
    { entity_id: "tool", path: "tool.py" },
    [...OPENED, BLOB, REPOSITORY],
  ],
  [
    "a source by name",
    "get_entity_source",
    { entity_id: "Store.Get" },
    [...OPENED, ...ARCHIVE, BLOB, REPOSITORY],
  ],
  ["an ambiguous name", "get_entity_source", { entity_id: "Main.run" }, [...OPENED, ...ARCHIVE]],
] as const) {
  test(`${what}: cold, and none after it`, async () => {
    const service = await startReadService({
      host: { repositories: [{ owner: "octo", name: "sources", path: sources.repository.path, id: 7501 }] },
      registry: [SOURCES_ENTRY],
    });
    try {
      const ask = () => service.ask(tool, { ...place, ...given });
      const cold = await service.counted(ask);
      assert.deepEqual(shape(cold.requests), [...expected].toSorted());
      const warm = await service.counted(ask);
      assert.deepEqual(warm.requests, []);
      assert.deepEqual({ ...warm.result, head: null }, { ...cold.result, head: null });
      service.anew();
      const elsewhere = await service.counted(ask);
      assert.deepEqual(
        shape(elsewhere.requests),
        expected.filter((request) => request === HEAD || request === REPOSITORY).toSorted(),
      );
    } finally {
      await service.close();
    }
  });
}

async function within(work: (service: ReadService) => Promise<void>): Promise<void> {
  const service = await startReadService({
    host: { repositories: [{ owner: "octo", name: "sources", path: sources.repository.path, id: 7501 }] },
    registry: [SOURCES_ENTRY],
  });
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

test("at a commit of its own: pinned, the same ids, and none when it is known", async () => {
  await within(async (service) => {
    const ask = () =>
      service.ask("get_entity_source", { ...place, entity_id: "tool", path: "tool.py", sha: sources.first });
    const cold = await service.counted(ask);
    // HEAD's policy binds the older commit too, and a registered ref must lead to it.
    assert.ok(cold.requests.length <= 8, cold.requests.join());
    assert.deepEqual((await service.counted(ask)).requests, []);
  });
});

test("find, read, read again by id alone: the second costs its blob, the third nothing", async () => {
  await within(async (service) => {
    const found = await service.ask("kin_find_entities", { ...place, query: "Circle" });
    const [{ id, path } = { id: "", path: "" }] = found.entities;
    const read = await service.counted(() =>
      service.ask("get_entity_source", { ...place, entity_id: id, path }),
    );
    assert.deepEqual(shape(read.requests), [REPOSITORY, BLOB].toSorted());
    const again = await service.counted(() => service.ask("get_entity_source", { ...place, entity_id: id }));
    assert.deepEqual([again.requests, again.result.status], [[], "ok"]);
  });
});
