/**
 * What tells others that the service is here: server.json for MCP's registry, the MCP Catalog and Server Card, llms.txt and
 * robots.txt. The two schemas state the rules of the published ones for the members that our documents have: the registry's of
 * 2025-12-11, and version 1 of the Server Card's.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { reverseHost, serverCard } from "../../src/http/discovery/mcp-catalog.ts";
import { SHORT_DESCRIPTION } from "../../src/http/discovery/words.ts";
import { VERSION } from "../../src/version.ts";
import { everyTool } from "../tools/every-tool.ts";
import { type Service, startService } from "./service.ts";

let service: Service;
before(async () => {
  service = await startService({
    file: true,
    vars: {
      PUBLIC_URL: "https://gitpin.example",
      ALLOWED_HOSTS: "127.0.0.1",
      DOCS_URL: "https://docs.example",
    },
  });
});
after(() => service.close());

const text = { type: "string" };
const input = {
  type: "object",
  additionalProperties: false,
  properties: {
    name: text,
    description: text,
    isRequired: { type: "boolean" },
    isSecret: { type: "boolean" },
  },
};
const remote = (more: object) => ({
  type: "object",
  additionalProperties: false,
  required: ["type", "url"],
  properties: {
    type: { enum: ["streamable-http", "sse"] },
    url: { type: "string", pattern: "^https?://[^\\s]+$" },
    headers: { type: "array", items: { ...input, required: ["name"] } },
    variables: { type: "object", additionalProperties: input },
    ...more,
  },
});
const server = (schemaUrl: string, remotes: object) => ({
  type: "object",
  additionalProperties: false,
  required: ["$schema", "name", "description", "version", "remotes"],
  properties: {
    $schema: { const: schemaUrl },
    name: { type: "string", minLength: 3, maxLength: 200, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
    title: { type: "string", minLength: 1, maxLength: 100 },
    description: { type: "string", minLength: 1, maxLength: 100 },
    // One version, no range.
    version: { type: "string", maxLength: 255, pattern: "^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$" },
    websiteUrl: { type: "string", pattern: "^https?://" },
    remotes: { type: "array", minItems: 1, items: remotes },
  },
});
const REGISTRY_SCHEMA = server(
  "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  remote({}),
);
const CARD_SCHEMA = server(
  "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  remote({ supportedProtocolVersions: { type: "array", items: text } }),
);

function assertFits(schema: object, value: unknown): void {
  const validate = new Ajv2020({ allErrors: true }).compile(schema);
  assert.equal(validate(value), true, JSON.stringify(validate.errors));
}

const json = async (path: string) => (await (await service.ask(path)).json()) as Record<string, unknown>;

test("server.json is of the registry's form, and of this version", () => {
  const file = JSON.parse(readFileSync(join(import.meta.dirname, "../../server.json"), "utf8")) as {
    version: string;
    description: string;
    remotes: { url: string; variables: Record<string, unknown> }[];
  };
  assertFits(REGISTRY_SCHEMA, file);
  assert.equal(file.version, VERSION);
  assert.equal(file.description, SHORT_DESCRIPTION);
  for (const { url, variables } of file.remotes) {
    const named = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(named, Object.keys(variables));
  }
});

test("the catalog leads to the card, and both may be read from everywhere for an hour", async () => {
  const catalog = (await json("/.well-known/mcp/catalog.json")) as {
    specVersion: string;
    entries: { identifier: string; displayName: string; type: string; url: string }[];
  };
  assert.deepEqual(catalog, {
    specVersion: "draft",
    entries: [
      {
        identifier: "urn:air:gitpin.example:gitpin",
        displayName: "GitPin",
        type: "application/mcp-server-card+json",
        url: "https://gitpin.example/mcp/server-card",
      },
    ],
  });
  for (const path of ["/.well-known/mcp/catalog.json", "/mcp/server-card"]) {
    const { headers } = await service.ask(path, { headers: { origin: "https://anywhere.example" } });
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.equal(headers.get("cache-control"), "public, max-age=3600");
  }
  const card = await service.ask("/mcp/server-card", {
    headers: { accept: "application/mcp-server-card+json" },
  });
  assert.equal(card.headers.get("content-type"), "application/mcp-server-card+json");
});

test("the card is of its form and says what the server says once one is connected", async () => {
  const card = (await json("/mcp/server-card")) as {
    name: string;
    title: string;
    version: string;
    websiteUrl: string;
    remotes: { url: string; supportedProtocolVersions: string[]; headers: { isRequired: boolean }[] }[];
  };
  assertFits(CARD_SCHEMA, card);
  assert.equal(card.name, "example.gitpin/gitpin");
  assert.equal(card.websiteUrl, "https://docs.example");
  assert.equal(card.remotes[0]?.url, "https://gitpin.example/mcp?names=underscore");
  assert.equal(card.remotes[0]?.headers[0]?.isRequired, false);

  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const answer = await service.ask("/mcp?names=underscore", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "server/discover",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta: meta } }),
  });
  const { result } = (await answer.json()) as {
    result: { supportedVersions: string[]; _meta?: Record<string, unknown> };
  };
  const versions = card.remotes[0]?.supportedProtocolVersions ?? [];
  for (const version of result.supportedVersions) assert.ok(versions.includes(version), version);
  assert.ok(
    JSON.stringify(result).includes(`"version":"${card.version}"`),
    JSON.stringify(result).slice(0, 400),
  );

  for (const version of versions.filter((one) => one < "2026")) {
    const initialized = await service.ask("/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: version, capabilities: {}, clientInfo: { name: "test", version: "1" } },
      }),
    });
    const { result: told } = (await initialized.json()) as { result: { protocolVersion: string } };
    assert.equal(told.protocolVersion, version);
  }
});

test("names of hosts that are addresses stay within the form of a name", () => {
  assert.equal(reverseHost("https://a.b.example.org:8443"), "org.example.b.a");
  for (const publicUrl of ["http://127.0.0.1:8787", "http://[::1]:8787", "http://localhost:1"]) {
    assertFits(CARD_SCHEMA, serverCard({ publicUrl, version: "1.0.0", docsUrl: null, needsToken: true }));
  }
});

test("llms.txt names every tool and links to what is there", async () => {
  const response = await service.ask("/llms.txt");
  const llms = await response.text();
  assert.match(llms, /^# GitPin\n\n> /);
  for (const { name, route } of everyTool().filter(({ scope }) => scope === undefined)) {
    assert.ok(llms.includes(`[${name.replaceAll(".", "_")}](`), name);
    assert.ok(llms.includes(route.path));
  }
  const docs = await (await service.ask("/docs")).text();
  for (const [, url = ""] of llms.matchAll(/\]\((https:\/\/gitpin\.example[^)]*)\)/g)) {
    const { pathname, search, hash } = new URL(url);
    if (pathname === "/mcp") continue;
    assert.equal((await service.ask(pathname + search)).status, 200, url);
    if (hash !== "") assert.ok(docs.includes(`id="${hash.slice(1)}"`), url);
  }
});

test("robots.txt keeps crawlers from what costs requests", async () => {
  const robots = await (await service.ask("/robots.txt")).text();
  assert.match(robots, /^User-agent: \*\n/);
  assert.match(robots, /\nDisallow: \/\n/);
  assert.doesNotMatch(robots, /Allow: \/(v1|c)\b/);
});

test("nothing claims an authorization server", async () => {
  for (const path of ["/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server"])
    assert.equal((await service.ask(path)).status, 404);
});

test("the landing page has every client's configuration, for this address", async () => {
  const page = await (await service.ask("/", { headers: { accept: "text/html" } })).text();
  for (const client of [
    "Claude Code",
    "Claude Desktop",
    "Codex",
    "Cursor",
    "VS Code",
    "Windsurf",
    "Zed",
    "Continue",
    "Gemini CLI",
  ])
    assert.ok(page.includes(`<summary>${client}</summary>`), client);
  assert.match(page, /codex mcp add gitpin --url &#39;https:\/\/gitpin\.example\/mcp\?names=underscore&#39;/);
  assert.doesNotMatch(page, /127\.0\.0\.1/);
});
