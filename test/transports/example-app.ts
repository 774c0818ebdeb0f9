/** The example tools behind the product's own transports, with the clock and the log passed in. */
import { type App, createApp } from "../../src/http/app.ts";
import type { RequestLine } from "../../src/http/request-line.ts";
import { createMcpEndpoint } from "../../src/mcp/endpoint.ts";
import { proveWithGitHead } from "../../src/mcp/prompts/prove-with-git-head.ts";
import type { Resource } from "../../src/mcp/resource.ts";
import { createServerFactory } from "../../src/mcp/server.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { newLedger } from "../../src/ports/ledger.ts";
import { exampleTools } from "./example-tools.ts";

const VERSION = "0.0.0-example";

const spellingResource: Resource = {
  uri: "gitpin://catalog",
  name: "catalog",
  title: "Catalog",
  description: "See pin_echo.",
  mimeType: "application/json",
  read: async (call) => JSON.stringify({ spelling: call.spelling }),
};

export const exampleApp = (clock: Clock, log: (line: RequestLine) => void): App =>
  createApp({
    tools: exampleTools,
    openCall: (_request, background) => ({
      caller: { id: "anonymous", team: null, scopes: [] },
      ledger: newLedger(),
      background,
    }),
    mcp: createMcpEndpoint({
      server: createServerFactory({
        tools: exampleTools,
        resources: [spellingResource],
        prompts: [proveWithGitHead],
        version: VERSION,
      }),
    }),
    guard: { hosts: ["127.0.0.1", "gitpin.example:8443"], origins: ["http://127.0.0.1:*"] },
    publicUrl: "https://gitpin.example",
    docsUrl: "https://gitpin.example/docs?a=1&b=2",
    version: VERSION,
    clock,
    log,
  });
