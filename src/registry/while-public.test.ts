/** Public entries whose repository is public no more: who sees what, by what is known of it, and what others may keep. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GitpinError } from "../errors.ts";
import type { Caller } from "../ports/registry.ts";
import type { RepositoryIdentity, RepositoryReader } from "../ports/repository-reader.ts";
import type { CommitRequest, RepositoryWriter } from "../ports/repository-writer.ts";
import { type RepositoryEntry, repositoryEntry } from "../schema/registry.ts";
import { fileRegistry } from "./file-registry.ts";
import type { AnonymousAccess } from "./visibility.ts";
import { type PublicityOptions, publicity } from "./while-public.ts";

const ENTRY = repositoryEntry.parse({ name: "x", owner: "octo", repo: "x", visibility: "public" });
const WITH_ID = repositoryEntry.parse({ name: "y", owner: "octo", repo: "y", visibility: "public", id: 9 });
const NOBODY: Caller = { id: "anonymous", team: null, scopes: [] };
const OPERATOR: Caller = { id: "operator", team: null, scopes: ["pin:read", "registry:admin"] };
const SHA = "a".repeat(40);

const identity = (id: number, visibility: RepositoryIdentity["visibility"]): RepositoryIdentity => ({
  id,
  fullName: "octo/x",
  defaultBranch: "main",
  visibility,
  archived: false,
  webUrl: "https://github.example/octo/x",
});
const news = (privateIds: number[], known = true): PublicityOptions["news"] => ({
  known,
  isPrivate: ({ id }) => id !== undefined && privateIds.includes(id),
});
const last = (of: RepositoryIdentity | null, current = true): PublicityOptions["lastIdentity"] => {
  return () => (of === null ? null : { identity: of, current });
};

/** What each operation asked, and how a read of `entry` ended. */
async function read(
  options: Partial<PublicityOptions>,
  entry: RepositoryEntry,
  now: RepositoryIdentity,
  caller = NOBODY,
) {
  const asked: string[] = [];
  const reader = {
    identity: async () => {
      asked.push("identity");
      return now;
    },
    resolveAbbreviation: async () => {
      asked.push("read");
      return SHA;
    },
  } as unknown as RepositoryReader;
  const unknown = () => new GitpinError("repository_unknown", "", "");
  const guarded = publicity({ anonymous: "public", news: null, lastIdentity: last(null), ...options }).reader(
    reader,
    { entry, caller, unknown },
  );
  const outcome = await guarded.resolveAbbreviation("aaaaaaa").then(
    () => "served",
    (error: unknown) => (error instanceof GitpinError ? error.code : String(error)),
  );
  return [outcome, ...asked];
}

async function seen(options: Partial<PublicityOptions>, caller = NOBODY): Promise<string[] | string> {
  const { anonymous = "public" } = options;
  const registry = publicity({ news: null, lastIdentity: last(null), ...options, anonymous }).registry(
    fileRegistry({ version: 1, repositories: [ENTRY] }, anonymous),
  );
  try {
    const rows = (await registry.visible(caller)).map(({ name }) => name);
    assert.equal((await registry.find(caller, "x")) !== null, rows.includes("x"));
    return rows;
  } catch (error) {
    return error instanceof GitpinError ? error.code : String(error);
  }
}

test("an entry without an id is read once GitHub said who it is: told private by id, or private at GitHub, it is unknown", async () => {
  assert.deepEqual(await read({}, ENTRY, identity(7, "public")), ["served", "identity", "read"]);
  assert.deepEqual(await read({}, ENTRY, identity(7, "private")), ["repository_unknown", "identity"]);
  assert.deepEqual(await read({}, ENTRY, identity(7, "internal")), ["repository_unknown", "identity"]);
  assert.deepEqual(await read({ news: news([7]) }, ENTRY, identity(7, "public")), [
    "repository_unknown",
    "identity",
  ]);
  assert.deepEqual(await read({ news: news([8]) }, ENTRY, identity(7, "public")), [
    "served",
    "identity",
    "read",
  ]);
  assert.deepEqual(await read({}, ENTRY, identity(7, "private"), OPERATOR), ["served", "read"]);
  assert.deepEqual(await read({ anonymous: "all" }, ENTRY, identity(7, "private")), ["served", "read"]);
});

test("an entry with an id asks nothing more, unless it was private when it was last looked at", async () => {
  assert.deepEqual(await read({}, WITH_ID, identity(9, "private")), ["served", "read"]);
  const before = { lastIdentity: last(identity(9, "private"), false) };
  assert.deepEqual(await read(before, WITH_ID, identity(9, "private")), ["repository_unknown", "identity"]);
  assert.deepEqual(await read(before, WITH_ID, identity(9, "public")), ["served", "identity", "read"]);
});

test("what the operation itself finds out counts as well", async () => {
  let looks = 0;
  const lastIdentity = () => {
    looks += 1;
    return looks < 2 ? null : { identity: identity(9, "private"), current: true };
  };
  assert.deepEqual(await read({ lastIdentity }, WITH_ID, identity(9, "private")), [
    "repository_unknown",
    "read",
  ]);
});

test("lists leave out what is known to be private, for all but the operator", async () => {
  for (const [anonymous, caller, expected] of [
    ["public", NOBODY, []],
    ["public", OPERATOR, ["x"]],
    ["all", NOBODY, ["x"]],
  ] as [AnonymousAccess, Caller, string[]][]) {
    assert.deepEqual(await seen({ anonymous, lastIdentity: last(identity(7, "private")) }, caller), expected);
    assert.deepEqual(
      await seen({ anonymous, news: news([7]), lastIdentity: last(identity(7, "public")) }, caller),
      expected,
    );
  }
  const old = { lastIdentity: last(identity(7, "private"), false) };
  assert.deepEqual(await seen(old), ["x"], "it is asked again when it is read");
});

test("while nobody knows what webhooks told, public entries are refused, but not to the operator", async () => {
  const dark = { news: news([], false) };
  assert.equal(await seen(dark), "registry_unavailable");
  assert.deepEqual(await seen(dark, OPERATOR), ["x"]);
  assert.deepEqual(await seen({ ...dark, anonymous: "all" }), ["x"]);
});

test("others keep what nothing speaks against, and only of a service that shows public entries to everybody", () => {
  const kept = (options: Partial<PublicityOptions>, entry = ENTRY) =>
    publicity({ anonymous: "public", news: null, lastIdentity: last(null), ...options }).mayBeKept(entry);
  assert.equal(kept({}), true);
  assert.equal(kept({ news: news([]), lastIdentity: last(identity(7, "public")) }), true);
  assert.equal(kept({ anonymous: "none" }), false);
  assert.equal(kept({ anonymous: "all" }), false);
  assert.equal(kept({ news: news([9]) }, WITH_ID), false);
  assert.equal(kept({ news: news([7]), lastIdentity: last(identity(7, "public")) }), false);
  assert.equal(kept({ news: news([], false) }), false);
  assert.equal(kept({ lastIdentity: last(identity(7, "private"), false) }), false);
  assert.equal(kept({}, { ...ENTRY, visibility: "private" }), false);
});

/** What a writer's steps gave, in order, and what reached it; `learnt`: what is known after the first step. */
async function write(
  options: Partial<PublicityOptions>,
  entry: RepositoryEntry,
  now: RepositoryIdentity,
  caller = NOBODY,
) {
  const reached: string[] = [];
  const writer = {
    prepare: async () => {
      reached.push("prepare");
      return SHA;
    },
    advance: async () => {
      reached.push("advance");
      return "moved";
    },
    wrote: () => void reached.push("wrote"),
  } as unknown as RepositoryWriter;
  const unknown = () => new GitpinError("repository_unknown", "", "");
  const guarded = publicity({ anonymous: "public", news: null, lastIdentity: last(null), ...options }).writer(
    writer,
    { identity: async () => now },
    { entry, caller, unknown },
  );
  const code = (error: unknown) => (error instanceof GitpinError ? error.code : String(error));
  const given = [
    await guarded.prepare({} as CommitRequest).catch(code),
    await guarded.advance("main", SHA, SHA).catch(code),
  ];
  assert.equal(guarded.wrote("main", SHA, []), undefined);
  return [...given, ...reached];
}

test("a writer stands behind the same question, asked again before each step", async () => {
  const through = [SHA, "moved", "prepare", "advance", "wrote"];
  const refused = ["repository_unknown", "repository_unknown", "wrote"];
  assert.deepEqual(await write({}, ENTRY, identity(7, "public")), through);
  assert.deepEqual(await write({}, ENTRY, identity(7, "private")), refused);
  assert.deepEqual(await write({ news: news([9]) }, WITH_ID, identity(9, "public")), refused);
  assert.deepEqual(await write({}, ENTRY, identity(7, "private"), OPERATOR), through);
});

test("a step that finds out that the repository is private is told of; the next one is not taken", async () => {
  let looks = 0;
  const lastIdentity = () => {
    looks += 1;
    // Before all, before the first step, before the second.
    return looks < 3 ? null : { identity: identity(9, "private"), current: true };
  };
  assert.deepEqual(await write({ lastIdentity }, WITH_ID, identity(9, "private")), [
    SHA,
    "repository_unknown",
    "prepare",
    "wrote",
  ]);
});
