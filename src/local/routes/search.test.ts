/** Code search as GitHub has it: its limits, its refusals, its fragments. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { GitRepository } from "../../../test/repositories/git.ts";
import { type LocalHost, startLocalHost } from "../host.ts";
import { send } from "../testing/client.ts";

let repository: GitRepository;
let other: GitRepository;
let host: LocalHost;

before(async () => {
  repository = new GitRepository("one");
  repository
    .write("src/app.ts", "export const answerOfAll = 42;\nconst x = answerOfAll;\n")
    .write("README.md", "The answerOfAll, and foo(bar).\n")
    .write("large.txt", `answerOfAll ${"x".repeat(384 * 1024)}\n`)
    .write("binary.dat", "answerOfAll\0")
    .commit("first");
  repository.git("branch", "other");
  repository.git("checkout", "--quiet", "other");
  repository.write("only-there.ts", "answerOfAll elsewhere\n").commit("second");
  repository.git("checkout", "--quiet", "main");
  other = new GitRepository("two");
  other.write("a.txt", "answerOfAll\n").commit("first");
  host = await startLocalHost({
    repositories: [
      { owner: "octo", name: "one", path: repository.path, id: 11 },
      { owner: "octo", name: "two", path: other.path, id: 12, private: true },
    ],
    tokens: ["all", { value: "one", repositories: ["octo/one"] }],
  });
});

after(async () => {
  await host.close();
  repository.remove();
  other.remove();
});

/** Ten searches a minute are all that a caller has; each test begins with them. */
beforeEach(() => host.setRateLimit({ limit: 100 }));

async function search(q: string | null, { token = "all", accept = "", more = "" } = {}) {
  const query = new URLSearchParams(q === null ? {} : { q });
  const headers = {
    ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
    ...(accept === "" ? {} : { accept }),
  };
  const reply = await send(host.url, `/search/code?${query}${more}`, { headers });
  return { status: reply.status, headers: reply.headers, body: JSON.parse(reply.body.toString()) };
}

const paths = (body: { items: { path: string; repository: { full_name: string } }[] }) =>
  body.items.map((item) => `${item.repository.full_name}/${item.path}`);

test("words, without regard to case and punctuation, of the default branch, in files below 384 KB", async () => {
  const found = await search("ANSWEROFALL repo:octo/one");
  assert.equal(found.status, 200);
  assert.deepEqual(paths(found.body), ["octo/one/README.md", "octo/one/src/app.ts"]);
  assert.equal(found.body.incomplete_results, false);
  assert.equal(found.headers["x-ratelimit-resource"], "code_search");
  assert.deepEqual(paths((await search("foo, bar! repo:octo/one")).body), ["octo/one/README.md"]);
  assert.deepEqual(paths((await search("foo nowhere repo:octo/one")).body), []);
});

test("qualifiers", async () => {
  assert.deepEqual(paths((await search("answerOfAll user:octo")).body), [
    "octo/one/README.md",
    "octo/one/src/app.ts",
    "octo/two/a.txt",
  ]);
  assert.deepEqual(paths((await search("answerOfAll repo:octo/one path:src")).body), ["octo/one/src/app.ts"]);
  assert.deepEqual(paths((await search("answerOfAll extension:md")).body), ["octo/one/README.md"]);
  assert.deepEqual(paths((await search("filename:app repo:octo/one")).body), ["octo/one/src/app.ts"]);
  assert.equal((await search("answerOfAll fork:true")).status, 422);
});

test("what the caller does not see: refused alone, left out in company", async () => {
  const refused = await search("answerOfAll repo:octo/two", { token: "one" });
  assert.equal(refused.status, 422);
  assert.equal(refused.body.message, "Validation Failed");
  assert.match(refused.body.errors[0].message, /^The listed users and repositories cannot be searched/);
  assert.deepEqual(refused.body, (await search("x repo:octo/nope", { token: "one" })).body);
  const some = await search("answerOfAll repo:octo/one repo:octo/two", { token: "one" });
  assert.deepEqual(paths(some.body), ["octo/one/README.md", "octo/one/src/app.ts"]);
});

test("refusals", async () => {
  assert.equal((await search("x", { token: "" })).status, 401);
  for (const q of [null, "", "repo:octo/one", `${"a".repeat(257)} repo:octo/one`, "a | b", "a OR"]) {
    assert.equal((await search(q)).status, 422, String(q));
  }
  assert.match((await search("a | b")).body.message, /ERROR_TYPE_QUERY_PARSING_FATAL/);
});

test("ten searches a minute", async () => {
  for (let i = 0; i < 10; i++) assert.equal((await search("answerOfAll")).status, 200);
  const limited = await search("answerOfAll");
  assert.equal(limited.status, 403);
  assert.equal(limited.headers["x-ratelimit-remaining"], "0");
});

test("fragments only when asked for, two at most, with offsets inside them", async () => {
  assert.equal("text_matches" in (await search("answerOfAll path:src")).body.items[0], false);
  const { body } = await search("answerOfAll path:src", {
    accept: "application/vnd.github.text-match+json",
  });
  const [match, ...more] = body.items[0].text_matches;
  assert.ok(more.length <= 1);
  const [{ text, indices }] = match.matches;
  assert.equal(match.fragment.slice(...indices), text);
  assert.equal(text, "answerOfAll");
  assert.match(match.object_url, /\/repositories\/11\/contents\/src\/app\.ts\?ref=[0-9a-f]{40}$/);
});

test("pages, and the end of all results", async () => {
  const first = await search("answerOfAll repo:octo/one", { more: "&per_page=1" });
  assert.equal(first.body.total_count, 2);
  assert.equal(first.body.items.length, 1);
  assert.match(String(first.headers.link), /page=2>; rel="next"/);
  assert.equal((await search("answerOfAll", { more: "&page=11&per_page=100" })).status, 422);
});
