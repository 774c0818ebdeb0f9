/**
 * Writing among teams: to whom the write tool is there, in every listing and at every address; what the audit tells, and whom; and
 * that nobody learns of another's requests and commits.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { run } from "../../src/cli/main.ts";
import { BODY_LIMITS } from "../../src/http/body.ts";
import type { AuditLog } from "../../src/schema/administration.ts";
import { MUTATION_LIMITS } from "../../src/schema/mutation.ts";
import { CLIENTS } from "../mcp-sessions.ts";
import { ADMIN_TOKEN, type Reply, startTwoTeams, type TwoTeams } from "./two-teams.ts";

let teams: TwoTeams;
let blue: { token: string; id: string };
let green: { token: string; id: string };
let reader: string;
let blueAdmin: string;
let greenAdmin: string;

before(async () => {
  teams = await startTwoTeams({ entities: true, writes: true, vars: { HEAD_MAX_AGE: "0" } });
  const writer = async (team: string) => {
    const { token, row } = await teams.token(team, ["pin:read", "kin:write"]);
    return { token, id: row.id };
  };
  blue = await writer("blue");
  green = await writer("green");
  reader = (await teams.token("blue", ["pin:read"])).token;
  blueAdmin = (await teams.token("blue", ["registry:admin"])).token;
  greenAdmin = (await teams.token("green", ["registry:admin"])).token;
});

after(() => teams?.close());

const MUTATE = "/v1/kin/mutate";

interface Mutated {
  status?: string;
  commitSha?: string;
  parent?: string;
  already_applied?: boolean;
  audit?: string;
  error?: { code: string };
}

/** An edit of the repository's one function, by a base that is read now. */
async function editOf(token: string, repository: string, text: string): Promise<Record<string, unknown>> {
  const { body } = await teams.ask<{ id: string; body: string; source_base: object }>("/v1/kin/source", {
    token,
    body: { repository, entity_id: "told", path: "secret.py" },
  });
  return {
    operations: [
      {
        verb: "update",
        target: body.id,
        description: `Says ${text}.`,
        body: `def told():\n    return "${text}"`,
        payload: { EntitySourceBase: body.source_base },
      },
    ],
  };
}

const mutate = (
  token: string | null,
  body: object,
  headers: Record<string, string> = {},
): Promise<Reply<Mutated>> => teams.ask<Mutated>(MUTATE, { token, body, headers });

/** What of an answer could tell one from another: all of it but the request's own id. */
function comparable({ status, headers, text }: Reply): unknown {
  const own = ["x-request-id", "date"];
  return {
    status,
    headers: [...headers].filter(([name]) => !own.includes(name)).toSorted(),
    text: text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID"),
  };
}

test("gitpin doctor says of each repository what the caller may change", async () => {
  const doctor = async (token: string): Promise<string[]> => {
    let out = "";
    const environment = { GITPIN_URL: teams.worker.url, GITPIN_TOKEN: token };
    const code = await run(["doctor"], environment, { out: (text) => (out += text), error: assert.fail });
    assert.equal(code, 0, out);
    return out.split("\n").filter((line) => line.includes("changes"));
  };
  assert.deepEqual(await doctor(blue.token), [
    "note  changes, open: none: Only repositories of the token's own team may be changed.",
    "ok    changes, engine: branches main, paths **",
    "ok    changes, common: branches main, paths **",
  ]);
  assert.deepEqual(await doctor(reader), [
    "note  changes: none, for this caller has no scope kin:write or the service writes nothing",
  ]);
});

test("without the scope the route is no route: every method, body and form of error is the same", async () => {
  for (const token of [null, reader, blueAdmin, greenAdmin]) {
    for (const method of ["GET", "POST", "PUT", "DELETE", "OPTIONS"]) {
      for (const accept of ["application/json", "text/plain", "text/html"]) {
        const given = {
          method,
          token,
          headers: { accept },
          ...(method === "POST" ? { body: { operations: [] } } : {}),
        };
        const [write, nothing] = [await teams.ask(MUTATE, given), await teams.ask("/v1/kin/muted", given)];
        assert.deepEqual(comparable(write), comparable(nothing), `${method} ${accept}`);
        assert.equal(write.status, 404);
      }
    }
  }
  const head = await teams.ask(MUTATE, { method: "HEAD" });
  assert.equal(head.status, 404);
});

test("with the scope it is one: POST alone, and nobody keeps its answers", async () => {
  const get = await teams.ask(MUTATE, { token: blue.token });
  assert.deepEqual([get.status, get.headers.get("allow")], [405, "POST"]);
  const wrong = await mutate(blue.token, { operations: [] });
  assert.equal(wrong.status, 400);
  assert.equal(wrong.headers.get("cache-control"), "private, no-store");
});

for (const [name, connect] of Object.entries(CLIENTS)) {
  test(`${name}: the tool is listed to who may call it, and unknown to others`, async () => {
    const listed = async (token: string | null) => {
      const session = await connect(`${teams.worker.url}/mcp?names=underscore`, token);
      const { tools } = await session.client.listTools();
      const thrown = await Promise.all(
        ["kin_mutate", "kin_nothing"].map((tool) =>
          session.call(tool, { operations: [] }).then(
            (result) => (result.isError === true ? "a tool's own error" : "an answer"),
            (error: unknown) => String(error).replace(tool, "NAME"),
          ),
        ),
      );
      await session.client.close();
      return { names: tools.map((tool) => tool.name), thrown, instructions: session.instructions };
    };
    const [nobody, reading, writing] = [await listed(null), await listed(reader), await listed(blue.token)];
    assert.deepEqual(nobody.names, reading.names);
    assert.deepEqual(writing.names, [...reading.names, "kin_mutate"]);
    for (const { thrown, names } of [nobody, reading]) {
      assert.match(thrown[0] ?? "", /Unknown tool: NAME/);
      assert.equal(thrown[0], thrown[1]);
      assert.equal(names.includes("kin_mutate"), false);
    }
    assert.equal(writing.thrown[0], "a tool's own error");
    assert.match(writing.thrown[1] ?? "", /Unknown tool: NAME.*kin_mutate/);
    assert.doesNotMatch(JSON.stringify([nobody, reading]), /kin_mutate/);
  });
}

test("documents list it to who may call it: theirs are nobody else's to keep", async () => {
  for (const path of ["/openapi.json", "/docs", "/llms.txt", "/"]) {
    for (const token of [null, reader, blue.token, ADMIN_TOKEN]) {
      const { status, text, headers } = await teams.ask(path, { token });
      const writes = token === blue.token || token === ADMIN_TOKEN;
      assert.equal(status, 200, path);
      assert.equal(text.includes(MUTATE), writes, `${path} for ${token}`);
      assert.equal(text.includes("kin/source"), true, path);
      const shared = token === null && path !== "/" ? "public, max-age=300" : "private, no-store";
      assert.equal(headers.get("cache-control"), shared, path);
      assert.match(headers.get("vary") ?? "", /Authorization/);
    }
    assert.equal((await teams.ask(path, { token: `gpe_0123456789abcdef_${"A".repeat(43)}` })).status, 401);
  }
});

test("a commit is in the audit of the entry's team and the operator's, with who, where and which, and no content", async () => {
  const edit = {
    ...(await editOf(blue.token, "engine", "renamedword")),
    request_id: "audited",
    summary: "unspoken",
  };
  const { body } = await mutate(blue.token, edit);
  assert.deepEqual([body.status, body.audit], ["committed", "recorded"]);
  const own = await teams.ask<AuditLog>("/v1/audit?limit=1", { token: blueAdmin });
  const [row] = own.body.events;
  assert.deepEqual(
    { ...row, at: null },
    {
      at: null,
      by: `token:${blue.id}`,
      team: "blue",
      action: "kin.commit",
      subject: "engine",
      detail: {
        branch: "main",
        parent: teams.clones.blue.head,
        commit: body.commitSha,
        paths: ["secret.py"],
        pathsTotal: 1,
        operations: 1,
        requestId: "audited",
        pullRequest: null,
      },
    },
  );
  assert.equal(teams.clones.blue.repository.git("rev-parse", "main"), body.commitSha);
  assert.doesNotMatch(own.text, /renamedword|unspoken|Says/);
  const everything = await teams.ask<AuditLog>("/v1/audit?limit=1", { token: ADMIN_TOKEN });
  assert.deepEqual(everything.body.events, own.body.events);
  const others = await teams.ask<AuditLog>("/v1/audit", { token: greenAdmin });
  assert.doesNotMatch(others.text, /kin\.commit|audited/);
  assert.equal(others.text.includes(body.commitSha ?? "none"), false);
});

test("what one caller asked under an id says nothing to another, of the team or not", async () => {
  // The same repository under the name that each team chose.
  const first = { ...(await editOf(blue.token, "common", "blues")), request_id: "shared-id" };
  const committed = await mutate(blue.token, first);
  assert.equal(committed.body.status, "committed", committed.text);
  const again = await mutate(blue.token, first);
  assert.deepEqual([again.body.commitSha, again.body.already_applied], [committed.body.commitSha, true]);
  assert.equal(
    (await mutate(blue.token, { ...first, summary: "other" })).body.error?.code,
    "request_id_mismatch",
  );

  const mate = await teams.token("blue", ["pin:read", "kin:write"]);
  for (const [token, repository] of [
    [mate.token, "common"],
    [green.token, "ours"],
  ] as const) {
    const other = { ...(await editOf(token, repository, `of-${repository}`)), request_id: "shared-id" };
    const { body, text } = await mutate(token, other);
    assert.deepEqual([body.status, body.already_applied ?? false], ["committed", false], text);
  }
  // Another's receipt is not to be had by its arguments either.
  const { body } = await mutate(green.token, first);
  assert.equal(body.error?.code, "repository_unknown");
});

test("a token that lost the scope, the team or the repository gets no receipt any more", async () => {
  const { token, row } = await teams.token("blue", ["pin:read", "kin:write"]);
  const edit = { ...(await editOf(token, "engine", "passing")), request_id: "revoked-later" };
  assert.equal((await mutate(token, edit)).body.status, "committed");
  await teams.ask(`/v1/tokens/${row.id}`, { method: "DELETE", token: ADMIN_TOKEN });
  assert.equal((await mutate(token, edit)).status, 401);
});

test("a token with kin:write and without pin:read reads no base, and changes nothing of its team", async () => {
  const { token } = await teams.token("blue", ["kin:write"]);
  const source = await teams.ask<Mutated>("/v1/kin/source", {
    token,
    body: { repository: "engine", entity_id: "told", path: "secret.py" },
  });
  assert.deepEqual([source.status, source.body.error?.code], [404, "repository_unknown"]);
  // Nor by a base that somebody else read.
  const lent = await editOf(blue.token, "engine", "lent");
  const refused = await mutate(token, lent);
  assert.deepEqual([refused.status, refused.body.error?.code], [404, "repository_unknown"]);
});

test("a page of another origin neither writes nor learns that it could, whatever credential it holds", async () => {
  const trusted = await startTwoTeams({
    entities: true,
    writes: true,
    vars: { ALLOWED_ORIGINS: "https://trusted.example" },
  });
  try {
    const { token } = await trusted.token("blue", ["pin:read", "kin:write"]);
    const ask = (headers: Record<string, string>, method = "POST") =>
      trusted.ask<Mutated>(MUTATE, {
        method,
        headers,
        ...(method === "POST" ? { token, body: { operations: [] } } : {}),
      });
    const foreign = await ask({ origin: "https://evil.example" });
    assert.deepEqual([foreign.status, foreign.body.error?.code], [403, "origin_refused"]);
    // Even one that the operator lets read is shown nothing here, nor allowed to ask.
    const preflight = {
      origin: "https://trusted.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization, content-type",
    };
    for (const reply of [await ask({ origin: "https://trusted.example" }), await ask(preflight, "OPTIONS")]) {
      assert.equal(reply.headers.get("access-control-allow-origin"), null);
      assert.equal(reply.headers.get("access-control-allow-methods"), null);
      assert.equal(reply.headers.get("cross-origin-resource-policy"), "same-origin");
    }
    assert.equal((await ask(preflight, "OPTIONS")).status, 404);
  } finally {
    await trusted.close();
  }
});

/**
 * Status and our error's code, by curl: the service answers, and hangs up, before it has read what is too large, and Node's clients see
 * the hanging up alone.
 */
async function send(path: string, token: string, body: string): Promise<[number, unknown]> {
  const headers = [
    `authorization: Bearer ${token}`,
    "content-type: application/json",
    "accept: application/json, text/event-stream",
    "expect:",
  ].flatMap((header) => ["-H", header]);
  const curl = spawn("curl", [
    "-sS",
    ...headers,
    "--data-binary",
    "@-",
    "-w",
    "\n%{http_code}",
    `${teams.worker.url}${path}`,
  ]);
  curl.stdin.end(body);
  const lines = (await text(curl.stdout)).trimEnd().split("\n");
  const { error } = JSON.parse(lines[0] ?? "") as Mutated;
  return [Number(lines.at(-1)), error?.code];
}

test("a call may be as large as it says, for who may make one; larger ones, and everybody else's, are refused", async () => {
  const filled = (bytes: number): string => {
    const call = { operations: [], summary: "" };
    return JSON.stringify({ ...call, summary: "x".repeat(bytes - JSON.stringify(call).length) });
  };
  const most = MUTATION_LIMITS.callBytes;
  assert.equal(most, 4_194_304);
  // Read whole, and then found to be wrong.
  assert.deepEqual(await send(MUTATE, blue.token, filled(most)), [400, "invalid_argument"]);
  assert.deepEqual(await send(MUTATE, blue.token, filled(most + 1)), [413, "body_too_large"]);
  const elsewhere = await send("/v1/kin/status", blue.token, filled(BODY_LIMITS.bytes + 1));
  assert.deepEqual(elsewhere, [413, "body_too_large"]);

  const message = (bytes: number): string => {
    const rpc = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "kin_mutate", arguments: { summary: "" } },
    };
    rpc.params.arguments.summary = "x".repeat(bytes - JSON.stringify(rpc).length);
    return JSON.stringify(rpc);
  };
  assert.equal((await send("/mcp", blue.token, message(most)))[0], 200);
  assert.equal((await send("/mcp", blue.token, message(most + 1)))[0], 413);
  assert.equal((await send("/mcp", reader, message(BODY_LIMITS.bytes + 1)))[0], 413);
});

test("the log line of a commit names tool, repository and outcome, and nothing of what was written", async () => {
  const edit = {
    ...(await editOf(blue.token, "engine", "loggedword")),
    request_id: "in-no-log",
    summary: "unspoken",
  };
  const { headers, body } = await mutate(blue.token, edit);
  assert.equal(body.status, "committed");
  const id = headers.get("x-request-id") ?? "";
  let count = 1;
  const found = async () => (await teams.worker.logged(count++)).find((line) => line.includes(id));
  let line = await found();
  while (line === undefined) line = await found();
  const { tool, repository, outcome, route, caller, team, status } = JSON.parse(line) as Record<
    string,
    unknown
  >;
  assert.deepEqual(
    { tool, repository, outcome, route, caller, team, status },
    {
      tool: "kin_mutate",
      repository: "engine",
      outcome: "ok",
      route: MUTATE,
      caller: `token:${blue.id}`,
      team: "blue",
      status: 200,
    },
  );
  for (const text of teams.worker.logs) {
    assert.doesNotMatch(text, /loggedword|in-no-log|unspoken|secret\.py|source_base/);
  }
});
