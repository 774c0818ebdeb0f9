/** `gitpin init`: what it prints for each client, and that `--write` loses nothing. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { gitpin } from "./command-line.ts";

let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "gitpin-init-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const URL_ = "https://gitpin.example";
const MCP = "https://gitpin.example/mcp?names=underscore";
const TOKEN = { GITPIN_TOKEN: "secret-token-of-mine" };
const init = (client: string, environment: Record<string, string> = {}, ...more: string[]) =>
  gitpin({ GITPIN_URL: URL_, ...environment }, "init", "--client", client, ...more);

/** The printed entry: what stands between `In PATH:` and the next empty line. */
function entry(out: string): { path: string; text: string } {
  const match = /^In (.+):\n(.*?)\n\n/ms.exec(out);
  assert.ok(match, out);
  return { path: match[1] ?? "", text: match[2] ?? "" };
}

const BEARER = (reference: string) => ({ Authorization: `Bearer ${reference}` });

test("each client's own form, with and without a token", async () => {
  const cases: [string, string, unknown, unknown][] = [
    [
      "claude-code",
      ".mcp.json",
      { mcpServers: { gitpin: { type: "http", url: MCP } } },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the client expands it
      { mcpServers: { gitpin: { type: "http", url: MCP, headers: BEARER("${GITPIN_TOKEN}") } } },
    ],
    [
      "cursor",
      ".cursor/mcp.json",
      { mcpServers: { gitpin: { url: MCP } } },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the client expands it
      { mcpServers: { gitpin: { url: MCP, headers: BEARER("${env:GITPIN_TOKEN}") } } },
    ],
    [
      "vscode",
      ".vscode/mcp.json",
      { servers: { gitpin: { type: "http", url: MCP } } },
      {
        inputs: [{ type: "promptString", id: "gitpin-token", description: "GitPin token", password: true }],
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the client expands it
        servers: { gitpin: { type: "http", url: MCP, headers: BEARER("${input:gitpin-token}") } },
      },
    ],
    [
      "windsurf",
      "~/.codeium/windsurf/mcp_config.json",
      { mcpServers: { gitpin: { serverUrl: MCP } } },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the client expands it
      { mcpServers: { gitpin: { serverUrl: MCP, headers: BEARER("${env:GITPIN_TOKEN}") } } },
    ],
    [
      "zed",
      "~/.config/zed/settings.json",
      { context_servers: { gitpin: { url: MCP } } },
      { context_servers: { gitpin: { url: MCP, headers: BEARER("YOUR_GITPIN_TOKEN") } } },
    ],
    [
      "gemini-cli",
      "~/.gemini/settings.json",
      { mcpServers: { gitpin: { httpUrl: MCP } } },
      { mcpServers: { gitpin: { httpUrl: MCP, headers: BEARER("$GITPIN_TOKEN") } } },
    ],
    [
      "generic",
      "mcp.json",
      { mcpServers: { gitpin: { type: "http", url: MCP } } },
      { mcpServers: { gitpin: { type: "http", url: MCP, headers: BEARER("YOUR_GITPIN_TOKEN") } } },
    ],
    [
      "codex",
      "~/.codex/config.toml",
      { mcp_servers: { gitpin: { url: MCP } } },
      { mcp_servers: { gitpin: { url: MCP, bearer_token_env_var: "GITPIN_TOKEN" } } },
    ],
    [
      "continue",
      ".continue/mcpServers/gitpin.yaml",
      {
        name: "GitPin",
        version: "0.0.1",
        schema: "v1",
        mcpServers: [{ name: "gitpin", type: "streamable-http", url: MCP }],
      },
      {
        name: "GitPin",
        version: "0.0.1",
        schema: "v1",
        mcpServers: [
          {
            name: "gitpin",
            type: "streamable-http",
            url: MCP,
            // biome-ignore lint/suspicious/noTemplateCurlyInString: the client expands it
            requestOptions: { headers: BEARER("${{ secrets.GITPIN_TOKEN }}") },
          },
        ],
      },
    ],
  ];
  for (const [client, path, without, withToken] of cases) {
    const read = (text: string): unknown =>
      client === "codex"
        ? { ...parseToml(text) }
        : client === "continue"
          ? parseYaml(text)
          : JSON.parse(text);
    for (const [environment, expected] of [
      [{}, without],
      [TOKEN, withToken],
    ] as const) {
      const { out, code } = await init(client, environment);
      const printed = entry(out);
      assert.equal(printed.path, path);
      assert.deepEqual(JSON.parse(JSON.stringify(read(printed.text))), expected);
      assert.doesNotMatch(out, /secret-token-of-mine/);
      assert.equal(code, 0);
    }
  }
});

test("Claude Desktop goes through mcp-remote, claude.ai through its own pages", async () => {
  const local = await gitpin({}, "init", "--client", "claude-desktop");
  const { mcpServers } = JSON.parse(entry(local.out).text) as {
    mcpServers: { gitpin: { command: string; args: string[] } };
  };
  assert.equal(mcpServers.gitpin.command, "npx");
  assert.deepEqual(mcpServers.gitpin.args, [
    "-y",
    "mcp-remote",
    "http://127.0.0.1:8787/mcp?names=underscore",
    "--transport",
    "http-only",
    "--allow-http",
  ]);
  const web = await init("claude-ai");
  assert.match(web.out, /Remote MCP server URL:\n {2}https:\/\/gitpin\.example\/mcp\?names=underscore\n/);
  assert.match((await gitpin({}, "init", "--client", "claude-ai")).out, /claude\.ai cannot reach it/);
});

test("without --write nothing is written; with it, the entry joins what is there", async () => {
  const file = join(folder, "mcp.json");
  await init("cursor");
  assert.equal(existsSync(file), false);
  const written = await init("cursor", {}, "--write", "--file", file);
  assert.equal(written.code, 0);
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { mcpServers: { gitpin: { url: MCP } } });
  writeFileSync(
    file,
    '{\n    "mcpServers": {\n        "mine": {"command": "x"}\n    },\n    "other": [1, 2]\n}\n',
  );
  chmodSync(file, 0o600);
  const merged = await init("cursor", {}, "--write", "--file", file);
  assert.equal(merged.code, 0);
  assert.equal(
    readFileSync(file, "utf8"),
    `{\n    "mcpServers": {\n        "mine": {"command": "x"},\n        "gitpin": {\n            "url": "${MCP}"\n        }\n    },\n    "other": [1, 2]\n}\n`,
  );
  assert.match((await init("cursor", {}, "--write", "--file", file)).out, /has the entry already/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test("the usual file of a project is made in the folder one stands in", () => {
  const main = join(import.meta.dirname, "../../src/cli/main.ts");
  execFileSync(process.execPath, [main, "init", "--client", "vscode", "--url", URL_, "--write"], {
    cwd: folder,
  });
  const text = readFileSync(join(folder, ".vscode/mcp.json"), "utf8");
  assert.deepEqual(JSON.parse(text), { servers: { gitpin: { type: "http", url: MCP } } });
});

test("a file that cannot be parsed, or has another entry, stays as it is", async () => {
  const cases: [string, string, RegExp][] = [
    ["cursor", "{ not json", /cannot be parsed: line 1/],
    ["cursor", '{"mcpServers":{"gitpin":{"url":"https://else.example"}}}', /holds something else/],
    ["cursor", "{\n// a comment\n}", /cannot be parsed/],
    ["codex", "model = \n", /cannot be parsed/],
    ["codex", "[mcp_servers.gitpin]\nurl = 'x'\n", /holds something else/],
    ["continue", "name: mine\n", /holds something else/],
  ];
  for (const [client, content, text] of cases) {
    const file = join(folder, "kept");
    writeFileSync(file, content);
    const { code, error } = await init(client, {}, "--write", "--file", file);
    assert.match(error, text);
    assert.equal(code, 2);
    assert.equal(readFileSync(file, "utf8"), content);
  }
});

test("what cannot be written says why", async () => {
  const cases: [string, Record<string, string>, string[], RegExp][] = [
    ["claude-ai", {}, ["--write"], /its own pages/],
    ["zed", TOKEN, ["--write"], /put the entry in by hand/],
    ["claude-desktop", TOKEN, ["--write"], /put the entry in by hand/],
    ["generic", {}, ["--write"], /the client's to say/],
    ["cursor", {}, ["--file", "x"], /--file goes with --write/],
    ["cursor", {}, ["--url", "nowhere"], /--url is not the address/],
    ["cursor", TOKEN, ["--url", "http://gitpin.example"], /plain http/],
    ["emacs", {}, [], /Allowed choices are claude-code, /],
  ];
  for (const [client, environment, more, text] of cases) {
    const { code, error } = await init(client, environment, ...more);
    assert.match(error, text);
    assert.equal(code, 2);
  }
});
