import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { teamMap } from "../auth/team-map.ts";
import type { Caller } from "../ports/registry.ts";
import { type RepositoryEntry, repositoryEntry } from "../schema/registry.ts";
import { entriesInView, viewOf } from "./visibility.ts";

const teams = teamMap({
  blue: { owners: ["Blue-Inc"], repositories: ["octo/shared"] },
  green: { owners: ["green-inc"], repositories: [] },
});
const entry = (name: string, owner: string, more: object = {}): RepositoryEntry =>
  repositoryEntry.parse({ name, owner, repo: name, ...more });

const OPEN = entry("open", "octo", { visibility: "public" });
const OWN = entry("own", "octo");
const BLUE = entry("app", "blue-inc", { team: "blue" });
const GREEN = entry("app", "green-inc", { team: "green" });
const SHADOW = entry("Open", "blue-inc", { team: "blue" });
const LOST = entry("lost", "elsewhere", { team: "blue" });
const ALL = [OPEN, OWN, BLUE, GREEN, SHADOW, LOST];

const NOBODY: Caller = { id: "anonymous", team: null, scopes: [] };
const OPERATOR: Caller = { id: "operator", team: null, scopes: ["pin:read", "registry:admin", "kin:write"] };
const member = (team: string, ...scopes: string[]): Caller => ({ id: `token:${team}`, team, scopes });

const seen = (caller: Caller, anonymous: "none" | "public" | "all" = "public") =>
  entriesInView(ALL, viewOf(caller, anonymous), teams);

test("who sees what", () => {
  assert.deepEqual(seen(NOBODY), [OPEN]);
  assert.deepEqual(seen(NOBODY, "none"), []);
  // SHADOW bears a public entry's name, and `app` would stand for two teams' repositories.
  assert.deepEqual(seen(NOBODY, "all"), [OPEN, OWN]);
  assert.deepEqual(seen(OPERATOR), [OPEN, OWN]);
  assert.deepEqual(seen(member("blue", "pin:read")), [BLUE, SHADOW]);
  assert.deepEqual(seen(member("green", "pin:read")), [OPEN, GREEN]);
  assert.deepEqual(seen(member("green", "pin:read"), "none"), [OPEN, GREEN]);
  assert.deepEqual(seen(member("blue", "registry:admin", "kin:write")), [OPEN]);
  assert.deepEqual(seen(member("blue", "registry:admin", "kin:write"), "none"), []);
  assert.deepEqual(seen(member("blue", "kin:write"), "all"), [OPEN]);
  assert.deepEqual(seen(member("red", "pin:read")), [OPEN]);
});

test("an owner that the operator took from a team is gone for it, the rest stays", () => {
  const less = teamMap({ blue: { owners: [], repositories: ["octo/shared"] } });
  assert.deepEqual(entriesInView(ALL, viewOf(member("blue", "pin:read"), "public"), less), [OPEN]);
});

test("generated registries: no caller sees a team's entry but that team and the operator; names are unique", () => {
  const entries = fc.array(
    fc.record({
      name: fc.constantFrom("a", "A", "b", "c"),
      owner: fc.constantFrom("blue-inc", "green-inc", "octo"),
      team: fc.constantFrom(undefined, "blue", "green", "red"),
      visibility: fc.constantFrom("public", "private"),
    }),
    { maxLength: 12 },
  );
  const callers = fc.constantFrom(
    NOBODY,
    member("blue", "pin:read"),
    member("green", "pin:read"),
    member("blue", "registry:admin"),
    OPERATOR,
  );
  fc.assert(
    fc.property(entries, callers, fc.constantFrom("none", "public", "all"), (rows, caller, anonymous) => {
      const keys = new Set<string>();
      const registry = rows.flatMap(({ name, owner, team, visibility }) => {
        const key = `${team}/${name.toLowerCase()}`;
        if (keys.has(key)) return [];
        keys.add(key);
        const shown = team === undefined ? { visibility } : { team };
        return [entry(name, owner, shown)];
      });
      const view = entriesInView(registry, viewOf(caller, anonymous), teams);
      const everything = caller === OPERATOR || (caller === NOBODY && anonymous === "all");
      for (const { team, owner, repo, visibility } of view) {
        if (team !== undefined) assert.ok(teams.allows(team, owner, repo));
        if (everything) continue;
        if (team !== undefined) assert.ok(team === caller.team && caller.scopes.includes("pin:read"));
        else assert.equal(visibility, "public");
      }
      assert.equal(new Set(view.map(({ name }) => name.toLowerCase())).size, view.length);
    }),
  );
});
