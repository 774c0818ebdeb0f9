// `updateRefs` and `createCommitOnBranch` over HTTP: compare-and-swap, all or nothing, GitHub's errors with status 200.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { GitRepository } from "../../../test/repositories/git.ts";
import { parsed } from "../testing/client.ts";
import { errorOf, type Served, serve } from "../testing/served.ts";

const ZERO = "0".repeat(40);
const UPDATE = "mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }";
const COMMIT =
  "mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid url } ref { name target { oid } } } }";

interface Answered {
  data?: Record<string, unknown>;
  errors?: { type?: string; message: string; path?: string[]; extensions?: Record<string, unknown> }[];
}

let repository: GitRepository;
let bare: string;
let served: Served;
let first: string;
let second: string;
let repositoryId: string;

const inBare = (...args: string[]): string => repository.git("-C", bare, ...args);

before(async () => {
  repository = new GitRepository();
  first = repository.write("a.txt", "a\n").write("gone.txt", "gone\n").commit("one");
  second = repository.write("a.txt", "b\n").commit("two");
  bare = join(repository.path, "../bare.git");
  repository.git("clone", "--quiet", "--bare", repository.path, bare);
  served = await serve(bare, {
    writable: true,
    tokens: ["t", { value: "reads", permissions: { contents: "read" } }],
    repositories: [{ owner: "octo", name: "demo", path: bare, protectedBranches: ["release"] }],
    now: () => Date.UTC(2026, 5, 1),
  });
  repositoryId = (await served.json<{ node_id: string }>("")).node_id;
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

const update = (refUpdates: unknown, more: Record<string, unknown> = {}, token?: string) =>
  served.graphql<Answered>(UPDATE, { input: { repositoryId, refUpdates, ...more } }, token);
const commit = (more: Record<string, unknown>, token?: string) =>
  served.graphql<Answered>(
    COMMIT,
    {
      input: {
        branch: { repositoryNameWithOwner: "octo/demo", branchName: "main" },
        expectedHeadOid: second,
        message: { headline: "subject", body: "body" },
        fileChanges: {},
        ...more,
      },
    },
    token,
  );
const refs = (): string => inBare("for-each-ref", "--format=%(refname) %(objectname)");
const failure = ({ data, errors }: Answered) => [data, errors?.map(({ type, message }) => [type, message])];

test("a repository is found by its names; its id is the REST API's node_id", async () => {
  const query =
    'query($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { id databaseId nameWithOwner isArchived isEmpty defaultBranchRef { name target { oid } } tag: ref(qualifiedName: "refs/tags/no") { id } __typename } }';
  const { data } = await served.graphql<Answered>(query, { owner: "OCTO", name: "Demo" });
  assert.deepEqual(data, {
    repository: {
      id: repositoryId,
      databaseId: 4711,
      nameWithOwner: "octo/demo",
      isArchived: false,
      isEmpty: false,
      defaultBranchRef: { name: "main", target: { oid: second } },
      tag: null,
      __typename: "Repository",
    },
  });
  const missing = await served.graphql<Answered>(query, { owner: "octo", name: "nope" });
  assert.deepEqual(missing, {
    data: { repository: null },
    errors: [
      {
        type: "NOT_FOUND",
        message: "Could not resolve to a Repository with the name 'octo/nope'.",
        path: ["repository"],
        locations: [{ line: 1, column: 42 }],
      },
    ],
  });
});

test("updateRefs moves only from where a ref is said to be", async () => {
  const name = "refs/heads/x";
  const made = await update([{ name, beforeOid: ZERO, afterOid: first }], { clientMutationId: "id-1" });
  assert.deepEqual(made, { data: { updateRefs: { clientMutationId: "id-1" } } });
  assert.deepEqual(failure(await update([{ name, beforeOid: ZERO, afterOid: second }])), [
    { updateRefs: null },
    [["UNPROCESSABLE", "Reference update failed"]],
  ]);
  assert.equal(inBare("rev-parse", name), first);
  assert.deepEqual(await update([{ name, beforeOid: first, afterOid: second }]), {
    data: { updateRefs: { clientMutationId: null } },
  });
  assert.equal(inBare("rev-parse", name), second);
  // Set back by somebody: what a PATCH without force would not notice, this does.
  inBare("update-ref", name, first);
  const next = await served.made<{ sha: string }>("POST", "/git/commits", {
    message: "m",
    tree: inBare("rev-parse", `${second}^{tree}`),
    parents: [second],
  });
  const lost = await update([{ name, beforeOid: second, afterOid: next.sha }]);
  assert.equal(lost.errors?.length, 1);
  assert.equal(inBare("rev-parse", name), first);
});

test("updateRefs: backwards only with force; without beforeOid from anywhere; zeros delete", async () => {
  const name = "refs/heads/main";
  assert.deepEqual(failure(await update([{ name, beforeOid: second, afterOid: first }]))[1], [
    ["UNPROCESSABLE", "Update is not a fast forward"],
  ]);
  assert.equal((await update([{ name, beforeOid: second, afterOid: first, force: true }])).errors, undefined);
  assert.equal(inBare("rev-parse", name), first);
  assert.equal((await update([{ name, afterOid: second }])).errors, undefined);
  assert.equal((await update([{ name: "refs/tags/t", afterOid: first }])).errors, undefined);
  assert.equal((await update({ name: "refs/tags/t", beforeOid: first, afterOid: ZERO })).errors, undefined);
  assert.equal(refs(), `refs/heads/main ${second}\nrefs/heads/release ${first}`);
});

test("updateRefs: several together or none", async () => {
  const before = refs();
  const good = { name: "refs/heads/x", beforeOid: ZERO, afterOid: first };
  const bad = [
    [{ name: "refs/heads/main", beforeOid: first, afterOid: second }, "UNPROCESSABLE"],
    [{ name: "refs/heads/release", beforeOid: first, afterOid: second }, "BRANCH_PROTECTION_RULE_VIOLATION"],
    [{ name: "refs/heads/a b", afterOid: second }, "UNPROCESSABLE"],
    [{ name: "refs/heads/y", afterOid: "1".repeat(40) }, "UNPROCESSABLE"],
    [{ name: "refs/heads/x", beforeOid: ZERO, afterOid: second }, "UNPROCESSABLE"],
    [{ name: "refs/heads/y" }, "argumentLiteralsIncompatible"],
  ] as const;
  for (const [one, type] of bad) {
    const { data, errors } = await update([good, one]);
    assert.deepEqual([data, errors?.map((error) => error.type)], [{ updateRefs: null }, [type]]);
    assert.equal(refs(), before);
  }
  assert.equal((await update([good, { ...good, name: "refs/heads/y" }])).errors, undefined);
  assert.notEqual(refs(), before);
});

test("twenty compare-and-swaps at once: one wins", async () => {
  const tree = inBare("rev-parse", `${second}^{tree}`);
  const commits = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const body = { message: `writer ${n}`, tree, parents: [second] };
      return (await served.made<{ sha: string }>("POST", "/git/commits", body)).sha;
    }),
  );
  const answers = await Promise.all(
    commits.map((afterOid) => update([{ name: "refs/heads/main", beforeOid: second, afterOid }])),
  );
  const won = answers.flatMap(({ errors }, n) => (errors === undefined ? [commits[n]] : []));
  assert.deepEqual(won, [inBare("rev-parse", "main")]);
});

test("createCommitOnBranch: files added, changed and deleted in one commit, by GitHub for the caller", async () => {
  const contents = Buffer.from("new\n").toString("base64");
  const { data, errors } = await commit({
    fileChanges: { additions: [{ path: "dir/new.txt", contents }], deletions: [{ path: "gone.txt" }] },
  });
  assert.equal(errors, undefined);
  const oid = inBare("rev-parse", "main");
  assert.deepEqual(data, {
    createCommitOnBranch: {
      commit: { oid, url: `${served.host.url}/octo/demo/commit/${oid}` },
      ref: { name: "main", target: { oid } },
    },
  });
  assert.equal(
    inBare("show", "--format=%an|%cn|%P|%B", "--name-status", "main"),
    `octocat|GitHub|${second}|subject\n\nbody\n\nA\tdir/new.txt\nD\tgone.txt`,
  );
  assert.equal(inBare("fsck", "--strict", "--no-dangling"), "");
});

test("createCommitOnBranch: a branch that has moved is STALE_DATA, what cannot be is told", async () => {
  assert.deepEqual(await commit({ expectedHeadOid: first }), {
    data: { createCommitOnBranch: null },
    errors: [
      {
        type: "STALE_DATA",
        message: `Expected branch to point to "${first}" but it did not.  Pull and try again.`,
        path: ["createCommitOnBranch"],
        locations: [{ line: 1, column: 48 }],
      },
    ],
  });
  const branch = { repositoryNameWithOwner: "octo/demo", branchName: "release" };
  const contents = Buffer.from("x").toString("base64");
  const additions = [{ path: "x", contents }];
  const cases: [Record<string, unknown>, string][] = [
    [{ branch, expectedHeadOid: first, fileChanges: { additions } }, "BRANCH_PROTECTION_RULE_VIOLATION"],
    [{ branch: { ...branch, branchName: "nope" } }, "NOT_FOUND"],
    [{ branch: { ...branch, repositoryNameWithOwner: "octo/nope" } }, "NOT_FOUND"],
    [{ fileChanges: { deletions: [{ path: "nope" }] } }, "UNPROCESSABLE"],
    [{ fileChanges: { additions: [{ path: "../x", contents }] } }, "UNPROCESSABLE"],
    [{ fileChanges: { additions: [{ path: "x", contents: "%" }] } }, "UNPROCESSABLE"],
    [{ message: {} }, "argumentLiteralsIncompatible"],
  ];
  const before = refs();
  for (const [more, type] of cases) {
    const { data, errors } = await commit(more);
    assert.deepEqual([data, errors?.map((error) => error.type)], [{ createCommitOnBranch: null }, [type]]);
  }
  assert.equal(refs(), before);
});

test("a token that may not write is told FORBIDDEN, and nothing happens", async () => {
  const before = refs();
  for (const answer of [
    await update([{ name: "refs/heads/x", afterOid: first }], {}, "reads"),
    await commit({}, "reads"),
  ]) {
    assert.deepEqual(
      answer.errors?.map(({ type, message, extensions }) => [type, message, extensions]),
      [["FORBIDDEN", "Resource not accessible by personal access token", { saml_failure: false }]],
    );
  }
  assert.equal(refs(), before);
});

test("nobody is answered, nor is what is no query; unknown fields stop everything before it begins", async () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    served.ask("/graphql", { method: "POST", headers, body });
  const bearer = { authorization: "Bearer t" };
  assert.deepEqual(errorOf(await post({ query: "{ viewer { login } }" })), [
    401,
    "This endpoint requires you to be authenticated.",
  ]);
  assert.deepEqual(errorOf(await post({}, bearer)), [
    400,
    "A query attribute must be specified and must be a string.",
  ]);
  assert.deepEqual(errorOf(await post("{", bearer)), [400, "Problems parsing JSON"]);
  const before = refs();
  const query = `mutation { updateRefs(input: {repositoryId: "${repositoryId}", refUpdates: [{name: "refs/heads/x", afterOid: "${first}"}]}) { clientMutationId } nope }`;
  const reply = await post({ query }, bearer);
  assert.equal(reply.status, 200);
  assert.deepEqual(
    parsed<Answered>(reply).errors?.map(({ message }) => message),
    ["Field 'nope' doesn't exist on type 'Mutation'"],
  );
  assert.equal(refs(), before);
});

test("an older server has no updateRefs", async () => {
  const older = await serve(bare, { writable: true, refUpdates: false });
  try {
    const answer = await older.graphql<Answered>(UPDATE, { input: { repositoryId, refUpdates: [] } });
    assert.deepEqual(answer, {
      errors: [
        {
          path: ["mutation", "updateRefs"],
          extensions: { code: "undefinedField", typeName: "Mutation", fieldName: "updateRefs" },
          locations: [{ line: 1, column: 38 }],
          message: "Field 'updateRefs' doesn't exist on type 'Mutation'",
        },
      ],
    });
  } finally {
    await older.host.close();
  }
});
