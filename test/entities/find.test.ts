/** `kin_find_entities`: every entity that is there, in git's order, and nothing that is not; what is left out is named. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { languageOf } from "../../src/core/entity/language/table.ts";
import { GitpinError } from "../../src/errors.ts";
import type { EntityRow } from "../../src/schema/entities.ts";
import { everyPage, type ReadService, startReadService } from "./read-service.ts";
import { SECRET_NAME, SOURCES_ENTRY, type Sources, sourceRepository } from "./sources.ts";

let sources: Sources;
let service: ReadService;

before(async () => {
  sources = sourceRepository();
  service = await startReadService({
    host: { repositories: [{ owner: "octo", name: "sources", path: sources.repository.path, id: 7501 }] },
    registry: [SOURCES_ENTRY],
  });
});

after(async () => {
  await service.close();
  sources.repository.remove();
});

const find = (given: Record<string, unknown> = {}) =>
  service.ask("kin_find_entities", { repository: "sources", ...given });
const named = (rows: readonly EntityRow[]) =>
  rows.map(({ path, kind, qualified_name }) => `${path} ${kind} ${qualified_name}`);

const ALL = [
  "api/store.go const Zero",
  "api/store.go struct Store",
  "api/store.go method Store.Get",
  "api/store.go var first",
  "api/store.go var second",
  "api/store_test.go function TestGet",
  "c/main.c function main",
  "cpp/box.cpp namespace boxes",
  "cpp/box.cpp class boxes.Box",
  "cpp/box.cpp method boxes.Box.size",
  "cs/App.cs namespace App",
  "cs/App.cs class App.Program",
  "cs/App.cs method App.Program.Run",
  "java/Main.java class Main",
  "java/Main.java method Main.run",
  "java/Main.java method Main.run",
  "odd/..dots.go function Dots",
  "odd/[x]{y}/star*.py function globbed",
  "odd/quote'd.js function quoted",
  "odd/ü ñ/a b.ts function oddPlace",
  "php/app.php function handle",
  "py/shapes.py class Circle",
  "py/shapes.py method Circle.area",
  "py/shapes.py function area",
  "ruby/app.rb module App",
  "ruby/app.rb class App.Job",
  "ruby/app.rb def App.Job.run",
  "rust/lib.rs struct Point",
  "rust/lib.rs impl std::fmt::Display for Point",
  "rust/lib.rs method <Point as std::fmt::Display>.fmt",
  "rust/lib.rs impl Point",
  "rust/lib.rs method Point.fmt",
  "tool.py function tool",
  "web/bom.ts const marked",
  "web/bom.ts function after",
  "web/crlf.ts class Line",
  "web/crlf.ts method Line.end",
  "web/faulty.ts function sound",
  "web/no-final-newline.js function last",
  "web/one-line.js function one",
  "web/one-line.js function two",
  "web/one-line.js const three",
  "web/umlaut.ts function größe",
  "web/view.tsx function View",
];

test("all entities of a commit, in git's order; what is not read is named with its reason", async () => {
  const answer = await find({ limit: 200 });
  assert.deepEqual(named(answer.entities), ALL);
  assert.deepEqual(answer.skipped.map(({ reason, count, paths }) => [reason, count, paths]).toSorted(), [
    ["binary", 1, ["bad/binary.ts"]],
    ["denied", 3, [".aws/keys.go", "hidden/plan.ts", "internal/plan.py"]],
    ["lfs_pointer", 1, ["bad/pointer.py"]],
    ["not_utf8", 1, ["bad/latin1.c"]],
    ["submodule", 1, ["vendor/lib.js"]],
    ["symlink", 1, ["link.py"]],
    ["too_large", 1, ["bad/large.js"]],
    ["too_many_errors", 1, ["bad/bomb.go"]],
  ]);
  assert.deepEqual([answer.complete, answer.nextCursor], [false, null]);
  assert.deepEqual(answer.incomplete, [
    "1 file: larger than the 524288 bytes that are parsed.",
    "1 file: holds more syntax errors in one place than are walked.",
    "1 file: not valid UTF-8.",
  ]);
  assert.deepEqual(answer.syntax_errors, [
    { path: "web/faulty.ts", line: 2, column: 1, problem: "unreadable text" },
  ]);
  assert.equal(answer.commitSha, sources.head);
  assert.equal(answer.head?.sha, sources.head);
});

test("every source of the tree is found, skipped or without entities, as git lists them", async () => {
  const answer = await find({ limit: 200 });
  const told = new Set([
    ...answer.entities.map(({ path }) => path),
    ...answer.skipped.flatMap(({ paths }) => paths),
  ]);
  const listed = sources.repository
    .git("ls-tree", "-r", "-z", "--name-only", sources.head)
    .split("\0")
    .filter((path) => path !== "" && languageOf(path) !== null);
  assert.deepEqual([...told].toSorted(), listed.toSorted());
  assert.equal(answer.files.read, listed.length - 3 - 2 - 1);
});

test("pages of every size hold the same, each entity once", async () => {
  for (const limit of [1, 3, 7, 43, 44]) {
    const pages = await everyPage(service, { repository: "sources", limit });
    assert.deepEqual(named(pages.flatMap(({ entities }) => entities)), ALL, `${limit}`);
    assert.ok(pages.every(({ complete }) => !complete));
    assert.ok(pages.every(({ commitSha }) => commitSha === sources.head));
  }
});

test("a list without gaps is complete on its last page, and only there", async () => {
  const pages = await everyPage(service, { repository: "sources", path: "py", limit: 2 });
  assert.deepEqual(
    pages.map(({ complete, incomplete }) => [complete, incomplete]),
    [
      [false, ["There is more: nextCursor goes on from here."]],
      [true, []],
    ],
  );
});

test("a name: exact ones first, then any part in any case; only files that hold it are parsed", async () => {
  const answer = await find({ query: "area" });
  assert.deepEqual(named(answer.entities), ["py/shapes.py method Circle.area", "py/shapes.py function area"]);
  // `web/view.tsx` holds the word and declares nothing of that name.
  assert.deepEqual(answer.files.holding, 2);
  assert.equal(answer.complete, true);

  const get = await find({ query: "get" });
  assert.deepEqual(named(get.entities), [
    "api/store.go method Store.Get",
    "api/store_test.go function TestGet",
  ]);
  const exact = await find({ query: "Main" });
  assert.deepEqual(named(exact.entities), [
    "java/Main.java class Main",
    // The rest of the files that hold it as written, then the others.
    "java/Main.java method Main.run",
    "java/Main.java method Main.run",
    "c/main.c function main",
  ]);
});

for (const [query, expected] of [
  ["Store.Get", ["api/store.go method Store.Get"]],
  ["store.g", ["api/store.go method Store.Get"]],
  ["<Point as std::fmt::Display>.fmt", ["rust/lib.rs method <Point as std::fmt::Display>.fmt"]],
  ["display for", ["rust/lib.rs impl std::fmt::Display for Point"]],
  ["GRÖSSE", []],
  ["GRÖßE", ["web/umlaut.ts function größe"]],
  ["inProse", []],
  ["nothing_of_that_name", []],
] as const) {
  test(`the name ${query}`, async () => {
    const answer = await find({ query });
    assert.deepEqual(named(answer.entities), expected);
    assert.equal(answer.complete, true, answer.incomplete.join());
  });
}

test("what the search narrows to is what a look at every file finds", async () => {
  const all = (await find({ limit: 200 })).entities;
  for (const query of [
    "a",
    "AS",
    "s",
    "e",
    "run",
    "App",
    "fmt",
    "Point",
    ".",
    " ",
    "::",
    "ß",
    "ain",
    "t.f",
    "t as s",
  ]) {
    const expected = all.filter(({ qualified_name }) =>
      qualified_name.toLowerCase().includes(query.toLowerCase()),
    );
    const found = (await find({ query, limit: 200 })).entities;
    assert.deepEqual(named(found).toSorted(), named(expected).toSorted(), query);
  }
});

test("a large file that holds the name leaves a gap, and none that does not", async () => {
  const far = await find({ query: "far" });
  assert.deepEqual([far.entities, far.complete], [[], false]);
  assert.deepEqual(
    far.skipped.find(({ reason }) => reason === "too_large"),
    {
      reason: "too_large",
      count: 1,
      paths: ["bad/large.js"],
      detail: "larger than the 524288 bytes that are parsed",
    },
  );
  assert.equal((await find({ query: "Circle" })).complete, true);
});

test("by kind and language, in the language's own words", async () => {
  assert.deepEqual(named((await find({ kind: "struct" })).entities), [
    "api/store.go struct Store",
    "rust/lib.rs struct Point",
  ]);
  const rust = await find({ kind: "method", language: "rust" });
  assert.equal(rust.entities.length, 2);
  assert.deepEqual([rust.complete, rust.files], [true, { selected: 1, holding: null, read: 1 }]);
  assert.deepEqual(named((await find({ language: "tsx" })).entities), ["web/view.tsx function View"]);
});

for (const [path, expected] of [
  ["api/store.go", 5],
  ["api", 6],
  ["py/*.py", 3],
  ["*.rs", 5],
  ["/tool.py", 1],
  ["web/", 11],
  ["odd/ü ñ/a b.ts", 1],
  ["odd/[x]{y}/star*.py", 1],
  ["odd/[x]{y}", 1],
  ["odd/quote'd.js", 1],
  ["shapes.py", 3],
  ["*.zig", 0],
] as const) {
  test(`in ${path}`, async () => {
    const answer = await find({ path, limit: 200 });
    assert.deepEqual([answer.status, answer.entities.length, answer.complete], ["ok", expected, true]);
  });
}

for (const [path, status, reason] of [
  ["py/none.py", "missing", `There is no such path at commit`],
  ["web", "ok", null],
  ["README.md", "refused", "README.md is in no language whose entities are read."],
  ["link.py", "refused", "link.py is a symlink, which is never followed."],
  ["vendor/lib.js", "refused", "vendor/lib.js is a submodule: it names a commit of another repository."],
  ["bad/latin1.c", "refused", "bad/latin1.c is not valid UTF-8."],
  ["bad/binary.ts", "refused", "bad/binary.ts holds NUL bytes, so it is binary."],
  ["bad/pointer.py", "refused", "bad/pointer.py is a Git LFS pointer: its own bytes are not in git."],
  ["bad/bomb.go", "refused", "bad/bomb.go holds more syntax errors in one place than are walked."],
  ["bad/large.js", "refused", "bad/large.js is not read: larger than the 524288 bytes that are parsed."],
  [".aws/keys.go", "blocked", "Paths that look like secrets"],
  ["internal/plan.py", "blocked", "The registry forbids this path."],
  ["hidden/plan.ts", "blocked", "The repository's own policy"],
] as const) {
  test(`${path}: ${status}`, async () => {
    const answer = await find({ path });
    assert.equal(answer.status, status);
    if (reason === null) assert.equal(answer.reason, null);
    else assert.ok(answer.reason?.startsWith(reason), answer.reason ?? "");
    assert.equal(answer.entities.length > 0, status === "ok");
  });
}

test("what policy denies is neither found nor told of, by any question", async () => {
  for (const given of [
    {},
    { query: SECRET_NAME },
    { query: "umbra" },
    { path: ".aws" },
    { path: "hidden/*" },
  ]) {
    const answer = await find({ limit: 200, ...given });
    assert.equal(JSON.stringify(answer.entities).includes(SECRET_NAME), false, JSON.stringify(given));
  }
  const answer = await find({ query: SECRET_NAME });
  assert.deepEqual([answer.entities, answer.files.holding], [[], 0]);
});

test("at an older commit: pinned, the same ids, other lines", async () => {
  const now = await find({ query: "Store.Get" });
  const then = await find({ query: "Store.Get", sha: sources.first });
  assert.deepEqual(
    [now, then].map(({ entities }) => [entities[0]?.id, entities[0]?.start_line]),
    [
      [now.entities[0]?.id, 10],
      [now.entities[0]?.id, 8],
    ],
  );
  assert.deepEqual([then.head, then.commitSha, then.reachable], [undefined, sources.first, true]);
  const byTag = await find({ query: "Zero", ref: "tags/v1" });
  assert.deepEqual([byTag.entities, byTag.commitSha], [[], sources.first]);
});

test("next leads to the source of the first, at the tip unless a commit was asked for; else on, or to the search", async () => {
  const arguments_ = { repository: "sources", path: "tool.py" };
  const [tool] = (await find({ path: "tool.py" })).entities;
  assert.deepEqual((await find({ path: "tool.py" })).next, {
    tool: "get_entity_source",
    arguments: { ...arguments_, entity_id: tool?.id },
  });
  assert.deepEqual((await find({ path: "tool.py", sha: sources.first.slice(0, 9) })).next, {
    tool: "get_entity_source",
    arguments: { ...arguments_, entity_id: tool?.id, sha: sources.first },
  });
  assert.deepEqual((await find({ query: "inProse" })).next, {
    tool: "pin.search_code",
    arguments: { repository: "sources", query: "inProse" },
  });
  assert.deepEqual((await find({ path: "link.py" })).next, {
    tool: "pin.read",
    arguments: { repository: "sources", sourcePath: "link.py", sha: sources.head },
  });
  assert.equal((await find({ path: ".aws/keys.go" })).next, null);
});

test("a cursor goes on with its own question only, and remembers its ref", async () => {
  const { nextCursor, commitSha } = await find({ limit: 2, ref: "tags/v1" });
  const further = await find({ limit: 2, cursor: nextCursor });
  assert.equal(further.commitSha, commitSha);
  assert.equal(further.next?.arguments.ref, "tags/v1");
  for (const other of [
    { query: "x", cursor: nextCursor },
    { kind: "class", cursor: nextCursor },
    { language: "go", cursor: nextCursor },
    { path: "api", cursor: nextCursor },
    { ref: "main", cursor: nextCursor },
    { sha: sources.head, cursor: nextCursor },
    { cursor: "x" },
  ]) {
    await assert.rejects(
      find(other),
      (error) => error instanceof GitpinError && error.code === "invalid_argument",
      JSON.stringify(other),
    );
  }
});

type Cursor = [kind: string, commit: string, ref: string, part: number, index: number, offset: number];

const opened = (cursor: string | null): Cursor =>
  JSON.parse(Buffer.from(cursor ?? "", "base64url").toString()) as Cursor;
const forged = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString("base64url");

const isForeign = (error: unknown): boolean =>
  error instanceof GitpinError && error.code === "invalid_argument" && error.data.field === "cursor";

test("a cursor at a place where no page begins is refused: beyond the end, at another file, past its entities", async () => {
  const [kind, commit, ref, part, index, offset] = opened((await find({ limit: 2 })).nextCursor);
  // Five entities stand in `api/store.go`, and one of the files before it is a source that policy denies.
  assert.deepEqual([part, offset], [0, 2]);
  const at = (...position: [number, number, number]) =>
    find({ cursor: forged([kind, commit, ref, ...position]) });
  assert.deepEqual(named((await at(0, index, 4)).entities.slice(0, 1)), ["api/store.go var second"]);
  assert.deepEqual(named((await at(0, index, 0)).entities.slice(0, 1)), ["api/store.go const Zero"]);
  for (const position of [
    [0, index, 5],
    [0, index, 1_000_000],
    [0, 1_000_000, 0],
    [0, Number.MAX_SAFE_INTEGER, 0],
    // The file before it is denied, and no second part is looked at without a name.
    [0, 0, 0],
    [1, index, 2],
    [1, index, 0],
    [0, -1, 0],
    [2, index, 0],
    [0, index, 1.5],
    [0, 1e300, 0],
  ] as [number, number, number][]) {
    await assert.rejects(at(...position), isForeign, position.join());
  }
});

test("with a name, only a file that holds it and an entity that bears it begin a page", async () => {
  const cursors = async (question: Record<string, unknown>) =>
    (await everyPage(service, { repository: "sources", ...question, limit: 1 })).flatMap(({ nextCursor }) =>
      nextCursor === null ? [] : [opened(nextCursor)],
    );
  // `fmt` is written so in one file: an impl that names it and two methods.
  const [first] = await cursors({ query: "fmt" });
  assert.ok(first !== undefined);
  const [kind, commit, ref, part, index, offset] = first;
  const at = (...position: [number, number, number]) =>
    find({ query: "fmt", cursor: forged([kind, commit, ref, ...position]) });
  assert.ok((await at(part, index, offset)).entities.length > 0);
  // The struct comes first and does not bear the name; then what does, and the impl without it.
  const refused = [];
  for (let other = 1; other < 7; other++) {
    const outcome = await at(part, index, other).then(
      () => "a page",
      (error: unknown) => (isForeign(error) ? "refused" : String(error)),
    );
    refused.push(outcome);
  }
  assert.deepEqual(refused, ["a page", "a page", "refused", "a page", "refused", "refused"]);
  await assert.rejects(at(part, index - 1, 0), isForeign);
  await assert.rejects(at(part === 0 ? 1 : 0, index, offset), isForeign);
});

test("every position that was given out is taken back, for every question", async () => {
  for (const question of [
    {},
    { query: "a" },
    { query: "AREA" },
    { kind: "method" },
    { path: "api/*.go" },
    { path: "api/store.go" },
  ]) {
    const pages = await everyPage(service, { repository: "sources", ...question, limit: 1 });
    const whole = await find({ ...question, limit: 200 });
    assert.deepEqual(
      pages.flatMap(({ entities }) => named(entities)).toSorted(),
      named(whole.entities).toSorted(),
      JSON.stringify(question),
    );
  }
});

test("a bad glob, and sha beside ref, are refused by field", async () => {
  for (const [given, field] of [
    [{ path: "src/{a" }, "path"],
    [{ path: "!x" }, "path"],
    [{ sha: sources.first, ref: "tags/v1" }, "ref"],
    [{ kind: "procedure" }, "kind"],
    [{ query: "a\nb" }, "query"],
  ] as const) {
    await assert.rejects(
      find(given),
      (error) =>
        error instanceof GitpinError && error.code === "invalid_argument" && error.data.field === field,
      JSON.stringify(given),
    );
  }
});

test("a commit that is not there is missing", async () => {
  const answer = await find({ sha: "0".repeat(40) });
  assert.deepEqual(
    [answer.status, answer.entities, answer.next],
    ["missing", [], { tool: "pin.read", arguments: { repository: "sources" } }],
  );
});
