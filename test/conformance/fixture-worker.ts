/**
 * What the official conformance suite asks of a server under test, behind the product's own guard, routes and MCP
 * endpoint. Only the server inside is the fixture's: the suite names tools, resources and prompts that no product has.
 */
import { createRequestStateCodec, McpServer } from "@modelcontextprotocol/server";
import { createApp } from "../../src/http/app.ts";
import { createMcpEndpoint } from "../../src/mcp/endpoint.ts";
import { newLedger } from "../../src/ports/ledger.ts";
import { registerContentTools } from "./fixture/content-tools.ts";
import { registerInputTools } from "./fixture/input-tools.ts";
import { registerPrompts } from "./fixture/prompts.ts";
import { registerResources } from "./fixture/resources.ts";

/** Signs the state of this fixture's questions, and nothing else. */
const states = createRequestStateCodec<{ step: number }>({ key: "conformance fixture, not a secret" });

function fixtureServer(): McpServer {
  const server = new McpServer(
    { name: "gitpin-conformance-fixture", version: "0.0.0" },
    {
      capabilities: {
        logging: {},
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
      requestState: { verify: states.verify },
    },
  );
  registerContentTools(server);
  registerInputTools(server, states);
  registerResources(server);
  registerPrompts(server);
  return server;
}

const app = createApp({
  tools: [],
  openCall: (_request, background) => ({
    caller: { id: "anonymous", team: null, scopes: [] },
    ledger: newLedger(),
    background,
  }),
  mcp: createMcpEndpoint({ server: fixtureServer, streaming: true }),
  guard: { hosts: ["127.0.0.1", "localhost"], origins: ["http://127.0.0.1:*", "http://localhost:*"] },
  publicUrl: "http://127.0.0.1",
  docsUrl: "http://127.0.0.1/docs",
  version: "0.0.0",
  clock: { now: () => Date.now() },
  log: () => undefined,
});

export default { fetch: app.fetch };
