/** `gitpin status`, `entities`, `source` and `mutate` against the whole product: git itself is asked what was written. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { CONTRACT, PRODUCT } from "../../src/schema/common.ts";
import type { EntitySource } from "../../src/schema/entities.ts";
import type { MutationResult } from "../../src/schema/mutation-result.ts";
import { WrittenStack } from "../mutation/written-stack.ts";
import { gitpin } from "./command-line.ts";

const APP = "def greet():\n    return 1\n\n\ndef twice():\n    pass\n";

let app: WrittenStack;
let folder: string;
let environment: Record<string, string>;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "gitpin-cli-"));
  app = await WrittenStack.start({
    files: { "app.py": APP, "other.py": "def twice():\n    pass\n", ".env": "SECRET=1\n" },
    vars: { HEAD_MAX_AGE: "0" },
  });
  environment = { GITPIN_URL: app.stack.worker.url };
});

after(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => gitpin(environment, ...args);
const on = ["--repository", "app"];
const head = () => app.git("rev-parse", "main").trim();

let files = 0;
function file(content: unknown): string {
  files += 1;
  const path = join(folder, `${files}.json`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

/** A patch of `greet`, by a base that is read now. */
async function patch(
  old_text: string,
  new_text: string,
  more: object = {},
): Promise<Record<string, unknown>> {
  const { out } = await run("source", "greet", ...on, "--path", "app.py", "--json");
  const { id, source_base } = JSON.parse(out) as EntitySource;
  const payload = { EntitySourcePatch: { source_base, edits: [{ old_text, new_text }] } };
  return { operations: [{ verb: "patch", target: id, description: "", payload }], ...more };
}

test("status: text, or JSON with the base", async () => {
  const { code, out } = await run("status", ...on);
  assert.equal(code, 0);
  assert.equal(
    out.split("\n")[0],
    `ok  app  main@${head()}  tree ${app.git("rev-parse", "main^{tree}").trim()}`,
  );
  assert.match(out, /^writable {2}branches \*\*/m);
  assert.match(out, /^Python {2}2 files {2}editing full$/m);
  const json = JSON.parse((await run("status", ...on, "--branch", "main", "--json")).out);
  assert.deepEqual([json.head, typeof json.repository_base], [head(), "object"]);
});

test("entities: one a line, by name, kind and path, in pages; what is not there is exit 1", async () => {
  const all = await run("entities", ...on);
  assert.equal(all.code, 0);
  assert.deepEqual(
    all.out
      .split("\n")
      .slice(0, 3)
      .map((line) => line.replace(/ {2}[0-9a-f-]{36} {2}/, " ID ")),
    [
      "app.py:1-2  function greet ID def greet()",
      "app.py:5-6  function twice ID def twice()",
      "other.py:1-2  function twice ID def twice()",
    ],
  );
  const one = await run(
    "entities",
    "TWI",
    ...on,
    "--kind",
    "function",
    "--path",
    "app.py",
    "--limit",
    "1",
    "--json",
  );
  const { entities } = JSON.parse(one.out) as { entities: { path: string; name: string }[] };
  assert.deepEqual(
    entities.map(({ path, name }) => [path, name]),
    [["app.py", "twice"]],
  );
  const page = JSON.parse((await run("entities", ...on, "--limit", "2", "--json")).out) as {
    nextCursor: string;
  };
  const next = await run("entities", ...on, "--cursor", page.nextCursor);
  assert.match(next.out, /^other\.py:1-2 /);
  const missing = await run("entities", ...on, "--path", "none.py");
  assert.match(missing.out, /^missing /);
  assert.equal(missing.code, 1);
});

test("source: the exact text; nothing chosen is exit 1", async () => {
  const { code, out } = await run("source", "greet", ...on);
  assert.equal(code, 0);
  assert.match(out, /^ok {2}app\/app\.py:1-2 @ [0-9a-f]{40} {2}function greet /);
  assert.equal(out.slice(out.indexOf("\n") + 1), "def greet():\n    return 1\n");
  const ambiguous = await run("source", "twice", ...on);
  assert.match(ambiguous.out, /^ambiguous /);
  const blocked = await run("source", "x", ...on, "--path", ".env");
  assert.match(blocked.out, /^blocked /);
  assert.deepEqual([ambiguous.code, blocked.code], [1, 1]);
});

test("mutate: a plan writes nothing, a commit is git's, and repeated with its id it is the same", async () => {
  const before = head();
  const call = file(await patch("return 1", "return 2"));
  const plan = await run("mutate", call, "--dry-run");
  assert.equal(plan.code, 0);
  assert.match(plan.out, /^planned on main of app: 1 file, nothing was written\n/);
  assert.match(plan.out, /^- {4}return 1\n\+ {4}return 2$/m);
  assert.equal(head(), before);

  const committed = await run("mutate", call, "--request-id", "job-1", "--json");
  assert.equal(committed.code, 0, committed.error);
  const receipt = JSON.parse(committed.out) as MutationResult;
  assert.deepEqual([receipt.status, receipt.applied, receipt.commitSha], ["committed", true, head()]);
  assert.equal(app.git("show", "main:app.py"), APP.replace("return 1", "return 2").trimEnd());

  const again = await run("mutate", call, "--request-id", "job-1");
  assert.equal(again.code, 0);
  assert.match(again.out, new RegExp(`^committed ${head()} \\(by an earlier call\\)`));
  assert.equal(head(), receipt.commitSha);

  // Without an id it is another call, and its base is of what was there before.
  const conflict = await run("mutate", call);
  assert.match(conflict.out, /^conflict /);
  const json = JSON.parse((await run("mutate", call, "--json")).out) as MutationResult;
  assert.deepEqual([json.status, json.applied, conflict.code], ["conflict", false, 1]);
});

test("mutate: a refusal is exit 1", async () => {
  const refused = await run("mutate", file(await patch("no such text", "x")));
  assert.match(refused.out, /^refused /);
  assert.equal(refused.code, 1);
});

test("mutate: from standard input, by a process of its own", async () => {
  const child = spawn(process.execPath, ["bin/gitpin.mjs", "mutate", "-"], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  child.stdin.end(JSON.stringify(await patch("greet()", "greet(name)")));
  assert.match(await text(child.stdout), /^committed /);
  assert.deepEqual(await closed, [0, null]);
  assert.match(app.git("show", "main:app.py"), /^def greet\(name\):/);
});

test("wrong usage is exit 2, and asks nobody", async () => {
  const nowhere = { GITPIN_URL: "http://127.0.0.1:1" };
  for (const [args, message] of [
    [["mutate"], /missing required argument/],
    [["mutate", file("{")], /is not JSON/],
    [["mutate", file([1])], /invalid_argument/],
    [["mutate", file({ operations: [] })], /"operations"/],
    [["mutate", file({ operations: [], more: 1 })], /"more" is not an argument/],
    [["mutate", join(folder, "none.json")], /cannot be read \(ENOENT\)/],
    [["entities"], /required option '--repository/],
    [["entities", ...on, "--limit", "x"], /"limit"/],
    [["entities", ...on, "--kind", "procedure"], /"kind"/],
    [["source", ...on], /missing required argument/],
    [["status", ...on, "--branch", ""], /"branch"/],
  ] as [string[], RegExp][]) {
    const { code, error } = await gitpin(nowhere, ...args);
    assert.match(error, message, args.join(" "));
    assert.equal(code, 2);
  }
  const direct = await gitpin({ GITPIN_REGISTRY: "registry.json" }, "entities", ...on);
  assert.match(direct.error, /by a service/);
  assert.equal(direct.code, 2);
});

/** A service that answers every call as it is told. */
async function standIn(answer: RequestListener) {
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    environment: { GITPIN_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

const CALL = { operations: [{ verb: "remove", target: "x", description: "", payload: {} }] };

test("mutate: a service that hangs up may have committed", async () => {
  const service = await standIn((request) => void request.socket.destroy());
  try {
    const ask = (call: object, ...more: string[]) =>
      gitpin(service.environment, "mutate", file(call), ...more);
    const silent = await ask(CALL);
    assert.match(silent.error, /^gitpin: upstream_unavailable: /);
    assert.match(silent.error, /The commit may stand all the same: look at the branch/);
    const named = await ask({ ...CALL, request_id: "a" });
    assert.match(named.error, /sent again with the same request id, the call commits once/);
    const planned = await ask(CALL, "--dry-run");
    assert.doesNotMatch(planned.error, /may stand/);
    assert.deepEqual([silent.code, named.code, planned.code], [2, 2, 2]);
  } finally {
    await service.close();
  }
});

test("mutate: where there is no such address, it says which token it takes", async () => {
  const report = { message: "There is nothing at this address.", nextStep: "GET / lists it.", data: {} };
  const service = await standIn((_request, response) => {
    response
      .writeHead(404, { "content-type": "application/problem+json" })
      .end(JSON.stringify({ error: { code: "route_unknown", ...report } }));
  });
  try {
    const { code, error } = await gitpin(service.environment, "mutate", file(CALL));
    assert.match(error, /^gitpin: route_unknown: .*\n.* scope kin:write/);
    assert.equal(code, 2);
  } finally {
    await service.close();
  }
});

test("mutate: a commit whose pull request is not open is exit 1", async () => {
  const pull_request = {
    status: "failed",
    number: null,
    url: null,
    code: "pull_request_refused",
    reason: "GitHub refused it.",
    next_step: "Open it there.",
  };
  const result = {
    product: PRODUCT,
    contract: CONTRACT,
    kind: "mutation-result",
    status: "committed",
    applied: true,
  };
  const place = { repository: "app", branch: "agent/x", commitSha: "0".repeat(40) };
  const service = await standIn((_request, response) => {
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ ...result, ...place, ops_applied: 1, pull_request, next: null }));
  });
  try {
    const { code, out, error } = await gitpin(service.environment, "mutate", file(CALL));
    assert.match(out, /^no pull request: GitHub refused it\. Open it there\.$/m, error);
    assert.equal(code, 1);
  } finally {
    await service.close();
  }
});
