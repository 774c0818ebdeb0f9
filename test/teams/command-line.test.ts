/** `gitpin registry` and `gitpin token` against a running service: a team's first day, by its own commands. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { run } from "../../src/cli/main.ts";
import { ADMIN_TOKEN, startTwoTeams, type TwoTeams } from "./two-teams.ts";

let teams: TwoTeams;
let admin: string;
const folder = mkdtempSync(join(tmpdir(), "gitpin-cli-"));

before(async () => {
  teams = await startTwoTeams();
});

after(async () => {
  await teams.close();
  rmSync(folder, { recursive: true, force: true });
});

async function gitpin(token: string, ...args: string[]) {
  let [out, error] = ["", ""];
  const code = await run(
    args,
    { GITPIN_URL: `${teams.worker.url}/mcp?names=underscore`, GITPIN_TOKEN: token },
    { out: (text) => (out += text), error: (text) => (error += text) },
  );
  return { code, out, error };
}

const file = (repositories: object[]) => {
  const path = join(folder, "registry.json");
  writeFileSync(path, JSON.stringify({ version: 1, repositories }));
  return path;
};

test("the operator makes a team's admin, who registers, shows, pushes, and restores", async () => {
  const issued = await gitpin(
    ADMIN_TOKEN,
    ...["token", "issue", "--team", "blue", "--label", "Ada, admin", "--scope", "registry:admin", "pin:read"],
  );
  assert.equal(issued.code, 0, issued.error);
  assert.match(issued.out, /^gpe_[0-9a-f]{16}_[A-Za-z0-9_-]{43}\n$/);
  admin = issued.out.trim();

  const added = await gitpin(
    admin,
    "registry",
    "add",
    "motor",
    "blue-inc/engine",
    "--description",
    "The motor",
  );
  assert.deepEqual([added.code, added.out], [0, ""], added.error);
  assert.match(added.error, /^stored: version 2, 3 entries, etag "2-[0-9a-f]{16}"\n$/);
  const twice = await gitpin(admin, "registry", "add", "motor", "blue-inc/engine");
  assert.deepEqual([twice.code, /registered already/.test(twice.error)], [2, true]);

  const shown = await gitpin(admin, "registry", "show");
  const { repositories } = JSON.parse(shown.out) as { repositories: { name: string }[] };
  assert.deepEqual(
    repositories.map(({ name }) => name),
    ["engine", "common", "motor"],
  );
  const etag = /etag (\S+)/.exec(shown.error)?.[1] ?? "";

  const path = file(repositories.filter(({ name }) => name !== "common"));
  const valid = await gitpin(admin, "registry", "validate", path);
  assert.deepEqual([valid.code, valid.out], [0, "valid\n  - common\n"]);
  assert.equal((await gitpin(admin, "registry", "push", path)).code, 2);
  assert.equal((await gitpin(admin, "registry", "push", path, "--if-match", etag)).code, 0);
  const late = await gitpin(admin, "registry", "push", path, "--if-match", etag);
  assert.deepEqual([late.code, /precondition_failed/.test(late.error)], [2, true]);

  const opened = await gitpin(
    admin,
    ...["registry", "add", "motor", "blue-inc/engine", "--replace"],
    ...["--writable", "agent/*", "bot/**", "--writable-paths", "src/**"],
  );
  assert.equal(opened.code, 0, opened.error);
  const entries = JSON.parse((await gitpin(admin, "registry", "show")).out) as {
    repositories: { name: string; writable?: unknown }[];
  };
  assert.deepEqual(entries.repositories.find(({ name }) => name === "motor")?.writable, {
    branches: ["agent/*", "bot/**"],
    paths: ["src/**"],
  });
  assert.equal((await gitpin(admin, "registry", "remove", "motor")).code, 0);
  assert.equal((await gitpin(admin, "registry", "restore", "1")).code, 0);
  const history = await gitpin(admin, "registry", "history");
  assert.match(
    history.out,
    /^6 .* 2 entries, restored from 1\n {2}\+ common\n5 .*\n {2}- motor\n4 .*\n {2}~ motor: description, writable\n3 .*\n {2}- common\n2 .*\n {2}\+ motor\n1 .* seed /,
  );
});

test("what is wrong ends with 1 or 2 and says where", async () => {
  const invalid = await gitpin(
    admin,
    "registry",
    "validate",
    file([{ name: "x", owner: "green-inc", repo: "engine" }]),
  );
  assert.deepEqual(
    [invalid.code, /repositories\.0\.owner: team blue may register/.test(invalid.out)],
    [1, true],
    invalid.out,
  );
  for (const [args, expected] of [
    [["registry", "add", "x", "green-inc/engine"], /repositories\.2\.owner/],
    [["registry", "add", "x", "no-slash"], /OWNER\/REPO/],
    [["registry", "add", "x", "blue-inc/engine", "--writable-paths", "src/**"], /goes with --writable/],
    [["registry", "remove", "no-such"], /remove\.0: there is no entry no-such/],
    [["registry", "restore", "99"], /version_unknown/],
    [["registry", "restore", "x"], /number from 1/],
    [["registry", "show", "--team", "green"], /forbidden: Only the operator may name a team/],
    [["registry", "push", join(folder, "absent.json"), "--force"], /cannot be read/],
    [["token", "revoke", "0123456789abcdef"], /token_unknown/],
    [["token", "issue", "--label", "x", "--scope", "everything"], /invalid_argument/],
    [["token", "issue", "--label", "x", "--expires-in-days", "-1"], /3650/],
    [["token", "issue"], /required option '--label/],
    [["registry", "nonsense"], /unknown command/],
  ] as const) {
    const { code, error } = await gitpin(admin, ...args);
    assert.equal(code, 2, args.join(" "));
    assert.match(error, expected, args.join(" "));
    assert.equal(error.includes(admin), false);
  }
  assert.match((await gitpin("", "registry", "show")).error, /GITPIN_TOKEN is not set/);
});

test("a member's token is listed without its secret, and revoked by its id", async () => {
  const issued = await gitpin(admin, "token", "issue", "--label", "laptop", "--expires-in-days", "30");
  const token = issued.out.trim();
  assert.equal((await teams.ask("/v1/catalog", { token })).status, 200);
  const list = await gitpin(admin, "token", "list");
  const [, id = ""] = /^([0-9a-f]{16}) {2}blue {2}pin:read .* expires .* laptop$/m.exec(list.out) ?? [];
  assert.equal(list.out.includes(token.slice(21)), false);
  const revoked = await gitpin(admin, "token", "revoke", id);
  assert.match(revoked.out, /revoked 20/);
  assert.equal((await teams.ask("/v1/catalog", { token })).status, 401);
});
