/**
 * The product's own MCP server, asked by the official clients of both eras: every tool is listed and called, in both
 * spellings at both addresses; each answer is checked against the tool's declared output schema by the client, and here.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { CLIENTS, type Content, type Session, textOf } from "../mcp-sessions.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";

let repository: GitRepository;
let stack: Stack;
let first: string;
let head: string;

before(async () => {
  repository = new GitRepository("asked");
  repository.write("README.md", "# Asked\n\nAnswer: 42\n").write("src/app.ts", "export const answer = 42;\n");
  first = repository.write(".env", "TOKEN=abc\n").write("package.json", '{"name":"asked"}\n').commit("first");
  head = repository.write("src/app.ts", "// moved\nexport const answer = 42;\n").commit("second");
  stack = await startStack({
    host: { repositories: [{ owner: "octo", name: "asked", path: repository.path, id: 7301 }] },
    registry: [{ name: "asked", owner: "octo", repo: "asked", id: 7301 }],
    vars: { HEAD_MAX_AGE: "3600" },
    entities: true,
  });
});

after(async () => {
  await stack?.close();
  repository.remove();
});

type Call = [tool: string, given: Record<string, unknown>, kind: string];

/** For every tool at least one call that goes well and, where it has any, calls with another status. */
const calls = (): Call[] => {
  const place = { repository: "asked", sourcePath: "src/app.ts" };
  const cited = { ...place, sha: first, line: 1 };
  return [
    ["pin.catalog", {}, "catalog"],
    ["pin.catalog", { view: "stale" }, "catalog"],
    ["pin.search_docs", { query: "Answer" }, "evidence-candidates"],
    ["pin.search_code", { repository: "asked", query: "answer" }, "evidence-candidates"],
    ["pin.prove", { ...place, lineStart: 2, claim: "answer = 42" }, "evidence-pack"],
    ["pin.prove", { repository: "asked", sourcePath: ".env" }, "evidence-pack"],
    ["pin.prove", { ...place, lineStart: 99 }, "evidence-pack"],
    [
      "pin.prove_set",
      { items: [place, { ...place, sourcePath: ".env" }, { ...place, ref: "nope" }] },
      "evidence-set",
    ],
    ["pin.get_doc", { repository: "asked", sourcePath: "README.md" }, "evidence-doc"],
    ["pin.get_doc", { repository: "asked", sourcePath: "src/app.ts" }, "evidence-doc"],
    ["pin.read", { repository: "asked" }, "evidence-slice"],
    ["pin.read", place, "evidence-slice"],
    ["pin.verify", cited, "verification-report"],
    ["pin.verify", { ...cited, mustContain: "43" }, "verification-report"],
    ["pin.verify_set", { items: [cited, { ...cited, sha: "0".repeat(40) }] }, "verification-set-report"],
    ["pin.verify_set", { items: [cited, { ...cited, repository: "nope" }] }, "verification-set-report"],
    ["pin.analyze", { operation: "gaps" }, "coverage"],
    ["pin.analyze", { operation: "compare", repositories: ["asked", "nope"] }, "coverage"],
    [
      "pin.analyze",
      { operation: "brief", repositories: ["asked"], audience: "support", changeRange: `${first}..${head}` },
      "EvidenceBrief",
    ],
    ...["status", "commits", "manifest", "tests", "changes"].map(
      (operation): Call => ["pin.inspect", { repository: "asked", operation }, "inspection"],
    ),
    ["pin.compare", { repository: "asked", base: first, head }, "comparison"],
    ["pin.compare", { repository: "asked", base: first, head: "0".repeat(40) }, "comparison"],
    ["kin_status", { repository: "asked" }, "kin-status"],
    ["kin_find_entities", { repository: "asked", query: "answer" }, "entities"],
    ["kin_find_entities", { repository: "asked", path: ".env" }, "entities"],
    // Its kind is the entity's own.
    ["get_entity_source", { repository: "asked", entity_id: "answer" }, "const"],
  ];
};

const spelt = (name: string, underscore: boolean) => (underscore ? name.replaceAll(".", "_") : name);

async function callEach(session: Session, underscore: boolean, names: readonly string[]): Promise<void> {
  const { tools } = await session.client.listTools();
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  const schemas = new Map(tools.map(({ name, outputSchema = {} }) => [name, ajv.compile(outputSchema)]));
  const called = new Set<string>();
  for (const [name, given, kind] of calls()) {
    const tool = spelt(name, underscore);
    if (!names.includes(tool)) continue;
    const result = await session.call(tool, given);
    const answer = answerOf(result, tool);
    assert.equal(answer.kind, kind, tool);
    assert.equal(answer.product, "gitpin");
    const valid = schemas.get(tool);
    assert.ok(valid?.(answer), `${tool}: ${JSON.stringify(valid?.errors)}`);
    if (answer.next !== null) {
      const { tool: next } = answer.next as { tool: string };
      assert.ok(names.includes(next), `${tool} suggests ${next}`);
    }
    // The other spelling is callable at the same address.
    const other = await session.call(spelt(name, !underscore), given);
    assert.equal(answerOf(other, tool).kind, kind);
    called.add(tool);
  }
  assert.deepEqual([...called].sort(), [...names].sort(), "a tool was not called");
}

function answerOf(result: Content, tool: string): Record<string, unknown> {
  assert.equal(result.isError ?? false, false, `${tool}: ${textOf(result)}`);
  assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent);
  return result.structuredContent as Record<string, unknown>;
}

const EXPECTED = [
  "pin.catalog",
  "pin.search_docs",
  "pin.search_code",
  "pin.prove",
  "pin.prove_set",
  "pin.get_doc",
  "pin.read",
  "pin.verify",
  "pin.verify_set",
  "pin.analyze",
  "pin.inspect",
  "pin.compare",
  "kin_status",
  "kin_find_entities",
  "get_entity_source",
];

for (const [name, connect] of Object.entries(CLIENTS)) {
  describe(name, () => {
    for (const [address, underscore] of [
      ["/mcp", false],
      ["/mcp?names=underscore", true],
    ] as const) {
      test(`${address}: every tool, both spellings, answers of their schemas`, async () => {
        const session = await connect(`${stack.worker.url}${address}`);
        const { tools } = await session.client.listTools();
        const names = tools.map((tool) => tool.name);
        assert.deepEqual(
          names,
          EXPECTED.map((tool) => spelt(tool, underscore)),
        );
        await callEach(session, underscore, names);
        await session.client.close();
      });

      test(`${address}: resource, prompt, and errors that can be mended`, async () => {
        const session = await connect(`${stack.worker.url}${address}`);
        const { resources } = await session.client.listResources();
        assert.deepEqual(
          resources.map(({ uri }) => uri),
          ["gitpin://catalog"],
        );
        const { contents } = await session.client.readResource({ uri: "gitpin://catalog" });
        const catalog = JSON.parse((contents[0] as { text: string }).text);
        assert.deepEqual([catalog.kind, catalog.repositories[0].headSha], ["catalog", head]);
        const prompt = await session.client.getPrompt({ name: "prove-with-git-head", arguments: {} });
        const said = (prompt.messages[0]?.content as { text: string } | undefined)?.text ?? "";
        for (const tool of ["pin.catalog", "pin.search_code", "pin.prove", "pin.verify"]) {
          assert.ok(said.includes(spelt(tool, underscore)), `${tool} in:\n${said}`);
        }
        const wrong = await session.call(spelt("pin.prove_set", underscore), {
          items: [{ repository: "asked", sourcePath: "README.md", line: 3 }],
        });
        assert.equal(wrong.isError, true);
        const { error } = JSON.parse(textOf(wrong));
        assert.deepEqual([error.code, error.data.field], ["invalid_argument", "items[0].line"]);
        await session.client.close();
      });
    }
  });
}
