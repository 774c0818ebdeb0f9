// Refs made, moved and deleted through the API: fast-forward and force, names, protected branches, many at once.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { GitRepository } from "../../../../test/repositories/git.ts";
import { parsed, type Reply } from "../../testing/client.ts";
import { errorOf, type Served, serve } from "../../testing/served.ts";

const NOPE = "1".repeat(40);

let repository: GitRepository;
let bare: string;
let served: Served;
let first: string;
let second: string;
/** A child of the first commit, beside the second. */
let aside: string;

const inBare = (...args: string[]): string => repository.git("-C", bare, ...args);

before(async () => {
  repository = new GitRepository();
  first = repository.write("a.txt", "a\n").commit("one");
  second = repository.write("a.txt", "b\n").commit("two");
  repository.git("switch", "--quiet", "--detach", first);
  aside = repository.write("a.txt", "c\n").commit("aside");
  repository.git("switch", "--quiet", "main");
  repository.git("branch", "aside", aside);
  bare = join(repository.path, "../bare.git");
  repository.git("clone", "--quiet", "--bare", repository.path, bare);
  served = await serve(bare, {
    writable: true,
    repositories: [{ owner: "octo", name: "demo", path: bare, protectedBranches: ["release", "later"] }],
  });
});

beforeEach(() => {
  for (const ref of inBare("for-each-ref", "--format=%(refname)").split("\n"))
    inBare("update-ref", "-d", ref);
  inBare("update-ref", "refs/heads/main", second);
  inBare("update-ref", "refs/heads/release", first);
});

after(async () => {
  await served.host.close();
  repository.remove();
});

const create = (ref: string, sha: string) => served.put("POST", "/git/refs", { ref, sha });
const patch = (ref: string, sha: string, force?: boolean) =>
  served.put("PATCH", `/git/refs/${ref}`, { sha, ...(force !== undefined && { force }) });
const at = (ref: string): string => inBare("rev-parse", ref);

test("a ref is made once, and shown as GitHub shows it", async () => {
  const reply = await create("refs/heads/feature/x", first);
  const url = `${served.host.url}/repos/octo/demo/git/refs/heads/feature/x`;
  assert.equal(reply.status, 201);
  assert.equal(reply.headers.location, url);
  const { node_id: _, ...shown } = parsed<Record<string, unknown>>(reply);
  const object = {
    sha: first,
    type: "commit",
    url: `${served.host.url}/repos/octo/demo/git/commits/${first}`,
  };
  assert.deepEqual(shown, { ref: "refs/heads/feature/x", url, object });
  assert.equal(at("refs/heads/feature/x"), first);
  assert.deepEqual(errorOf(await create("refs/heads/feature/x", first)), [422, "Reference already exists"]);
  assert.equal((await create("refs/tags/t", first)).status, 201);
  assert.equal(at("refs/tags/t"), first);
});

test("names and objects that make no ref", async () => {
  const name = (ref: string) => `${ref} is not a valid ref name.`;
  const sha = "The sha parameter must be exactly 40 characters and contain only [0-9a-f].";
  const cases: [string, string, string][] = [
    ["heads/x", first, "Reference name must start with 'refs/'."],
    ["refs/x", first, "Reference name must contain at least three slash-separated components."],
    ["refs/heads/", first, "Reference name must contain at least three slash-separated components."],
    ["refs/heads/a b", first, name("refs/heads/a b")],
    ["refs/heads/a..b", first, name("refs/heads/a..b")],
    ["refs/heads/a.lock", first, name("refs/heads/a.lock")],
    ["refs/heads/a\nb", first, name("refs/heads/a\nb")],
    [`refs/heads/${NOPE}`, first, name(`refs/heads/${NOPE}`)],
    ["refs/heads/refs/heads/x", first, name("refs/heads/refs/heads/x")],
    ["refs/heads/-x", first, name("refs/heads/-x")],
    ["refs/heads/x", NOPE, "Object does not exist"],
    ["refs/heads/x", "main", sha],
    ["refs/heads/x", at(`${first}^{tree}`), "Reference update failed: a branch leads to a commit"],
    ["refs/pull/1/head", first, "Reference update failed: the name is reserved"],
    ["refs/heads/later", first, "Reference update failed"],
  ];
  for (const [ref, object, message] of cases) {
    assert.deepEqual(errorOf(await create(ref, object)), [422, message], ref);
  }
  const below = errorOf(await create("refs/heads/main/below", first));
  assert.equal(below[0], 422);
  assert.match(below[1], /^Reference update failed: git says: .*'refs\/heads\/main' exists/);
  assert.equal(inBare("for-each-ref", "--format=%(refname)"), "refs/heads/main\nrefs/heads/release");
});

test("a name that continues another's, or begins it, is refused as GitHub does: bare, and where somebody works", async () => {
  const own = await serve(repository.path, { writable: true });
  try {
    for (const host of [served, own]) {
      const make = (ref: string) => host.put("POST", "/git/refs", { ref, sha: first });
      assert.equal((await make("refs/heads/agent/n")).status, 201);
      for (const ref of ["refs/heads/agent/n/x", "refs/heads/agent", "refs/heads/main/x"]) {
        const [status, words] = errorOf(await make(ref));
        assert.equal(status, 422);
        assert.match(words, /^Reference update failed/, ref);
      }
      assert.equal((await make("refs/heads/agent/nx")).status, 201);
    }
  } finally {
    await own.host.close();
    for (const name of ["agent/n", "agent/nx"]) repository.git("branch", "-D", name);
  }
});

test("without force only forward; with force anywhere", async () => {
  assert.equal((await create("refs/heads/x", first)).status, 201);
  const forward = await patch("heads/x", second);
  assert.equal(forward.status, 200);
  assert.equal(parsed<{ object: { sha: string } }>(forward).object.sha, second);
  assert.equal(at("refs/heads/x"), second);
  assert.equal((await patch("heads/x", second)).status, 200);
  for (const sha of [first, aside]) {
    assert.deepEqual(errorOf(await patch("heads/x", sha)), [422, "Update is not a fast forward"]);
    assert.deepEqual(errorOf(await patch("heads/x", sha, false)), [422, "Update is not a fast forward"]);
  }
  assert.equal((await patch("heads/x", aside, true)).status, 200);
  assert.equal(at("refs/heads/x"), aside);
});

test("a move without force compares with nothing: a branch that was set back goes forward again", async () => {
  inBare("update-ref", "refs/heads/main", first);
  assert.equal((await patch("heads/main", second)).status, 200);
  assert.equal(at("refs/heads/main"), second);
});

test("what is not there moves and goes nowhere", async () => {
  const missing = [422, "Reference does not exist"];
  assert.deepEqual(errorOf(await patch("heads/nope", first)), missing);
  assert.deepEqual(errorOf(await patch("refs/heads/main", first)), missing);
  assert.deepEqual(errorOf(await served.put("DELETE", "/git/refs/heads/nope")), missing);
  assert.deepEqual(errorOf(await patch("heads/main", NOPE)), [422, "Object does not exist"]);
  assert.deepEqual(errorOf(await served.put("PATCH", "/git/refs/heads/main", {})), [
    422,
    'Invalid request.\n\n"sha" wasn\'t supplied.',
  ]);
});

test("deleting", async () => {
  await create("refs/heads/x", first);
  const reply = await served.put("DELETE", "/git/refs/heads/x");
  assert.deepEqual([reply.status, reply.body.length], [204, 0]);
  assert.equal(inBare("for-each-ref", "--format=%(refname)"), "refs/heads/main\nrefs/heads/release");
  assert.equal(errorOf(await served.put("DELETE", "/git/refs/heads/main"))[0], 422);
  assert.equal(at("refs/heads/main"), second);
});

test("a protected branch is moved, made and deleted by nobody; others are free", async () => {
  const rule = "Repository rule violations found\n\nChanges must be made through a pull request.\n\n";
  assert.deepEqual(errorOf(await patch("heads/release", second)), [422, rule]);
  assert.deepEqual(errorOf(await patch("heads/release", second, true)), [422, rule]);
  assert.equal((await served.put("DELETE", "/git/refs/heads/release")).status, 422);
  assert.equal(at("refs/heads/release"), first);
  assert.equal((await create("refs/heads/release-2", first)).status, 201);
  const branches = await served.json<{ name: string; protected: boolean }[]>("/branches");
  assert.deepEqual(
    branches.map((branch) => [branch.name, branch.protected]),
    [
      ["main", false],
      ["release", true],
      ["release-2", false],
    ],
  );
});

test("fifty at once from one commit: one goes forward, the others are not lost silently", async () => {
  const tree = at(`${second}^{tree}`);
  const commits = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      const body = { message: `writer ${n}`, tree, parents: [second] };
      return (await served.made<{ sha: string }>("POST", "/git/commits", body)).sha;
    }),
  );
  const replies = await Promise.all(commits.map((sha) => patch("heads/main", sha)));
  const won = replies.flatMap((reply, n) => (reply.status === 200 ? [commits[n]] : []));
  assert.deepEqual(won, [at("refs/heads/main")]);
  const lost = replies.filter((reply: Reply) => reply.status === 422).map(errorOf);
  assert.equal(lost.length, 49);
  assert.deepEqual(new Set(lost.map(([, message]) => message)), new Set(["Update is not a fast forward"]));
  assert.equal(inBare("fsck", "--strict", "--no-dangling"), "");
});

test("a clone that somebody works in: its files follow, and what is not committed is refused clearly", async () => {
  const told: string[] = [];
  const own = await serve(repository.path, {
    writable: true,
    onWorkInTheWay: (line) => void told.push(line),
  });
  try {
    const { sha } = await own.made<{ sha: string }>("POST", "/git/commits", {
      message: "m",
      tree: repository.git("rev-parse", "aside^{tree}"),
      parents: [second],
    });
    repository.write("a.txt", "mine\n");
    const why = "the clone has uncommitted changes in a.txt: commit or stash them";
    const reply = await own.put("PATCH", "/git/refs/heads/main", { sha });
    assert.deepEqual(errorOf(reply), [422, `Reference update failed: ${why}`]);
    assert.deepEqual(told, [`Refused to commit to main of octo/demo: ${why}.`]);
    assert.equal(repository.git("diff", "--name-only"), "a.txt");
    repository.git("checkout", "--quiet", "a.txt");
    assert.equal((await own.put("PATCH", "/git/refs/heads/main", { sha })).status, 200);
    assert.equal(repository.git("status", "--porcelain"), "");
    assert.equal(repository.git("show", "HEAD:a.txt"), "c");
  } finally {
    await own.host.close();
  }
});
