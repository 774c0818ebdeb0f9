/** Who gets what: every tool and every admin route, times every kind of caller, times every kind of target. The tables are the rule. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { everyTool } from "../tools/every-tool.ts";
import { ADMIN_TOKEN, type Clone, type Reply, startTwoTeams, type TwoTeams } from "./two-teams.ts";

let teams: TwoTeams;
let tokens: Record<CallerKind, string | null>;

const CALLERS = [
  "nobody",
  "wrong",
  "expired",
  "revoked",
  "otherTeam",
  "writerOnly",
  "adminOnly",
  "rightTeam",
  "writer",
  "otherWriter",
  "operator",
] as const;
type CallerKind = (typeof CALLERS)[number];

before(async () => {
  teams = await startTwoTeams({ entities: true, writes: true });
  const soon = new Date(Date.now() + 400).toISOString();
  const expired = await teams.token("blue", ["pin:read", "registry:admin"], { expiresAt: soon });
  const revoked = await teams.token("blue", ["pin:read", "registry:admin"]);
  await teams.ask(`/v1/tokens/${revoked.row.id}`, { method: "DELETE", token: ADMIN_TOKEN });
  tokens = {
    nobody: null,
    wrong: `gpe_0123456789abcdef_${"A".repeat(43)}`,
    expired: expired.token,
    revoked: revoked.token,
    otherTeam: (await teams.token("green", ["pin:read"])).token,
    writerOnly: (await teams.token("blue", ["kin:write"])).token,
    adminOnly: (await teams.token("blue", ["registry:admin"])).token,
    rightTeam: (await teams.token("blue", ["pin:read"])).token,
    writer: (await teams.token("blue", ["pin:read", "kin:write"])).token,
    otherWriter: (await teams.token("green", ["pin:read", "kin:write"])).token,
    operator: ADMIN_TOKEN,
  };
  // The expired one holds until its time has come.
  const deadline = Date.now() + 10_000;
  while ((await teams.ask("/v1/catalog", { token: expired.token })).status !== 401) {
    assert.ok(Date.now() < deadline, "the token never expired");
  }
});

after(() => teams.close());

const TARGETS = ["public", "team", "denied", "unreachable", "publicUnreachable"] as const;
type Target = (typeof TARGETS)[number];

interface Place {
  repository: string;
  sourcePath: string;
  sha: string;
}

/** `common` is blue's alone under this name; the operator sees it because no other team uses the name. */
function placeOf(target: Target): Place {
  const { open, shared } = teams.clones;
  const at = (repository: string, clone: Clone, sourcePath: string, sha = clone.head) => ({
    repository,
    sourcePath,
    sha,
  });
  switch (target) {
    case "public":
      return at("open", open, "secret.md");
    case "team":
      return at("common", shared, "secret.md");
    case "denied":
      return at("common", shared, ".env");
    case "unreachable":
      return at("common", shared, "secret.md", shared.unreachable);
    case "publicUnreachable":
      return at("open", open, "secret.md", open.unreachable);
  }
}

/** How each tool is asked about a place. A tool that is missing here fails the test below. */
const TOOLS: Record<string, (place: Place) => object> = {
  "pin.read": (place) => place,
  "pin.prove": (place) => place,
  "pin.verify": (place) => place,
  "pin.get_doc": (place) => place,
  "pin.prove_set": (place) => ({ items: [place] }),
  "pin.verify_set": (place) => ({ items: [place] }),
  kin_find_entities: ({ repository, sourcePath, sha }) => ({ repository, path: pyOf(sourcePath), sha }),
  get_entity_source: ({ repository, sourcePath, sha }) => ({
    repository,
    path: pyOf(sourcePath),
    sha,
    entity_id: "told",
  }),
};

/** Entities are declared beside the prose. */
const pyOf = (sourcePath: string): string => sourcePath.replace(/\.md$/, ".py");

/** Tools about a whole repository, at its HEAD or at a commit. */
const REPOSITORY_TOOLS: Record<string, (place: Place) => object> = {
  "pin.inspect": ({ repository }) => ({ repository, operation: "commits" }),
  "pin.compare": ({ repository, sha }) => ({ repository, base: sha, head: sha }),
  "pin.search_code": ({ repository }) => ({ repository, query: "The word is" }),
  "pin.search_docs": ({ repository }) => ({ repository, query: "The word is" }),
  "pin.analyze": ({ repository }) => ({ operation: "brief", repositories: [repository] }),
  kin_status: ({ repository }) => ({ repository }),
  kin_find_entities: ({ repository }) => ({ repository, query: "told" }),
  get_entity_source: ({ repository }) => ({ repository, entity_id: "told" }),
};

/** Have tests of their own below. */
const CATALOG_TOOL = "pin.catalog";
const WRITE_TOOL = "kin_mutate";

/** `401`: unauthorized. `unknown`: 404 repository_unknown, and no request to the host. Else the result's status. */
const EXPECTED: Record<CallerKind, Record<Target, "401" | "unknown" | "ok" | "blocked">> = {
  nobody: {
    public: "ok",
    team: "unknown",
    denied: "unknown",
    unreachable: "unknown",
    publicUnreachable: "blocked",
  },
  wrong: { public: "401", team: "401", denied: "401", unreachable: "401", publicUnreachable: "401" },
  expired: { public: "401", team: "401", denied: "401", unreachable: "401", publicUnreachable: "401" },
  revoked: { public: "401", team: "401", denied: "401", unreachable: "401", publicUnreachable: "401" },
  otherTeam: {
    public: "ok",
    team: "unknown",
    denied: "unknown",
    unreachable: "unknown",
    publicUnreachable: "blocked",
  },
  writerOnly: {
    public: "ok",
    team: "unknown",
    denied: "unknown",
    unreachable: "unknown",
    publicUnreachable: "blocked",
  },
  adminOnly: {
    public: "ok",
    team: "unknown",
    denied: "unknown",
    unreachable: "unknown",
    publicUnreachable: "blocked",
  },
  rightTeam: {
    public: "ok",
    team: "ok",
    denied: "blocked",
    unreachable: "blocked",
    publicUnreachable: "blocked",
  },
  writer: {
    public: "ok",
    team: "ok",
    denied: "blocked",
    unreachable: "blocked",
    publicUnreachable: "blocked",
  },
  otherWriter: {
    public: "ok",
    team: "unknown",
    denied: "unknown",
    unreachable: "unknown",
    publicUnreachable: "blocked",
  },
  operator: {
    public: "ok",
    team: "ok",
    denied: "blocked",
    unreachable: "blocked",
    publicUnreachable: "blocked",
  },
};

interface Result {
  product?: string;
  status?: string;
  error?: { code: string } | null;
  /** Of a brief: what could not be examined, and why. */
  gaps?: { statement: string }[];
  /** Of a set, which has one item here. */
  items?: { error: { code: string } | null; pack?: Result | null; report?: Result | null }[];
}

const outcomeOf = ({ status, body }: { status: number; body: Result }): string => {
  if (status === 401) return body.error?.code === "unauthorized" ? "401" : "a 401 without its code";
  if (body.error?.code === "repository_unknown") return "unknown";
  if (body.gaps?.some(({ statement }) => statement.includes("examined: repository_unknown:")))
    return "unknown";
  const [item] = body.items ?? [];
  if (item !== undefined)
    return outcomeOf({ status, body: item.pack ?? item.report ?? { error: item.error } });
  return (
    body.error?.code ?? body.status ?? (body.product === "gitpin" ? "ok" : "neither an error nor a result")
  );
};

async function overRest(tool: string, input: object, token: string | null): Promise<Reply<Result>> {
  const path = everyTool().find(({ name }) => name === tool)?.route.path ?? "";
  return await teams.ask<Result>(path, { token, body: input });
}

/** The same over MCP, in the form of REST. */
async function overMcp(tool: string, input: object, token: string | null): Promise<Reply<Result>> {
  const reply = await teams.ask<{ result?: { content: { text: string }[] } } & Result>("/mcp", {
    token,
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: input } },
    headers: { accept: "application/json, text/event-stream" },
  });
  const text = reply.body.result?.content[0]?.text;
  return text === undefined ? reply : { ...reply, body: JSON.parse(text) as Result };
}

test("every tool is in the tables", async () => {
  const { body } = await teams.ask<{ result: { tools: { name: string }[] } }>("/mcp", {
    body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    headers: { accept: "application/json, text/event-stream" },
  });
  const listed = body.result.tools.map(({ name }) => name);
  const known = [...new Set([...Object.keys(TOOLS), ...Object.keys(REPOSITORY_TOOLS), CATALOG_TOOL])];
  assert.deepEqual(listed.toSorted(), known.toSorted());
  const all = everyTool().map(({ name }) => name);
  assert.deepEqual(all.toSorted(), [...known, WRITE_TOOL].toSorted());
});

/** `none`: there is no such tool or route. `planned`: what a dry run answers to who may commit. Else the code of an error. */
const MAY_MUTATE: Record<CallerKind, Record<"public" | "team", string>> = (() => {
  const none = { public: "none", team: "none" };
  const refused = { public: "401", team: "401" };
  // The public entry is the operator's: no team changes it.
  const ofAnother = { public: "write_not_allowed", team: "unknown" };
  return {
    nobody: none,
    wrong: refused,
    expired: refused,
    revoked: refused,
    otherTeam: none,
    adminOnly: none,
    rightTeam: none,
    writerOnly: ofAnother,
    otherWriter: ofAnother,
    writer: { public: "write_not_allowed", team: "planned" },
    operator: { public: "planned", team: "planned" },
  };
})();

/** An edit of the one function, by the base that who may read it is given. */
async function editOf(repository: string): Promise<object> {
  const { body } = await teams.ask<{ id: string; source_base: object }>("/v1/kin/source", {
    token: ADMIN_TOKEN,
    body: { repository, entity_id: "told", path: "secret.py" },
  });
  const edits = [{ old_text: "return", new_text: "return 1 or" }];
  const payload = { EntitySourcePatch: { source_base: body.source_base, edits } };
  return { operations: [{ verb: "patch", target: body.id, description: "", payload }], dry_run: true };
}

const mutationOutcome = (reply: Reply<Result>): string => {
  const { code, message } = (reply.body.error ?? {}) as { code?: unknown; message?: string };
  if (code === "route_unknown" && reply.status === 404) return "none";
  if (code === -32602 && message?.startsWith("Unknown tool: kin_mutate.")) return "none";
  return outcomeOf(reply);
};

for (const caller of CALLERS) {
  test(`${caller} asks for a change`, async () => {
    for (const [target, repository] of [
      ["public", "open"],
      ["team", "common"],
    ] as const) {
      const expected = MAY_MUTATE[caller][target];
      const edit = await editOf(repository);
      for (const [transport, run] of Object.entries({ overRest, overMcp })) {
        const before = teams.host.requests.length;
        const reply = await run(WRITE_TOOL, edit, tokens[caller]);
        const said = `${target} ${transport}: ${reply.text}`;
        assert.equal(mutationOutcome(reply), expected, said);
        assert.equal(reply.headers.get("cache-control"), "private, no-store");
        if (expected === "planned") continue;
        assert.equal(teams.host.requests.length, before, `${said} asked the host`);
        assert.doesNotMatch(reply.text, /word|shared|blue|green/, said);
      }
    }
  });
}

for (const caller of CALLERS) {
  for (const target of TARGETS) {
    test(`${caller} asks for ${target}: ${EXPECTED[caller][target]}`, async () => {
      const expected = EXPECTED[caller][target];
      const place = placeOf(target);
      for (const [tool, input] of Object.entries(TOOLS)) {
        for (const [transport, run] of Object.entries({ overRest, overMcp })) {
          const before = teams.host.requests.length;
          const reply = await run(tool, input(place), tokens[caller]);
          const said = `${tool} ${transport}: ${reply.text}`;
          assert.equal(outcomeOf(reply), expected, said);
          if (expected === "ok") continue;
          assert.doesNotMatch(reply.text, /word/, said);
          if (expected === "blocked") continue;
          assert.equal(teams.host.requests.length, before, `${said} asked the host`);
          assert.doesNotMatch(reply.text, /shared|blue|green/, said);
        }
      }
    });
  }
}

/** Ways in over REST only, beside the tools: notes, and the page of a citation in each of its forms. */
const CITATION_ROUTES: Record<
  string,
  (handle: string, token: string | null) => Promise<Reply<CitationResult>>
> = {
  notes: (handle, token) => teams.ask("/v1/verify-cites", { token, notes: `See \`${handle}\`.\n` }),
  json: (handle, token) => teams.ask(`/c/${encodeURIComponent(handle)}?format=json`, { token }),
  page: (handle, token) =>
    teams.ask(`/c/${encodeURIComponent(handle)}`, { token, headers: { accept: "text/html" } }),
  badge: (handle, token) => teams.ask(`/c/${encodeURIComponent(handle)}?format=svg`, { token }),
};

interface CitationResult extends Result {
  citations?: { report: Result | null; error: { code: string } | null }[];
  report?: Result;
}

/** Pages and badges say it in words only. */
const wordOf = (text: string): string =>
  text.includes("repository_unknown") ? "unknown" : /Blocked:|: blocked</.test(text) ? "blocked" : "ok";

function citationOutcome({ status, body, text }: Reply<CitationResult>): string {
  if (status === 401) return "401";
  if (body === null || typeof body !== "object") return wordOf(text);
  const [one] = body.citations ?? [];
  return outcomeOf({
    status,
    body: body.report ?? one?.report ?? { error: one?.error ?? body.error ?? null },
  });
}

for (const caller of CALLERS) {
  test(`${caller} opens citations`, async () => {
    for (const target of TARGETS) {
      const expected = EXPECTED[caller][target];
      const { repository, sourcePath, sha } = placeOf(target);
      for (const [route, run] of Object.entries(CITATION_ROUTES)) {
        const before = teams.host.requests.length;
        const reply = await run(`gitpin:${repository}@${sha}:${sourcePath}`, tokens[caller]);
        const said = `${route} ${target}: ${reply.text}`;
        assert.equal(citationOutcome(reply), expected, said);
        assert.equal(reply.headers.get("cache-control"), "private, no-store");
        if (expected === "ok") continue;
        assert.doesNotMatch(reply.text, /word/, said);
        if (expected === "blocked") continue;
        assert.equal(teams.host.requests.length, before, `${said} asked the host`);
        assert.doesNotMatch(reply.text, /shared|blue|green/, said);
      }
    }
  });
}

for (const caller of CALLERS) {
  test(`${caller} asks about a whole repository`, async () => {
    for (const target of ["public", "team"] as const) {
      const expected = EXPECTED[caller][target];
      for (const [tool, input] of Object.entries(REPOSITORY_TOOLS)) {
        for (const [transport, run] of Object.entries({ overRest, overMcp })) {
          const before = teams.host.requests.length;
          const reply = await run(tool, input(placeOf(target)), tokens[caller]);
          const said = `${tool} ${target} ${transport}: ${reply.text}`;
          assert.equal(outcomeOf(reply), expected, said);
          if (expected === "ok") continue;
          assert.equal(teams.host.requests.length, before, `${said} asked the host`);
          assert.doesNotMatch(reply.text, /shared|blue|green/, said);
        }
      }
    }
  });
}

test("a comparison with a commit that no registered ref leads to, and a brief of all, show nothing hidden", async () => {
  const { shared, open } = teams.clones;
  for (const [repository, clone] of [
    ["common", shared],
    ["open", open],
  ] as const) {
    const reply = await overRest(
      "pin.compare",
      { repository, base: clone.head, head: clone.unreachable },
      tokens.rightTeam,
    );
    assert.equal(reply.status, 403, reply.text);
    assert.doesNotMatch(reply.text, /secret\.md/);
  }
  for (const tool of ["pin.search_code", "pin.search_docs"]) {
    const at = { repository: "common", query: "unreachable", sha: shared.unreachable };
    const atUnreachable = await overRest(tool, at, tokens.rightTeam);
    assert.doesNotMatch(atUnreachable.text, /sharedword-unreachable|secret\.md/, tool);
    assert.match(atUnreachable.text, /block|registered ref/, atUnreachable.text);
    const denied = await overRest(tool, { repository: "common", query: "denied" }, tokens.rightTeam);
    assert.doesNotMatch(denied.text, /sharedword-denied/, tool);
  }
  const everywhere = await overRest("pin.search_docs", { query: "The word is" }, tokens.otherTeam);
  assert.match(everywhere.text, /The word is greenword/);
  assert.match(everywhere.text, /The word is openword/);
  assert.doesNotMatch(everywhere.text, /blueword|"common"|operators/);
  const brief = await overRest("pin.analyze", { operation: "brief" }, tokens.otherTeam);
  assert.equal(brief.status, 200, brief.text);
  assert.doesNotMatch(brief.text, /common|operators|blue/);
});

const CATALOG: Record<CallerKind, string[] | "401"> = {
  nobody: ["open"],
  wrong: "401",
  expired: "401",
  revoked: "401",
  otherTeam: ["engine", "open", "ours"],
  writerOnly: ["open"],
  adminOnly: ["open"],
  rightTeam: ["common", "engine", "open"],
  writer: ["common", "engine", "open"],
  otherWriter: ["engine", "open", "ours"],
  // Not `engine`: it would stand for two teams' repositories.
  operator: ["common", "open", "operators", "ours"],
};

test("the catalog, its total and its resource hold what the caller sees", async () => {
  for (const caller of CALLERS) {
    const token = tokens[caller];
    for (const view of ["repositories", "sync", "stale"]) {
      const { status, body } = await teams.ask<{ repositories: { repository: string }[]; total: number }>(
        `/v1/catalog?view=${view}`,
        { token },
      );
      const expected = CATALOG[caller];
      if (expected === "401") {
        assert.equal(status, 401);
        continue;
      }
      const names = body.repositories.map(({ repository }) => repository).toSorted();
      assert.deepEqual(names, view === "stale" ? [] : expected, caller);
      assert.equal(body.total, view === "stale" ? 0 : expected.length);
    }
    const resource = await teams.ask<{ result?: { contents: { text: string }[] } }>("/mcp", {
      token,
      body: { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "gitpin://catalog" } },
      headers: { accept: "application/json, text/event-stream" },
    });
    if (CATALOG[caller] === "401") assert.equal(resource.status, 401);
    else {
      const text = resource.body.result?.contents[0]?.text ?? "";
      const hidden = ["open", "common", "engine", "ours", "operators"].filter(
        (name) => !CATALOG[caller].includes(name),
      );
      assert.match(text, /"open"/);
      for (const name of hidden) assert.equal(text.includes(`"${name}"`), false, `${caller}: ${name}`);
    }
  }
});

/** Own team's, another team's or no particular; what each kind of caller gets. */
const ADMIN_ROUTES: readonly [string, string, object | undefined, Record<CallerKind, number>][] = (() => {
  const refusedToAll = { nobody: 401, wrong: 401, expired: 401, revoked: 401 };
  const admins = (status: number) => ({
    ...refusedToAll,
    otherTeam: 403,
    writerOnly: 403,
    rightTeam: 403,
    writer: 403,
    otherWriter: 403,
    adminOnly: status,
    operator: status,
  });
  /** The operator alone may name a team. */
  const operators = (status: number) => ({ ...admins(403), operator: status });
  const registry = { version: 1, repositories: [] };
  const token = { scopes: ["pin:read"], label: "from the table" };
  return [
    ["GET", "/v1/registry", undefined, admins(200)],
    ["GET", "/v1/registry?team=blue", undefined, operators(200)],
    ["GET", "/v1/registry?team=green", undefined, operators(200)],
    // Without If-Match nothing is stored; what comes first is the permission.
    ["PUT", "/v1/registry", registry, admins(428)],
    ["PATCH", "/v1/registry", { remove: ["engine"] }, admins(428)],
    ["PUT", "/v1/registry?team=green", registry, { ...admins(428) }],
    ["POST", "/v1/registry/validate", registry, admins(200)],
    ["POST", "/v1/registry/validate?team=green", registry, operators(200)],
    ["GET", "/v1/registry/history", undefined, admins(200)],
    ["GET", "/v1/registry/history?team=green", undefined, operators(200)],
    ["GET", "/v1/registry/history/1", undefined, admins(200)],
    ["GET", "/v1/registry/history/1?team=green", undefined, operators(200)],
    ["GET", "/v1/registry/history/99", undefined, admins(404)],
    ["POST", "/v1/registry/restore", { version: 1 }, admins(428)],
    ["GET", "/v1/tokens", undefined, admins(200)],
    ["GET", "/v1/tokens?team=green", undefined, operators(200)],
    ["POST", "/v1/tokens", { ...token, team: "green" }, operators(201)],
    // A token belongs to a team, and the operator has none.
    ["POST", "/v1/tokens", token, { ...admins(201), operator: 400 }],
    ["DELETE", "/v1/tokens/0123456789abcdef", undefined, admins(404)],
    ["GET", "/v1/audit", undefined, admins(200)],
    ["GET", "/v1/audit?team=green", undefined, operators(200)],
  ];
})();

for (const [method, path, body, expected] of ADMIN_ROUTES) {
  test(`${method} ${path}`, async () => {
    const got: Partial<Record<CallerKind, number>> = {};
    for (const caller of CALLERS) {
      const reply = await teams.ask(path, { method, token: tokens[caller], body });
      got[caller] = reply.status;
      const challenge = reply.headers.get("www-authenticate");
      if (reply.status === 401) {
        const fault = caller === "nobody" ? "" : ', error="invalid_token"';
        assert.equal(challenge, `Bearer realm="gitpin"${fault}`);
      } else if (caller === "rightTeam") {
        assert.equal(challenge, 'Bearer realm="gitpin", error="insufficient_scope", scope="registry:admin"');
      }
      if (caller === "adminOnly") assert.doesNotMatch(reply.text, /green/, "another team shows");
    }
    assert.deepEqual(got, expected);
  });
}

test("a token of one team never revokes, nor sees, one of the other", async () => {
  const green = await teams.token("green", ["pin:read"]);
  const refused = await teams.ask<Result>(`/v1/tokens/${green.row.id}`, {
    method: "DELETE",
    token: tokens.adminOnly,
  });
  assert.equal(refused.status, 404);
  assert.equal(refused.body.error?.code, "token_unknown");
  assert.equal((await teams.ask("/v1/catalog", { token: green.token })).status, 200);
  const list = await teams.ask("/v1/tokens", { token: tokens.adminOnly });
  assert.equal(list.text.includes(green.row.id), false);
});

test("other forms of a credential are refused, never taken for none", async () => {
  for (const authorization of [
    "Basic b3BlcmF0b3I6eA==",
    "Bearer",
    `Bearer ${ADMIN_TOKEN} x`,
    `Bearer ${ADMIN_TOKEN}x`,
    ADMIN_TOKEN,
    `Token ${ADMIN_TOKEN}`,
    "Bearer gpe_",
  ]) {
    const reply = await teams.ask<Result>("/v1/catalog", { headers: { authorization } });
    assert.equal(reply.status, 401, authorization);
    assert.equal(reply.text.includes(ADMIN_TOKEN), false);
  }
  // Nor is one that comes by another way taken at all.
  const inQuery = await teams.ask<Result>(`/v1/catalog?token=${ADMIN_TOKEN}`);
  assert.equal(inQuery.status, 400);
  assert.equal(inQuery.text.includes(ADMIN_TOKEN), false);
});
