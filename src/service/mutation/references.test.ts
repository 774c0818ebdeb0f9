/** Where removed names still occur, against the command that is handed out with them, run by git itself. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { MemoryHost } from "../../../test/mutation/memory-host.ts";
import { GitRepository } from "../../../test/repositories/git.ts";
import type { MutationPlan } from "../../core/entity/edit/outcome.ts";
import type { Entity } from "../../core/entity/entity.ts";
import { createPolicy } from "../../core/policy/policy.ts";
import { NO_WIKI } from "../../core/policy/wiki-policy.ts";
import { repositoryEntry } from "../../schema/registry.ts";
import { referencesCommand, remainingReferences } from "./references.ts";

const repository = new GitRepository();
after(() => repository.remove());

const policy = createPolicy({
  entry: repositoryEntry.parse({ name: "app", owner: "octo", repo: "app" }),
  headWiki: NO_WIKI,
  citedWiki: NO_WIKI,
});

/** A plan that removes these names, one in each operation, and writes these files. */
const removing = (names: readonly string[], written: Record<string, string> = {}): MutationPlan => ({
  files: Object.entries(written).map(([path, text]) => ({
    path,
    mode: "100644",
    bytes: new TextEncoder().encode(text),
    blob: "",
    previousBlob: null,
    added: [],
  })),
  entities: names.map((name, operation) => ({
    operation,
    effect: "removed",
    entity: { name } as Entity,
    source: null,
  })),
  diff: "",
  rebasedFrom: [],
  earlierFaults: [],
});

type Place = `${string}:${number}`;

async function ours(files: Record<string, string>, plan: MutationPlan) {
  const host = new MemoryHost();
  const sha = host.push("main", files);
  host.archived.add(sha);
  const commit = host.commits.get(sha);
  assert.ok(commit);
  const place = { reader: host.reader(), commit, policy, pause: async () => undefined, fetch: false };
  const found = await remainingReferences(place, plan);
  assert.ok(typeof found === "object", String(found));
  return { ...found, places: found.lines.map(({ path, line }): Place => `${path}:${line}`) };
}

/** By the command of a receipt, in a clone that holds these files. */
function theirs(files: Record<string, string>, names: readonly string[]): Place[] {
  repository.git("rm", "-r", "-q", "--cached", "--ignore-unmatch", ".");
  for (const [path, text] of Object.entries(files)) repository.write(path, Buffer.from(text));
  repository.git("add", ...Object.keys(files));
  const commit = repository.git("commit-tree", repository.git("write-tree"), "-m", "state");
  const printed = repository.shell(`${referencesCommand(names, commit)} || test $? -eq 1`).toString("utf8");
  return [...printed.matchAll(/^[0-9a-f]{40}:([^:]+):(\d+):/gm)].map(
    ([, path, line]): Place => `${path}:${Number(line)}`,
  );
}

const FILES = {
  "a.ts": "getAll();\nget();\nget(getAll());\nforget(); getAllOf();\n",
  "b/c.ts": "x.a$b\na$(1)\na + 1\n$a\n_a a_\n",
};

test("each name is looked for by itself: no name hides another", async () => {
  const expected: [string[], Place[]][] = [
    [
      ["get", "getAll"],
      ["a.ts:1", "a.ts:2", "a.ts:3"],
    ],
    [
      ["getAll", "get"],
      ["a.ts:1", "a.ts:2", "a.ts:3"],
    ],
    [
      ["a$", "a"],
      ["b/c.ts:1", "b/c.ts:2", "b/c.ts:3", "b/c.ts:4"],
    ],
    [
      ["a$", "getAllOf"],
      ["a.ts:4", "b/c.ts:2"],
    ],
  ];
  for (const [names, places] of expected) {
    assert.deepEqual(theirs(FILES, names), places, `git, ${names}`);
    const found = await ours(FILES, removing(names));
    assert.deepEqual([found.places, found.totalLines, found.complete], [places, places.length, true]);
    assert.deepEqual([found.names, found.unsearched], [names, []]);
  }
});

test("a binary file that holds a name counts here no more than there", async () => {
  const files = { "a.ts": "get();\n", "data.bin": "\0\nget\n", "z.bin": "get \0" };
  const places = theirs(files, ["get"]);
  assert.deepEqual(places, ["a.ts:1"]);
  const commit = repository.git("commit-tree", repository.git("write-tree"), "-m", "state");
  assert.equal(
    repository.shell(referencesCommand(["get"], commit)).toString("utf8"),
    `${commit}:a.ts:1:get();\n`,
  );
  const found = await ours(files, removing(["get"]));
  assert.deepEqual([found.places, found.totalLines, found.complete], [places, 1, true]);
});

test("what the change makes stands in its place: bounded, with the total of all", async () => {
  const before = { "a.ts": "get();\n", "m.ts": "get();\n", "z.ts": "getAll();\n" };
  const written = { "m.ts": "set();\n", "b.ts": "get(getAll);\n".repeat(60), "zz.ts": "get\n" };
  const names = ["get", "getAll"];
  const expected = theirs({ ...before, ...written }, names);
  assert.equal(expected.length, 63);
  const found = await ours(before, removing(names, written));
  assert.deepEqual([found.places, found.totalLines], [expected.slice(0, 50), 63]);
});

test("generated names and lines: what git finds", async () => {
  const word = fc
    .array(fc.constantFrom("a", "b", "$", "_", "é", "get", "All"), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join(""));
  const text = fc
    .array(fc.oneof(word, fc.constantFrom(" ", ".", "(", "\n")), { maxLength: 30 })
    .map((parts) => parts.join(""));
  const files = fc.record({ "a.ts": text, "b/c.ts": text, "b.ts": text });
  await fc.assert(
    fc.asyncProperty(
      files,
      files,
      fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
      async (before, now, names) => {
        const written = { "b.ts": now["b.ts"], "n/new.ts": now["b/c.ts"] };
        const found = await ours(before, removing(names, written));
        const expected = theirs({ ...before, ...written }, names);
        assert.deepEqual([found.places, found.totalLines], [expected.slice(0, 50), expected.length]);
      },
    ),
    { numRuns: 25 },
  );
});

test("a name that one line cannot hold, or a search not take, is named as not looked for", async () => {
  const names = ["get", "", "a\nb", "x".repeat(1001), ...Array.from({ length: 20 }, (_, at) => `name${at}`)];
  const found = await ours(FILES, removing(names));
  assert.equal(found.names.length, 20);
  assert.deepEqual(found.unsearched, ["", "a\nb", "x".repeat(1001), "name19"]);
});
