/** Entities of the awkward repository: commits that may not be shown, names that mislead, entries that are no files. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { GitpinError } from "../../src/errors.ts";
import { type Awkward, awkwardRepository } from "../repositories/awkward.ts";
import { type ReadService, startReadService } from "./read-service.ts";

let awkward: Awkward;
let service: ReadService;

before(async () => {
  awkward = awkwardRepository();
  service = await startReadService({
    host: { repositories: [{ owner: "octo", name: "awkward", path: awkward.repository.path, id: 7701 }] },
    registry: [
      {
        name: "awkward",
        owner: "octo",
        repo: "awkward",
        id: 7701,
        refs: ["release/1.x", "tags/nested", "same-name"],
      },
    ],
  });
});

after(async () => {
  await service.close();
  awkward.repository.remove();
});

const place = { repository: "awkward" };

test("the one source there is, at HEAD, older, at other refs and by an abbreviation", async () => {
  const all = await service.ask("kin_find_entities", place);
  assert.deepEqual(
    all.entities.map(({ path, kind, name, start_line }) => [path, kind, name, start_line]),
    [
      ["src/app.ts", "const", "answer", 1],
      ["src/app.ts", "function", "f", 5],
    ],
  );
  assert.deepEqual([all.complete, all.skipped], [true, []]);
  for (const [at, sha] of [
    [{}, awkward.head],
    [{ sha: awkward.before }, awkward.before],
    [{ sha: awkward.before.slice(0, 9) }, awkward.before],
    [{ ref: "release/1.x" }, awkward.release],
    [{ ref: "tags/nested" }, awkward.before],
    [{ ref: "same-name" }, awkward.head],
  ] as const) {
    const answer = await service.ask("get_entity_source", { ...place, entity_id: "f", ...at });
    assert.deepEqual([answer.status, answer.commitSha, answer.id], ["ok", sha, all.entities[1]?.id]);
    const blob = awkward.repository.bytes("show", `${sha}:src/app.ts`);
    const { start_byte, end_byte } = answer;
    assert.equal(answer.body, blob.subarray(start_byte ?? 0, end_byte ?? 0).toString("utf8"));
    const branch =
      "ref" in at ? { "release/1.x": "release/1.x", "same-name": "same-name" }[String(at.ref)] : "main";
    assert.equal(answer.source_base?.branch, "sha" in at ? undefined : branch);
  }
});

test("what no registered ref leads to is blocked, by name, path and listing", async () => {
  for (const [tool, given] of [
    ["kin_find_entities", {}],
    ["kin_find_entities", { path: "src/app.ts" }],
    ["get_entity_source", { entity_id: "answer" }],
    ["get_entity_source", { entity_id: "answer", path: "src/app.ts" }],
  ] as const) {
    const answer = await service.ask(tool, { ...place, ...given, sha: awkward.lost });
    assert.deepEqual([answer.status, answer.reachable], ["blocked", false]);
    assert.equal(JSON.stringify(answer).includes("666"), false);
  }
});

test("entries that are no sources are refused by what they are, by either tool", async () => {
  for (const [path, reason] of [
    ["link-file", "link-file is a symlink, which is never followed."],
    ["link-dir", "link-dir is a symlink, which is never followed."],
    ["vendor/lib", "vendor/lib is a submodule: it names a commit of another repository."],
    ["model.bin", "model.bin is in no language whose entities are read."],
    ["new\nline.txt", "new\nline.txt is in no language whose entities are read."],
  ] as const) {
    for (const [tool, given] of [
      ["kin_find_entities", {}],
      ["get_entity_source", { entity_id: "f" }],
    ] as const) {
      const answer = await service.ask(tool, { ...place, ...given, path });
      assert.deepEqual([answer.status, answer.reason], ["refused", reason], tool);
    }
  }
});

test("a ref that is not registered, and a branch named like a commit, are no ways in", async () => {
  for (const given of [{ ref: awkward.before.slice(0, 7) }, { ref: "light" }]) {
    await assert.rejects(
      service.ask("kin_find_entities", { ...place, ...given }),
      (error) => error instanceof GitpinError && error.code === "ref_not_registered",
    );
  }
});
