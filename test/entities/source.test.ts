/** `get_entity_source`: the body is what git holds there, byte for byte; a name never leads to a guess; bases only of a tip. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { readSourceBase } from "../../src/core/entity/bases.ts";
import { GitpinError } from "../../src/errors.ts";
import { ANONYMOUS, type Caller } from "../../src/ports/registry.ts";
import type { EntityRow } from "../../src/schema/entities.ts";
import { mutateInput } from "../../src/schema/mutation.ts";
import type { WritingPorts } from "../../src/service/service-ports.ts";
import { type ReadService, startReadService } from "./read-service.ts";
import { SECRET_NAME, SOURCES_ENTRY, type Sources, sourceRepository } from "./sources.ts";

let sources: Sources;
let service: ReadService;

const WRITER: Caller = { id: "writer", team: null, scopes: ["pin:read", "kin:write"] };
/** That there is a way to commit is all that a read asks. */
const writing = {} as WritingPorts;
const writable = { branches: ["main"], paths: ["api/**", "c/**"] };

before(async () => {
  sources = sourceRepository();
  service = await startReadService({
    host: { repositories: [{ owner: "octo", name: "sources", path: sources.repository.path, id: 7501 }] },
    registry: [
      { ...SOURCES_ENTRY, writable },
      { ...SOURCES_ENTRY, name: "public", visibility: "public", writable },
    ],
    writing,
  });
});

after(async () => {
  await service.close();
  sources.repository.remove();
});

const source = (given: Record<string, unknown>, caller: Caller = ANONYMOUS) =>
  service.ask("get_entity_source", { repository: "sources", ...given }, caller);
const everything = async (sha: string): Promise<EntityRow[]> =>
  (await service.ask("kin_find_entities", { repository: "sources", limit: 200, sha })).entities;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const blobAt = (sha: string, path: string) => sources.repository.bytes("cat-file", "blob", `${sha}:${path}`);

test("every entity's body is its bytes in git, and both commands print what they say", async () => {
  for (const sha of [sources.head, sources.first]) {
    const rows = await everything(sha);
    assert.equal(rows.length, sha === sources.head ? 44 : 43);
    for (const { id, path } of rows) {
      const answer = await source({ entity_id: id, path, sha });
      assert.equal(answer.status, "ok", `${path} ${id}`);
      const { start_byte, end_byte, start_line, end_line, body, citation } = answer;
      const blob = blobAt(sha, path);
      const bytes = blob.subarray(start_byte ?? 0, end_byte ?? 0);
      assert.deepEqual(Buffer.from(body ?? "", "utf8"), bytes, path);
      assert.equal(answer.body_sha256, sha256(bytes));
      assert.deepEqual(sources.repository.shell(answer.body_command ?? ""), bytes, answer.body_command ?? "");
      assert.equal(answer.blobSha, sources.repository.git("rev-parse", `${sha}:${path}`));
      assert.equal(answer.commitSha, sha);
      const lines = sources.repository.shell(citation?.verify.gitShow ?? "");
      assert.ok(lines.includes(bytes), path);
      assert.equal(
        blob
          .subarray(0, start_byte ?? 0)
          .toString("latin1")
          .split("\n").length,
        start_line,
      );
      assert.equal(
        blob
          .subarray(0, (end_byte ?? 0) - 1)
          .toString("latin1")
          .split("\n").length,
        end_line,
      );
      assert.deepEqual([citation?.line, citation?.lineEnd], [start_line, end_line]);
      assert.deepEqual(answer.proof, { commit: "hashed", tree: "hashed", blob: "hashed" });
    }
  }
});

test("line ends, marks and what stands beside it on the line are kept apart", async () => {
  const crlf = await source({ entity_id: "Line" });
  assert.equal(crlf.body, "/** Ends with CRLF. */\r\nexport class Line {\r\n  end(): void {}\r\n}");
  const two = await source({ entity_id: "two", path: "web/one-line.js" });
  assert.equal(two.body, "function two() { return '😀'; }");
  const after = await source({ entity_id: "after", path: "web/bom.ts" });
  assert.equal(after.body, "export function after() {}");
  const circle = await source({ entity_id: "Circle" });
  assert.ok(circle.body?.startsWith("@decorated\nclass Circle:"), circle.body ?? "");
  const spec = await source({ entity_id: "second" });
  assert.equal(spec.body, "second = 2");
});

test("by id alone, whether it was met before or not", async () => {
  const [row] = await everything(sources.head);
  service.anew();
  const cold = await source({ entity_id: row?.id });
  assert.deepEqual([cold.status, cold.id, cold.path], ["ok", row?.id, row?.path]);
  const upper = await source({ entity_id: row?.id.toUpperCase() });
  assert.equal(upper.id, row?.id);
});

test("an exact qualified name goes before a name; case counts", async () => {
  assert.equal((await source({ entity_id: "Store.Get" })).qualified_name, "Store.Get");
  assert.equal((await source({ entity_id: "Get" })).qualified_name, "Store.Get");
  // `area` is a function's qualified name and a method's name.
  assert.equal((await source({ entity_id: "area" })).kind, "function");
  assert.equal((await source({ entity_id: "main" })).path, "c/main.c");
  assert.equal((await source({ entity_id: "store.get" })).status, "missing");
  assert.equal((await source({ entity_id: "Sto" })).status, "missing");
});

test("an ambiguous name gives all candidates, no body and no base", async () => {
  const overloads = await source({ entity_id: "Main.run" }, WRITER);
  assert.deepEqual(
    [overloads.status, overloads.body, overloads.source_base, overloads.id, overloads.next],
    ["ambiguous", null, null, null, null],
  );
  assert.deepEqual(
    overloads.candidates.map(({ signature }) => signature),
    ["void run()", "void run(int times)"],
  );
  assert.match(
    overloads.reason ?? "",
    /^2 entities are named "Main\.run" in commit [0-9a-f]{40}\. Call again/,
  );
  const [first] = overloads.candidates;
  const chosen = await source({ entity_id: first?.id, path: first?.path });
  assert.deepEqual([chosen.status, chosen.body], ["ok", "void run() {}"]);
  // Across files and kinds.
  const names = await source({ entity_id: "App" });
  assert.deepEqual(
    names.candidates.map(({ path, kind }) => `${path} ${kind}`),
    ["cs/App.cs namespace", "ruby/app.rb module"],
  );
  // A path says which of them is meant.
  assert.equal((await source({ entity_id: "App", path: "ruby/app.rb" })).kind, "module");
});

test("where a file that holds the name cannot be read, none is chosen", async () => {
  const far = await source({ entity_id: "far" });
  assert.deepEqual([far.status, far.body, far.candidates], ["incomplete", null, []]);
  assert.equal(
    far.reason,
    "1 file: larger than the 524288 bytes that are parsed. Call again with the path of its file.",
  );
  assert.deepEqual(far.next, {
    tool: "kin_find_entities",
    arguments: { repository: "sources", query: "far" },
  });
  assert.equal((await source({ entity_id: "far", path: "bad/large.js" })).status, "refused");
});

test("an id that stands nowhere: missing in its file, incomplete where files could not be read", async () => {
  const entity_id = "00000000-0000-5000-8000-000000000000";
  const inFile = await source({ entity_id, path: "tool.py" });
  assert.deepEqual(
    [inFile.status, inFile.reason],
    [
      "missing",
      `No entity has the id or the exact name "${entity_id}" in tool.py at commit ${sources.head}.`,
    ],
  );
  assert.deepEqual(inFile.next, {
    tool: "kin_find_entities",
    arguments: { repository: "sources", path: "tool.py" },
  });
  const anywhere = await source({ entity_id });
  assert.deepEqual(
    [anywhere.status, anywhere.next],
    ["incomplete", { tool: "kin_find_entities", arguments: { repository: "sources" } }],
  );
});

for (const [path, status] of [
  ["none.py", "missing"],
  ["api", "refused"],
  ["README.md", "refused"],
  ["link.py", "refused"],
  ["vendor/lib.js", "refused"],
  ["bad/latin1.c", "refused"],
  ["bad/binary.ts", "refused"],
  ["bad/pointer.py", "refused"],
  ["bad/bomb.go", "refused"],
  [".aws/keys.go", "blocked"],
  ["internal/plan.py", "blocked"],
  ["hidden/plan.ts", "blocked"],
] as const) {
  test(`in ${path}: ${status}, without a byte`, async () => {
    const answer = await source({ entity_id: SECRET_NAME, path }, WRITER);
    assert.deepEqual(
      [answer.status, answer.body, answer.source_base, answer.blobSha, answer.citation],
      [status, null, null, null, null],
    );
    assert.ok((answer.reason ?? "").length > 10);
    assert.deepEqual(
      answer.next,
      status === "refused"
        ? { tool: "pin.read", arguments: { repository: "sources", sourcePath: path } }
        : status === "missing"
          ? { tool: "kin_find_entities", arguments: { repository: "sources", query: SECRET_NAME } }
          : null,
    );
  });
}

test("what policy denies is missing, by name and by id, also to who knows where it stands", async () => {
  const open = await startReadService({
    host: { repositories: [{ owner: "octo", name: "sources", path: sources.repository.path, id: 7501 }] },
    registry: [{ ...SOURCES_ENTRY, name: "open", deny: [] }, SOURCES_ENTRY],
  });
  try {
    const place = { repository: "open", entity_id: SECRET_NAME, path: "internal/plan.py" };
    const { id } = await open.ask("get_entity_source", place);
    // Both are of one repository, and the same isolate has met the entity.
    for (const entity_id of [id ?? "", SECRET_NAME]) {
      const answer = await open.ask("get_entity_source", { repository: "sources", entity_id });
      assert.equal(answer.body, null);
      assert.equal(JSON.stringify(answer).includes("internal/plan.py"), false, JSON.stringify(answer));
    }
    assert.equal(
      (await open.ask("get_entity_source", { repository: "sources", entity_id: SECRET_NAME })).status,
      "missing",
    );
  } finally {
    await open.close();
  }
});

test("a base is minted of the branch's tip, and reads back", async () => {
  const answer = await source({ entity_id: "Store.Get", path: "api/store.go" });
  assert.equal(answer.source_base_reason, null);
  assert.deepEqual(readSourceBase(answer.source_base), {
    base: {
      schema: "gitpin.source_base.v1",
      repository: "sources",
      branch: "main",
      head: sources.head,
      path: "api/store.go",
      blob: answer.blobSha,
      entity_id: answer.id,
      start_byte: answer.start_byte,
      end_byte: answer.end_byte,
      body_sha256: answer.body_sha256,
    },
  });
  const named = await source({ entity_id: "Store.Get", path: "api/store.go", ref: "main" });
  assert.deepEqual(named.source_base, answer.source_base);
});

for (const [what, given, reason] of [
  ["a named commit", { sha: "HEAD" }, /^It was read at a named commit\. Leave sha out/],
  ["a tag", { ref: "tags/v1" }, /^refs\/tags\/v1 is no branch\./],
  [
    "a language that is read only",
    { entity_id: "main", path: "c/main.c" },
    /^Entities in C are read here, never edited\.$/,
  ],
] as const) {
  test(`no base, with the reason: ${what}`, async () => {
    const sha = "sha" in given ? { sha: sources.head } : {};
    const answer = await source({ entity_id: "Store.Get", path: "api/store.go", ...given, ...sha }, WRITER);
    assert.deepEqual([answer.status, answer.source_base], ["ok", null]);
    assert.match(answer.source_base_reason ?? "", reason);
    assert.equal(answer.next?.tool, "pin.prove");
  });
}

test("next is the edit for who may make it, and the proof of the lines for all others", async () => {
  const place = { entity_id: "Store.Get", path: "api/store.go" };
  const written = await source(place, WRITER);
  assert.deepEqual(written.next, {
    tool: "kin_mutate",
    arguments: {
      operations: [
        {
          verb: "patch",
          target: written.id,
          payload: {
            EntitySourcePatch: {
              source_base: written.source_base,
              edits: [{ old_text: "<text that occurs once in body>", new_text: "<text in its place>" }],
            },
          },
          description: "<what this changes>",
        },
      ],
    },
  });
  // A call of the published form, which names what is to be filled in.
  assert.deepEqual(mutateInput.parse(written.next?.arguments), written.next?.arguments);
  const proof = {
    tool: "pin.prove",
    arguments: {
      repository: "sources",
      sourcePath: "api/store.go",
      sha: sources.head,
      lineStart: written.start_line,
      lineEnd: written.end_line,
    },
  };
  assert.deepEqual((await source(place)).next, proof);
  // Of another team; and a path that is not opened.
  const elsewhere = await source({ ...place, repository: "public" }, { ...WRITER, team: "blue" });
  assert.equal(elsewhere.next?.tool, "pin.prove");
  assert.equal((await source({ entity_id: "Circle" }, WRITER)).next?.tool, "pin.prove");
});

test("arguments that are wrong are refused by field", async () => {
  for (const [given, field] of [
    [{ entity_id: "x", path: "../x" }, "path"],
    [{ entity_id: "" }, "entity_id"],
    [{ entity_id: "x", sha: sources.head, ref: "main" }, "ref"],
    [{}, "entity_id"],
  ] as const) {
    await assert.rejects(
      source(given),
      (error) => error instanceof GitpinError && error.data.field === field,
      JSON.stringify(given),
    );
  }
});
