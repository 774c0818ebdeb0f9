/** Two teams side by side: nothing of one in an answer of the other; what they share is shared by repository, after the check. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { RegistryView, SectionState } from "../../src/schema/administration.ts";
import { ADMIN_TOKEN, type Reply, startTwoTeams, type TwoTeams } from "./two-teams.ts";

let teams: TwoTeams;
let blue: string;
let green: string;

before(async () => {
  teams = await startTwoTeams({ vars: { HEAD_MAX_AGE: "3600" } });
  blue = (await teams.token("blue", ["pin:read", "registry:admin"])).token;
  green = (await teams.token("green", ["pin:read", "registry:admin"])).token;
});

beforeEach(() => {
  teams.host.requests.length = 0;
});

after(() => teams.close());

interface Slice {
  content?: string;
  commitSha?: string;
  error?: { code: string; message: string };
}

const read = (token: string | null, repository: string): Promise<Reply<Slice>> =>
  teams.ask<Slice>("/v1/read", { token, body: { repository, sourcePath: "secret.md" } });

test("the same name stands for each team's own repository", async () => {
  const [b, g] = [await read(blue, "engine"), await read(green, "engine")];
  assert.equal(b.body.content, "# blueword\n\nThe word is blueword.\n");
  assert.equal(g.body.content, "# greenword\n\nThe word is greenword.\n");
});

test("a repository of both teams is fetched once, and never for who may not see it", async () => {
  const first = await read(blue, "common");
  assert.match(first.body.content ?? "", /sharedword/);
  assert.notEqual(teams.host.requests.length, 0);
  const upstream = (reply: Reply) => Number(reply.headers.get("x-gitpin-upstream-requests"));
  assert.notEqual(upstream(first), 0);

  const second = await read(green, "ours");
  assert.equal(second.body.content, first.body.content);
  assert.equal(upstream(second), 0);

  // Everything is in memory now; the names of others still lead nowhere.
  teams.host.requests.length = 0;
  for (const [token, name] of [
    [green, "common"],
    [blue, "ours"],
    [null, "common"],
    [null, "ours"],
    [blue, "operators"],
  ] as const) {
    const reply = await read(token, name);
    assert.deepEqual([reply.status, reply.body.error?.code], [404, "repository_unknown"]);
    assert.doesNotMatch(reply.text, /sharedword|octo/);
  }
  assert.equal(teams.host.requests.length, 0);
});

test("a repository that no team could tell from one that never was: the errors are equal but for the name", async () => {
  const hidden = await read(green, "common");
  const absent = await read(green, "nonexi");
  // Each answer names its own request.
  const same = (text: string, name: string) =>
    text.replaceAll(name, "NAME").replace(/urn:uuid:[0-9a-f-]{36}/, "");
  assert.equal(same(hidden.text, "common"), same(absent.text, "nonexi"));
});

test("a commit or blob of another team's repository is none of one's own", async () => {
  const { blue: mine, green: theirs } = teams.clones;
  await read(green, "engine");
  for (const sha of [theirs.head, theirs.repository.git("rev-parse", "HEAD:secret.md")]) {
    const reply = await teams.ask<{ status: string }>("/v1/read", {
      token: blue,
      body: { repository: "engine", sourcePath: "secret.md", sha },
    });
    assert.equal(reply.status, 404, reply.text);
    assert.doesNotMatch(reply.text, /greenword/);
  }
  assert.notEqual(mine.head, theirs.head);
});

test("names, SHAs and content of one team are in no answer of the other, under load with edits and revocations", async () => {
  const words = { blue: /greenword|green-inc|"ours"/, green: /blueword|blue-inc|"common"/ };
  const { blue: b, green: g } = teams.clones;
  const shas = { blue: g.head, green: b.head };
  let answers = 0;

  const worker = async (team: "blue" | "green", token: string, rounds: number) => {
    const requests: [string, object?][] = [
      ["/v1/catalog"],
      ["/v1/read", { repository: "engine", sourcePath: "secret.md" }],
      ["/v1/prove", { repository: "engine", sourcePath: "secret.md", claim: `The word is ${team}word.` }],
      ["/v1/read", { repository: team === "blue" ? "ours" : "common", sourcePath: "secret.md" }],
      ["/v1/registry"],
      ["/v1/registry/history"],
      ["/v1/tokens"],
      ["/v1/audit"],
    ];
    for (let round = 0; round < rounds; round++) {
      for (const [path, body] of requests) {
        const reply = await teams.ask(path, { token, ...(body === undefined ? {} : { body }) });
        // What was asked for is the caller's own word.
        const said = reply.text.replaceAll(/No repository named "(ours|common)"/g, "");
        assert.doesNotMatch(said, words[team], `${team} ${path}`);
        assert.equal(reply.text.includes(shas[team]), false, `${team} ${path}`);
        assert.ok([200, 404].includes(reply.status), `${team} ${path}: ${reply.status} ${reply.text}`);
        answers++;
      }
    }
  };

  const edits = async (token: string, team: "blue" | "green", rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      const { etag } = (await teams.ask<RegistryView>("/v1/registry", { token })).body;
      const name = `${team}-extra-${round}`;
      const reply = await teams.ask<SectionState>("/v1/registry", {
        method: "PATCH",
        token,
        headers: { "if-match": etag },
        body: { put: [{ name, owner: `${team}-inc`, repo: "engine" }] },
      });
      // Teams never get into each other's way.
      assert.equal(reply.status, 200, reply.text);
    }
  };

  /** A token works until its revocation is answered, and never after. */
  const revocations = async (team: "blue" | "green", rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      const { token, row } = await teams.token(team, ["pin:read"]);
      assert.equal((await read(token, "engine")).status, 200);
      await teams.ask(`/v1/tokens/${row.id}`, { method: "DELETE", token: ADMIN_TOKEN });
      const replies = await Promise.all([read(token, "engine"), read(token, "open")]);
      assert.deepEqual(
        replies.map(({ status }) => status),
        [401, 401],
      );
    }
  };

  await Promise.all([
    worker("blue", blue, 8),
    worker("green", green, 8),
    worker("blue", blue, 8),
    worker("green", green, 8),
    edits(blue, "blue", 8),
    edits(green, "green", 8),
    revocations("blue", 8),
    revocations("green", 8),
  ]);
  assert.equal(answers, 4 * 8 * 8);
});

test("a repository that was given away is not served under the team's old name", async () => {
  const moved = await startTwoTeams({ vars: { HEAD_MAX_AGE: "0" } });
  try {
    const { token } = await moved.token("blue", ["pin:read"]);
    moved.host.rename("blue-inc/engine", "elsewhere/engine");
    const reply = await moved.ask<Slice>("/v1/read", {
      token,
      body: { repository: "engine", sourcePath: "secret.md" },
    });
    assert.deepEqual([reply.status, reply.body.error?.code], [502, "repository_unavailable"], reply.text);
    assert.doesNotMatch(reply.text, /blueword|elsewhere/);
    // Within what the team may register it may move as it likes.
    moved.host.rename("elsewhere/engine", "blue-inc/motor");
    const { token: admin } = await moved.token("blue", ["registry:admin"]);
    const { etag } = (await moved.ask<RegistryView>("/v1/registry", { token: admin })).body;
    await moved.ask("/v1/registry", {
      method: "PATCH",
      token: admin,
      headers: { "if-match": etag },
      body: { put: [{ name: "motor", owner: "blue-inc", repo: "motor" }] },
    });
    const again = await moved.ask<Slice>("/v1/read", {
      token,
      body: { repository: "motor", sourcePath: "secret.md" },
    });
    assert.match(again.body.content ?? "", /blueword/, again.text);
  } finally {
    await moved.close();
  }
});

test("with ANONYMOUS_ACCESS none nobody gets in without a token; the limit of a token is its own", async () => {
  const closed = await startTwoTeams({
    vars: { ANONYMOUS_ACCESS: "none" },
    rateLimits: { ADDRESS_LIMIT: 1000, TOKEN_LIMIT: 3 },
  });
  try {
    for (const path of ["/v1/catalog", "/v1/registry"]) assert.equal((await closed.ask(path)).status, 401);
    assert.equal(
      (await closed.ask("/mcp", { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } })).status,
      401,
    );
    const { token } = await closed.token("blue", ["pin:read"]);
    const replies: Reply[] = [];
    for (let call = 0; call < 5; call++) replies.push(await closed.ask("/v1/catalog", { token }));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 429, 429],
    );
    assert.equal(replies.at(-1)?.headers.get("retry-after"), "60");
    // One token's limit is not another's.
    const other = await closed.token("green", ["pin:read"]);
    assert.equal((await closed.ask("/v1/catalog", { token: other.token })).status, 200);
  } finally {
    await closed.close();
  }
});
