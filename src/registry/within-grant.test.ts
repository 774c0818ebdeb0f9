/** The writer's guards: what the registry does not open is not written, whoever planned it; nor what is no longer the team's. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { teamMap } from "../auth/team-map.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import { GitpinError } from "../errors.ts";
import type { CommitFile, CommitRequest, RepositoryWriter } from "../ports/repository-writer.ts";
import { repositoryEntry } from "../schema/registry.ts";
import { withinGrant } from "./within-grant.ts";
import { writerWithinTeam } from "./within-team.ts";

const id = "a".repeat(40) as ObjectId;
const file = (path: string): CommitFile => ({ path, mode: "100644", bytes: new Uint8Array(), blob: id });
const request = (...paths: string[]): CommitRequest => ({
  parent: id,
  parentTree: id,
  files: paths.map(file),
  tree: id,
  message: "m",
});

/** Tells what reached the host. */
function recording(): { writer: RepositoryWriter; reached: string[] } {
  const reached: string[] = [];
  const told =
    <T>(name: string, value: T) =>
    async () => {
      reached.push(name);
      return value;
    };
  return {
    reached,
    writer: {
      tip: told("tip", id),
      prepare: told("prepare", id),
      advance: told("advance", "moved"),
      createBranch: told("createBranch", "moved"),
      firstCommit: told("firstCommit", id),
      landed: told("landed", true),
      firstLanded: told("firstLanded", null),
      inTheWayOf: told("inTheWayOf", null),
      openPullRequest: told("openPullRequest", { number: 1, url: "u" }),
      wrote: () => void reached.push("wrote"),
    },
  };
}

const entry = repositoryEntry.parse({
  name: "engine",
  owner: "blue-inc",
  repo: "engine",
  team: "blue",
  writable: { branches: ["main", "agent/*"], paths: ["src/**"] },
});
const blue = { id: "token:1", team: "blue", scopes: ["kin:write"] };

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "done",
    (thrown: unknown) => (thrown instanceof GitpinError ? (thrown.data.rule ?? thrown.code) : thrown),
  );

test("every step that makes or moves something asks the registry's grant", async () => {
  const { writer, reached } = recording();
  const guarded = withinGrant(writer, entry, blue);
  const calls: [Promise<unknown>, string][] = [
    [guarded.prepare(request("src/a.ts", "lib/b.ts")), "registry: writable.paths"],
    [guarded.prepare(request("src/.env.ts")), "default: .env*"],
    [guarded.advance("release", id, id), "registry: writable.branches"],
    [guarded.createBranch("release", id), "registry: writable.branches"],
    [guarded.firstCommit(file("src/a.ts"), "release", "m"), "registry: writable.branches"],
    [guarded.firstCommit(file("a.ts"), "main", "m"), "registry: writable.paths"],
    [guarded.openPullRequest({ title: "t", head: "release", base: "main" }), "registry: writable.branches"],
  ];
  for (const [work, rule] of calls) assert.equal(await outcome(work), rule);
  const green = withinGrant(writer, entry, { ...blue, team: "green" });
  assert.equal(await outcome(green.prepare(request("src/a.ts"))), "registry: team");
  const closed = withinGrant(writer, { ...entry, writable: false }, blue);
  assert.equal(await outcome(closed.prepare(request("src/a.ts"))), "registry: writable");
  assert.deepEqual(reached, []);
});

test("what the registry opens goes through, and reading needs no grant", async () => {
  const { writer, reached } = recording();
  const guarded = withinGrant(writer, entry, blue);
  await guarded.tip("release");
  await guarded.landed("release", id);
  await guarded.prepare(request("src/a.ts"));
  await guarded.advance("main", id, id);
  await guarded.createBranch("agent/a", id);
  await guarded.firstCommit(file("src/a.ts"), "main", "m");
  await guarded.openPullRequest({ title: "t", head: "agent/a", base: "release" });
  guarded.wrote("main", id, []);
  assert.deepEqual(reached, [
    "tip",
    "landed",
    "prepare",
    "advance",
    "createBranch",
    "firstCommit",
    "openPullRequest",
    "wrote",
  ]);
});

test("a repository that was given away is not written under the team's old name", async () => {
  const teams = teamMap({ blue: { owners: ["blue-inc"], repositories: [] } });
  const at = (fullName: string) => ({
    identity: async () => ({ id: 7, fullName, defaultBranch: "main", visibility: "private" }) as never,
  });
  const { writer, reached } = recording();
  const gone = writerWithinTeam(writer, at("elsewhere/engine"), entry, teams);
  for (const work of [gone.tip("main"), gone.prepare(request("src/a.ts")), gone.advance("main", id, id)]) {
    assert.equal(await outcome(work), "repository_unavailable");
  }
  assert.deepEqual(reached, []);
  const here = writerWithinTeam(writer, at("Blue-Inc/motor"), entry, teams);
  assert.equal(await here.tip("main"), id);
  assert.equal(here.wrote("main", id, []), undefined);
  assert.deepEqual(reached, ["tip", "wrote"]);
});
