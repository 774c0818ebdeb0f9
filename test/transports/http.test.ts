/** REST as a caller sees it, on the example tools: statuses, bodies, headers and the log line, in this process. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RequestLine } from "../../src/http/request-line.ts";
import { exampleApp } from "./example-app.ts";

const lines: RequestLine[] = [];
let now = 1000;
const app = exampleApp({ now: () => (now += 7) }, (line) => lines.push(line));

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await app.fetch(new Request(`http://127.0.0.1:8787${path}`, init));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers },
});

const errorOf = ({ text }: Answer) => JSON.parse(text).error;

describe("arguments", () => {
  test("GET takes them from the query, typed by the schema", async () => {
    const answer = await ask("/v1/echo?text=a%20b+%C3%A9&times=2&loud=true");
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), "application/json");
    assert.deepEqual(JSON.parse(answer.text), {
      kind: "echo",
      text: "A B É A B É",
      next: { tool: "pin.fail" },
    });
    assert.equal(answer.headers.get("x-gitpin-upstream-requests"), "2");
  });

  test("POST takes them from a JSON body", async () => {
    const answer = await ask("/v1/echo", json({ text: "a", times: 3 }));
    assert.equal(JSON.parse(answer.text).text, "a a a");
  });

  test("POST may mix both, but not say a field twice", async () => {
    assert.equal(JSON.parse((await ask("/v1/echo?times=2", json({ text: "a" }))).text).text, "a a");
    const twice = await ask("/v1/echo?text=a", json({ text: "a" }));
    assert.equal(twice.status, 400);
    assert.equal(errorOf(twice).data.field, "text");
  });

  const wrong: Record<string, [string, string]> = {
    unknown: ["/v1/echo?text=a&line=1", "line"],
    repeated: ["/v1/echo?text=a&text=b", "text"],
    empty: ["/v1/echo?text=", "text"],
    "without value": ["/v1/echo?text", "text"],
    "no number": ["/v1/echo?text=a&times=1e1", "times"],
    "no integer": ["/v1/echo?text=a&times=1.5", "times"],
    "out of bounds": ["/v1/echo?text=a&times=4", "times"],
    "no boolean": ["/v1/echo?text=a&loud=1", "loud"],
    missing: ["/v1/echo", "text"],
    "not UTF-8": ["/v1/echo?text=%ff", "text"],
    "half an escape": ["/v1/echo?text=%2", "text"],
    "a name of Object's own": ["/v1/echo?text=a&constructor=1", "constructor"],
  };
  for (const [name, [path, field]] of Object.entries(wrong)) {
    test(`${name}: invalid_argument names the field`, async () => {
      const answer = await ask(path);
      assert.equal(answer.status, 400);
      assert.equal(errorOf(answer).code, "invalid_argument");
      assert.equal(errorOf(answer).data.field, field);
    });
  }

  const bodies: Record<string, [string, number, string]> = {
    "no JSON": ["{", 400, "invalid_argument"],
    "no object": ["[]", 400, "invalid_argument"],
    "an unknown field": ['{"text":"a","__proto__":1}', 400, "invalid_argument"],
    "nested too deep": [`{"text":${"[".repeat(70)}${"]".repeat(70)}}`, 400, "invalid_argument"],
    "too large": [JSON.stringify({ text: "x".repeat(262_144) }), 413, "body_too_large"],
  };
  for (const [name, [body, status, code]] of Object.entries(bodies)) {
    test(`a body that is ${name}: ${code}`, async () => {
      const answer = await ask("/v1/echo", json(body));
      assert.equal(answer.status, status);
      assert.equal(errorOf(answer).code, code);
    });
  }

  test("a body of another type: media_type_unsupported", async () => {
    const answer = await ask("/v1/echo", json({ text: "a" }, { "content-type": "text/plain" }));
    assert.equal(answer.status, 415);
    assert.equal(errorOf(answer).code, "media_type_unsupported");
  });
});

describe("a tool's further way in over REST", () => {
  test("by query, GET and POST, and by body", async () => {
    const expected = { status: "ok", path: "README.md", line: 3 };
    for (const answer of [
      await ask("/v1/judge?cite=README.md:3"),
      await ask("/v1/judge?cite=README.md:3", { method: "POST" }),
      await ask("/v1/judge", json({ cite: "README.md:3" })),
      await ask("/v1/judge?path=README.md&line=3"),
    ]) {
      assert.equal(answer.status, 200);
      assert.deepEqual(JSON.parse(answer.text), expected);
    }
  });

  test("what it leads to is checked as the tool's own arguments are", async () => {
    const answer = await ask("/v1/judge?cite=README.md:x");
    assert.equal(answer.status, 400);
    assert.equal(errorOf(answer).data.field, "line");
  });

  test("a verdict has its status, and the report as its body", async () => {
    const answer = await ask("/v1/judge?path=nothing");
    assert.equal(answer.status, 404);
    assert.deepEqual(JSON.parse(answer.text), { status: "missing", path: "nothing", line: null });
  });
});

describe("negotiation", () => {
  test("text when text is preferred", async () => {
    for (const accept of ["text/plain", "application/json;q=0.5, text/plain", "text/*"]) {
      const answer = await ask("/v1/echo?text=a", { headers: { accept } });
      assert.equal(answer.text, "a\n");
      assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
    }
  });

  test("nothing we have: not_acceptable", async () => {
    const answer = await ask("/v1/echo?text=a", { headers: { accept: "image/png" } });
    assert.equal(answer.status, 406);
    assert.deepEqual(errorOf(answer).data.offered, ["application/json", "text/plain"]);
  });

  test("errors as text", async () => {
    const answer = await ask("/v1/fail?how=limit", { headers: { accept: "text/plain" } });
    assert.equal(answer.status, 429);
    assert.equal(answer.headers.get("retry-after"), "2");
    assert.equal(
      answer.text,
      "error: upstream_rate_limited: GitHub's limit is used up.\nnext: Wait, then call pin_echo.\n",
    );
  });
});

describe("methods and routes", () => {
  test("HEAD is GET without a body", async () => {
    const answer = await ask("/v1/echo?text=a", { method: "HEAD" });
    assert.equal(answer.status, 200);
    assert.equal(answer.text, "");
    assert.equal(answer.headers.get("content-type"), "application/json");
  });

  test("other methods: 405 with Allow", async () => {
    for (const [path, allow] of [
      ["/", "GET, HEAD"],
      ["/healthz", "GET, HEAD"],
      ["/v1/echo", "GET, HEAD, POST"],
      ["/v1/fail", "GET, HEAD"],
      ["/mcp", "POST"],
    ] as const) {
      const answer = await ask(path, { method: "DELETE" });
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get("allow"), allow);
    }
  });

  test("an unknown address: route_unknown", async () => {
    for (const path of ["/v1", "/v1/echo/", "/V1/echo", "//", "/healthz/x"]) {
      const answer = await ask(path);
      assert.equal(answer.status, 404, path);
      assert.equal(errorOf(answer).code, "route_unknown");
    }
  });
});

describe("the guard", () => {
  const PATHS = ["/", "/healthz", "/v1/echo?text=a", "/mcp", "/nothing"];

  test("a foreign Origin is refused on every route", async () => {
    for (const path of PATHS) {
      for (const origin of ["https://evil.example", "null", "http://127.0.0.1.evil.example", ""]) {
        const answer = await ask(path, { headers: { origin } });
        assert.equal(answer.status, 403, `${path} ${origin}`);
        assert.equal(errorOf(answer).code, "origin_refused");
      }
      assert.notEqual((await ask(path, { headers: { origin: "http://127.0.0.1:3000" } })).status, 403);
    }
  });

  test("a foreign Host is refused on every route, whatever is forwarded", async () => {
    for (const path of PATHS) {
      const response = await app.fetch(
        new Request(`http://evil.example${path}`, { headers: { "x-forwarded-host": "127.0.0.1" } }),
      );
      assert.equal(response.status, 421, path);
      assert.equal(JSON.parse(await response.text()).error.code, "host_refused");
    }
    const header = await ask("/healthz", { headers: { host: "evil.example" } });
    assert.equal(header.status, 421);
  });

  test("a host that is configured with a port is ours on that port only", async () => {
    const at = async (url: string) => (await app.fetch(new Request(url))).status;
    assert.equal(await at("https://gitpin.example:8443/healthz"), 200);
    assert.equal(await at("https://gitpin.example/healthz"), 421);
    assert.equal(await at("http://127.0.0.1/healthz"), 200);
  });
});

describe("every answer", () => {
  test("carries the headers, errors too, and a fresh id", async () => {
    const seen = new Set<string>();
    for (const path of [
      "/",
      "/healthz",
      "/v1/echo?text=a",
      "/v1/echo",
      "/v1/fail?how=thrown",
      "/mcp",
      "/x",
    ]) {
      const { headers } = await ask(path, { headers: { "x-request-id": "mine" } });
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("referrer-policy"), "no-referrer");
      assert.equal(headers.get("cache-control"), "private, no-store");
      assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none'/);
      assert.match(headers.get("x-gitpin-upstream-requests") ?? "", /^\d+$/);
      assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
      seen.add(headers.get("x-request-id") ?? "");
    }
    assert.equal(seen.size, 7);
  });

  test("has one log line, without query, content or fault's text", async () => {
    lines.length = 0;
    await ask("/v1/echo?text=SECRET");
    await ask("/v1/echo?SECRET=1");
    await ask("/v1/fail?how=thrown");
    await ask("/v1/fail?how=shape");
    await ask("/SECRET");
    await ask("/healthz", { headers: { origin: "https://SECRET.example" } });
    const row = ({ method, route, tool, status, error, caller, durationMs }: RequestLine) =>
      [method, route, tool, status, error, caller, durationMs] as const;
    assert.deepEqual(lines.map(row), [
      ["GET", "/v1/echo", "pin.echo", 200, null, "anonymous", 7],
      ["GET", "/v1/echo", null, 400, "invalid_argument", "anonymous", 7],
      ["GET", "/v1/fail", "pin.fail", 500, "internal", "anonymous", 7],
      ["GET", "/v1/fail", "pin.fail", 500, "internal", "anonymous", 7],
      ["GET", "none", null, 404, "route_unknown", null, 7],
      ["GET", "none", null, 403, "origin_refused", null, 7],
    ]);
    assert.equal(lines[2]?.fault?.name, "Error");
    assert.match(lines[2]?.fault?.at[0] ?? "", /^at .*example-tools\.ts/);
    assert.deepEqual(lines[3]?.fault?.fields, ["fine"]);
    assert.doesNotMatch(JSON.stringify(lines), /SECRET|private content/);
  });

  test("of a fault of ours says nothing of what was thrown", async () => {
    for (const how of ["thrown", "shape"]) {
      const answer = await ask(`/v1/fail?how=${how}`);
      assert.equal(answer.status, 500);
      assert.equal(errorOf(answer).code, "internal");
      assert.doesNotMatch(answer.text, /private content/);
    }
  });
});

describe("the landing page", () => {
  test("is HTML without script, with the underscore address first and everything escaped", async () => {
    const { text, headers } = await ask("/", { headers: { accept: "text/html,*/*;q=0.8" } });
    assert.equal(headers.get("content-type"), "text/html; charset=utf-8");
    const first = text.indexOf("https://gitpin.example/mcp?names=underscore");
    assert.ok(first > 0 && first < text.indexOf("https://gitpin.example/mcp<"));
    assert.match(text, /curl &#39;https:\/\/gitpin\.example\/v1\/echo&#39;/);
    assert.match(text, /href="https:\/\/gitpin\.example\/docs\?a=1&amp;b=2"/);
    assert.doesNotMatch(text, /<script|127\.0\.0\.1/);
  });

  test("lets its own style through its policy, and nothing else", async () => {
    const { text, headers } = await ask("/");
    const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? "";
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
    assert.equal(
      headers.get("content-security-policy"),
      `default-src 'none'; style-src 'sha256-${Buffer.from(digest).toString("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });

  test("says the same as text", async () => {
    const { text } = await ask("/", { headers: { accept: "text/plain" } });
    assert.match(text, /every client\): https:\/\/gitpin\.example\/mcp\?names=underscore\n/);
    assert.match(text, /curl 'https:\/\/gitpin\.example\/v1\/echo'/);
  });
});
