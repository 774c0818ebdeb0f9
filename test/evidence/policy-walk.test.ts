/**
 * Denied paths through every tool there is: each answers `blocked` or leaves the path out, and no answer holds a byte of
 * what stands there. Denied by default, by the registry, by HEAD's wiki file, and by the cited commit's.
 * A tool that is added must be given its calls here: the test asks that every one is walked.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { entityId } from "../../src/core/entity/entity-id.ts";
import { commitTree } from "../repositories/awkward.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";
import { everyTool } from "../tools/every-tool.ts";

/** Callers guess the first word; the second one stands beside it in every denied file and nowhere else. */
const GUESS = "kestrel";
const SECRET = "umbra-7741";
/** How the binary file's bytes would look in an answer. */
const BINARY = Buffer.from(`\0${GUESS} ${SECRET}`).toString("base64");
const WIKI = "safety:\n  deny: ['hidden/**']\n";

let repository: GitRepository;
let stack: Stack;
/** Before any rule of the repository's own. */
let old: string;
/** Its own wiki file denies `formerly/**`; HEAD's does not. */
let strict: string;
let head: string;

/** Declares the guess. */
const source = (path: string) => `def ${GUESS}():\n    return "${SECRET} ${path}"\n`;

const DENIED = [
  ".env",
  "keys/server.pem",
  "internal/package.json",
  "internal/notes.md",
  "hidden/README.md",
  "hidden/test_x.py",
  "hidden/data.bin",
  "internal/deploy.py",
];

before(async () => {
  repository = new GitRepository("guarded");
  for (const path of DENIED) {
    const text = path.endsWith(".json")
      ? `{"name":"${GUESS}-${SECRET}","version":"${SECRET}"}\n`
      : path.endsWith(".py")
        ? source(path)
        : `# ${GUESS} ${SECRET} ${path}\n`;
    repository.write(path, path.endsWith(".bin") ? Buffer.from(`\0${GUESS} ${SECRET}`) : text);
  }
  repository.write("README.md", "# Guarded\n\nplain\n");
  old = repository.commit("first");
  strict = commitTree(
    repository,
    old,
    {
      ".gitpin/wiki.yaml": "safety:\n  deny: ['formerly/**', 'hidden/**']\n",
      "formerly/README.md": `# ${GUESS} ${SECRET}\n`,
    },
    "strict",
  );
  const changed = Object.fromEntries(
    DENIED.map((path) => [
      path,
      path.endsWith(".py") ? source(`other ${path}`) : `# other ${GUESS} ${SECRET}\n`,
    ]),
  );
  head = commitTree(
    repository,
    strict,
    { ...changed, ".gitpin/wiki.yaml": WIKI, "formerly/README.md": null, "copy.txt": "c\n" },
    "changes all of them",
  );
  repository.git("update-ref", "refs/heads/main", head);
  repository.git("update-ref", "refs/heads/old", old);
  stack = await startStack({
    host: {
      repositories: [{ owner: "octo", name: "guarded", path: repository.path, id: 7401 }],
      tokens: ["t"],
      writable: true,
    },
    registry: [
      {
        name: "guarded",
        owner: "octo",
        repo: "guarded",
        id: 7401,
        refs: ["old"],
        deny: ["internal/**"],
        writable: { branches: ["**"] },
      },
    ],
    vars: { HEAD_MAX_AGE: "3600", GITHUB_TOKEN: "t", ANONYMOUS_WRITES: "1" },
    durableObjects: { REQUESTS: "RequestLedgerObject" },
    entities: true,
  });
});

after(async () => {
  await stack?.close();
  repository.remove();
});

/** Object ids of denied content: they too would let a guess be confirmed. */
const secretIds = () =>
  [old, head].flatMap((sha) =>
    repository
      .git("ls-tree", "-r", sha)
      .split("\n")
      .map((row) => row.split(/[\s]+/))
      .filter(([, , , path = ""]) => DENIED.includes(path))
      .map(([, , id = ""]) => id),
  );

/** Anybody can work out an entity's id who guesses its name. */
const entityIds = () =>
  DENIED.filter((path) => path.endsWith(".py")).map((path) =>
    entityId({ repositoryId: 7401, path, kind: "function", qualifiedName: GUESS, ordinal: 1 }),
  );

const places = () => [
  ...DENIED.map((sourcePath) => ({ sourcePath })),
  ...DENIED.map((sourcePath) => ({ sourcePath, sha: old })),
  ...DENIED.map((sourcePath) => ({ sourcePath, ref: "old" })),
  { sourcePath: "formerly/README.md", sha: strict },
];

const repositoryName = { repository: "guarded" };

/** Bases that nobody was handed, for who reaches for what no read shows: of every denied path, on both branches. */
const forgedMutations = (): Record<string, unknown>[] =>
  ["main", "old"].flatMap((branch) =>
    DENIED.flatMap((path) => {
      const tip = repository.git("rev-parse", branch);
      const id = entityId({ repositoryId: 7401, path, kind: "function", qualifiedName: GUESS, ordinal: 1 });
      const place = { repository: "guarded", branch, head: tip };
      const source_base = {
        schema: "gitpin.source_base.v1",
        ...place,
        path,
        blob: "0".repeat(40),
        entity_id: id,
        start_byte: 0,
        end_byte: 1,
        body_sha256: "0".repeat(64),
      };
      const tree = repository.git("rev-parse", `${branch}^{tree}`);
      const repository_base = { schema: "gitpin.repository_base.v1", ...place, tree };
      const unit = { language: "python", path };
      const create = { name: "found", kind: "function", body: "def found():\n    pass", source_base };
      return [
        {
          verb: "patch",
          target: id,
          payload: { EntitySourcePatch: { source_base, edits: [{ old_text: GUESS, new_text: "x" }] } },
        },
        {
          verb: "update",
          target: id,
          payload: { EntitySourceBase: source_base },
          body: `def ${GUESS}():\n    pass`,
        },
        { verb: "remove", target: id, payload: { EntityRemove: { source_base } } },
        { verb: "create", target: id, payload: { EntityCreate: { ...create, placement: "sibling_after" } } },
        {
          verb: "update",
          target: path,
          payload: { UnitImports: { repository_base, unit, add: ["import os"] } },
        },
      ];
    }),
  );

/** Calls of each tool that reach for denied paths. */
const CALLS: Record<string, () => Record<string, unknown>[]> = {
  "pin.catalog": () => [{}, { view: "sync" }],
  "pin.search_docs": () => [{ query: GUESS }, { query: GUESS, ...repositoryName }],
  "pin.search_code": () =>
    [
      {},
      { sha: old },
      { ref: "old" },
      { mode: "regex", query: "kestr.*" },
      { filesOnly: true },
      { count: true },
    ].map((more) => ({ ...repositoryName, query: GUESS, ...more })),
  "pin.prove": () =>
    places().flatMap((place) => [
      { ...repositoryName, ...place, claim: GUESS },
      { ...repositoryName, ...place, lineStart: 1 },
    ]),
  "pin.prove_set": () => [{ items: DENIED.map((sourcePath) => ({ ...repositoryName, sourcePath })) }],
  "pin.get_doc": () => places().map((place) => ({ ...repositoryName, ...place })),
  "pin.read": () => [
    ...places().map((place) => ({ ...repositoryName, ...place })),
    { ...repositoryName, sourcePath: "internal" },
    { ...repositoryName, sourcePath: "hidden", sha: old },
    { ...repositoryName, sourcePath: "" },
  ],
  "pin.verify": () =>
    DENIED.map((sourcePath) => ({ ...repositoryName, sourcePath, sha: old, mustContain: GUESS })),
  "pin.verify_set": () => [
    { items: DENIED.map((sourcePath) => ({ ...repositoryName, sourcePath, sha: old })) },
  ],
  "pin.analyze": () => [
    { operation: "gaps" },
    { operation: "compare" },
    { operation: "brief", repositories: ["guarded"], changeRange: `${old}..${head}` },
  ],
  "pin.inspect": () =>
    ["status", "commits", "manifest", "tests", "changes"].map((operation) => ({
      ...repositoryName,
      operation,
      limit: 50,
    })),
  "pin.compare": () => [
    { ...repositoryName, base: old, head },
    { ...repositoryName, base: strict, head },
    { ...repositoryName, base: head, head: old, renames: false },
  ],
  kin_status: () => [repositoryName],
  kin_find_entities: () => [
    ...places().map(({ sourcePath, ...at }) => ({ ...repositoryName, ...at, path: sourcePath })),
    ...[{}, { sha: old }, { ref: "old" }, { sha: strict }].flatMap((at) => [
      { ...repositoryName, ...at },
      { ...repositoryName, ...at, query: GUESS },
      { ...repositoryName, ...at, path: "hidden" },
      { ...repositoryName, ...at, path: "internal/*", kind: "function" },
    ]),
  ],
  get_entity_source: () => [
    ...places().map(({ sourcePath, ...at }) => ({
      ...repositoryName,
      ...at,
      entity_id: GUESS,
      path: sourcePath,
    })),
    ...[{}, { sha: old }, { ref: "old" }, { sha: strict }].flatMap((at) =>
      [GUESS, ...entityIds()].map((entity_id) => ({ ...repositoryName, ...at, entity_id })),
    ),
  ],
  kin_mutate: () =>
    forgedMutations().flatMap((operation, index) => {
      const operations = [{ ...operation, description: "" }];
      return index % 5 === 0
        ? [{ operations }, { operations, dry_run: true }]
        : [{ operations, dry_run: true }];
    }),
};

for (const { name, route } of everyTool()) {
  test(`${name} shows nothing of a denied path`, async () => {
    const given = CALLS[name]?.() ?? [];
    assert.ok(given.length > 0, "this tool is not walked");
    const ids = secretIds();
    for (const input of given) {
      const { status, body } = await stack.post(route.path, input);
      const text = JSON.stringify(body);
      assert.ok([200, 403, 404, 409].includes(status), `${JSON.stringify(input)}: ${status} ${text}`);
      assert.equal(text.includes(SECRET), false, `${JSON.stringify(input)}: ${text}`);
      assert.equal(text.includes(BINARY), false);
      for (const id of ids) assert.equal(text.includes(id), false, `${JSON.stringify(input)} shows ${id}`);
    }
  });
}

test("a place that is asked for by its denied path is blocked, at HEAD, at an old commit and at another ref", async () => {
  for (const path of ["/v1/prove", "/v1/read"]) {
    for (const place of places()) {
      const { status, body } = await stack.post(path, { ...repositoryName, ...place });
      assert.deepEqual([status, body.status, body.content], [403, "blocked", null], JSON.stringify(place));
    }
  }
  for (const [path, more] of [
    ["/v1/kin/entities", {}],
    ["/v1/kin/source", { entity_id: GUESS }],
  ] as const) {
    for (const { sourcePath, ...at } of places()) {
      const { status, body } = await stack.post(path, {
        ...repositoryName,
        ...more,
        ...at,
        path: sourcePath,
      });
      assert.deepEqual([status, body.status], [403, "blocked"], `${path} ${sourcePath}`);
    }
  }
  for (const operation of forgedMutations()) {
    const { status, body } = await stack.post("/v1/kin/mutate", {
      operations: [{ ...operation, description: "" }],
    });
    const { code } = body.error as { code: string };
    assert.deepEqual([status, code], [403, "write_not_allowed"], JSON.stringify(operation));
  }
  assert.deepEqual([repository.git("rev-parse", "main"), repository.git("rev-parse", "old")], [head, old]);
  for (const sourcePath of DENIED) {
    const given = { ...repositoryName, sourcePath, sha: old, mustContain: GUESS };
    const { status, body } = await stack.post("/v1/verify", given);
    assert.deepEqual([status, body.status, body.claimVerdict], [403, "blocked", "unproven"]);
  }
});
