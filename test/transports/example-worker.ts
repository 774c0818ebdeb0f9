/** An entry that serves the example tools through the product's own transports: what the interop tests run against. */
import { createApp } from "../../src/http/app.ts";
import { createMcpEndpoint } from "../../src/mcp/endpoint.ts";
import { proveWithGitHead } from "../../src/mcp/prompts/prove-with-git-head.ts";
import { createServerFactory } from "../../src/mcp/server.ts";
import { newLedger } from "../../src/ports/ledger.ts";
import { exampleTools } from "./example-tools.ts";

const app = createApp({
  tools: exampleTools,
  openCall: (_request, background) => ({
    caller: { id: "anonymous", team: null, scopes: [] },
    ledger: newLedger(),
    background,
  }),
  mcp: createMcpEndpoint({
    server: createServerFactory({
      tools: exampleTools,
      resources: [
        {
          uri: "gitpin://catalog",
          name: "catalog",
          title: "Catalog",
          description: "See pin_echo.",
          mimeType: "application/json",
          read: async (call) => JSON.stringify({ spelling: call.spelling }),
        },
      ],
      prompts: [proveWithGitHead],
      version: "0.0.0-example",
    }),
  }),
  guard: { hosts: ["127.0.0.1"], origins: ["http://127.0.0.1:*"] },
  publicUrl: "https://gitpin.example",
  docsUrl: "https://gitpin.example/docs",
  version: "0.0.0-example",
  clock: { now: () => Date.now() },
  log: (line) => console.log(JSON.stringify(line)),
});

export default { fetch: app.fetch };
