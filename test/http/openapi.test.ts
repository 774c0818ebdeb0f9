/** The OpenAPI document: valid, whole, and true: each of its examples is asked of a running service and the answer judged by it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { adminRoutes } from "../../src/http/admin/routes.ts";
import { ADMIN_WORDS } from "../../src/http/openapi/admin-operations.ts";
import { EXAMPLE_COMMITS, TOOL_EXAMPLES } from "../../src/http/openapi/examples.ts";
import type { Administration } from "../../src/ports/administration.ts";
import { everyTool } from "../tools/every-tool.ts";
import {
  type ExampleRequest,
  exampleRequests,
  type Judge,
  judge,
  type OpenApi,
  operationsOf,
} from "./openapi.ts";
import { ADMIN_TOKEN, type Service, startService } from "./service.ts";

/** Sees every tool. */
const OPERATOR = { authorization: `Bearer ${ADMIN_TOKEN}` };

let service: Service;
let document: OpenApi;
let judged: Judge;
before(async () => {
  service = await startService({ entities: true });
  document = (await (await service.ask("/openapi.json", { headers: OPERATOR })).json()) as OpenApi;
  judged = judge(document);
});
after(() => service.close());

test("is valid OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate(
    structuredClone<object>(document) as Record<string, unknown>,
  );
  assert.equal(valid, true, JSON.stringify(errors));
  assert.equal(document.openapi, "3.1.1");
  assert.equal(document.servers[0]?.url, service.worker.url);
});

test("every tool has its route and an example, with POST also where GET is", () => {
  for (const tool of everyTool()) {
    const item = document.paths[tool.route.path];
    assert.deepEqual(
      Object.keys(item ?? {}).toSorted(),
      tool.route.methods.map((method) => method.toLowerCase()).toSorted(),
      tool.name,
    );
    assert.ok(tool.route.methods.includes("POST"), tool.name);
    assert.ok(Object.keys(TOOL_EXAMPLES[tool.name] ?? {}).length > 0, `${tool.name} has no example`);
  }
  const names = everyTool().map(({ name }) => name);
  assert.deepEqual(
    Object.keys(TOOL_EXAMPLES).filter((name) => !names.includes(name)),
    [],
  );
});

test("describes every admin route and no other", () => {
  const routes = adminRoutes({} as Administration).flatMap(({ path, methods }) =>
    Object.keys(methods).map((method) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`),
  );
  const words = ADMIN_WORDS.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  assert.deepEqual(words.toSorted(), routes.toSorted());
});

test("every operation has a unique id, words, a security rule, and an example where it takes anything", () => {
  const ids = new Set<string>();
  for (const [path, method, operation] of operationsOf(document)) {
    const { operationId, parameters = [], requestBody } = operation;
    assert.equal(ids.has(operationId), false, operationId);
    ids.add(operationId);
    assert.ok(Array.isArray(operation.security), operationId);
    for (const parameter of parameters.filter((one) => one.in === "path")) {
      assert.ok(parameter.example !== undefined, `${operationId} ${parameter.name}`);
      assert.ok(path.includes(`{${parameter.name}}`), operationId);
    }
    const examples = Object.values(requestBody?.content ?? {}).flatMap((media) =>
      Object.keys(media.examples ?? {}),
    );
    if (requestBody !== undefined) assert.ok(examples.length > 0, `${method} ${path} has no example`);
  }
});

test("the examples speak of the commits that the example repository has", () => {
  assert.deepEqual({ first: service.example.first, head: service.example.head }, { ...EXAMPLE_COMMITS });
});

test("the judge is no rubber stamp", async () => {
  const response = await service.ask("/v1/read?repository=example&sourcePath=README.md");
  const good = (await response.json()) as Record<string, unknown>;
  const { headers } = response;
  const wrong = (status: number, body: unknown) =>
    judged.violations("pin_read_get", { status, headers, text: JSON.stringify(body) });
  assert.deepEqual(wrong(200, good), []);
  assert.deepEqual(wrong(200, { ...good, commitSha: "HEAD" }), [
    '/commitSha must match pattern "^[0-9a-f]{40}$"',
  ]);
  assert.deepEqual(wrong(200, { ...good, more: 1 }), [" must NOT have additional properties"]);
  assert.equal(wrong(418, good).length, 1);
});

/** Statuses by the name of an example: what is not here is a success. */
const EXPECTED: Record<string, number> = { blocked: 403, missing: 404, contradicted: 409 };

async function send(request: ExampleRequest, more: Record<string, string> = {}): Promise<Response> {
  const { method, path, body, contentType } = request;
  return await service.ask(path, {
    method,
    headers: { ...(contentType === null ? {} : { "content-type": contentType }), ...more },
    ...(body === null ? {} : { body }),
  });
}

test("every example is answered as it is described", async () => {
  const requests = exampleRequests(document);
  assert.ok(requests.length > 50, String(requests.length));
  const admin = OPERATOR;
  // What stands in the path of an example must be there: a token to revoke.
  const issued = await service.ask("/v1/tokens", {
    method: "POST",
    headers: { ...admin, "content-type": "application/json" },
    body: JSON.stringify({ team: "blue", scopes: ["pin:read"], label: "to be revoked" }),
  });
  const { row } = (await issued.json()) as { row: { id: string } };
  for (const request of requests) {
    const said = `${request.method} ${request.path} (${request.example})`;
    const isAdmin = /^admin_|^v1_status|^kin_mutate/.test(request.operation);
    const etag = request.needsIfMatch
      ? (await service.ask("/v1/registry", { headers: admin })).headers.get("etag")
      : null;
    const path = request.path.replace("0123456789abcdef", row.id);
    const response = await send(
      { ...request, path },
      { ...(isAdmin ? admin : {}), ...(etag === null ? {} : { "if-match": etag }) },
    );
    const text = await response.text();
    const { status, headers } = response;
    const expected = request.operation === "admin_tokens_post" ? 201 : (EXPECTED[request.example] ?? 200);
    assert.equal(status, expected, `${said}: ${text.slice(0, 500)}`);
    assert.deepEqual(judged.violations(request.operation, { status, headers, text }), [], said);
  }
});

test("every example without what it needs is a described problem, and so is every other media type", async () => {
  for (const request of exampleRequests(document)) {
    const said = `${request.method} ${request.path} (${request.example})`;
    const answers = [
      await send({ ...request, path: `${request.path}${request.path.includes("?") ? "&" : "?"}nonsense=1` }),
      await send(request, { accept: "video/mp4" }),
      await send(request, { authorization: "Bearer gpe_0123456789abcdef_wrong" }),
    ];
    for (const response of answers) {
      const text = await response.text();
      const { status, headers } = response;
      assert.deepEqual(
        judged.violations(request.operation, { status, headers, text }),
        [],
        `${said}: ${status}`,
      );
      assert.ok(status < 500, `${said}: ${text}`);
    }
  }
});

test("HEAD answers every GET that is described, with the same status and headers and no body", async () => {
  for (const request of exampleRequests(document).filter(({ method }) => method === "GET")) {
    const get = await send(request);
    const head = await send({ ...request, method: "HEAD" });
    await get.arrayBuffer();
    assert.equal(head.status, get.status, request.path);
    assert.equal((await head.text()).length, 0);
    for (const name of ["content-type", "cache-control", "vary", "content-security-policy"]) {
      assert.equal(head.headers.get(name), get.headers.get(name), `${request.path} ${name}`);
    }
  }
});
