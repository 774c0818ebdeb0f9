import assert from "node:assert/strict";
import { test } from "node:test";
import { appendToml } from "./append-toml.ts";
import { TakenError } from "./insert-json.ts";

const ENTRY = {
  table: ["mcp_servers", "gitpin"],
  values: { url: "https://a.example/mcp?names=underscore" },
} as const;
const WRITTEN = '[mcp_servers.gitpin]\nurl = "https://a.example/mcp?names=underscore"\n';

test("the table goes to the end, and what is there stays", () => {
  const cases: [string, string][] = [
    ["", WRITTEN],
    ["# mine\nmodel = 'x'\n", `# mine\nmodel = 'x'\n\n${WRITTEN}`],
    ["a = 1", `a = 1\n\n${WRITTEN}`],
    ["[mcp_servers.other]\ncommand = 'y' # z\n", `[mcp_servers.other]\ncommand = 'y' # z\n\n${WRITTEN}`],
  ];
  for (const [before, after] of cases) assert.equal(appendToml(before, ENTRY), after);
});

test("a table that is there is left, another one is not replaced, a broken file is refused", () => {
  assert.equal(appendToml(WRITTEN, ENTRY), WRITTEN);
  assert.throws(() => appendToml("[mcp_servers.gitpin]\nurl = 'else'\n", ENTRY), TakenError);
  assert.throws(() => appendToml("mcp_servers = 3\n", ENTRY), TakenError);
  assert.throws(
    () => appendToml("mcp_servers = { other = { command = 'y' } }\n", ENTRY),
    /extend|redefine|inline|table/i,
  );
  assert.throws(() => appendToml("model = \n", ENTRY));
});
