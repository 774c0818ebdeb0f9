/** Every way in which the host may fail at every step of a commit: it lands once or not at all, and what is said of it is true. */
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { commitFile, planned, type Writing, writing } from "../../../test/repositories/writing.ts";
import { GitpinError } from "../../errors.ts";
import type { FaultKind, FaultRule } from "../../local/host.ts";
import type { CommitRequest, RepositoryWriter } from "../../ports/repository-writer.ts";
import type { GitHub } from "../github.ts";

let here: Writing;
let github: GitHub;
let writer: RepositoryWriter;
let request: CommitRequest;
let count = 0;

before(async () => {
  here = await writing();
});
beforeEach(() => prepareAnew({}));
afterEach(() => {
  here.at.host.faults.clear();
  for (const ref of here.git("for-each-ref", "--format=%(refname)", "refs/heads/agent").split("\n")) {
    if (ref !== "") here.git("update-ref", "-d", ref);
  }
  here.git("update-ref", "refs/heads/main", here.head);
});
after(() => here.close());

/** A fresh isolate with a plan of its own: no two tests make the same tree. */
async function prepareAnew(options: { timeoutMs?: number }): Promise<void> {
  count += 1;
  here.at.store.values.clear();
  github = here.at.isolate(options);
  const files = [commitFile("src/app.ts", `export const answer = ${count};\n`)];
  request = await planned(here.at.call(github).reader, here.head, files, `Number ${count}`);
  ({ writer } = here.at.call(github));
  await here.at.call(github).reader.identity();
  here.at.forget();
}

const STEPS = {
  tree: (method: string, path: string) => method === "POST" && path.endsWith("/git/trees"),
  commit: (method: string, path: string) => method === "POST" && path.endsWith("/git/commits"),
  swap: (method: string, path: string) => method === "POST" && path === "/graphql",
  branch: (method: string, path: string) => method === "POST" && path.endsWith("/git/refs"),
  pull: (method: string, path: string) => method === "POST" && path.endsWith("/pulls"),
  tip: (method: string, path: string) => method === "GET" && path.includes("/commits/heads"),
};

const fault = (step: keyof typeof STEPS, rule: Omit<FaultRule, "match">) =>
  here.at.host.faults.add({ ...rule, match: STEPS[step] });

/** Outcomes that are not told: the request was not served, or served and its answer lost. */
const LOST: { kind: FaultKind; status?: number; afterwards: boolean }[] = [
  { kind: "status", status: 500, afterwards: false },
  { kind: "status", status: 502, afterwards: true },
  { kind: "html-503", afterwards: false },
  { kind: "html-503", afterwards: true },
  { kind: "reset", afterwards: false },
  { kind: "reset", afterwards: true },
  { kind: "hang", afterwards: false },
  { kind: "hang", afterwards: true },
  { kind: "cut", afterwards: true },
  { kind: "wrong-length", afterwards: true },
  { kind: "bad-json", afterwards: true },
];

const timeoutFor = (kind: FaultKind) => (kind === "hang" ? { timeoutMs: 400 } : {});
const named = ({ kind, status, afterwards }: (typeof LOST)[number]) =>
  `${kind} ${status ?? ""} ${afterwards ? "afterwards" : "before"}`;

const ruleOf = ({ kind, status, afterwards }: (typeof LOST)[number], times?: number) => ({
  kind,
  afterwards,
  ...(status === undefined ? {} : { status }),
  ...(times === undefined ? {} : { times }),
});

async function caught(work: Promise<unknown>): Promise<GitpinError> {
  const outcome = await work.then(
    (value) => value,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof GitpinError, `no error, but ${JSON.stringify(outcome)}`);
  const told = JSON.stringify(outcome.report());
  for (const secret of ["a-token", here.at.host.url, "Server Error", "Unicorn", "answer ="]) {
    assert.ok(!told.includes(secret), `${told} tells ${secret}`);
  }
  return outcome;
}

const requests = (step: keyof typeof STEPS): number =>
  here.at.host.requests.filter(({ method, path }) => STEPS[step](method, path)).length;

const onMain = (): number => Number(here.git("rev-list", "--count", `${here.head}..main`));

for (const lost of LOST) {
  test(`tree, ${named(lost)}: looked for, and made again only where it is not there`, async () => {
    await prepareAnew(timeoutFor(lost.kind));
    fault("tree", ruleOf(lost, 1));
    const commit = await writer.prepare(request);
    assert.equal(requests("tree"), lost.afterwards ? 1 : 2);
    assert.equal(await writer.advance("main", here.head, commit), "moved");
    assert.equal(here.git("rev-parse", "main^{tree}"), request.tree);
  });

  test(`commit, ${named(lost)}: made once more, and one of them lands`, async () => {
    await prepareAnew(timeoutFor(lost.kind));
    fault("commit", ruleOf(lost, 1));
    const commit = await writer.prepare(request);
    assert.equal(requests("commit"), 2);
    assert.equal(await writer.advance("main", here.head, commit), "moved");
    assert.equal(onMain(), 1);
  });

  test(`ref, ${named(lost)}: the branch is read; what landed is not repeated`, async () => {
    await prepareAnew(timeoutFor(lost.kind));
    const commit = await writer.prepare(request);
    fault("swap", ruleOf(lost, 1));
    assert.equal(await writer.advance("main", here.head, commit), "moved");
    assert.deepEqual([requests("swap"), requests("tip")], lost.afterwards ? [1, 1] : [2, 1]);
    assert.equal(here.git("rev-parse", "main"), commit);
  });

  test(`ref, ${named(lost)}, each time: landed, or unknown with the commit's id`, async () => {
    await prepareAnew(timeoutFor(lost.kind));
    const commit = await writer.prepare(request);
    fault("swap", ruleOf(lost));
    if (lost.afterwards) {
      assert.equal(await writer.advance("main", here.head, commit), "moved");
      assert.equal(here.git("rev-parse", "main"), commit);
      return;
    }
    const error = await caught(writer.advance("main", here.head, commit));
    assert.deepEqual([error.code, error.data], ["write_unknown", { branch: "main", commit }]);
    assert.deepEqual([requests("swap"), requests("tip")], [2, 2]);
    assert.equal(here.git("rev-parse", "main"), here.head);
  });

  test(`new branch, ${named(lost)}: read back`, async () => {
    await prepareAnew(timeoutFor(lost.kind));
    const commit = await writer.prepare(request);
    fault("branch", ruleOf(lost, 1));
    assert.equal(await writer.createBranch("agent/new", commit), "moved");
    assert.deepEqual([requests("branch"), requests("tip")], lost.afterwards ? [1, 1] : [2, 1]);
    assert.equal(here.git("rev-parse", "agent/new"), commit);
  });

  test(`pull request, ${named(lost)}: looked up before it is asked for again`, async () => {
    await prepareAnew(timeoutFor(lost.kind));
    const commit = await writer.prepare(request);
    const head = `agent/pull-${count}`;
    await writer.createBranch(head, commit);
    fault("pull", ruleOf(lost, 1));
    const { number } = await writer.openPullRequest({ title: "T", head, base: "main" });
    assert.equal(requests("pull"), lost.afterwards ? 1 : 2);
    assert.deepEqual((await writer.openPullRequest({ title: "T", head, base: "main" })).number, number);
  });
}

test("ref: landed, its answer lost, and moved on by somebody before it could be read", async () => {
  const commit = await writer.prepare(request);
  fault("swap", { kind: "reset", afterwards: true, times: 1 });
  const reading = fault("tip", { kind: "hang", times: 1 });
  const asked = here.at.host.nextRequest(({ method, path }) => STEPS.tip(method, path));
  const moving = writer.advance("main", here.head, commit);
  await asked;
  const next = here.foreign(commit, "x", `${count}\n`);
  here.git("update-ref", "refs/heads/main", next);
  reading.release();
  assert.equal(await moving, "moved");
  assert.equal(requests("swap"), 1);
  assert.equal(here.git("rev-parse", "main"), next);
});

test("ref: not served, its answer lost, and moved by somebody else", async () => {
  const commit = await writer.prepare(request);
  fault("swap", { kind: "reset", times: 1 });
  here.git("update-ref", "refs/heads/main", here.foreign(here.head, "x", `${count}\n`));
  assert.equal(await writer.advance("main", here.head, commit), "raced");
  assert.equal(requests("swap"), 1);
});

test("ref: its answer lost, and the branch cannot be read either", async () => {
  for (const afterwards of [false, true]) {
    await prepareAnew({});
    const commit = await writer.prepare(request);
    fault("swap", { kind: "reset", afterwards });
    fault("tip", { kind: "status", status: 500 });
    const error = await caught(writer.advance("main", here.head, commit));
    assert.deepEqual([error.code, error.data], ["write_unknown", { branch: "main", commit }]);
    assert.equal(error.form.retry, true);
    here.at.host.faults.clear();
    assert.equal(await writer.landed("main", commit), afterwards, "and later it can be found out");
    here.git("update-ref", "refs/heads/main", here.head);
  }
});

test("ref: its answer lost, and the second try refused: not said to have failed", async () => {
  const commit = await writer.prepare(request);
  fault("swap", { kind: "reset", times: 1 });
  fault("swap", { kind: "secondary-limit" });
  const error = await caught(writer.advance("main", here.head, commit));
  assert.deepEqual([error.code, error.data], ["write_unknown", { branch: "main", commit }]);
});

test("new branch: its answer lost, and the second try refused: not said to have failed", async () => {
  const second: Omit<FaultRule, "match">[] = [
    { kind: "secondary-limit" },
    { kind: "status", status: 403, message: "Resource not accessible by integration" },
    { kind: "status", status: 422, message: "Reference update failed" },
  ];
  for (const rule of second) {
    await prepareAnew({});
    const commit = await writer.prepare(request);
    fault("branch", { kind: "reset", times: 1 });
    fault("branch", rule);
    const error = await caught(writer.createBranch("agent/unheard", commit));
    assert.deepEqual([error.code, error.data], ["write_unknown", { branch: "agent/unheard", commit }]);
    here.at.host.faults.clear();
  }
});

test("new branch: refused without a reason, and what is in its way cannot be looked for: the refusal is told", async () => {
  here.git("update-ref", "refs/heads/agent/there", here.head);
  fault("tip", { kind: "status", status: 500 });
  const error = await caught(writer.createBranch("agent/there/x", here.head));
  assert.deepEqual([error.code, error.data.reason], ["branch_protected", "refused"]);
});

test("new branch: its answer lost, and somebody committed on it before it could be read", async () => {
  for (const ours of [true, false]) {
    await prepareAnew({});
    const commit = await writer.prepare(request);
    const branch = `agent/on-${count}`;
    fault("branch", { kind: "reset", afterwards: true, times: 1 });
    const reading = fault("tip", { kind: "hang", times: 1 });
    const asked = here.at.host.nextRequest(({ method, path }) => STEPS.tip(method, path));
    // A commit that others know may be what another one's branch came from.
    const making = writer.createBranch(branch, ours ? commit : here.head);
    await asked;
    here.git(
      "update-ref",
      `refs/heads/${branch}`,
      here.foreign(ours ? commit : here.head, "x", `${count}\n`),
    );
    reading.release();
    assert.equal(await making, ours ? "moved" : "raced");
  }
});

for (const step of ["tree", "commit", "swap", "branch", "pull"] as const) {
  const run = async (): Promise<unknown> => {
    if (step === "tree" || step === "commit") return writer.prepare(request);
    if (step === "swap") return writer.advance("main", here.head, await writer.prepare(request));
    if (step === "branch") return writer.createBranch("agent/limited", here.head);
    return writer.openPullRequest({ title: "T", head: "main", base: "main" });
  };
  for (const kind of ["primary-limit", "secondary-limit", "secondary-limit-no-retry-after"] as const) {
    test(`${step}: ${kind}: said at once, with the time to come back; nothing is repeated`, async () => {
      fault(step, { kind });
      const error = await caught(run());
      assert.equal(error.code, "upstream_rate_limited");
      assert.match(String(error.data.resetAt), /^2026-06-01T/);
      assert.equal(requests(step), 1);
      assert.equal(here.git("rev-parse", "main"), here.head);
    });
  }

  test(`${step}: a credential that is refused`, async () => {
    fault(step, { kind: "status", status: 401, message: "Bad credentials" });
    assert.equal((await caught(run())).code, "upstream_unauthorized");
    assert.equal(requests(step), 1);
  });

  test(`${step}: a redirect is not followed`, async () => {
    const elsewhere = "http://127.0.0.1:1/elsewhere";
    const before = here.at.host.requests.length;
    fault(step, {
      kind: "rewrite",
      rewrite: (answer) => ({
        ...answer,
        status: 307,
        headers: { location: elsewhere },
        body: Buffer.alloc(0),
      }),
    });
    const outcome = await run().then(
      (value) => value,
      (error: { code: string }) => error.code,
    );
    // The host had served it, so what can be read back is found.
    const expected = {
      tree: "sha",
      commit: "upstream_unexpected",
      swap: "moved",
      branch: "moved",
      pull: "upstream_unexpected",
    }[step];
    if (expected === "sha") assert.match(String(outcome), /^[0-9a-f]{40}$/);
    else assert.equal(outcome, expected);
    assert.ok(here.at.host.requests.length > before);
  });
}

test("swap: GraphQL's own faults, in answers of 200", async () => {
  const answering = (errors: object[], data: object | null = { updateRefs: null }) =>
    fault("swap", {
      kind: "rewrite",
      times: 1,
      rewrite: (answer) => ({ ...answer, status: 200, body: Buffer.from(JSON.stringify({ data, errors })) }),
    });
  const wrong =
    "Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug.";
  const commit = await writer.prepare(request);
  answering([{ message: wrong }]);
  assert.equal(await writer.advance("main", here.head, commit), "moved", "it had landed");
  assert.equal(requests("swap"), 1);

  here.git("update-ref", "refs/heads/main", here.head);
  answering([{ type: "RATE_LIMITED", message: "API rate limit exceeded for user ID 1." }]);
  const limited = await caught(writer.advance("main", here.head, commit));
  assert.equal(limited.code, "upstream_rate_limited");
});

/** Texts on record of hosts that refuse, by step and answer, and what they mean to the caller. */
const REFUSALS: [
  step: "tree" | "commit" | "swap" | "branch",
  status: number,
  message: string,
  code: string,
  reason?: string,
][] = [
  ["tree", 403, "Resource not accessible by integration", "write_forbidden", "permission"],
  ["tree", 404, "Not Found", "write_forbidden", "permission"],
  ["tree", 403, "Repository was archived so is read-only.", "write_forbidden", "archived"],
  [
    "commit",
    403,
    "Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization.",
    "write_forbidden",
    "saml",
  ],
  ["tree", 422, "tree.path contains a malformed path component", "upstream_unexpected"],
  ["tree", 409, "Git Repository is empty.", "repository_empty"],
  ["tree", 451, "Repository access blocked", "upstream_forbidden"],
  [
    "tree",
    422,
    "Repository rule violations found\n\nFile path restriction: secret-project/*",
    "write_forbidden",
    "push_rules",
  ],
  ["commit", 422, "Parent SHA does not exist or is not a commit object", "upstream_unexpected"],
  ["branch", 422, "Reference update failed", "branch_protected", "refused"],
  [
    "branch",
    422,
    "Repository rule violations found\n\nCannot create ref due to creations being restricted.",
    "branch_protected",
    "rules",
  ],
  ["branch", 422, "Object does not exist", "upstream_unexpected"],
  ["branch", 404, "Not Found", "write_forbidden", "permission"],
  ["swap", 403, "Resource not accessible by personal access token", "write_forbidden", "permission"],
];

for (const [step, status, message, code, reason] of REFUSALS) {
  test(`${step}: HTTP ${status} ${JSON.stringify(message)}`, async () => {
    fault(step, { kind: "status", status, message });
    const run = async (): Promise<unknown> => {
      if (step === "branch") return writer.createBranch("agent/refused", here.head);
      const commit = await writer.prepare(request);
      return step === "swap" ? writer.advance("main", here.head, commit) : commit;
    };
    const error = await caught(run());
    assert.deepEqual(
      [error.code, error.data.reason ?? undefined],
      [code, code === "upstream_unexpected" ? `HTTP ${status}` : reason],
    );
    assert.equal(requests(step), 1);
    assert.equal(here.git("rev-parse", "main"), here.head);
  });
}

const SWAP_REFUSALS: [error: { type?: string; message: string }, code: string, reason: string][] = [
  [{ type: "BRANCH_PROTECTION_RULE_VIOLATION", message: "Something new" }, "branch_protected", "rules"],
  [
    {
      type: "UNPROCESSABLE",
      message: "Repository rule violations found\n\nChanges must be made through a pull request.",
    },
    "branch_protected",
    "rules",
  ],
  [{ message: "Changes must be made through the merge queue" }, "branch_protected", "rules"],
  [{ message: 'Required status check "ci" is expected.' }, "branch_protected", "rules"],
  [
    { message: "At least 1 approving review is required by reviewers with write access." },
    "branch_protected",
    "rules",
  ],
  [{ message: "Commits must have verified signatures." }, "branch_protected", "rules"],
  [{ message: "GH006: Protected branch update failed for refs/heads/main." }, "branch_protected", "rules"],
  [{ message: "You're not authorized to push to this branch." }, "branch_protected", "rules"],
  [{ message: "Cannot update this protected ref." }, "branch_protected", "rules"],
  [
    { message: "Repository rule violations found\n\nPush cannot contain secrets" },
    "write_forbidden",
    "secret",
  ],
  [
    {
      message:
        "refusing to allow a GitHub App to create or update workflow `.github/workflows/a.yml` without `workflows` permission",
    },
    "write_forbidden",
    "workflows",
  ],
  [{ type: "FORBIDDEN", message: "Resource not accessible by integration" }, "write_forbidden", "permission"],
  [
    { type: "INSUFFICIENT_SCOPES", message: "Your token has not been granted the required scopes" },
    "write_forbidden",
    "permission",
  ],
  [
    { type: "NOT_FOUND", message: "Could not resolve to a node with the global id of 'x'" },
    "write_forbidden",
    "permission",
  ],
  [{ message: "Repository was archived so is read-only." }, "write_forbidden", "archived"],
];

for (const [refusal, code, reason] of SWAP_REFUSALS) {
  test(`swap: GraphQL says ${JSON.stringify(refusal)}`, async () => {
    const commit = await writer.prepare(request);
    // Instead of the answer of a mutation that was not run: the request names another branch's state.
    const other = here.foreign(here.head, "x", `${count}\n`);
    fault("swap", {
      kind: "rewrite",
      rewrite: (answer) => ({
        ...answer,
        status: 200,
        body: Buffer.from(JSON.stringify({ data: { updateRefs: null }, errors: [refusal] })),
      }),
    });
    here.git("update-ref", "refs/heads/agent/there", other);
    const error = await caught(writer.advance("agent/there", here.head, commit));
    assert.deepEqual([error.code, error.data.reason], [code, reason]);
    assert.equal(requests("swap"), 1);
  });
}

const PROPOSED =
  "Send the same call with branch set to a new name, create_branch true and pull_request {title}: the change then goes to main by a pull request.";
const RULED = "The repository's rules for this branch refuse";

/** What GitHub says, how much of it is repeated, and the way out, which a pull request is not of every rule. */
const WAYS: [
  step: "swap" | "branch",
  says: string,
  message: string,
  said: string | undefined,
  next: string,
][] = [
  [
    "swap",
    "Repository rule violations found\n\nChanges must be made through a pull request.\n\n2 of 2 required status checks are expected.\nSee https://internal.example/rules",
    `${RULED} a direct commit. GitHub's words: "Changes must be made through a pull request. 2 of 2 required status checks are expected."`,
    "Changes must be made through a pull request. 2 of 2 required status checks are expected.",
    PROPOSED,
  ],
  [
    "swap",
    "GH006: Protected branch update failed for refs/heads/main.",
    `${RULED} a direct commit.`,
    undefined,
    PROPOSED,
  ],
  [
    "swap",
    "Commits must have verified signatures.",
    `${RULED} a direct commit. GitHub's words: "Commits must have verified signatures."`,
    "Commits must have verified signatures.",
    "Ask the operator to let this service commit as a GitHub App, whose commits GitHub signs; or make the change in a clone and sign it.",
  ],
  [
    "swap",
    "Cannot change this locked branch",
    `${RULED} a direct commit. GitHub's words: "Cannot change this locked branch"`,
    "Cannot change this locked branch",
    "Ask the repository's owner to unlock the branch, then send the same call again.",
  ],
  [
    "branch",
    "Repository rule violations found\n\nCannot create ref due to creations being restricted.",
    `${RULED} a new branch of this name. GitHub's words: "Cannot create ref due to creations being restricted."`,
    "Cannot create ref due to creations being restricted.",
    "Call again with another name for the branch, or ask the repository's owner which names may be made.",
  ],
  [
    "swap",
    "refusing to update checked out branch: refs/heads/main",
    "The branch is checked out in a clone whose files cannot follow it.",
    undefined,
    "Move away the files that are in the way there, or check out another branch, then send the same call again; or send it with branch set to a new name and create_branch true.",
  ],
];

for (const [step, says, message, said, next] of WAYS) {
  test(`${step}: ${JSON.stringify(says)}: its own way out`, async () => {
    const commit = await writer.prepare(request);
    fault(step, { kind: "status", status: 422, message: says });
    const asked =
      step === "swap"
        ? writer.advance("main", here.head, commit)
        : writer.createBranch("agent/ruled", commit);
    const error = await caught(asked);
    assert.deepEqual([error.code, error.message, error.nextStep], ["branch_protected", message, next]);
    assert.deepEqual(error.data.said, said);
    assert.equal(requests(step), 1);
  });
}

test("uncommitted work in a served clone: a file is named only if callers may write it", async () => {
  const says = async (words: string) => {
    await prepareAnew({});
    const commit = await writer.prepare(request);
    fault("swap", { kind: "status", status: 422, message: `Reference update failed: ${words}` });
    const open = here.at.call(github, { writable: { branches: ["main"] } }).writer;
    const error = await caught(open.advance("main", here.head, commit));
    here.at.host.faults.clear();
    assert.equal(error.data.reason, "uncommitted");
    assert.match(error.nextStep, /^Commit or stash them in the clone, then .* create_branch true\.$/);
    return error.data.said;
  };
  const words = (where: string) => `the clone has uncommitted changes in ${where}: commit or stash them`;
  assert.equal(await says(words("README.md and 2 more")), words("README.md and 2 more"));
  assert.equal(await says(words("src/a and b.ts")), words("src/a and b.ts"));
  assert.equal(await says(words("2 files")), words("2 files"));
  assert.equal(await says(words(".env")), words("1 file"));
  assert.equal(await says(words(".github/workflows/a.yml")), words("1 file"));
  assert.equal(await says(words(".env and 2 more")), words("3 files"));
});

test("swap: refused twice without a known reason while the branch stands: said so, with the way around", async () => {
  const commit = await writer.prepare(request);
  fault("swap", {
    kind: "status",
    status: 422,
    message: "A new rule of a new kind",
  });
  const error = await caught(writer.advance("main", here.head, commit));
  assert.deepEqual([error.code, error.data], ["branch_protected", { branch: "main", reason: "refused" }]);
  assert.match(error.nextStep, /branch set to a new name, create_branch true and pull_request/);
  assert.deepEqual([requests("swap"), requests("tip")], [2, 2]);
});

test("a permission is named as GitHub names it", async () => {
  fault("tree", {
    kind: "status",
    status: 403,
    message: "Resource not accessible by integration",
    headers: { "x-accepted-github-permissions": "contents=write; contents=write,workflows=write" },
  });
  const error = await caught(writer.prepare(request));
  assert.deepEqual(error.data, { permission: "contents: write", reason: "permission" });
  here.at.host.faults.clear();
  fault("tree", {
    kind: "status",
    status: 403,
    message: "Resource not accessible by integration",
    headers: { "x-accepted-github-permissions": "<script>" },
  });
  assert.deepEqual((await caught(writer.prepare(request))).data, {
    permission: "contents: write",
    reason: "permission",
  });
});

test("an answer about another commit than asked for is not taken", async () => {
  const rewriting = (change: (body: { tree: object; parents: object[] }) => void) =>
    fault("commit", {
      kind: "rewrite",
      times: 1,
      rewrite: (answer) => {
        const body = JSON.parse(String(answer.body)) as { tree: object; parents: object[] };
        change(body);
        return { ...answer, body: Buffer.from(JSON.stringify(body)) };
      },
    });
  const other = { sha: "2".repeat(40) };
  rewriting((body) => {
    body.tree = other;
  });
  assert.equal((await caught(writer.prepare(request))).code, "tree_mismatch");
  rewriting((body) => {
    body.parents = [other];
  });
  assert.equal((await caught(writer.prepare(request))).code, "upstream_unexpected");
  rewriting((body) => {
    body.parents = [];
  });
  assert.equal((await caught(writer.prepare(request))).code, "upstream_unexpected");
});
