/** Repositories of many files, archives too large, and files that take the parser down: bounded, said, and gone on from. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { GitpinError } from "../../src/errors.ts";
import type { EntityParser } from "../../src/ports/entity-parser.ts";
import { GitRepository } from "../repositories/git.ts";
import { nodeEntityParser } from "../support/entity-parser.ts";
import { everyPage, type ReadService, startReadService } from "./read-service.ts";

const FILES = 230;
let repository: GitRepository;
let head: string;
const file = (n: number) => `src/f${String(n).padStart(3, "0")}.ts`;

before(() => {
  repository = new GitRepository("many");
  for (let n = 0; n < FILES; n++) {
    // Every file holds the word; two of them declare it.
    const declared = n === 200 || n === 229 ? "export function needle() {}\n" : "";
    const exact = n >= 120 ? "// a needle\n" : "// needles\n";
    repository.write(file(n), `export const value${n} = ${n};\n${exact}${declared}`);
  }
  head = repository.commit("many");
});

after(() => repository.remove());

const parser = nodeEntityParser();
/** The same parser, counting the files it is handed, and dying on some. */
function watched(deadly: (path: string) => boolean = () => false) {
  const seen: string[] = [];
  const state = { calls: 0 };
  const watching: EntityParser = {
    read: (one) => parser.read(one),
    async readAll(files) {
      state.calls += 1;
      if (files.some(({ path }) => deadly(path))) {
        throw new GitpinError("entities_unavailable", "It died.", "Call again.");
      }
      seen.push(...files.map(({ path }) => path));
      return await parser.readAll(files);
    },
    plan: (request, view) => parser.plan(request, view),
  };
  return { seen, state, parser: watching };
}

async function within(
  options: Partial<Parameters<typeof startReadService>[0]>,
  work: (service: ReadService) => Promise<void>,
): Promise<void> {
  const service = await startReadService({
    host: { repositories: [{ owner: "octo", name: "many", path: repository.path, id: 7601 }] },
    registry: [{ name: "many", owner: "octo", repo: "many", id: 7601 }],
    ...options,
  });
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

const place = { repository: "many" };

test("a call looks at 100 files and says where to go on; all pages together hold all", async () => {
  const { seen, parser: watching } = watched();
  await within({ parser: watching }, async (service) => {
    const pages = await everyPage(service, { ...place, query: "value", limit: 200 });
    assert.deepEqual(
      pages.map(({ files, entities, complete }) => [
        files.selected,
        files.holding,
        files.read,
        entities.length,
        complete,
      ]),
      [
        [230, 230, 100, 100, false],
        [230, 230, 100, 100, false],
        [230, 230, 30, 30, true],
      ],
    );
    assert.equal(new Set(pages.flatMap(({ entities }) => entities.map(({ id }) => id))).size, FILES);
    assert.equal(seen.length, FILES);
  });
});

test("a small page parses no more than it needs, and what was parsed is not parsed again", async () => {
  const { seen, parser: watching } = watched();
  await within({ parser: watching }, async (service) => {
    await service.ask("kin_find_entities", { ...place, limit: 3 });
    assert.equal(seen.length, 16);
    await service.ask("kin_find_entities", { ...place, limit: 3 });
    assert.equal(seen.length, 16);
  });
});

test("files that hold a name as written come first, so that it is found on the first page", async () => {
  await within({}, async (service) => {
    const answer = await service.ask("kin_find_entities", { ...place, query: "needle", path: "src" });
    assert.deepEqual(
      answer.entities.map(({ path }) => path),
      [file(200)],
    );
    assert.deepEqual([answer.files.holding, answer.complete], [230, false]);
    const pages = await everyPage(service, { ...place, query: "needle" });
    assert.deepEqual(
      pages.flatMap(({ entities }) => entities.map(({ path }) => path)),
      [file(200), file(229)],
    );
  });
});

test("a name in more files than one call reads is not chosen from a part of them", async () => {
  await within({}, async (service) => {
    const answer = await service.ask("get_entity_source", { ...place, entity_id: "needle" });
    assert.deepEqual([answer.status, answer.body, answer.candidates.length], ["incomplete", null, 1]);
    assert.equal(
      answer.reason,
      "Only 100 of 110 files were looked at. Call again with the path of its file.",
    );
    const named = await service.ask("get_entity_source", { ...place, entity_id: "needle", path: file(229) });
    assert.equal(named.body, "// a needle\nexport function needle() {}");
  });
});

test("an id in a file beyond the bound: incomplete, found by its path, and then by itself", async () => {
  await within({}, async (service) => {
    const { entities } = await service.ask("kin_find_entities", { ...place, path: file(229) });
    const [{ id } = { id: "" }] = entities;
    service.anew();
    const cold = await service.ask("get_entity_source", { ...place, entity_id: id });
    assert.deepEqual(
      [cold.status, cold.reason],
      ["incomplete", "Only 100 of 230 files were looked at. Call again with the path of its file."],
    );
    assert.equal(
      (await service.ask("get_entity_source", { ...place, entity_id: id, path: file(229) })).id,
      id,
    );
    assert.equal((await service.ask("get_entity_source", { ...place, entity_id: id })).id, id);
  });
});

test("an archive that is too large: the files as blobs, 30 a call; a name by GitHub's search, said to be incomplete", async () => {
  await within({ github: { maxArchiveBytes: 100, token: "a-token" } }, async (service) => {
    const first = await service.counted(() => service.ask("kin_find_entities", { ...place, limit: 200 }));
    assert.equal(first.requests.filter((request) => request.startsWith("GET /git/blobs/")).length, 30);
    assert.deepEqual([first.result.entities.length, first.result.complete], [30, false]);
    const next = await service.ask("kin_find_entities", {
      ...place,
      limit: 200,
      cursor: first.result.nextCursor,
    });
    assert.deepEqual([next.entities.length, next.entities[0]?.path], [30, file(30)]);

    const named = await service.ask("kin_find_entities", { ...place, query: "value229" });
    assert.deepEqual(
      named.entities.map(({ path }) => path),
      [file(229)],
    );
    assert.deepEqual([named.complete, named.nextCursor, named.files.holding], [false, null, 1]);
    assert.match(named.incomplete[0] ?? "", /^The commit's archive is too large to be searched/);
    // What is the only one of those that were looked at may not be the only one.
    const source = await service.ask("get_entity_source", { ...place, entity_id: "value229" });
    assert.deepEqual([source.status, source.body, source.candidates.length], ["incomplete", null, 1]);
  });
});

test("a file that the parser dies on is named, and hides no other", async () => {
  const { parser: watching, state } = watched((path) => path === file(5));
  await within({ parser: watching }, async (service) => {
    const answer = await service.ask("kin_find_entities", { ...place, limit: 200, path: "src/f00*" });
    assert.equal(answer.entities.length, 9);
    assert.deepEqual(answer.skipped, [
      {
        reason: "unread",
        count: 1,
        paths: [file(5)],
        detail: "could not be read now; the same call may succeed later",
      },
    ]);
    assert.deepEqual([answer.status, answer.complete], ["ok", false]);
    state.calls = 0;
    const many = await service.ask("kin_find_entities", { ...place, limit: 200 });
    // The runtime lets one request call other Workers 32 times.
    assert.ok(state.calls <= 32, `${state.calls} calls`);
    assert.equal(many.entities.length + (many.skipped[0]?.count ?? 0), 100);
    const one = await service
      .ask("kin_find_entities", { ...place, path: file(5) })
      .catch((error: GitpinError) => error.code);
    assert.equal(one, "entities_unavailable");
  });
});

test("many deadly files end in few calls, and a parser that answers for none is an error", async () => {
  const some = watched((path) => Number(path.slice(5, 8)) % 3 === 0);
  await within({ parser: some.parser }, async (service) => {
    const answer = await service.ask("kin_find_entities", { ...place, limit: 200 });
    assert.ok(some.state.calls <= 32, `${some.state.calls} calls`);
    assert.equal(answer.entities.length + (answer.skipped[0]?.count ?? 0), 100);
    assert.equal(answer.complete, false);
  });
  const none = watched(() => true);
  await within({ parser: none.parser }, async (service) => {
    for (const [tool, given] of [
      ["kin_find_entities", {}],
      ["get_entity_source", { entity_id: "value1", path: file(1) }],
      ["get_entity_source", { entity_id: "value1" }],
    ] as const) {
      await assert.rejects(
        service.ask(tool, { ...place, ...given }),
        (error) => error instanceof GitpinError && error.code === "entities_unavailable",
      );
    }
  });
});

test("a fault of GitHub is an error, never a shorter list", async () => {
  await within({}, async (service) => {
    await service.ask("kin_status", place);
    service.host.faults.add({
      kind: "status",
      status: 500,
      match: (_method, path) => /tarball|blobs/.test(path),
    });
    for (const given of [{}, { query: "value" }, { path: "src/f00[0-3].ts" }]) {
      await assert.rejects(
        service.ask("kin_find_entities", { ...place, ...given }),
        (error) => error instanceof GitpinError && error.code === "upstream_unavailable",
        JSON.stringify(given),
      );
    }
    await assert.rejects(
      service.ask("get_entity_source", { ...place, entity_id: "value1", path: file(1), sha: head }),
      (error) => error instanceof GitpinError && error.code === "upstream_unavailable",
    );
  });
});
