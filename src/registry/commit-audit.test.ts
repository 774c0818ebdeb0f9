/** Commits in the audit trail: whose section, which fields, what is not in it, and where it goes when it cannot go there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { storeInNode } from "../../test/teams/store-in-node.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import { GitpinError } from "../errors.ts";
import type { CommitEvent } from "../ports/commit-audit.ts";
import { repositoryEntry } from "../schema/registry.ts";
import { type CommitLine, commitLine, liveCommitAudit, loggedCommitAudit } from "./commit-audit.ts";

const now = () => "2026-06-01T00:00:00.000Z";
const id = (digit: string) => digit.repeat(40) as ObjectId;
const entry = (team?: string) =>
  repositoryEntry.parse({
    name: "engine",
    owner: "blue-inc",
    repo: "engine",
    ...(team === undefined ? {} : { team }),
  });

const event = (more: Partial<CommitEvent> = {}): CommitEvent => ({
  caller: { id: "token:0123456789abcdef", team: "blue", scopes: ["pin:read", "kin:write"] },
  entry: entry("blue"),
  branch: "main",
  parent: id("a"),
  commit: id("b"),
  paths: ["src/a.ts", "src/b.ts"],
  operations: 3,
  requestId: "r1",
  pullRequest: 12,
  ...more,
});

const DETAIL = {
  branch: "main",
  parent: "a".repeat(40),
  commit: "b".repeat(40),
  paths: ["src/a.ts", "src/b.ts"],
  pathsTotal: 2,
  operations: 3,
  requestId: "r1",
  pullRequest: 12,
};

test("a commit is a row of the entry's section, by who made it", async () => {
  const { home } = storeInNode();
  const audit = liveCommitAudit(home);
  await audit.committed(event());
  await audit.committed(
    event({
      caller: { id: "operator", team: null, scopes: ["kin:write"] },
      requestId: null,
      pullRequest: null,
    }),
  );
  await audit.committed(event({ entry: entry(), parent: null }));
  const blue = await home.audit({ section: "blue" }, 10, null);
  const row = { at: "2026-06-01T00:00:00.000Z", team: "blue", action: "kin.commit", subject: "engine" };
  assert.deepEqual(blue, {
    events: [
      { ...row, by: "operator", detail: { ...DETAIL, requestId: null, pullRequest: null } },
      { ...row, by: "token:0123456789abcdef", detail: DETAIL },
    ],
    before: null,
  });
  const operators = await home.audit({ section: null }, 10, null);
  assert.deepEqual(operators.events, [
    { ...row, team: null, by: "token:0123456789abcdef", detail: { ...DETAIL, parent: null } },
  ]);
  assert.deepEqual((await home.audit({ section: "green" }, 10, null)).events, []);
});

test("paths are named up to a bound, and always counted", async () => {
  const lines: CommitLine[] = [];
  const audit = loggedCommitAudit(now, (line) => lines.push(line));
  await audit.committed(event({ paths: Array.from({ length: 1024 }, (_, index) => `p/${index}`) }));
  await audit.committed(event({ paths: ["x".repeat(4000), "y".repeat(4000), "z".repeat(4000), "a"] }));
  assert.deepEqual(
    [lines[0]?.paths.length, lines[0]?.pathsTotal, lines[0]?.paths.at(-1)],
    [100, 1024, "p/99"],
  );
  assert.deepEqual(
    lines[1]?.paths.map((path) => path[0]),
    ["x", "y"],
  );
  assert.equal(lines[1]?.pathsTotal, 4);
});

test("where the registry is a file a commit is one line of the log", async () => {
  const lines: CommitLine[] = [];
  await loggedCommitAudit(now, (line) => lines.push(line)).committed(event({ entry: entry() }));
  assert.deepEqual(lines, [
    {
      event: "kin.commit",
      at: "2026-06-01T00:00:00.000Z",
      by: "token:0123456789abcdef",
      team: null,
      repository: "engine",
      ...DETAIL,
      unrecorded: null,
    },
  ]);
});

test("what the audit log cannot take is an error, and a line that says so", async () => {
  const { home, failing } = storeInNode();
  failing.on = true;
  await assert.rejects(
    liveCommitAudit(home).committed(event()),
    (thrown) => thrown instanceof GitpinError && thrown.code === "registry_unavailable",
  );
  const line = commitLine(event(), now(), "registry_unavailable");
  assert.deepEqual([line.commit, line.unrecorded], ["b".repeat(40), "registry_unavailable"]);
});
