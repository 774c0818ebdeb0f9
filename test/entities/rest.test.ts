/** The reads about entities over REST, in workerd with the Worker that parses: statuses and forms for people. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { EntitiesFound, EntitySource, KinStatus } from "../../src/schema/entities.ts";
import { type Stack, startStack } from "../stack.ts";
import { SOURCES_ENTRY, type Sources, sourceRepository } from "./sources.ts";

let sources: Sources;
let stack: Stack;

before(async () => {
  sources = sourceRepository();
  stack = await startStack({
    host: { repositories: [{ owner: "octo", name: "sources", path: sources.repository.path, id: 7501 }] },
    registry: [SOURCES_ENTRY],
    vars: { HEAD_MAX_AGE: "3600" },
    entities: true,
  });
});

after(async () => {
  await stack.close();
  sources.repository.remove();
});

const place = { repository: "sources" };

for (const [path, given, status, said] of [
  ["/v1/kin/status", {}, 200, "ok"],
  ["/v1/kin/entities", { query: "area" }, 200, "ok"],
  ["/v1/kin/entities", { path: "none.py" }, 404, "missing"],
  ["/v1/kin/entities", { path: "hidden/plan.ts" }, 403, "blocked"],
  ["/v1/kin/entities", { path: "link.py" }, 409, "refused"],
  ["/v1/kin/source", { entity_id: "Store.Get" }, 200, "ok"],
  ["/v1/kin/source", { entity_id: "Main.run" }, 409, "ambiguous"],
  ["/v1/kin/source", { entity_id: "far" }, 409, "incomplete"],
  ["/v1/kin/source", { entity_id: "nobody" }, 404, "missing"],
  ["/v1/kin/source", { entity_id: "x", path: "bad/latin1.c" }, 409, "refused"],
  ["/v1/kin/source", { entity_id: "x", path: "hidden/plan.ts" }, 403, "blocked"],
] as const) {
  test(`${path} ${JSON.stringify(given)}: ${status} ${said}, the same by GET and POST, then without a request`, async () => {
    const input = { ...place, ...given };
    const posted = await stack.post(path, input);
    assert.deepEqual([posted.status, posted.body.status], [status, said], JSON.stringify(posted.body));
    const { result: got, requests } = await stack.counted(() => stack.get(path, input));
    assert.deepEqual([got.status, got.body], [posted.status, posted.body]);
    assert.deepEqual(requests, []);
    assert.equal(got.headers.get("x-gitpin-upstream-requests"), "0");
  });
}

const text = async (path: string, query: Record<string, string>): Promise<string> => {
  const response = await fetch(`${stack.worker.url}${path}?${new URLSearchParams({ ...place, ...query })}`, {
    headers: { accept: "text/plain", connection: "close" },
  });
  assert.match(response.headers.get("content-type") ?? "", /^text\/plain/);
  return await response.text();
};

test("as lines that a person can read", async () => {
  const { head } = sources;
  const tree = sources.repository.git("rev-parse", `${head}^{tree}`);
  const [first, writable, language] = (await text("/v1/kin/status", {})).split("\n");
  assert.equal(first, `ok  sources  main@${head}  tree ${tree}`);
  assert.equal(
    writable,
    "not writable  This service writes to no repository. Whoever runs it turns writing on: on one's own machine npm start -- --write, else the operator.",
  );
  assert.equal(language, "TypeScript  6 files  editing full");

  const { body } = await stack.post<EntitiesFound>("/v1/kin/entities", { ...place, path: "web/faulty.ts" });
  assert.equal(
    await text("/v1/kin/entities", { path: "web/faulty.ts" }),
    [
      `web/faulty.ts:1-1  function sound  ${body.entities[0]?.id}  export function sound()`,
      `# 1 entity; read 1 of 1 file  sources@${head}  complete`,
      "# web/faulty.ts:2:1  unreadable text",
      "",
    ].join("\n"),
  );
  assert.equal(
    await text("/v1/kin/entities", { path: "link.py" }),
    `refused  sources@${head}  link.py is a symlink, which is never followed.\n`,
  );

  const source = await stack.post<EntitySource>("/v1/kin/source", { ...place, entity_id: "Store.Get" });
  assert.equal(
    await text("/v1/kin/source", { entity_id: "Store.Get" }),
    `ok  sources/api/store.go:10-13 @ ${head}  method Store.Get  ${source.body.id}\n${source.body.body}\n`,
  );
  const several = (await text("/v1/kin/source", { entity_id: "Main.run" })).split("\n");
  assert.match(several[0] ?? "", /^ambiguous {2}sources@[0-9a-f]{40} {2}2 entities are named "Main\.run"/);
  assert.match(several[1] ?? "", /^java\/Main\.java:2-2 {2}method Main\.run /);
});

test("the base of status and that of a source speak of the same tip", async () => {
  const status = await stack.post<KinStatus>("/v1/kin/status", place);
  const source = await stack.post<EntitySource>("/v1/kin/source", { ...place, entity_id: "Circle" });
  assert.equal(status.body.repository_base?.head, source.body.source_base?.head);
  assert.equal(status.body.repository_base?.branch, source.body.source_base?.branch);
});
