/** The log line, whole: each field of it, over REST and over MCP, and the reference page that describes them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import type { ObjectId } from "../../src/core/git/object-id.ts";
import type { RequestLine } from "../../src/http/request-line.ts";
import { commitLine } from "../../src/registry/commit-audit.ts";
import { repositoryEntry } from "../../src/schema/registry.ts";
import { exampleApp } from "./example-app.ts";

const lines: RequestLine[] = [];
let now = 1000;
const app = exampleApp({ now: () => (now += 7) }, (line) => lines.push(line));
beforeEach(() => void lines.splice(0));

const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

async function lineOf(path: string, init: RequestInit = {}): Promise<RequestLine & { said: string }> {
  const response = await app.fetch(new Request(`http://127.0.0.1:8787${path}`, init));
  const said = await response.text();
  assert.equal(lines.length, 1);
  const [line] = lines.splice(0);
  assert.ok(line);
  assert.equal(line.requestId, response.headers.get("x-request-id"));
  assert.equal(line.status, response.status);
  assert.equal(line.answerBytes, Buffer.byteLength(said));
  return { ...line, said };
}

const rpc = (method: string, params?: unknown): RequestInit => ({
  method: "POST",
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
});
const toolCall = (name: string, given: unknown) => rpc("tools/call", { name, arguments: given });

test("golden: a call over REST in a trace", async () => {
  const { requestId, spanId, said, ...line } = await lineOf("/v1/echo?text=%C3%A9", {
    headers: { traceparent: TRACEPARENT },
  });
  assert.match(requestId, /^[0-9a-f-]{36}$/);
  assert.match(spanId ?? "", /^[0-9a-f]{16}$/);
  assert.notEqual(spanId, "00f067aa0ba902b7");
  assert.equal(said, '{"kind":"echo","text":"é","next":{"tool":"pin.fail"}}\n');
  assert.deepEqual(line, {
    event: "request",
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    version: "0.0.0-example",
    method: "GET",
    route: "/v1/echo",
    tool: "pin.echo",
    rpc: null,
    caller: "anonymous",
    team: null,
    repository: null,
    repositories: 0,
    sha: null,
    commits: 0,
    status: 200,
    outcome: "ok",
    error: null,
    rpcError: null,
    abandoned: false,
    upstreamRequests: 1,
    notModified: 0,
    cacheHits: 0,
    answerBytes: 55,
    durationMs: 7,
    fault: null,
  });
});

test("the answer names our span, and none where there is no trace", async () => {
  const traced = await app.fetch(
    new Request("http://127.0.0.1:8787/healthz", { headers: { traceparent: TRACEPARENT } }),
  );
  const [line] = lines.splice(0);
  assert.equal(
    traced.headers.get("traceparent"),
    `00-4bf92f3577b34da6a3ce929d0e0e4736-${line?.spanId ?? "none"}-01`,
  );
  for (const traceparent of ["", "00-zz", TRACEPARENT.replace("00-", "ff-")]) {
    const bare = await app.fetch(new Request("http://127.0.0.1:8787/healthz", { headers: { traceparent } }));
    assert.equal(bare.headers.get("traceparent"), null);
  }
  assert.deepEqual(
    lines.map(({ traceId, spanId }) => [traceId, spanId]),
    [
      [null, null],
      [null, null],
      [null, null],
    ],
  );
});

const OUTCOMES: Record<string, [string, RequestInit, Partial<RequestLine>]> = {
  "a verdict that is not ok": [
    "/v1/judge?path=x",
    {},
    { status: 404, outcome: "negative", error: null, tool: "pin.judge" },
  ],
  "the same as HTTP 200 over MCP": [
    "/mcp",
    toolCall("pin.judge", { path: "x" }),
    { status: 200, outcome: "negative", error: null, tool: "pin.judge", rpc: "tools/call" },
  ],
  "a wrong argument": [
    "/v1/echo",
    {},
    { status: 400, outcome: "caller_error", error: "invalid_argument", tool: "pin.echo" },
  ],
  "a tool error that travels as HTTP 200": [
    "/mcp",
    toolCall("pin_echo", {}),
    { status: 200, outcome: "caller_error", error: "invalid_argument", rpcError: null, tool: "pin.echo" },
  ],
  "an upstream failure that travels as HTTP 200": [
    "/mcp",
    toolCall("pin.fail", { how: "limit" }),
    { status: 200, outcome: "upstream_error", error: "upstream_rate_limited", tool: "pin.fail" },
  ],
  "a fault of ours that travels as HTTP 200": [
    "/mcp",
    toolCall("pin.fail", { how: "thrown" }),
    { status: 200, outcome: "service_error", error: "internal", tool: "pin.fail" },
  ],
  "a tool that does not exist": [
    "/mcp",
    toolCall("pin.none", {}),
    { status: 200, outcome: "caller_error", error: null, rpcError: -32602, tool: null },
  ],
  "a method that the SDK refuses": [
    "/mcp",
    rpc("tools/none"),
    { status: 200, outcome: "caller_error", error: null, rpcError: -32601, rpc: "tools/none" },
  ],
  "parameters that the SDK refuses": [
    "/mcp",
    rpc("tools/call", {}),
    { outcome: "caller_error", error: null, rpc: "tools/call", tool: null },
  ],
  "an unknown address": [
    "/SECRET",
    {},
    { status: 404, outcome: "caller_error", route: "none", caller: null },
  ],
  "a foreign origin": [
    "/healthz",
    { headers: { origin: "https://evil.example" } },
    { status: 403, outcome: "caller_error", error: "origin_refused", route: "none" },
  ],
  "HEAD has no body": ["/v1/echo?text=a", { method: "HEAD" }, { status: 200, outcome: "ok", answerBytes: 0 }],
};

for (const [what, [path, init, expected]] of Object.entries(OUTCOMES)) {
  test(`outcome: ${what}`, async () => {
    const line = await lineOf(path, init);
    const seen = Object.fromEntries(
      Object.keys(expected).map((field) => [field, line[field as keyof RequestLine]]),
    );
    assert.deepEqual(seen, expected);
  });
}

test("a batch has the worst outcome of its messages, and the error that goes with it", async () => {
  const call = (id: number, name: string, given: unknown) => ({
    ...{ jsonrpc: "2.0", id, method: "tools/call" },
    params: { name, arguments: given },
  });
  const line = await lineOf("/mcp", {
    ...rpc(""),
    body: JSON.stringify([
      call(1, "pin.judge", { path: "x" }),
      call(2, "pin.fail", { how: "limit" }),
      call(3, "pin.echo", {}),
    ]),
  });
  assert.equal(line.outcome, "upstream_error");
  assert.equal(line.error, "upstream_rate_limited");
  assert.equal(line.tool, "pin.judge,pin.fail,pin.echo");
});

test("the reference page describes every field, and no other", async () => {
  const { said: _, ...line } = await lineOf("/healthz");
  const page = readFileSync(join(import.meta.dirname, "../../docs/reference/log-line.md"), "utf8");
  const rowsOf = (text = "") => [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, field]) => field);
  const [requests, more] = page.split("\n## Commits\n");
  const [commits, others] = (more ?? "").split("\n## What is not in it\n");
  assert.deepEqual(rowsOf(requests), Object.keys(line));
  const commit = commitLine(
    {
      caller: { id: "token:1", team: null, scopes: [] },
      entry: repositoryEntry.parse({ name: "app", owner: "octo", repo: "app" }),
      branch: "main",
      parent: null,
      commit: "a".repeat(40) as ObjectId,
      paths: [],
      operations: 1,
      requestId: null,
      pullRequest: null,
    },
    "2026-06-01T00:00:00.000Z",
    null,
  );
  assert.deepEqual(rowsOf(commits), Object.keys(commit));
  assert.deepEqual(rowsOf(others), []);
});
