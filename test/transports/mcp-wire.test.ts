/** What may arrive at the MCP address beside well-behaved clients: each gets a proper error, and never a 500. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { after, before, describe, test } from "node:test";
import { type RunningWorker, startWorker } from "../running-worker.ts";

let worker: RunningWorker;

before(async () => {
  worker = await startWorker({ entry: "test/transports/example-worker.ts" });
});

after(() => worker.close());

/** What of an answer the tests look at; a part that is missing fails the test that reads it. */
interface RpcAnswer {
  id: unknown;
  error: { code: number; data: { code: string; data: Record<string, unknown> } };
  result: {
    isError?: boolean;
    structuredContent: { text: string };
    supportedVersions: unknown;
    capabilities: unknown;
    ttlMs: unknown;
    _meta: Record<string, unknown>;
  };
}

interface Answer<B = RpcAnswer> {
  status: number;
  headers: Headers;
  body: B;
}

async function post<B = RpcAnswer>(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  path = "/mcp",
): Promise<Answer<B>> {
  const response = await fetch(`${worker.url}${path}`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
}

const message = (id: number, method: string, params?: unknown) => ({ jsonrpc: "2.0", id, method, params });
const echo = (id: number, text: string) =>
  message(id, "tools/call", { name: "pin.echo", arguments: { text } });

describe("HTTP", () => {
  test("only POST", async () => {
    for (const method of ["GET", "DELETE", "PUT", "OPTIONS"]) {
      const response = await fetch(`${worker.url}/mcp`, { method, headers: { accept: "text/event-stream" } });
      assert.equal(response.status, 405);
      assert.equal(response.headers.get("allow"), "POST");
      assert.equal(JSON.parse(await response.text()).error.data.code, "method_not_allowed");
    }
  });

  test("only JSON in UTF-8", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=latin1",
    ]) {
      const { status, body } = await post(JSON.stringify(message(1, "ping")), { "content-type": type });
      assert.equal(status, 415);
      assert.equal(body.error.data.code, "media_type_unsupported");
    }
    const { status } = await post(JSON.stringify(message(1, "ping")), {
      "content-type": "application/json; charset=UTF-8",
    });
    assert.equal(status, 200);
  });

  test("a body over 256 KiB is refused, one of exactly 256 KiB is read", async () => {
    const frame = JSON.stringify(echo(1, "")).length;
    const over = await post(JSON.stringify(echo(1, "x".repeat(262_145 - frame))));
    assert.equal(over.status, 413);
    assert.deepEqual(over.body.error.data.data, { limitBytes: 262_144 });
    const exact = await post(JSON.stringify(echo(1, "x".repeat(262_144 - frame))));
    assert.equal(exact.status, 200);
    assert.equal(exact.body.result.isError, true);
  });

  test("unknown query values are errors", async () => {
    for (const query of [
      "?names=camel",
      "?names=",
      "?name=underscore",
      "?names=dotted&names=dotted",
      "?%ff=1",
    ]) {
      const { status, body } = await post(JSON.stringify(message(1, "ping")), {}, `/mcp${query}`);
      assert.equal(status, 400, query);
      assert.equal(body.error.data.code, "invalid_argument");
    }
  });

  test("a foreign host or origin is refused before anything is read", async () => {
    const foreign = await post("{", { origin: "https://evil.example" });
    assert.equal(foreign.status, 403);
    assert.equal(foreign.body.error.code, "origin_refused");
    const none = await post("{", { origin: "null" });
    assert.equal(none.status, 403);
    // What a rebound name looks like on the wire; `fetch` would not send it.
    const rebound = request(`${worker.url}/mcp`, {
      method: "POST",
      headers: { host: "evil.example", "x-forwarded-host": "127.0.0.1" },
    });
    rebound.end("{");
    const [answer] = (await once(rebound, "response")) as [IncomingMessage];
    assert.equal(answer.statusCode, 421);
    answer.resume();
  });
});

describe("JSON-RPC", () => {
  const malformed: Record<string, [string | Uint8Array<ArrayBuffer>, number]> = {
    "no JSON": ["{", -32700],
    nothing: ["", -32700],
    "not UTF-8": [new Uint8Array([0x22, 0xff, 0x22]), -32700],
    "nested too deep": ["[".repeat(100_000), -32700],
  };
  for (const [name, [body, code]] of Object.entries(malformed)) {
    test(`${name} is a parse error`, async () => {
      const answer = await post(body);
      assert.equal(answer.status, 400);
      assert.equal(answer.body.id, null);
      assert.equal(answer.body.error.code, code);
      assert.equal(answer.body.error.data.data.field, "body");
    });
  }

  for (const body of [
    "null",
    "1",
    '"ping"',
    "true",
    "{}",
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  ]) {
    test(`${body} is no message`, async () => {
      const answer = await post(body);
      assert.equal(answer.status, 400);
      assert.ok([-32700, -32600].includes(answer.body.error.code), JSON.stringify(answer.body));
    });
  }

  test("an unknown method, and parameters of the wrong form", async () => {
    const unknown = await post(JSON.stringify(message(7, "tools/destroy")));
    assert.equal(unknown.body.error.code, -32601);
    assert.equal(unknown.body.id, 7);
    for (const params of [undefined, {}, { name: 3 }, [], "x", { name: "pin.echo", arguments: [] }]) {
      const { status, body } = await post(JSON.stringify(message(1, "tools/call", params)));
      assert.ok(status < 500, JSON.stringify(body));
      assert.ok(body.error ? body.error.code < 0 : body.result.isError === true, JSON.stringify(body));
    }
  });

  test("parameters of the wrong form are invalid parameters, of whichever method", async () => {
    const PROMPT = "prove-with-git-head";
    for (const [method, params, field] of [
      ["prompts/get", { name: PROMPT, arguments: { question: 5 } }, "question"],
      ["prompts/get", { name: PROMPT, arguments: { repository: ["a"] } }, "repository"],
      ["prompts/get", { name: PROMPT, arguments: { question: null } }, "question"],
      ["prompts/get", { name: PROMPT, arguments: { other: "x" } }, "other"],
      ["prompts/get", { name: PROMPT, arguments: ["x"] }, "arguments"],
      ["prompts/get", { name: PROMPT, arguments: "x" }, "arguments"],
      ["prompts/get", { name: 5 }, "name"],
      ["prompts/get", {}, "name"],
      ["prompts/get", undefined, "name"],
      ["resources/read", { uri: 5 }, "uri"],
      ["resources/read", {}, "uri"],
      ["tools/list", { cursor: 5 }, "cursor"],
      ["resources/list", { cursor: null }, "cursor"],
      ["resources/templates/list", { cursor: {} }, "cursor"],
      ["prompts/list", { cursor: true }, "cursor"],
    ] as const) {
      const { status, body } = await post<{
        error: { code: number; message: string; data: { field?: string; data?: { field: string } } };
      }>(JSON.stringify(message(1, method, params)));
      const { code, data } = body.error;
      const said = `${method} ${JSON.stringify(params)}: ${JSON.stringify(body)}`;
      assert.deepEqual([status, code, data.data?.field ?? data.field], [200, -32602, field], said);
    }
    for (const params of [{ name: 5 }, { name: "pin.echo", arguments: "x" }, {}]) {
      const { body } = await post(JSON.stringify(message(1, "tools/call", params)));
      assert.equal(body.error.code, -32602);
    }
  });

  test("a notification is accepted without an answer", async () => {
    const { status, body } = await post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    assert.equal(status, 202);
    assert.equal(body, null);
  });

  test("a cursor was never given out", async () => {
    const { body } = await post(JSON.stringify(message(1, "tools/list", { cursor: "x" })));
    assert.equal(body.error.code, -32602);
  });
});

describe("batches (2025-03-26)", () => {
  test("each message is answered alone", async () => {
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const { status, body } = await post<RpcAnswer[]>(
      JSON.stringify([echo(1, "one"), cancelled, echo(1, "two"), echo(3, "")]),
    );
    assert.equal(status, 200);
    assert.deepEqual(
      body.map((answer) => [answer.id, answer.result.isError ?? false]),
      [
        [1, false],
        [1, false],
        [3, true],
      ],
    );
    assert.equal(body[1]?.result.structuredContent.text, "two");
  });

  test("only notifications: accepted", async () => {
    const { status } = await post('[{"jsonrpc":"2.0","method":"notifications/initialized"}]');
    assert.equal(status, 202);
  });

  test("empty, too long or with initialize: refused", async () => {
    const initialize = message(1, "initialize", {
      protocolVersion: "2025-03-26",
      capabilities: {},
      clientInfo: { name: "x", version: "1" },
    });
    for (const batch of [[], Array(21).fill(message(1, "ping")), [initialize]]) {
      const { status, body } = await post(JSON.stringify(batch));
      assert.equal(status, 400);
      assert.ok(body.error.code < 0);
    }
  });

  test("with a member that is no message: refused", async () => {
    const { status, body } = await post('[1, {"jsonrpc":"2.0","id":2,"method":"ping"}]');
    assert.equal(status, 400);
    assert.ok(body.error.code < 0);
  });
});

describe("the 2025 era", () => {
  const ping = JSON.stringify(message(1, "ping"));

  test("answers JSON to whoever takes it", async () => {
    for (const accept of [
      "application/json, text/event-stream",
      "application/json",
      "*/*",
      "application/*",
    ]) {
      const { status, headers } = await post(ping, { accept });
      assert.equal(status, 200, accept);
      assert.equal(headers.get("content-type"), "application/json");
    }
    assert.equal((await post(ping, { accept: "text/event-stream" })).status, 406);
  });

  test("an unknown protocol version is refused", async () => {
    assert.equal((await post(ping, { "mcp-protocol-version": "1999-01-01" })).status, 400);
  });
});

describe("2026-07-28", () => {
  const modern = (method: string, params: Record<string, unknown> = {}) =>
    JSON.stringify(
      message(1, method, {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      }),
    );
  const headers = (method: string, name?: string) => ({
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  });

  test("server/discover names what there is", async () => {
    const { status, body } = await post(modern("server/discover"), headers("server/discover"));
    assert.equal(status, 200);
    assert.deepEqual(body.result.supportedVersions, ["2026-07-28"]);
    assert.deepEqual(body.result.capabilities, { tools: {}, resources: {}, prompts: {} });
    assert.deepEqual(body.result._meta["io.modelcontextprotocol/serverInfo"], {
      name: "gitpin",
      title: "GitPin",
      version: "0.0.0-example",
    });
    assert.equal(body.result.ttlMs, 300_000);
  });

  test("a header that contradicts the body is refused", async () => {
    const call = modern("tools/call", { name: "pin.echo", arguments: { text: "a" } });
    assert.equal((await post(call, headers("tools/call", "pin.echo"))).status, 200);
    const wrong = await post(call, headers("tools/call", "pin.fail"));
    assert.equal(wrong.status, 400);
    assert.equal(wrong.body.error.code, -32020);
  });

  test("there is nothing to subscribe to: the stream ends at once", async () => {
    const response = await fetch(`${worker.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers("subscriptions/listen") },
      body: modern("subscriptions/listen", { notifications: { toolsListChanged: true } }),
    });
    const frames = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
    assert.equal(frames.length, 2);
    assert.deepEqual(JSON.parse(frames[0]?.slice(6) ?? "").params.notifications, {});
  });

  test("several modern messages in one array are refused", async () => {
    const { status, body } = await post(`[${modern("ping")}]`, headers("ping"));
    assert.equal(status, 400);
    assert.ok(body.error.code < 0);
  });
});

test("the log line names method and tool, and holds nothing of the call", async () => {
  const before = worker.logs.length;
  await post(JSON.stringify(echo(1, "SECRET-TEXT")));
  await post(JSON.stringify(message(1, "tools/call", { name: "SECRET-NAME" })));
  await post(JSON.stringify(message(1, "SECRET METHOD")));
  await worker.logged(before + 3);
  const lines = worker.logs.slice(before).map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ route, tool, rpc, upstreamRequests }) => ({ route, tool, rpc, upstreamRequests })),
    [
      { route: "/mcp", tool: "pin.echo", rpc: "tools/call", upstreamRequests: 1 },
      { route: "/mcp", tool: null, rpc: "tools/call", upstreamRequests: 0 },
      { route: "/mcp", tool: null, rpc: "other", upstreamRequests: 0 },
    ],
  );
  assert.doesNotMatch(worker.logs.join("\n"), /SECRET/);
});
