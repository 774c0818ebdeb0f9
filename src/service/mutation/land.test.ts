/** Races, request ids, what is cut off in between, and what follows a commit: over a repository in memory. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHost } from "../../../test/mutation/memory-host.ts";
import { Service, WRITER } from "../../../test/mutation/service.ts";
import { ERROR_FORMS, type ErrorCode, GitpinError } from "../../errors.ts";
import type { MutationResult } from "../../schema/mutation-result.ts";

const APP = "def parse(text):\n    return text\n\n\ndef run():\n    return parse('x')\n";

function hosted(): MemoryHost {
  const host = new MemoryHost();
  host.push("main", { "app.py": APP });
  return host;
}

async function thrownBy(work: Promise<unknown>): Promise<GitpinError> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof GitpinError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: "it did not throw" });
}

const failing = (code: ErrorCode) => () => {
  throw new GitpinError(code, `${code} happened.`, "Look.", {});
};

/** Somebody outside pushes before each of the first `times` moves. */
function overtaken(host: MemoryHost, times: number): void {
  let pushed = 0;
  host.before.advance = () => {
    if (pushed === times) return;
    pushed += 1;
    host.push("main", { [`other-${pushed}.txt`]: "x" });
  };
}

for (const times of [1, 5]) {
  test(`a race lost ${times} times is planned again on what the others left, which stays`, async () => {
    const host = hosted();
    const service = new Service(host);
    const operation = await service.patch("app.py", "parse", "return text", "return 1");
    overtaken(host, times);
    const result = await service.mutate(operation);
    assert.equal(result.status, "committed");
    assert.equal(result.rebased, true);
    assert.equal(host.text("main", `other-${times}.txt`), "x");
    assert.equal(host.history("main").length, 1 + times + 1);
    // Half of each doubled bound, and half of the other half: the random number of this test.
    assert.deepEqual(service.waits, [75, 150, 300, 600, 1_200].slice(0, times));
    assert.equal(host.steps.filter((step) => step === "prepare").length, times + 1);
  });
}

test("beyond that it is a conflict, as data, and nothing was changed", async () => {
  const host = hosted();
  const service = new Service(host);
  const operation = await service.patch("app.py", "parse", "return text", "return 1");
  overtaken(host, Number.POSITIVE_INFINITY);
  const result = await service.call({ operations: [operation], request_id: "r" });
  assert.equal(result.status, "conflict");
  assert.equal(result.code, "repository_base_conflict");
  assert.deepEqual([result.applied, result.operation], [false, null]);
  assert.equal(result.current_repository_base?.head, host.refs.get("main"));
  assert.equal(host.text("main", "app.py"), APP);
  assert.equal(host.text("main", "other-6.txt"), "x");
  assert.deepEqual(result.next, {
    tool: "kin_mutate",
    arguments: { operations: [operation], request_id: "r" },
  });
  // The id was given back.
  host.before = {};
  assert.equal((await service.call(result.next?.arguments ?? {})).status, "committed");
});

test("who overtakes by editing the same entity wins, and the loser sees the winner's text", async () => {
  const host = hosted();
  const service = new Service(host);
  const operation = await service.patch("app.py", "parse", "return text", "return 1");
  host.before.advance = () => {
    host.before = {};
    host.push("main", { "app.py": APP.replace("return text", "return 'theirs'") });
  };
  const result = await service.mutate(operation);
  assert.equal(result.code, "source_base_conflict");
  assert.match(result.current_source?.body ?? "", /return 'theirs'/);
  assert.match(host.text("main", "app.py") ?? "", /return 'theirs'/);
});

test("calls to one branch take turns, so that none of ours races another", async () => {
  const host = hosted();
  const service = new Service(host);
  const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
  host.push("main", { "many.py": names.map((name) => `def ${name}():\n    return 0\n`).join("\n\n") });
  const operations = await Promise.all(
    names.map((name) => service.patch("many.py", name, "return 0", "return 1")),
  );
  const results = await Promise.all(operations.map((operation) => service.mutate(operation)));
  assert.deepEqual([...new Set(results.map(({ status }) => status))], ["committed"]);
  assert.deepEqual(service.waits, []);
  assert.equal(host.text("main", "many.py")?.match(/return 1/g)?.length, 12);
  assert.equal(host.history("main").length, 2 + 12);
});

test("a protected branch is an error that says what the writer says, and a branch of its own is the way", async () => {
  const host = hosted();
  const service = new Service(host);
  host.before.advance = failing("branch_protected");
  const given = {
    operations: [await service.patch("app.py", "parse", "return text", "return 1")],
    request_id: "r",
  };
  const error = await thrownBy(service.call(given));
  assert.equal(error.code, "branch_protected");
  assert.equal(error.nextStep, "Nothing was changed. Look.");
  assert.equal(host.text("main", "app.py"), APP);
  const result = await service.call({
    ...given,
    branch: "agent/x",
    create_branch: true,
    pull_request: { title: "X" },
  });
  assert.equal(result.status, "committed", "the id was given back");
});

for (const step of ["advance", "createBranch"]) {
  test(`${step}: whatever it throws but write_unknown is a no: the id is given back, and the error says so`, async () => {
    const branch = step === "advance" ? {} : { branch: "agent/x", create_branch: true };
    for (const code of Object.keys(ERROR_FORMS) as ErrorCode[]) {
      const host = hosted();
      const service = new Service(host);
      const operations = [await service.patch("app.py", "parse", "return text", "return 1")];
      const given = { operations, request_id: "r", ...branch };
      host.before[step] = failing(code);
      const error = await thrownBy(service.call(given));
      host.before = {};
      const again = service.call(given);
      if (code === "write_unknown") {
        assert.equal(error.data.applied, null);
        assert.match(error.nextStep, /^Send the same call again with the same request_id: it finds out/);
        assert.equal((await thrownBy(again)).code, "request_in_progress");
        continue;
      }
      if (code !== "request_in_progress") {
        assert.deepEqual([error.code, error.data.applied], [code, false]);
        assert.match(error.nextStep, /^Nothing was changed\. /, code);
      }
      assert.deepEqual([(await again).status, (await again).already_applied], ["committed", false], code);
    }
  });
}

test("a branch that is deleted at the last moment: nothing was changed, and the id is free", async () => {
  const host = hosted();
  host.push("side", { "app.py": APP });
  const service = new Service(host);
  const operations = [await service.patch("app.py", "parse", "return text", "return 1")];
  const given = { operations, branch: "side", request_id: "r" };
  const tip = host.refs.get("side") ?? "";
  host.before.advance = () => void host.refs.delete("side");
  const error = await thrownBy(service.call(given));
  assert.deepEqual([error.code, error.data.applied], ["branch_missing", false]);
  host.before = {};
  host.refs.set("side", tip);
  assert.equal((await service.call(given)).status, "committed");
});

test("an error without an id says whether something was changed, too; without a promise of a repeat", async () => {
  const host = hosted();
  const service = new Service(host);
  const operation = await service.patch("app.py", "parse", "return text", "return 1");
  host.before.advance = failing("upstream_rate_limited");
  const limited = await thrownBy(service.mutate(operation));
  assert.deepEqual([limited.data.applied, limited.nextStep], [false, "Nothing was changed. Look."]);
  host.before.advance = failing("write_unknown");
  const unknown = await thrownBy(service.mutate(operation));
  assert.deepEqual([unknown.data.applied, unknown.nextStep], [null, "Look."]);
});

test("an id whose earlier commit could not be asked about stays taken, and the error does not say no", async () => {
  const { host, service, repeat } = await cutOff("after");
  const landed = host.refs.get("main");
  host.before.landed = failing("upstream_rate_limited");
  const error = await thrownBy(repeat());
  assert.deepEqual([error.code, error.data.applied], ["upstream_rate_limited", null]);
  assert.match(error.nextStep, /^Send the same call again with the same request_id/);
  host.before = {};
  assert.equal((await thrownBy(repeat())).code, "request_in_progress");
  service.requests.clock.ms += 130_000;
  const found = await repeat();
  assert.deepEqual([found.already_applied, found.commitSha], [true, landed]);
  assert.equal(host.history("main").length, 2);
});

test("a new branch beside one whose name continues or begins it: refused with that name, the id is free", async () => {
  const host = hosted();
  host.push("agent/n", { "app.py": APP });
  const service = new Service(host);
  const operations = [await service.patch("app.py", "parse", "return text", "return 1")];
  const cases: [branch: string, other: string][] = [
    ["agent/n/x", "agent/n"],
    ["agent", "agent/n"],
    ["main/x", "main"],
  ];
  for (const [branch, other] of cases) {
    const given = { operations, branch, create_branch: true, request_id: branch };
    const result = await service.call(given);
    assert.deepEqual([result.status, result.code, result.operation], ["refused", "branch_exists", null]);
    assert.match(
      result.reason ?? "",
      new RegExp(`^There is a branch ${other}, and git keeps no branch ${branch} `),
    );
    assert.match(result.next_step ?? "", new RegExp(`e\\.g\\. ${branch.replaceAll("/", "-")}\\.$`));
    assert.equal((await service.call(given)).code, "branch_exists", "not taken");
    const planned = await service.call({ operations, branch, create_branch: true, dry_run: true });
    assert.deepEqual([planned.code, planned.reason], [result.code, result.reason]);
  }
  assert.deepEqual([...host.refs.keys()], ["main", "agent/n"]);
});

test("a repeat with equal arguments returns the first receipt, also after other commits; nothing is committed", async () => {
  const host = hosted();
  const service = new Service(host);
  const operation = await service.patch("app.py", "parse", "return text", "return 1");
  const first = await service.call({ operations: [operation], summary: "One", request_id: "r" });
  assert.match(host.history("main")[0]?.message ?? "", /^Gitpin-Request: r$/m);
  host.push("main", { "app.py": "gone = 1\n" });
  const steps = host.steps.length;
  const again = await service.call({ request_id: "r", summary: "One", operations: [operation] }, "dotted");
  assert.deepEqual(again, {
    ...first,
    already_applied: true,
    next: { ...first.next, tool: "pin.verify" },
  });
  assert.deepEqual(host.steps.slice(steps), []);
  assert.equal(service.audited.length, 1);
});

test("the order of keys does not count, that of lists does, and other arguments are refused", async () => {
  const host = hosted();
  const service = new Service(host);
  const one = await service.patch("app.py", "parse", "return text", "return 1");
  const two = await service.patch("app.py", "run", "'x'", "'y'");
  await service.call({ operations: [one, two], request_id: "r" });
  const turned = Object.fromEntries(Object.entries(one).reverse()) as typeof one;
  const same = await service.call({ operations: [turned, two], request_id: "r" });
  assert.equal(same.already_applied, true);
  for (const operations of [[two, one], [one], [{ ...one, description: "other" }, two]]) {
    const error = await thrownBy(service.call({ operations, request_id: "r" }));
    assert.equal(error.code, "request_id_mismatch");
  }
  assert.equal(host.history("main").length, 2);
});

test("ids are each caller's own", async () => {
  const host = hosted();
  const service = new Service(host);
  const operation = await service.patch("app.py", "parse", "return text", "return 1");
  await service.call({ operations: [operation], request_id: "r" });
  const other = new Service(host, {
    caller: { ...WRITER, id: "token:fedcba9876543210" },
    writing: { requests: service.requests.ledger },
  });
  const result = await other.call({ operations: [operation], request_id: "r" });
  assert.equal(result.code, "source_base_conflict");
});

test("two calls with one id at once commit once: the other is told to wait", async () => {
  const host = hosted();
  const service = new Service(host);
  const given = {
    operations: [await service.patch("app.py", "parse", "return text", "return 1")],
    request_id: "r",
  };
  let second: Promise<GitpinError> | undefined;
  host.before.prepare = () => {
    second ??= thrownBy(service.call(given));
  };
  const first = await service.call(given);
  const error = await second;
  assert.equal(first.status, "committed");
  assert.equal(error?.code, "request_in_progress");
  assert.ok(Number(error?.data.retryAfterSeconds) > 0);
  assert.equal(host.history("main").length, 2);
});

test("conflicts, refusals and errors before anything was announced give the id back", async () => {
  const host = hosted();
  const service = new Service(host);
  const operation = await service.patch("app.py", "parse", "return nothing", "return 1");
  const refused = await service.call({ operations: [operation], request_id: "r" });
  assert.equal(refused.status, "refused");
  const good = await service.patch("app.py", "parse", "return text", "return 1");
  host.before.prepare = failing("upstream_timeout");
  assert.equal(
    (await thrownBy(service.call({ operations: [good], request_id: "r" }))).code,
    "upstream_timeout",
  );
  host.before = {};
  assert.equal((await service.call({ operations: [good], request_id: "r" })).already_applied, false);
});

/** A call whose move was sent and not answered for. */
async function cutOff(when: "before" | "after"): Promise<{
  host: MemoryHost;
  service: Service;
  repeat: () => Promise<MutationResult>;
}> {
  const host = hosted();
  const service = new Service(host);
  const given = {
    operations: [await service.patch("app.py", "parse", "return text", "return 1")],
    request_id: "r",
  };
  host[when].advance = failing("write_unknown");
  assert.equal((await thrownBy(service.call(given))).code, "write_unknown");
  host[when] = {};
  // While it may be at work still, nobody else takes it up.
  assert.equal((await thrownBy(service.call(given))).code, "request_in_progress");
  service.requests.clock.ms += 130_000;
  return { host, service, repeat: () => service.call(given) };
}

test("a commit that landed unheard is found by the repeat, with its receipt, and made only once", async () => {
  const { host, service, repeat } = await cutOff("after");
  const landed = host.refs.get("main");
  host.push("main", { "later.txt": "x" });
  const result = await repeat();
  assert.deepEqual([result.status, result.already_applied, result.commitSha], ["committed", true, landed]);
  assert.equal(host.history("main").length, 3);
  assert.equal(service.audited[0]?.commit, landed);
  assert.deepEqual([...(host.steps.slice(-1) ?? [])], ["landed main"]);
  const again = await repeat();
  assert.deepEqual(again, result);
});

test("a commit that did not land is made by the repeat, once", async () => {
  const { host, repeat } = await cutOff("before");
  const result = await repeat();
  assert.deepEqual([result.status, result.already_applied], ["committed", false]);
  assert.equal(host.history("main").length, 2);
});

test("a commit that lands while it is made again is found after the lost race", async () => {
  const { host, repeat } = await cutOff("before");
  // The first call's move arrives late, in the middle of the repeat.
  const earlier = [...host.commits.keys()].at(-1) ?? "";
  host.before.advance = () => {
    host.before = {};
    host.refs.set("main", earlier);
  };
  const result = await repeat();
  assert.deepEqual([result.status, result.already_applied, result.commitSha], ["committed", true, earlier]);
  assert.equal(host.history("main").length, 2);
});

/** The first commit of an empty repository, sent and not answered for. */
async function firstCutOff(when: "before" | "after") {
  const host = new MemoryHost();
  const service = new Service(host);
  const unit = { language: "go", package: ".", name: "app" };
  const create = service.createInUnit(unit, "function", "Run", "func Run() {}");
  const given = { operations: [create], request_id: "r" };
  host[when].firstCommit = failing("write_unknown");
  const error = await thrownBy(service.call(given));
  assert.deepEqual([error.code, error.data.applied], ["write_unknown", null]);
  assert.match(error.nextStep, /^Send the same call again with the same request_id/);
  host[when] = {};
  assert.equal((await thrownBy(service.call(given))).code, "request_in_progress");
  service.requests.clock.ms += 130_000;
  return { host, service, create, repeat: () => service.call(given) };
}

test("a first commit that landed unheard is found by the repeat, with the receipt that it would have had", async () => {
  const { host, service, create, repeat } = await firstCutOff("after");
  const landed = host.refs.get("main");
  host.push("main", { "later.txt": "x" });
  const other = await thrownBy(service.call({ operations: [create], request_id: "r", summary: "Other" }));
  assert.equal(other.code, "request_id_mismatch");
  const result = await repeat();
  assert.deepEqual([result.status, result.already_applied, result.commitSha], ["committed", true, landed]);
  assert.equal(host.history("main").length, 2);
  assert.equal(service.audited[0]?.commit, landed);
  assert.deepEqual(await repeat(), result);

  const heard = new MemoryHost();
  const first = await new Service(heard).call({ operations: [create], request_id: "r" });
  const sha = first.commitSha ?? "";
  assert.notEqual(sha, "");
  const same = JSON.parse(JSON.stringify(first).replaceAll(sha, landed ?? "")) as MutationResult;
  assert.deepEqual(result, { ...same, already_applied: true });
});

test("a first commit that did not land is made by the repeat, once, and not on what somebody else began with", async () => {
  const made = await firstCutOff("before");
  const result = await made.repeat();
  assert.deepEqual([result.status, result.already_applied], ["committed", false]);
  assert.equal(made.host.history("main").length, 1);
  const theirs = await firstCutOff("before");
  theirs.host.push("main", { "app.go": "package app\n" });
  assert.equal((await theirs.repeat()).code, "repository_base_conflict");
  assert.equal(theirs.host.history("main").length, 1);
});

test("a first commit of which nothing can be told keeps its id; one that landed otherwise is not sent again", async () => {
  const { host, service, repeat } = await firstCutOff("after");
  host.before.firstLanded = failing("upstream_timeout");
  const unasked = await thrownBy(repeat());
  assert.deepEqual([unasked.code, unasked.data.applied], ["upstream_timeout", null]);
  service.requests.clock.ms += 130_000;
  host.before.firstLanded = () => {
    throw new GitpinError("write_unknown", "It landed on another's.", "Look.", { landed: true });
  };
  const otherwise = await thrownBy(repeat());
  assert.deepEqual([otherwise.code, otherwise.nextStep], ["write_unknown", "Look."]);
  service.requests.clock.ms += 130_000;
  host.before = {};
  assert.equal((await repeat()).already_applied, true);
  assert.equal(host.history("main").length, 1);
});

test("a commit to a branch that was merged and deleted is found where it went; unmerged it is made anew", async () => {
  for (const merged of [true, false]) {
    const host = hosted();
    const service = new Service(host);
    const operations = [await service.patch("app.py", "parse", "return text", "return 1")];
    const given = { operations, branch: "agent/n", create_branch: true, request_id: "r" };
    host.after.createBranch = failing("write_unknown");
    assert.equal((await thrownBy(service.call(given))).code, "write_unknown");
    host.after = {};
    const landed = host.refs.get("agent/n") ?? "";
    if (merged) host.refs.set("main", landed);
    host.refs.delete("agent/n");
    service.requests.clock.ms += 130_000;
    const result = await service.call(given);
    assert.deepEqual([result.status, result.already_applied], ["committed", merged]);
    assert.deepEqual([result.commitSha === landed, host.refs.has("agent/n")], [merged, !merged]);
    assert.equal(host.history("main").length, merged ? 2 : 1);
  }
});

test("what cannot be written down first is not moved", async () => {
  const host = hosted();
  const service = new Service(host);
  const operation = await service.patch("app.py", "parse", "return text", "return 1");
  host.after.prepare = () => {
    service.requests.failing.on = true;
  };
  const error = await thrownBy(service.call({ operations: [operation], request_id: "r" }));
  assert.equal(error.code, "requests_unavailable");
  assert.deepEqual(host.steps, ["tip main", "prepare"]);
  assert.equal(host.text("main", "app.py"), APP);
});

test("whoever was taken over moves nothing", async () => {
  const host = hosted();
  const service = new Service(host);
  const given = {
    operations: [await service.patch("app.py", "parse", "return text", "return 1")],
    request_id: "r",
  };
  let other: MutationResult | undefined;
  host.after.prepare = async () => {
    host.after = {};
    // So slow that its lease has passed; the other one does not wait for its turn.
    service.requests.clock.ms += 130_000;
    const unqueued = new Service(host, { writing: { requests: service.requests.ledger } });
    other = await unqueued.call(given);
  };
  const error = await thrownBy(service.call(given));
  assert.equal(error.code, "request_in_progress");
  assert.equal(other?.status, "committed");
  assert.equal(host.history("main").length, 2);
  assert.equal((await service.call(given)).commitSha, other?.commitSha);
});

test("a pull request that fails is told; the commit stands", async () => {
  const host = hosted();
  const service = new Service(host);
  host.before.openPullRequest = failing("pull_request_refused");
  const result = await service.call({
    operations: [await service.patch("app.py", "parse", "return text", "return 1")],
    branch: "agent/x",
    create_branch: true,
    pull_request: { title: "X", body: "Why." },
  });
  assert.equal(result.status, "committed");
  assert.deepEqual(result.pull_request, {
    status: "failed",
    number: null,
    url: null,
    code: "pull_request_refused",
    reason: "pull_request_refused happened.",
    next_step: "The commit stands on agent/x; do not send it again. Look.",
  });
  assert.equal(service.audited[0]?.pullRequest, null);
});

test("a pull request that failed is tried again by a repeat, alone, until it is open", async () => {
  const host = hosted();
  const service = new Service(host);
  const given = {
    operations: [await service.patch("app.py", "parse", "return text", "return 1")],
    branch: "agent/x",
    create_branch: true,
    pull_request: { title: "X" },
    request_id: "r",
  };
  host.before.openPullRequest = failing("upstream_rate_limited");
  const first = await service.call(given);
  assert.deepEqual([first.status, first.pull_request?.status], ["committed", "failed"]);
  assert.equal(
    first.pull_request?.next_step,
    "The commit stands on agent/x; the same call with the same request_id tries the pull request again, and only that. Look.",
  );
  host.before.openPullRequest = failing("pull_request_refused");
  const steps = host.steps.length;
  const still = await service.call(given);
  assert.deepEqual([still.already_applied, still.pull_request], [true, first.pull_request]);
  host.before = {};
  const open = await service.call(given);
  const pull = {
    status: "open",
    number: 1,
    url: "https://github.example/octo/app/pull/1",
    code: null,
    reason: null,
    next_step: null,
  };
  assert.deepEqual(open, { ...first, already_applied: true, pull_request: pull });
  assert.deepEqual(await service.call(given), open, "the receipt was amended");
  assert.deepEqual(host.steps.slice(steps), Array(2).fill("openPullRequest agent/x to main"));
  assert.equal(host.history("agent/x").length, 2);
  assert.deepEqual(
    service.audited.map(({ commit, pullRequest }) => [commit, pullRequest]),
    [
      [first.commitSha, null],
      [first.commitSha, 1],
    ],
    "the trail hears of the pull request when it is open, once",
  );
});

test("an audit trail that fails is told in the receipt and in the log", async () => {
  const host = hosted();
  const service = new Service(host, {
    writing: {
      audit: {
        async committed() {
          throw new GitpinError("registry_unavailable", "Down.", "Wait.");
        },
      },
    },
  });
  const result = await service.mutate(await service.patch("app.py", "parse", "return text", "return 1"));
  assert.deepEqual([result.status, result.audit], ["committed", "not_recorded"]);
  assert.deepEqual(service.unrecorded, [{ commit: result.commitSha, code: "registry_unavailable" }]);
});

test("no step is left half done by a failure before the move: the branch stands, orphans are nobody's", async () => {
  for (const step of ["tip", "prepare", "advance"]) {
    const host = hosted();
    const service = new Service(host);
    const operation = await service.patch("app.py", "parse", "return text", "return 1");
    const before = host.refs.get("main");
    host.before[step] = failing("upstream_timeout");
    assert.equal((await thrownBy(service.mutate(operation))).code, "upstream_timeout");
    assert.equal(host.refs.get("main"), before, step);
    assert.deepEqual([service.audited.length, host.pulls.length], [0, 0]);
  }
});
