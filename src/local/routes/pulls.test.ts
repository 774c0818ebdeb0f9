// Pull requests: opened once, refused for the reasons that GitHub has, found again.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { GitRepository } from "../../../test/repositories/git.ts";
import { parsed, type Reply } from "../testing/client.ts";
import { type Served, serve } from "../testing/served.ts";

interface Pull {
  number: number;
  title: string;
  body: string | null;
  draft: boolean;
  state: string;
  html_url: string;
  user: { login: string };
  head: { ref: string; sha: string; label: string };
  base: { ref: string; sha: string };
  commits: number;
  additions: number;
  changed_files: number;
}

let repository: GitRepository;
let served: Served;

before(async () => {
  repository = new GitRepository();
  repository.write("a.txt", "a\n").commit("one");
  repository.git("branch", "same");
  repository.git("switch", "--quiet", "--create", "work");
  repository.write("b.txt", "b\nb\n").commit("two");
  repository.write("c.txt", "c\n").commit("three");
  repository.git("branch", "more");
  repository.git("switch", "--quiet", "main");
  repository.write("d.txt", "d\n").commit("four");
  const other = repository.feed("other", "commit-tree", repository.git("rev-parse", "HEAD^{tree}"));
  repository.git("branch", "unrelated", other);
  served = await serve(repository.path, {
    writable: true,
    tokens: [
      { value: "t", login: "ada" },
      { value: "reader", permissions: { contents: "write" } },
    ],
    now: () => Date.UTC(2026, 5, 1),
  });
});

after(async () => {
  await served.host.close();
  repository.remove();
});

const open = (body: unknown, token?: string) => served.put("POST", "/pulls", body, token);
const mistakes = (reply: Reply): unknown => {
  const { message, errors } = parsed<{ message: string; errors: unknown }>(reply);
  assert.deepEqual([reply.status, message], [422, "Validation Failed"]);
  return errors;
};
const custom = (message: string) => [{ resource: "PullRequest", code: "custom", message }];

test("opened, with what it brings; a second one for the same branches is refused", async () => {
  const reply = await open({ title: "Work", body: "please", head: "work", base: "main", draft: true });
  assert.equal(reply.status, 201);
  assert.equal(reply.headers.location, `${served.host.url}/repos/octo/demo/pulls/1`);
  const pull = parsed<Pull>(reply);
  assert.deepEqual(
    [pull.number, pull.title, pull.body, pull.draft, pull.state, pull.user.login],
    [1, "Work", "please", true, "open", "ada"],
  );
  assert.equal(pull.html_url, `${served.host.url}/octo/demo/pull/1`);
  assert.deepEqual(
    [pull.head.ref, pull.head.label, pull.head.sha, pull.base.ref, pull.base.sha],
    ["work", "octo:work", repository.git("rev-parse", "work"), "main", repository.git("rev-parse", "main")],
  );
  assert.deepEqual([pull.commits, pull.additions, pull.changed_files], [2, 3, 2]);
  assert.deepEqual(
    mistakes(await open({ title: "Again", head: "octo:work", base: "main" })),
    custom("A pull request already exists for octo:work."),
  );
  const other = await open({ title: "Other", head: "more", base: "same" });
  assert.deepEqual([other.status, parsed<Pull>(other).number, parsed<Pull>(other).body], [201, 2, null]);
});

test("refused: nothing between, no history in common, branches that are not there", async () => {
  const title = "x";
  const field = (name: string) => ({ resource: "PullRequest", field: name, code: "invalid" });
  assert.deepEqual(
    mistakes(await open({ title, head: "same", base: "main" })),
    custom("No commits between main and same"),
  );
  assert.deepEqual(
    mistakes(await open({ title, head: "main", base: "main" })),
    custom("No commits between main and main"),
  );
  assert.deepEqual(
    mistakes(await open({ title, head: "unrelated", base: "main" })),
    custom("The unrelated branch has no history in common with main"),
  );
  assert.deepEqual(mistakes(await open({ title, head: "nope", base: "main" })), [field("head")]);
  assert.deepEqual(mistakes(await open({ title, head: "other:work", base: "main" })), [field("head")]);
  assert.deepEqual(mistakes(await open({ title, head: "nope", base: "nope" })), [
    field("head"),
    field("base"),
  ]);
  const reply = await open({ title, head: "work" });
  assert.equal(parsed<{ message: string }>(reply).message, 'Invalid request.\n\n"base" wasn\'t supplied.');
});

test("a token without the permission opens none", async () => {
  const reply = await open({ title: "x", head: "work", base: "same" }, "reader");
  assert.equal(reply.status, 403);
  assert.equal(reply.headers["x-accepted-github-permissions"], "pull_requests=write");
});

test("listed by head, base and state, and found by number, as the branch stands now", async () => {
  const numbers = async (query: string) =>
    (await served.json<Pull[]>(`/pulls${query}`)).map((one) => one.number);
  assert.deepEqual(await numbers(""), [2, 1]);
  assert.deepEqual(await numbers("?head=octo:work&base=main&state=open"), [1]);
  assert.deepEqual(await numbers("?head=octo:work&base=same"), []);
  assert.deepEqual(await numbers("?head=elsewhere:work"), []);
  assert.deepEqual(await numbers("?head=work"), [2, 1]);
  assert.deepEqual(await numbers("?state=closed"), []);
  assert.deepEqual(await numbers("?state=all&per_page=1"), [2]);
  const moved = repository.feed("five", "commit-tree", "work^{tree}", "-p", "work");
  repository.git("update-ref", "refs/heads/work", moved);
  const pull = await served.json<Pull>("/pulls/1");
  assert.deepEqual([pull.head.sha, pull.commits], [moved, 3]);
  assert.equal((await served.get("/pulls/3")).status, 404);
});

test("the page that it links to says what is asked for, and how to merge it", async () => {
  const page = (path: string) => served.ask(path, {});
  const reply = await page("/octo/demo/pull/1");
  assert.deepEqual([reply.status, reply.headers["content-type"]], [200, "text/plain; charset=utf-8"]);
  assert.equal(
    reply.body.toString("utf8"),
    [
      "octo/demo #1: Work (draft)",
      "work -> main",
      "",
      "please",
      "",
      "This page is a stand-in: nothing can be merged here. In the clone, merge with",
      "  git switch main",
      "  git merge work",
      "",
    ].join("\n"),
  );
  const commands = /git switch.*\n.*git merge.*/.exec(reply.body.toString("utf8"))?.[0] ?? "";
  repository.shell(`set -e\n${commands}`);
  assert.equal(repository.git("show", "main:b.txt"), "b\nb");
  repository.git("branch", "it's;more", "more");
  const [title, body] = ["a\u202eb\nc", "<script>"];
  assert.equal((await open({ title, body, head: "it's;more", base: "same" })).status, 201);
  const odd = (await page("/octo/demo/pull/3")).body.toString("utf8");
  assert.match(odd, /^octo\/demo #3: a\ufffdb\ufffdc\n/);
  assert.match(odd, /^ {2}git merge 'it'\\''s;more'$/m);
  for (const path of [
    "/octo/demo/pull/4",
    "/octo/demo/pull/01",
    "/octo/other/pull/1",
    "/octo/demo/pull/1/files",
  ]) {
    assert.equal((await page(path)).status, 404, path);
  }
});
