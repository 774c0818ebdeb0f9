import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Awkward, awkwardRepository } from "../../../test/repositories/awkward.ts";
import { parsed } from "../testing/client.ts";
import { errorOf, type Served, serve } from "../testing/served.ts";

interface RefJson {
  ref: string;
  url: string;
  object: { sha: string; type: string; url: string };
}

let awkward: Awkward;
let served: Served;

before(async () => {
  awkward = awkwardRepository();
  served = await serve(awkward.repository.path);
});

after(async () => {
  await served.host.close();
  awkward.repository.remove();
});

const everyRef = (): [string, string, string][] =>
  awkward.repository
    .git("for-each-ref", "--format=%(refname) %(objectname) %(objecttype)")
    .split("\n")
    .map((line) => line.split(" ") as [string, string, string]);

test("each ref exactly, slashes raw or encoded; an annotated tag is its tag object", async () => {
  for (const [name, sha, type] of everyRef()) {
    const short = name.slice("refs/".length);
    for (const form of [short, encodeURIComponent(short)]) {
      const ref = await served.json<RefJson>(`/git/ref/${form}`);
      assert.equal(ref.ref, name);
      assert.equal(ref.url, `${served.host.url}/repos/octo/demo/git/${name}`);
      assert.deepEqual([ref.object.sha, ref.object.type], [sha, type]);
      assert.equal(ref.object.url, `${served.host.url}/repos/octo/demo/git/${type}s/${sha}`);
    }
  }
});

test("no prefixes, no bare names, no SHAs, no doubled refs/, no globs", async () => {
  for (const name of [
    "heads/mai",
    "main",
    "heads",
    awkward.head,
    "refs/heads/main",
    "heads/*",
    "heads/main~1",
  ]) {
    assert.deepEqual(errorOf(await served.get(`/git/ref/${name}`)), [404, "Not Found"], name);
  }
});

test("matching refs: by prefix of the name, all for an empty one, none is an empty list", async () => {
  const names = async (prefix: string): Promise<string[]> =>
    (await served.json<RefJson[]>(`/git/matching-refs/${prefix}`)).map(({ ref }) => ref);
  const all = everyRef().map(([name]) => name);
  assert.deepEqual(await names(""), all);
  assert.deepEqual(await names("heads/ma"), ["refs/heads/main"]);
  assert.deepEqual(
    await names("tags"),
    all.filter((name) => name.startsWith("refs/tags/")),
  );
  assert.deepEqual(await names("heads%2Frelease"), ["refs/heads/release/1.x"]);
  assert.deepEqual(await names("heads/nope"), []);
});

test("branches where a commit is the head", async () => {
  const names = async (sha: string): Promise<string[]> =>
    (await served.json<{ name: string }[]>(`/commits/${sha}/branches-where-head`)).map(({ name }) => name);
  const at = (sha: string): string[] =>
    everyRef().flatMap(([name, id]) =>
      name.startsWith("refs/heads/") && id === sha ? [name.slice("refs/heads/".length)] : [],
    );
  assert.ok(at(awkward.head).includes("main"));
  assert.deepEqual(await names(awkward.head), at(awkward.head));
  const inner = awkward.repository.git("rev-parse", "main~1");
  assert.deepEqual(await names(inner), at(inner));
  for (const sha of ["main", "0".repeat(40)]) {
    const reply = await served.get(`/commits/${sha}/branches-where-head`);
    assert.deepEqual(errorOf(reply), [422, `No commit found for SHA: ${sha}`]);
  }
});

test("the older route gives one or many", async () => {
  assert.equal((await served.json<RefJson>("/git/refs/heads/main")).object.sha, awkward.head);
  const some = await served.json<RefJson[]>("/git/refs/heads/re");
  assert.deepEqual(
    some.map(({ ref }) => ref),
    ["refs/heads/release/1.x"],
  );
  const page = await served.get("/git/refs?per_page=2");
  assert.deepEqual(
    parsed<RefJson[]>(page).map(({ ref }) => ref),
    everyRef()
      .slice(0, 2)
      .map(([name]) => name),
  );
  assert.match(String(page.headers.link), /rel="next"/);
  assert.deepEqual(errorOf(await served.get("/git/refs/heads/nope")), [404, "Not Found"]);
});

test("a moved, new or packed ref is seen by the very next request", async () => {
  const { repository, head, first } = awkward;
  const sha = async (): Promise<string> => (await served.json<RefJson>("/git/ref/heads/moving")).object.sha;
  repository.git("update-ref", "refs/heads/moving", first);
  assert.equal(await sha(), first);
  repository.git("update-ref", "refs/heads/moving", head);
  assert.equal(await sha(), head);
  repository.git("pack-refs", "--all");
  repository.git("repack", "-a", "-d", "--quiet");
  assert.equal(await sha(), head);
  const fresh = repository.feed("fresh", "commit-tree", `${head}^{tree}`, "-p", head);
  repository.git("update-ref", "refs/heads/moving", fresh);
  assert.equal(await sha(), fresh);
  repository.git("update-ref", "-d", "refs/heads/moving");
  assert.deepEqual(errorOf(await served.get("/git/ref/heads/moving")), [404, "Not Found"]);
});

test("what belongs to the clone alone is not shown", async () => {
  awkward.repository.git("update-ref", "refs/remotes/origin/main", awkward.head);
  awkward.repository.git("update-ref", "refs/stash", awkward.head);
  try {
    assert.deepEqual(errorOf(await served.get("/git/ref/remotes/origin/main")), [404, "Not Found"]);
    assert.deepEqual(await served.json("/git/matching-refs/remotes"), []);
    assert.equal((await served.get("/commits/refs/stash")).status, 422);
  } finally {
    awkward.repository.git("update-ref", "-d", "refs/remotes/origin/main");
    awkward.repository.git("update-ref", "-d", "refs/stash");
  }
});

test("branches: list and one by one; tags peeled, newest name first", async () => {
  const branches = await served.json<{ name: string; commit: { sha: string } }[]>("/branches");
  const expected = everyRef().filter(([name]) => name.startsWith("refs/heads/"));
  assert.deepEqual(
    branches.map(({ name, commit }) => [`refs/heads/${name}`, commit.sha]),
    expected.map(([name, sha]) => [name, sha]),
  );
  assert.deepEqual(await served.json("/branches?protected=true"), []);
  const one = await served.json<{ name: string; commit: { sha: string } }>("/branches/release%2F1.x");
  assert.deepEqual([one.name, one.commit.sha], ["release/1.x", awkward.release]);
  assert.deepEqual(errorOf(await served.get("/branches/nope")), [404, "Branch not found"]);
  const tags = await served.json<{ name: string; commit: { sha: string } }[]>("/tags");
  assert.deepEqual(
    tags.map(({ name, commit }) => [name, commit.sha]),
    [
      ["v1.0.0", awkward.before],
      ["same-name", awkward.first],
      ["nested", awkward.before],
      ["light", awkward.first],
    ],
  );
});
