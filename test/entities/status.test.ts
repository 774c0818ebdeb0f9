/** `kin_status`: where a branch stands, and what this caller may change there. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { GitpinError } from "../../src/errors.ts";
import { ANONYMOUS, type Caller } from "../../src/ports/registry.ts";
import type { WritingPorts } from "../../src/service/service-ports.ts";
import { GitRepository } from "../repositories/git.ts";
import { type ReadService, startReadService } from "./read-service.ts";
import { SOURCES_ENTRY, type Sources, sourceRepository } from "./sources.ts";

let sources: Sources;
let empty: GitRepository;
let service: ReadService;

const WRITER: Caller = { id: "writer", team: null, scopes: ["kin:write"] };
const READER: Caller = { id: "reader", team: null, scopes: ["pin:read"] };
const NOBODY_WRITES =
  "This service writes to no repository. Whoever runs it turns writing on: on one's own machine npm start -- --write, else the operator.";
const writable = { branches: ["main", "agent/*"], paths: ["api/**"] };

before(async () => {
  sources = sourceRepository();
  sources.repository.git("branch", "release", sources.first);
  empty = new GitRepository("empty");
  service = await startReadService({
    host: {
      repositories: [
        { owner: "octo", name: "sources", path: sources.repository.path, id: 7501 },
        { owner: "octo", name: "empty", path: empty.path, id: 7502 },
      ],
    },
    registry: [
      { ...SOURCES_ENTRY, refs: ["tags/v1", "release"], writable },
      { ...SOURCES_ENTRY, name: "closed" },
      { ...SOURCES_ENTRY, name: "public", visibility: "public", writable },
      { ...SOURCES_ENTRY, name: "tagged", ref: "tags/v1", writable },
      { name: "empty", owner: "octo", repo: "empty", id: 7502, writable },
    ],
    writing: {} as WritingPorts,
  });
});

after(async () => {
  await service.close();
  sources.repository.remove();
  empty.remove();
});

const status = (given: Record<string, unknown> = {}, caller: Caller = ANONYMOUS) =>
  service.ask("kin_status", { repository: "sources", ...given }, caller);

test("branch, head and tree are git's own, and so is the base", async () => {
  const answer = await status();
  const tree = sources.repository.git("rev-parse", `${sources.head}^{tree}`);
  assert.deepEqual(
    [answer.status, answer.branch, answer.head, answer.tree],
    ["ok", "main", sources.head, tree],
  );
  assert.deepEqual(answer.repository_base, {
    schema: "gitpin.repository_base.v1",
    repository: "sources",
    branch: "main",
    head: sources.head,
    tree,
  });
  assert.deepEqual(answer.next, { tool: "kin_find_entities", arguments: { repository: "sources" } });
  const release = await status({ branch: "release" });
  assert.deepEqual([release.branch, release.head], ["release", sources.first]);
  assert.deepEqual(release.next?.arguments, { repository: "sources", ref: "release" });
});

test("languages by file name, with what can be done in each; nothing of what is denied", async () => {
  const { languages, other_files, languages_complete } = await status();
  assert.deepEqual(
    languages.map(({ language, files, editing }) => `${language} ${files} ${editing}`),
    [
      "typescript 6 full",
      "go 4 full",
      "javascript 4 full",
      "python 4 full",
      "c 2 none",
      "cpp 1 none",
      "csharp 1 none",
      "java 1 body",
      "php 1 none",
      "ruby 1 none",
      "rust 1 full",
      "tsx 1 full",
    ],
  );
  // README.md and the policy file.
  assert.deepEqual([other_files, languages_complete], [2, true]);
});

test("where nobody may write, the reason is the service's and not the caller's", async () => {
  const closed = await startReadService({
    host: { repositories: [{ owner: "octo", name: "sources", path: sources.repository.path, id: 7501 }] },
    registry: [{ ...SOURCES_ENTRY, writable }],
  });
  try {
    for (const caller of [ANONYMOUS, READER, WRITER]) {
      assert.deepEqual((await closed.ask("kin_status", { repository: "sources" }, caller)).writable, {
        allowed: false,
        reason: NOBODY_WRITES,
        branches: null,
        paths: null,
      });
    }
  } finally {
    await closed.close();
  }
});

for (const [what, given, caller, expected] of [
  ["nobody", {}, ANONYMOUS, "This caller has no scope kin:write."],
  ["a reader", {}, READER, "This caller has no scope kin:write."],
  [
    "a writer of another team",
    { repository: "public" },
    { ...WRITER, team: "blue" },
    "Only repositories of the token's own team may be changed.",
  ],
  [
    "a repository that is closed",
    { repository: "closed" },
    WRITER,
    "The registry opens this repository to no changes.",
  ],
] as const) {
  test(`${what}: not writable, and no patterns`, async () => {
    assert.deepEqual((await status(given, caller)).writable, {
      allowed: false,
      reason: expected,
      branches: null,
      paths: null,
    });
  });
}

test("a writer is told what is open, and why a branch is not", async () => {
  assert.deepEqual((await status({}, WRITER)).writable, { allowed: true, reason: null, ...writable });
  assert.deepEqual((await status({ branch: "release" }, WRITER)).writable, {
    allowed: false,
    reason: "The registry does not open this branch to changes.",
    ...writable,
  });
});

test("of a tag there is no base, nor anything to write", async () => {
  const answer = await status({ repository: "tagged" }, WRITER);
  assert.deepEqual([answer.branch, answer.head, answer.repository_base], [null, sources.first, null]);
  assert.equal(answer.repository_base_reason, "refs/tags/v1 is no branch. Name a registered branch instead.");
  assert.equal(answer.writable.reason, "HEAD of this registry entry is no branch.");
});

test("an empty repository has a base without a head", async () => {
  const answer = await status({ repository: "empty" }, WRITER);
  assert.deepEqual([answer.status, answer.branch, answer.head, answer.tree], ["empty", "main", null, null]);
  assert.deepEqual(answer.repository_base, {
    schema: "gitpin.repository_base.v1",
    repository: "empty",
    branch: "main",
    head: null,
    tree: null,
  });
  assert.equal(answer.writable.allowed, true);
});

test("a branch that is neither registered nor open is refused; one that is open may be missing", async () => {
  await assert.rejects(
    status({ branch: "other" }),
    (error) => error instanceof GitpinError && error.code === "ref_not_registered",
  );
  await assert.rejects(status({ branch: "agent/x" }), (error) => {
    assert.ok(error instanceof GitpinError);
    assert.deepEqual(error.report(), {
      code: "branch_missing",
      message: 'sources has no branch "agent/x".',
      fault: "caller",
      retryable: false,
      nextStep:
        "Name a branch that is there; a call that commits makes a new one where it says create_branch true.",
      data: { repository: "sources", branch: "agent/x" },
    });
    return true;
  });
});

test("a policy that cannot be read blocks it all", async () => {
  const broken = new GitRepository("broken");
  broken.write("a.go", "package a\n").write(".gitpin/wiki.yaml", "a: [\n").commit("one");
  const other = await startReadService({
    host: { repositories: [{ owner: "octo", name: "broken", path: broken.path, id: 7503 }] },
    registry: [{ name: "broken", owner: "octo", repo: "broken", id: 7503, writable }],
    writing: {} as WritingPorts,
  });
  try {
    const answer = await other.ask("kin_status", { repository: "broken" }, WRITER);
    assert.deepEqual(
      [answer.status, answer.head, answer.tree, answer.repository_base, answer.languages],
      ["blocked", null, null, null, []],
    );
    for (const [tool, given] of [
      ["kin_find_entities", {}],
      ["get_entity_source", { entity_id: "x" }],
      ["get_entity_source", { entity_id: "x", path: "a.go" }],
    ] as const) {
      assert.equal((await other.ask(tool, { repository: "broken", ...given })).status, "blocked");
    }
  } finally {
    await other.close();
    broken.remove();
  }
});

test("a tip that could not be refreshed gives no base, with the reason", async () => {
  const other = await startReadService({
    host: { repositories: [{ owner: "octo", name: "sources", path: sources.repository.path, id: 7501 }] },
    registry: [SOURCES_ENTRY],
    headMaxAgeSeconds: 0,
  });
  try {
    await other.ask("kin_status", { repository: "sources" });
    other.host.faults.add({
      kind: "status",
      status: 500,
      match: (_method, path) => path.includes("/commits/"),
    });
    const answer = await other.ask("kin_status", { repository: "sources" });
    assert.deepEqual(
      [answer.head, answer.repository_base, answer.stale?.code],
      [sources.head, null, "upstream_unavailable"],
    );
    assert.match(answer.repository_base_reason ?? "", /^The branch's present tip is not known: /);
    const source = await other.ask("get_entity_source", {
      repository: "sources",
      entity_id: "tool",
      path: "tool.py",
    });
    assert.deepEqual([source.status, source.source_base], ["ok", null]);
  } finally {
    await other.close();
  }
});

test("without the part that parses: status says so, the others are an error", async () => {
  const other = await startReadService({
    host: { repositories: [{ owner: "octo", name: "sources", path: sources.repository.path, id: 7501 }] },
    registry: [SOURCES_ENTRY],
    parser: null,
  });
  try {
    const answer = await other.ask("kin_status", { repository: "sources" });
    assert.deepEqual(answer.entities, {
      available: false,
      reason: "This deployment has no part that parses source, so no entities are known here.",
    });
    for (const [tool, given] of [
      ["kin_find_entities", {}],
      ["get_entity_source", { entity_id: "x" }],
    ] as const) {
      await assert.rejects(
        other.ask(tool, { repository: "sources", ...given }),
        (error) => error instanceof GitpinError && error.code === "entities_unavailable",
      );
    }
    // What may not be seen is told before what cannot be done.
    await assert.rejects(
      other.ask("kin_find_entities", { repository: "unknown" }),
      (error) => error instanceof GitpinError && error.code === "repository_unknown",
    );
  } finally {
    await other.close();
  }
});
