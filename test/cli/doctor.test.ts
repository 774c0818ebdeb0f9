/** `gitpin doctor`, and what the connection says when nobody, or somebody else, answers. Tokens stay where they belong. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { type CommandLineStack, commandLineStack, gitpin } from "./command-line.ts";

let cli: CommandLineStack;
before(async () => {
  cli = await commandLineStack();
});
after(() => cli.close());

/** A server that is none of ours, and what reached it. */
async function other(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const seen: { path: string; authorization: string | undefined }[] = [];
  const server: Server = createServer((request, response) => {
    seen.push({ path: request.url ?? "", authorization: request.headers.authorization });
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const marks = (out: string): string[] =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => line.slice(0, 4).trim());

test("hosted, all well", async () => {
  for (const url of [
    cli.stack.worker.url,
    `${cli.stack.worker.url}/`,
    `${cli.stack.worker.url}/mcp?names=underscore`,
  ]) {
    const { code, out } = await gitpin({}, "doctor", "--url", url);
    assert.deepEqual(marks(out), ["ok", "ok", "note", "ok", "note", "note"], out);
    assert.match(out, /^note {2}changes: none, for this caller has no scope kin:write/m);
    assert.match(out, /MCP http.*\/mcp\?names=underscore lists \d+ tools/);
    assert.ok(out.includes(`notes (octo/notes): HEAD is ${cli.head}`));
    assert.equal(code, 0);
  }
});

test("--url stands above the environment, a registry too", async () => {
  const { code } = await gitpin(cli.direct, "doctor", "--url", cli.stack.worker.url);
  assert.equal(code, 0);
});

test("direct, all well", async () => {
  const { code, out } = await gitpin(cli.direct, "doctor");
  assert.deepEqual(marks(out), ["ok", "note", "ok", "ok", "note"], out);
  assert.match(out, /requests left until \d{4}-/);
  assert.equal(code, 0);
});

test("direct: a repository that is not there is exit 1, and the others are still looked at", async () => {
  const repositories = [
    { name: "gone", owner: "octo", repo: "gone" },
    { name: "notes", owner: "octo", repo: "notes" },
  ];
  const registry = cli.file("two.json", JSON.stringify({ version: 1, repositories }));
  const { code, out } = await gitpin({ ...cli.direct, GITPIN_REGISTRY: registry }, "doctor");
  assert.match(out, /FAIL {2}gone \(octo\/gone\): unavailable/);
  assert.match(out, /ok {4}notes \(octo\/notes\): HEAD is/);
  assert.equal(code, 1);
});

test("direct: bad settings, a bad registry, an unreachable host and a spent budget are exit 2", async () => {
  const broken = cli.file(
    "broken.json",
    '{"version":1,"repositories":[{"name":"a b","owner":"o","repo":"r"}]}',
  );
  const cases: [Record<string, string>, RegExp][] = [
    [{ GITPIN_REGISTRY: "/nonexistent/registry.json" }, /FAIL {2}registry: .*cannot be read/],
    [{ GITPIN_REGISTRY: broken }, /FAIL {2}registry: .*repositories\.0\.name/],
    [{ HEAD_MAX_AGE: "soon" }, /FAIL {2}settings: .*HEAD_MAX_AGE/],
    [
      { GITHUB_API_URL: "http://api.example", GITHUB_TOKEN: "secret-token" },
      /FAIL {2}settings: .*plain http/,
    ],
    [{ GITHUB_API_URL: "http://127.0.0.1:9" }, /FAIL {2}GitHub: .*did not answer/],
  ];
  for (const [change, text] of cases) {
    const { code, out } = await gitpin({ ...cli.direct, ...change }, "doctor");
    assert.match(out, text);
    assert.doesNotMatch(out, /secret-token/);
    assert.equal(code, 2);
  }
  cli.stack.host.setRateLimit({ limit: 1 });
  await fetch(`${cli.stack.host.url}/repos/octo/notes`);
  const spent = await gitpin(cli.direct, "doctor");
  cli.stack.host.setRateLimit({ limit: 15_000 });
  assert.match(spent.out, /FAIL {2}http:.* 0 of 1 requests left/);
  assert.equal(spent.code, 2);
});

test("neither way, both ways, and addresses that are none", async () => {
  const url = cli.stack.worker.url;
  const cases: [Record<string, string>, RegExp][] = [
    [{}, /Neither GITPIN_URL nor GITPIN_REGISTRY/],
    [{ GITPIN_URL: "", GITPIN_REGISTRY: "" }, /Neither/],
    [{ ...cli.direct, GITPIN_URL: url }, /both set/],
    [{ GITPIN_URL: "gitpin.example" }, /GITPIN_URL is not the address of a service/],
    [{ GITPIN_URL: "ftp://gitpin.example" }, /is not the address/],
    [{ GITPIN_URL: "https://name:password@gitpin.example" }, /holds a name or password/],
    [{ GITPIN_URL: "http://gitpin.example", GITPIN_TOKEN: "secret-token" }, /plain http to another machine/],
    [{ GITPIN_URL: url, GITPIN_TOKEN: "two\nlines" }, /GITPIN_TOKEN holds a character/],
  ];
  for (const [environment, text] of cases) {
    const { code, error } = await gitpin(environment, "doctor");
    assert.match(error, text);
    assert.doesNotMatch(error, /secret-token|password@/);
    assert.equal(code, 2);
  }
});

test("hosted: nobody there, somebody else, and a redirect that is not followed", async () => {
  const dead = await gitpin({}, "doctor", "--url", "http://127.0.0.1:9");
  assert.match(dead.out, /^FAIL {2}service: upstream_unavailable: http:\/\/127\.0\.0\.1:9 did not answer/);
  assert.equal(dead.code, 2);

  const page = await other((_, response) => response.end("<html>hello</html>"));
  const strange = await gitpin({ GITPIN_TOKEN: "secret-token" }, "doctor", "--url", page.url);
  assert.match(strange.out, /something that is not this service's/);
  assert.equal(strange.code, 2);
  // The credential is sent only once somebody answered as this service does.
  assert.deepEqual(page.seen, [{ path: "/healthz", authorization: undefined }]);
  await page.close();

  const redirect = await other((_, response) =>
    response.writeHead(302, { location: "http://elsewhere.example/x" }).end(),
  );
  const environment = { GITPIN_URL: redirect.url, GITPIN_TOKEN: "secret-token" };
  const moved = await gitpin(environment, "verify", "--cite", `notes/README.md @ ${cli.head}`);
  assert.match(moved.error, /redirect to http:\/\/elsewhere\.example, which is not followed/);
  assert.equal(moved.code, 2);
  await redirect.close();
});

test("hosted: a token that is not good", async () => {
  const environment = { GITPIN_URL: cli.stack.worker.url, GITPIN_TOKEN: "gitpin_wrong" };
  const { code, out } = await gitpin(environment, "doctor");
  assert.match(out, /FAIL {2}MCP: unauthorized/);
  assert.doesNotMatch(out, /gitpin_wrong/);
  assert.equal(code, 2);
});

test("a service that asks for patience is waited for; one that is down stops the run at once", async () => {
  const cite = (line: number) => `notes/README.md:${line} @ ${cli.head}`;
  const file = cli.file(
    "two.md",
    Array.from({ length: 60 }, (_, index) => `- ${cite(index + 1)}`).join("\n"),
  );
  let asked = 0;
  const busy = await other((request, response) => {
    asked += 1;
    if (asked === 1) {
      response.writeHead(429, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          error: {
            code: "rate_limited",
            message: "Too often.",
            nextStep: "Wait.",
            data: { retryAfterSeconds: 7 },
          },
        }),
      );
      return;
    }
    fetch(`${cli.stack.worker.url}${request.url}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      // Node's own stream of the request.
      body: request as unknown as ReadableStream,
      duplex: "half",
    } as RequestInit)
      .then(async (answer) => response.writeHead(answer.status).end(await answer.text()))
      .catch((reason: unknown) => response.destroy(reason as Error));
  });
  const one = cli.file("one.md", cite(1));
  const patient = await gitpin({ GITPIN_URL: busy.url }, "verify-cites", "--file", one);
  assert.deepEqual(patient.waited, [7000]);
  assert.equal(patient.code, 0);
  await busy.close();

  const down = await other((_, response) => response.destroy());
  const { code, out } = await gitpin({ GITPIN_URL: down.url }, "verify-cites", "--file", file);
  assert.match(out, /60 citations: 0 ok, 60 not checked/);
  assert.equal(code, 2);
  // Only those that were under way.
  assert.ok(down.seen.length <= 6, `${down.seen.length} requests`);
  await down.close();
});
