import assert from "node:assert/strict";
import { test } from "node:test";
import { GitpinError } from "../errors.ts";
import { fileRegistry } from "./file-registry.ts";
import { parseRegistry } from "./parse-registry.ts";

const fault = (text: string): string[] => {
  try {
    parseRegistry(text);
  } catch (error) {
    assert.ok(error instanceof GitpinError);
    assert.equal(error.code, "invalid_argument");
    return [...((error.data.faults as string[] | undefined) ?? [error.message])];
  }
  assert.fail("accepted");
};

const entry = { name: "app", owner: "octo", repo: "app" };
const file = (...repositories: unknown[]) => JSON.stringify({ version: 1, repositories });

test("defaults are the careful ones", () => {
  assert.deepEqual(parseRegistry(file(entry)).repositories, [
    {
      name: "app",
      owner: "octo",
      repo: "app",
      refs: [],
      allow: [],
      deny: [],
      visibility: "private",
      writable: false,
    },
  ]);
});

test("a bad file names the field's path", () => {
  assert.match(fault("{")[0] ?? "", /not JSON/);
  assert.deepEqual(fault(file({ ...entry, dney: ["*.key"] })), ['repositories.0: Unrecognized key: "dney"']);
  assert.match(fault(file({ ...entry, name: "a/b" }))[0] ?? "", /^repositories\.0\.name: /);
  assert.match(fault(file({ ...entry, repo: ".." }))[0] ?? "", /^repositories\.0\.repo: /);
  assert.match(fault(file({ ...entry, owner: "a/../b" }))[0] ?? "", /^repositories\.0\.owner: /);
  assert.match(fault(file({ ...entry, ref: "a..b" }))[0] ?? "", /^repositories\.0\.ref: /);
  assert.match(fault(file({ ...entry, id: -1 }))[0] ?? "", /^repositories\.0\.id: /);
  assert.match(
    fault(file(entry, { ...entry, name: "APP" }))[0] ?? "",
    /^repositories\.1\.name: the same name/,
  );
});

test("what is opened to changes is named exactly", () => {
  const writable = (value: unknown) => fault(file({ ...entry, writable: value }));
  assert.deepEqual(writable({ branches: [] }), [
    "repositories.0.writable.branches: name at least one branch, or set writable to false",
  ]);
  assert.deepEqual(writable({ branches: ["main"], paths: [] }), [
    "repositories.0.writable.paths: name at least one path, or leave paths out for all of them",
  ]);
  assert.deepEqual(writable({ branches: ["refs/heads/main"] }), [
    "repositories.0.writable.branches.0: branches are named without refs/heads/",
  ]);
  assert.deepEqual(writable({ branches: ["a{"] }), [
    "repositories.0.writable.branches.0: not a glob that can be read",
  ]);
  assert.deepEqual(writable({ branches: ["main"], paths: ["!x"] }), [
    "repositories.0.writable.paths.0: a negation, which is not known here",
  ]);
  assert.match(writable(true)[0] ?? "", /^repositories\.0\.writable: /);
  assert.match(writable({ paths: ["**"] })[0] ?? "", /^repositories\.0\.writable\.branches: /);
  assert.match(writable({ branches: ["main"], path: ["x"] })[0] ?? "", /Unrecognized key: "path"/);
  const parsed = parseRegistry(file({ ...entry, writable: { branches: ["main"] } }));
  assert.deepEqual(parsed.repositories[0]?.writable, { branches: ["main"], paths: ["**"] });
});

test("an error names the first faults and counts the rest", () => {
  const faults = fault(file(...Array.from({ length: 80 }, () => 7)));
  assert.equal(faults.length, 51);
  assert.equal(faults.at(-1), "and 30 more");
});

test("an entry of a team never serves commits that no ref leads to", () => {
  assert.match(
    fault(file({ ...entry, team: "blue", allowUnreachable: true }))[0] ?? "",
    /^repositories\.0\.allowUnreachable: /,
  );
});

test("anonymous callers see what the operator set, and the rest does not exist", async () => {
  const caller = { id: "anonymous", team: null, scopes: [] };
  const parsed = parseRegistry(file(entry, { ...entry, name: "open", visibility: "public" }));
  const names = async (access: "none" | "public" | "all") =>
    (await fileRegistry(parsed, access).visible(caller)).map(({ name }) => name);
  assert.deepEqual(await names("none"), []);
  assert.deepEqual(await names("public"), ["open"]);
  assert.deepEqual(await names("all"), ["app", "open"]);
  assert.equal(await fileRegistry(parsed, "public").find(caller, "app"), null);
  assert.equal((await fileRegistry(parsed, "all").find(caller, "app"))?.repo, "app");
});
