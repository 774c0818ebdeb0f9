/** A service of one machine that is opened to changes (`npm start -- --write`): for its owner's own programs, never for a page. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { type Service, startService } from "./service.ts";

let service: Service;
before(async () => {
  service = await startService({
    file: true,
    entities: true,
    vars: {
      ANONYMOUS_ACCESS: "all",
      ANONYMOUS_WRITES: "1",
      ALLOWED_ORIGINS: "http://inspector.localhost:6274",
    },
  });
});
after(() => service?.close());

const call = { operations: [{ verb: "patch", target: "greet", description: "", payload: {} }] };
const MUTATE = "/v1/kin/mutate";

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await service.ask(path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Answer };
}
interface Answer {
  error?: { code: unknown };
  result?: { tools: { name: string }[] };
}

const toolsFor = async (headers: Record<string, string>): Promise<string[]> => {
  const { body } = await post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, headers);
  return body.result?.tools.map(({ name }) => name) ?? [];
};

test("its owner's programs find the tool without a token", async () => {
  assert.equal((await post(MUTATE, call)).status, 422);
  assert.equal((await toolsFor({})).includes("kin_mutate"), true);
  const openapi = (await (await service.ask("/openapi.json")).json()) as {
    paths: Record<string, { post: { security: object[] } }>;
  };
  assert.deepEqual(openapi.paths[MUTATE]?.post.security, [{}, { token: ["kin:write"] }]);
});

test("no page finds it: not a foreign one, not one that may read, not even our own", async () => {
  for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1"]) {
    for (const path of [MUTATE, "/mcp"]) {
      const { status, body, headers } = await post(path, call, { origin });
      assert.equal(status, 403, `${origin} ${path}`);
      assert.match(JSON.stringify(body), /origin_refused/);
      assert.equal(headers.get("access-control-allow-origin"), null);
    }
  }
  for (const origin of ["http://inspector.localhost:6274", service.worker.url]) {
    const { status, body, headers } = await post(MUTATE, call, { origin });
    assert.deepEqual([status, body.error?.code], [404, "route_unknown"], origin);
    assert.equal(headers.get("access-control-allow-origin"), null);
    const tools = await toolsFor({ origin });
    assert.equal(tools.includes("kin_mutate"), false, origin);
    assert.equal(tools.includes("kin_status"), true, origin);
  }
});

test("nor does a page that made this machine's address out of its own name", async () => {
  const { hostname, port } = new URL(service.worker.url);
  const status = await new Promise((resolve, reject) => {
    const rebound = request(
      {
        hostname,
        port,
        path: MUTATE,
        method: "POST",
        agent: false,
        headers: { host: "rebound.example", "content-type": "application/json" },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    rebound.on("error", reject).end(JSON.stringify(call));
  });
  assert.equal(status, 421);
});

test("to write is no more than to write: administration stays closed", async () => {
  const { status, headers } = await service.ask("/v1/status");
  assert.equal(status, 401);
  assert.match(headers.get("www-authenticate") ?? "", /^Bearer realm="gitpin"$/);
});
