import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Awkward } from "../../../test/repositories/awkward.ts";
import { awkwardRepository } from "../../../test/repositories/awkward.ts";
import { GitRepository } from "../../../test/repositories/git.ts";
import { type GithubError, parsed } from "../testing/client.ts";
import { type Peculiar, peculiarRepository } from "../testing/peculiar.ts";
import { errorOf, ID, type Served, serve } from "../testing/served.ts";

interface CommitJson {
  sha: string;
  commit: {
    message: string;
    tree: { sha: string };
    author: { name: string; date: string };
    verification: { verified: boolean; reason: string; signature: string | null; payload: string | null };
  };
  parents: { sha: string }[];
  stats: { total: number; additions: number; deletions: number };
  files: { filename: string; status: string; patch?: string; previous_filename?: string }[];
}

const SHA = { accept: "application/vnd.github.sha" };

let awkward: Awkward;
let odd: Peculiar;
let named: Served;
let peculiar: Served;

before(async () => {
  awkward = awkwardRepository();
  odd = peculiarRepository();
  named = await serve(awkward.repository.path);
  peculiar = await serve(odd.repository.path);
});

after(async () => {
  await Promise.all([named.host.close(), peculiar.host.close()]);
  awkward.repository.remove();
  odd.remove();
});

async function shaOf(ref: string): Promise<string> {
  const reply = await named.get(`/commits/${ref}`, SHA);
  return reply.status === 200 ? reply.body.toString() : String(reply.status);
}

test("every way to name a commit", async () => {
  const { head, release, before: short, first } = awkward;
  const expected: Record<string, string> = {
    HEAD: head,
    main: head,
    "heads/main": head,
    "refs/heads/main": head,
    "release/1.x": release,
    "release%2F1.x": release,
    "heads/release%2F1.x": release,
    "v1.0.0": short,
    "tags/v1.0.0": short,
    nested: short,
    "tags/light": first,
    [release]: release,
    [release.toUpperCase()]: release,
    [release.slice(0, 10)]: release,
    [awkward.repository.git("rev-parse", "v1.0.0")]: short,
  };
  for (const [ref, sha] of Object.entries(expected)) assert.equal(await shaOf(ref), sha, ref);
});

test("a branch named like a short SHA shadows the commit", async () => {
  const short = awkward.before.slice(0, 7);
  assert.equal(await shaOf(short), awkward.first);
  assert.equal(await shaOf(awkward.before.slice(0, 8)), awkward.before);
});

test("of a branch and a tag of one name the branch is meant", async () => {
  assert.equal(await shaOf("same-name"), awkward.head);
  assert.equal(await shaOf("tags/same-name"), awkward.first);
});

test("revision syntax, unknown names and objects that are no commits are 422", async () => {
  const blob = awkward.repository.git("rev-parse", "HEAD:README.md");
  for (const ref of [
    "nope",
    "main~1",
    "main%5E",
    "HEAD@%7B1%7D",
    ":/first",
    "main:README.md",
    blob,
    "0".repeat(40),
  ]) {
    const reply = await named.get(`/commits/${ref}`);
    assert.deepEqual(
      parsed<GithubError>(reply),
      {
        message: `No commit found for SHA: ${decodeURIComponent(ref)}`,
        documentation_url: "https://docs.github.com/rest/commits/commits#get-a-commit",
        status: "422",
      },
      ref,
    );
    assert.equal(reply.status, 422);
  }
});

test("a bare SHA is its own ETag", async () => {
  const reply = await named.get("/commits/main", SHA);
  assert.equal(reply.headers.etag, `"${awkward.head}"`);
  assert.equal(reply.headers["content-type"], "application/vnd.github.sha; charset=utf-8");
  assert.equal(reply.headers["x-github-media-type"], "github.v3; param=sha");
  const again = await named.get("/commits/main", { ...SHA, "if-none-match": `"${awkward.head}"` });
  assert.equal(again.status, 304);
  assert.equal(again.body.length, 0);
  const moved = await named.get("/commits/main", { ...SHA, "if-none-match": `"${awkward.first}"` });
  assert.equal(moved.status, 200);
});

test("dates are UTC, one trailing newline of the message is dropped", async () => {
  const root = await peculiar.json<CommitJson>(`/commits/${odd.root}`);
  const raw = odd.repository.bytes("cat-file", "commit", odd.root).toString();
  assert.match(raw, /\+0200\n/);
  assert.equal(raw.slice(raw.indexOf("\n\n") + 2), "root\n\nwith a body\n");
  assert.equal(root.commit.message, "root\n\nwith a body");
  const seconds = Number(/author .* (\d+) \+0200/.exec(raw)?.[1]);
  assert.equal(root.commit.author.date, new Date(seconds * 1000).toISOString().replace(".000Z", "Z"));
});

test("a message in another encoding is shown decoded", async () => {
  const commit = await peculiar.json<CommitJson>(`/commits/${odd.latin1}`);
  assert.equal(commit.commit.message, "café");
});

test("a signed commit carries what was signed; putting the signature back gives the object", async () => {
  const { commit } = await peculiar.json<CommitJson>(`/commits/${odd.signed}`);
  const { verified, reason, signature, payload } = commit.verification;
  assert.deepEqual([verified, reason], [false, "unknown_key"]);
  assert.ok(payload && signature);
  assert.ok(signature.startsWith("-----BEGIN SSH SIGNATURE-----\n"));
  const at = payload.indexOf("\n\n") + 1;
  const header = `gpgsig ${signature.replaceAll("\n", "\n ")}\n`;
  const whole = `${payload.slice(0, at)}${header}${payload.slice(at)}`;
  assert.equal(odd.repository.feed(whole, "hash-object", "-t", "commit", "--stdin"), odd.signed);
  const plain = await peculiar.json<CommitJson>(`/commits/${odd.root}`);
  assert.equal(plain.commit.verification.reason, "unsigned");
  assert.equal(plain.commit.verification.payload, null);
});

test("files and stats of a merge are against its first parent", async () => {
  const merge = await peculiar.json<CommitJson>(`/commits/${odd.merge}`);
  assert.equal(merge.parents.length, 2);
  assert.deepEqual(
    merge.files.map(({ filename, status, patch }) => ({ filename, status, patch })),
    [{ filename: "feature.txt", status: "added", patch: "@@ -0,0 +1 @@\n+feature" }],
  );
  assert.deepEqual(merge.stats, { total: 1, additions: 1, deletions: 0 });
});

test("diff and patch are git's, whatever the clone's settings", async () => {
  const diff = await peculiar.get(`/commits/${odd.renamed}`, { accept: "application/vnd.github.v3.diff" });
  assert.equal(diff.headers["content-type"], "application/vnd.github.v3.diff; charset=utf-8");
  const ask = ["diff-tree", "-p", "-M", "--no-ext-diff", "--no-commit-id", odd.renamed];
  assert.equal(diff.body.toString(), odd.repository.bytes(...ask).toString());
  const patch = await peculiar.get(`/commits/${odd.renamed}`, { accept: "application/vnd.github.patch" });
  assert.match(
    patch.body.toString(),
    new RegExp(`^From ${odd.renamed} [^]*\nSubject: \\[PATCH\\] rename, binary`),
  );
});

test("lists: order, paging and Link headers in the numeric form", async () => {
  const all = odd.repository.git("rev-list", "main").split("\n");
  const list = await peculiar.json<CommitJson[]>("/commits");
  assert.deepEqual(
    list.map(({ sha }) => sha),
    all,
  );
  assert.ok(list.every((commit) => commit.files === undefined));
  const page = await peculiar.get("/commits?sha=main&per_page=2&page=2");
  assert.deepEqual(
    parsed<CommitJson[]>(page).map(({ sha }) => sha),
    all.slice(2, 4),
  );
  const base = `${peculiar.host.url}/repositories/${ID}/commits?sha=main&per_page=2&page=`;
  const last = Math.ceil(all.length / 2);
  assert.equal(
    page.headers.link,
    `<${base}1>; rel="prev", <${base}3>; rel="next", <${base}${last}>; rel="last", <${base}1>; rel="first"`,
  );
  assert.equal((await peculiar.get("/commits")).headers.link, undefined);
  assert.deepEqual(await peculiar.json("/commits?page=99"), []);
});

test("lists: filters agree with git log", async () => {
  const ask = (...args: string[]): string[] =>
    odd.repository
      .git("log", "--format=%H", ...args)
      .split("\n")
      .filter(Boolean);
  const date = odd.repository.git("show", "-s", "--format=%cI", odd.typeChanged);
  const cases: [string, string[]][] = [
    ["path=dir%2Frenamed.txt", ask("main", "--", "dir/renamed.txt")],
    ["path=dir", ask("main", "--", "dir")],
    ["path=/dir/", ask("main", "--", "dir")],
    ["path=*.txt", []],
    ["path=../x", []],
    ["path=nowhere", []],
    ["sha=feature/one", ask("feature/one")],
    [`since=${encodeURIComponent(date)}`, ask("main", `--since=${date}`)],
    [`until=${encodeURIComponent(date)}`, ask("main", `--until=${date}`)],
    ["author=ada@example.com", ask("main")],
    ["author=da@example.com", []],
    ["author=Ada", ask("main")],
    ["author=nobody", []],
  ];
  for (const [query, expected] of cases) {
    const list = await peculiar.json<CommitJson[]>(`/commits?${query}`);
    assert.deepEqual(
      list.map(({ sha }) => sha),
      expected,
      query,
    );
  }
  assert.deepEqual(errorOf(await peculiar.get("/commits?since=yesterday-ish")), [422, "Validation Failed"]);
  assert.deepEqual(errorOf(await peculiar.get("/commits?sha=nope")), [404, "Not Found"]);
});

test("files come 300 to a page, 3,000 in all, stats count everything", async () => {
  const many = new GitRepository();
  many.commit("nothing");
  for (let n = 0; n < 25; n += 1) many.write(`f${String(n).padStart(2, "0")}`, `${n}\n`);
  const sha = many.commit("many");
  const small = await serve(many.path, { limits: { files: 10, commitFiles: 22 } });
  try {
    const first = await small.get(`/commits/${sha}`);
    const commit = parsed<CommitJson>(first);
    assert.equal(commit.files.length, 10);
    assert.equal(commit.stats.total, 25);
    assert.match(String(first.headers.link), /page=2>; rel="next", .*page=3>; rel="last"$/);
    const third = await small.json<CommitJson>(`/commits/${sha}?page=3`);
    assert.deepEqual(
      third.files.map(({ filename }) => filename),
      ["f20", "f21"],
    );
    const five = await small.json<CommitJson>(`/commits/${sha}?per_page=5&page=2`);
    assert.deepEqual(
      five.files.map(({ filename }) => filename),
      ["f05", "f06", "f07", "f08", "f09"],
    );
  } finally {
    await small.host.close();
    many.remove();
  }
});
