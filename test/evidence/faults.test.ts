/**
 * Faults of GitHub as callers of the Worker meet them: the right typed error and HTTP status, or the right answer;
 * never wrong bytes, never an empty result, never a token.
 */
import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import type { FaultRule } from "../../src/local/host.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";

const TOKEN = "ghs_a-token-that-must-never-be-shown";
const CONTENT = "one\ntwo\nthree\n";
let repository: GitRepository;
let head: string;

before(() => {
  repository = new GitRepository("app");
  head = repository.write("a.txt", CONTENT).commit("first");
});

after(() => repository.remove());

interface ErrorBody {
  error?: { code: string; nextStep: string; data: Record<string, unknown> };
  content?: string;
  commitSha?: string;
  proof?: { commit: string };
}

/** A stack that ends with its test, however that ends. */
async function start(context: TestContext): Promise<Stack> {
  const stack = await startStack({
    host: {
      repositories: [{ owner: "octo", name: "app", path: repository.path, id: 7, private: true }],
      tokens: [TOKEN],
    },
    registry: [{ name: "app", owner: "octo", repo: "app", id: 7 }],
    vars: { GITHUB_TOKEN: TOKEN, UPSTREAM_TIMEOUT_MS: "700" },
    uncached: true,
  });
  context.after(async () => {
    await stack.close();
    assert.equal(stack.worker.logs.join("\n").includes(TOKEN), false, "the token is in the log");
  });
  return stack;
}

const ask = (stack: Stack) => stack.get<ErrorBody>("/v1/prove", { repository: "app", sourcePath: "a.txt" });

const REQUESTS = { tip: /\/commits\//, tree: /\/git\/trees\//, blob: /\/git\/blobs\// };

/** What a caller may get for a fault that stays: one of these codes, with its status. */
const LASTING: { fault: Omit<FaultRule, "match">; outcomes: Record<string, number> }[] = [
  { fault: { kind: "status", status: 500 }, outcomes: { upstream_unavailable: 502 } },
  { fault: { kind: "html-503" }, outcomes: { upstream_unavailable: 502 } },
  { fault: { kind: "reset" }, outcomes: { upstream_unavailable: 502 } },
  { fault: { kind: "hang" }, outcomes: { upstream_timeout: 504 } },
  { fault: { kind: "cut" }, outcomes: { upstream_corrupt: 502, upstream_unavailable: 502 } },
  { fault: { kind: "short" }, outcomes: { upstream_corrupt: 502, upstream_unexpected: 502 } },
  { fault: { kind: "bad-json" }, outcomes: { upstream_corrupt: 502, upstream_unexpected: 502 } },
  { fault: { kind: "status", status: 401 }, outcomes: { upstream_unauthorized: 502 } },
  { fault: { kind: "status", status: 403 }, outcomes: { upstream_forbidden: 502 } },
];

const LIMITS = ["primary-limit", "secondary-limit", "secondary-limit-no-retry-after"] as const;

test("a fault on each request in turn: a typed error, then the right answer once it is over", async (context) => {
  const stack = await start(context);
  for (const { fault, outcomes } of LASTING) {
    for (const [what, pattern] of Object.entries(REQUESTS)) {
      const name = `${fault.kind} on ${what}`;
      const rule = stack.host.faults.add({ ...fault, match: (_method, path) => pattern.test(path) });
      const { status, body } = await ask(stack);
      const code = body.error?.code ?? `no error but ${JSON.stringify(body.content)}`;
      assert.equal(outcomes[code], status, `${name}: ${status} ${code}`);
      assert.equal(body.content, undefined);
      assert.equal(JSON.stringify(body).includes(TOKEN), false);
      rule.remove();
      const well = await ask(stack);
      assert.deepEqual([well.status, well.body.content], [200, CONTENT], name);
    }
  }
});

test("a flipped byte is never served: the right bytes at the right commit, or a typed error", async (context) => {
  const stack = await start(context);
  for (const [what, pattern] of Object.entries(REQUESTS)) {
    const rule = stack.host.faults.add({ kind: "flip-byte", match: (_method, path) => pattern.test(path) });
    const { status, body } = await ask(stack);
    if (what === "tip" && status === 200) {
      // The byte fell where no id depends on it; had it changed the commit, its hash would not hold.
      const honest = body.commitSha === head || body.proof?.commit === "attested";
      assert.deepEqual([body.content, honest], [CONTENT, true]);
    } else {
      // A flip in the JSON's own words makes it no answer of the documented form; one in the content breaks the hash.
      const code =
        what === "blob" || body.error?.code !== "upstream_unexpected"
          ? "upstream_corrupt"
          : "upstream_unexpected";
      assert.deepEqual([status, body.error?.code, body.content], [502, code, undefined], what);
    }
    rule.remove();
  }
});

for (const kind of LIMITS) {
  test(`${kind}: 429 with the time to come back, and not one request more until then`, async (context) => {
    const stack = await start(context);
    stack.host.faults.add({ kind, match: (_method, path) => REQUESTS.blob.test(path) });
    const { status, headers, body } = await ask(stack);
    assert.deepEqual([status, body.error?.code], [429, "upstream_rate_limited"]);
    assert.ok(Number(headers.get("retry-after")) > 0);
    assert.ok(Date.parse(String(body.error?.data.resetAt)) > Date.now());
    assert.deepEqual((await stack.counted(() => ask(stack))).requests, []);
  });
}

test("a fault that passes is ridden out without the caller noticing", async (context) => {
  const stack = await start(context);
  for (const kind of ["html-503", "reset", "cut"] as const) {
    for (const [what, pattern] of Object.entries(REQUESTS)) {
      const rule = stack.host.faults.add({ kind, times: 1, match: (_method, path) => pattern.test(path) });
      const { status, body } = await ask(stack);
      assert.deepEqual([status, body.content, rule.hits], [200, CONTENT, 1], `${kind} on ${what}`);
    }
  }
});
