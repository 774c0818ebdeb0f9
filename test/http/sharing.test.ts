/** Who else may see and keep an answer: CORS for public reads, caching of what is pinned and public, and nothing beyond. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ADMIN_TOKEN, type Service, startService } from "./service.ts";

const PUBLIC = {
  PUBLIC_URL: "https://gitpin.example",
  ALLOWED_HOSTS: "127.0.0.1",
  ALLOWED_ORIGINS: "https://app.example",
};
const FOREIGN = "https://evil.example";

let open: Service;
let local: Service;
let closed: Service;
before(async () => {
  open = await startService({ vars: PUBLIC, entities: true });
  local = await startService({ file: true });
  closed = await startService({ vars: { ...PUBLIC, ANONYMOUS_ACCESS: "none" } });
});
after(async () => {
  for (const service of [open, local, closed]) await service?.close();
});

const token = { authorization: `Bearer ${ADMIN_TOKEN}` };
const READS = [
  "/v1/catalog",
  "/openapi.json",
  "/docs",
  "/llms.txt",
  "/.well-known/mcp/catalog.json",
  "/mcp/server-card",
  "/",
];

const preflight = (service: Service, path: string, origin: string, method: string, headers: string) =>
  service.ask(path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": headers,
      // fetch would add its own; a page cannot.
      "sec-fetch-mode": "cors",
    },
  });

describe("pages of any origin", () => {
  test("read what is answered without a credential, errors too", async () => {
    for (const path of [...READS, "/v1/read?repository=nothing", "/c/nonsense"]) {
      for (const origin of [FOREIGN, "null"]) {
        const { status, headers } = await open.ask(path, { headers: { origin } });
        assert.ok(status < 403 || status === 404, `${path}: ${status}`);
        assert.equal(headers.get("access-control-allow-origin"), "*", path);
        assert.equal(headers.get("access-control-allow-credentials"), null);
        assert.equal(headers.get("cross-origin-resource-policy"), "cross-origin");
        assert.match(headers.get("vary") ?? "", /Origin/);
      }
    }
  });

  test("send JSON after a preflight, but never a credential", async () => {
    const allowed = await preflight(open, "/v1/prove-set", FOREIGN, "POST", "content-type");
    assert.equal(allowed.status, 204);
    assert.equal(allowed.headers.get("access-control-allow-origin"), "*");
    assert.match(allowed.headers.get("access-control-allow-headers") ?? "", /content-type/);
    assert.doesNotMatch(allowed.headers.get("access-control-allow-headers") ?? "", /authorization/);
    assert.equal((await preflight(open, "/v1/catalog", FOREIGN, "GET", "authorization")).status, 403);
    assert.equal((await preflight(open, "/v1/catalog", FOREIGN, "DELETE", "")).status, 403);
    const withToken = await open.ask("/v1/catalog", { headers: { origin: FOREIGN, ...token } });
    assert.equal(withToken.status, 403);
    assert.equal(withToken.headers.get("access-control-allow-origin"), null);
  });

  test("reach neither MCP nor administration nor addresses that are not there", async () => {
    for (const [path, method] of [
      ["/mcp", "POST"],
      ["/v1/registry", "GET"],
      ["/v1/tokens", "POST"],
      ["/v1/status", "GET"],
      ["/readyz", "GET"],
      ["/nothing", "GET"],
    ] as const) {
      const { status, headers } = await open.ask(path, { method, headers: { origin: FOREIGN } });
      assert.equal(status, 403, path);
      assert.equal(headers.get("access-control-allow-origin"), null);
      assert.equal((await preflight(open, path, FOREIGN, method, "content-type")).status, 403, path);
    }
  });

  test("are kept out of a service on this machine, and of one that shows nothing without a token", async () => {
    for (const service of [local, closed]) {
      for (const path of READS) {
        const { status, headers } = await service.ask(path, { headers: { origin: FOREIGN } });
        assert.equal(status, 403, path);
        assert.equal(headers.get("access-control-allow-origin"), null);
        assert.equal((await preflight(service, path, FOREIGN, "GET", "")).status, 403);
        const plain = await service.ask(path);
        assert.equal(plain.headers.get("access-control-allow-origin"), null);
        assert.equal(plain.headers.get("cross-origin-resource-policy"), "same-origin");
      }
    }
  });
});

test("an origin that the operator named may send a token and change things", async () => {
  const origin = "https://app.example";
  const answer = await open.ask("/v1/registry", { headers: { origin, ...token } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("access-control-allow-origin"), origin);
  assert.match(answer.headers.get("access-control-expose-headers") ?? "", /etag/);
  const asked = await preflight(open, "/v1/registry", origin, "PUT", "authorization, if-match, content-type");
  assert.equal(asked.status, 204);
  assert.equal(asked.headers.get("access-control-allow-origin"), origin);
  assert.equal(asked.headers.get("access-control-allow-headers"), "authorization, if-match, content-type");
  assert.match(asked.headers.get("access-control-allow-methods") ?? "", /PUT/);
});

describe("caching", () => {
  const at = (path: string) =>
    path.replaceAll("{first}", open.example.first).replaceAll("{head}", open.example.head);
  const PINNED = [
    "/v1/read?repository=example&sourcePath=README.md&sha={first}",
    "/v1/read?repository=example&sha={first}",
    "/v1/prove?repository=example&sourcePath=README.md&sha={head}",
    "/v1/get-doc?repository=example&sourcePath=README.md&sha={first}",
    "/v1/compare?repository=example&base={first}&head={head}",
    "/v1/search-code?repository=example&query=greet&sha={first}",
    "/v1/search-docs?repository=example&query=hello&sha={first}",
    "/v1/kin/entities?repository=example&sha={first}",
    "/v1/kin/source?repository=example&entity_id=greet&sha={first}",
  ];

  test("what is pinned and public: five minutes, a strong tag, 304, and no head in it", async () => {
    for (const path of PINNED.map(at)) {
      for (const accept of ["application/json", "text/plain"]) {
        // A first search brings the archive, and says so: from the second on the answer is the same.
        await (await open.ask(path, { headers: { accept } })).arrayBuffer();
        const response = await open.ask(path, { headers: { accept } });
        const { status, headers } = response;
        const text = await response.text();
        assert.equal(status, 200, path);
        assert.equal(headers.get("cache-control"), "public, max-age=300", path);
        assert.match(headers.get("etag") ?? "", /^"[0-9a-f]{32}"$/);
        assert.match(headers.get("vary") ?? "", /Accept.*Authorization/);
        if (accept === "application/json") assert.equal(text.includes('"head":{"ref"'), false);
        const etag = headers.get("etag") ?? "";
        for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
          const again = await open.ask(path, { headers: { accept, "if-none-match": condition } });
          assert.equal(again.status, 304, `${path} ${condition}`);
          assert.equal(again.headers.get("etag"), etag);
          assert.equal(again.headers.get("cache-control"), "public, max-age=300");
          assert.equal(await again.text(), "");
        }
        assert.equal((await open.ask(path, { headers: { accept, "if-none-match": '"x"' } })).status, 200);
      }
    }
  });

  test("everything else: private, no-store", async () => {
    const sha = open.example.first;
    for (const path of [
      "/v1/catalog",
      // Not by full SHA.
      "/v1/read?repository=example&sourcePath=README.md",
      `/v1/read?repository=example&sourcePath=README.md&sha=${sha.slice(0, 12)}`,
      "/v1/prove?repository=example&sourcePath=README.md&ref=refs/heads/main",
      `/v1/compare?repository=example&base=${sha}&head=${open.example.head.slice(0, 10)}`,
      // The verdict looks at HEAD.
      `/v1/verify?repository=example&sourcePath=README.md&sha=${sha}`,
      `/c/${encodeURIComponent(`gitpin:example@${sha}:README.md`)}`,
      // Not there, or not to be shown: that may change.
      `/v1/read?repository=example&sourcePath=none&sha=${sha}`,
      `/v1/read?repository=example&sourcePath=.env&sha=${sha}`,
      `/v1/read?repository=nothing&sourcePath=README.md&sha=${sha}`,
      "/v1/kin/status?repository=example",
      "/v1/kin/entities?repository=example",
      "/v1/kin/source?repository=example&entity_id=greet",
      `/v1/kin/source?repository=example&entity_id=nobody&sha=${sha}`,
      `/v1/kin/entities?repository=example&path=.env&sha=${sha}`,
    ]) {
      const { headers } = await open.ask(path);
      assert.equal(headers.get("cache-control"), "private, no-store", path);
      assert.equal(headers.get("etag"), null, path);
    }
    const posted = await open.ask("/v1/read", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ repository: "example", sourcePath: "README.md", sha }),
    });
    assert.equal(posted.headers.get("cache-control"), "private, no-store");
  });

  test("a private repository is never kept, whoever asks and however", async () => {
    for (const path of PINNED.map((one) => at(one).replaceAll("repository=example", "repository=closed"))) {
      const seen = await open.ask(path, { headers: token });
      assert.equal(seen.status, 200, path);
      assert.equal(seen.headers.get("cache-control"), "private, no-store", path);
      assert.equal(seen.headers.get("etag"), null);
      const unseen = await open.ask(path);
      assert.equal(unseen.status, 404);
      assert.equal(unseen.headers.get("cache-control"), "private, no-store");
      const guessed = await open.ask(path, { headers: { "if-none-match": "*" } });
      assert.equal(guessed.status, 404);
    }
  });

  test("a private repository of a service where everybody sees everything is not kept either", async () => {
    const all = await startService({ file: true, vars: { ANONYMOUS_ACCESS: "all" } });
    try {
      const path = at("/v1/read?repository=closed&sourcePath=README.md&sha={first}");
      const { status, headers } = await all.ask(path);
      assert.equal(status, 200);
      assert.equal(headers.get("cache-control"), "private, no-store");
    } finally {
      await all.close();
    }
  });
});

describe("problem details", () => {
  test("have the five members of RFC 9457 and the report of every transport", async () => {
    const response = await open.ask("/v1/read?repository=nothing", {
      headers: { accept: "application/json" },
    });
    assert.equal(response.headers.get("content-type"), "application/problem+json");
    const body = (await response.json()) as Record<string, unknown> & {
      error: { code: string; message: string };
    };
    assert.deepEqual(Object.keys(body), ["type", "title", "status", "detail", "instance", "error"]);
    assert.equal(body.type, "https://gitpin.example/docs#error-repository_unknown");
    assert.equal(body.title, "Repository unknown");
    assert.equal(body.status, 404);
    assert.equal(body.detail, body.error.message);
    assert.equal(body.instance, `urn:uuid:${response.headers.get("x-request-id")}`);
    assert.equal(body.error.code, "repository_unknown");
  });

  test("their type leads to where the code is explained", async () => {
    const page = await (await open.ask("/docs")).text();
    const { type } = (await (await open.ask("/nothing")).json()) as { type: string };
    assert.ok(page.includes(`id="${type.split("#")[1]}"`));
  });

  test("come as text or as a page to whoever prefers that", async () => {
    const text = await open.ask("/v1/read?repository=nothing", { headers: { accept: "text/plain" } });
    assert.equal(text.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.match(await text.text(), /^error: repository_unknown: /);
    const page = await open.ask("/nothing<script>", {
      headers: { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" },
    });
    assert.equal(page.status, 404);
    assert.equal(page.headers.get("content-type"), "text/html; charset=utf-8");
    assert.match(
      page.headers.get("content-security-policy") ?? "",
      /^default-src 'none'; style-src 'sha256-/,
    );
    assert.match(await page.text(), /route_unknown/);
  });
});
