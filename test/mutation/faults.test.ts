/**
 * A commit with a fault at every step of it: refused, answered with an error, cut, timed out, and timed out after it was done. Then
 * either the whole commit is there or nothing is, and the answer says which; a repeat with the same request_id never commits twice.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { FaultRule } from "../../src/local/host.ts";
import type { MutationResult } from "../../src/schema/mutation-result.ts";
import type { Answer } from "../stack.ts";
import { shapeOf, WrittenStack } from "./written-stack.ts";

const FILES = { "a.py": "def f():\n    return 0\n", "b/b.py": "def g():\n    return 0\n" };

type Steps = Record<string, (method: string, path: string) => boolean>;
type Faults = Record<string, Pick<FaultRule, "kind" | "afterwards" | "status" | "times">>;

const READS: Steps = {
  "who the repository is": (method, path) => method === "GET" && /\/repositories\/\d+$/.test(path),
  "the branch's tip": (method, path) => method === "GET" && path.includes("/commits/heads%2Fmain"),
  "the tree": (method, path) => method === "GET" && path.includes("/git/trees/"),
  "a blob": (method, path) => method === "GET" && path.includes("/git/blobs/"),
};

const WRITES: Steps = {
  "making the tree": (method, path) => method === "POST" && path.endsWith("/git/trees"),
  "making the commit": (method, path) => method === "POST" && path.endsWith("/git/commits"),
  "moving the branch": (method, path) => method === "POST" && path.endsWith("/graphql"),
};

/** Once: what is asked for again gets its true answer. Always: it never does. */
const READ_FAULTS: Faults = {
  "403, always": { kind: "status", status: 403 },
  "500, once": { kind: "status", status: 500, times: 1 },
};

const WRITE_FAULTS: Faults = {
  "403, always": { kind: "status", status: 403 },
  "500, always": { kind: "status", status: 500 },
  "reset, once": { kind: "reset", times: 1 },
  "hang, once": { kind: "hang", times: 1 },
  "cut, always": { kind: "cut" },
  "half the JSON, once": { kind: "bad-json", times: 1 },
  "502 after it was done, always": { kind: "status", status: 502, afterwards: true },
  "time-out after it was done, once": { kind: "hang", afterwards: true, times: 1 },
};

type Outcome = Answer<MutationResult & { error?: { code: string; data: { commit?: string } } }>;

/** One caller who edits both files again and again, on from the bases of its last receipt. */
class Editing {
  readonly served: WrittenStack;
  edits = 0;
  #held: { id: string; base: Record<string, unknown>; text: string }[] = [];

  constructor(served: WrittenStack) {
    this.served = served;
  }

  /** The next call, with an id of its own; it may be sent again. */
  async next(): Promise<() => Promise<Outcome>> {
    if (this.#held.length === 0) {
      for (const [path, name] of [
        ["a.py", "f"],
        ["b/b.py", "g"],
      ] as const) {
        const { id, source_base, body } = await this.served.source(path, name);
        this.#held.push({
          id: id ?? "",
          base: source_base ?? {},
          text: /return \d+/.exec(body ?? "")?.[0] ?? "",
        });
      }
    }
    this.edits += 1;
    const text = `return ${this.edits}`;
    const operations = this.#held.map(({ id, base, text: old_text }) => ({
      verb: "patch",
      target: id,
      description: "",
      payload: { EntitySourcePatch: { source_base: base, edits: [{ old_text, new_text: text }] } },
    }));
    const given = { operations, request_id: `call-${this.edits}` };
    return async () => {
      const answer = (await this.served.mutate(given)) as Outcome;
      // Whatever is not known to have landed is read anew.
      const { status, entities = [] } = answer.body;
      const landed = status === "committed" ? entities : [];
      this.#held = landed.map(({ id, source_base }) => ({ id, base: source_base ?? {}, text }));
      return answer;
    };
  }

  /** Both files hold the edit, or neither does. */
  there(): "whole" | "nothing" {
    const texts = ["a.py", "b/b.py"].map((path) => this.served.git("show", `main:${path}`));
    const [a, b] = texts.map((text) => text.includes(`return ${this.edits}`));
    assert.equal(a, b, "applied in part");
    return a ? "whole" : "nothing";
  }

  assertHonest({ status, body }: Outcome, before: string): void {
    const said = JSON.stringify(body);
    const there = this.there();
    if (body.status === "committed") {
      assert.deepEqual([there, this.served.head()], ["whole", body.commitSha], said);
      assert.equal(this.served.git("rev-parse", `${body.commitSha}^`), before);
      return;
    }
    assert.ok(status >= 400, said);
    if (body.error?.code !== "write_unknown") {
      assert.deepEqual([there, this.served.head()], ["nothing", before], said);
      return;
    }
    // It does not say, and names the commit, so that anybody can look.
    const landed = this.served
      .git("rev-list", "main")
      .split("\n")
      .includes(body.error.data.commit ?? "");
    assert.equal(landed ? "whole" : "nothing", there, said);
  }
}

async function strike(editing: Editing, fault: Faults[string], match: Steps[string]): Promise<void> {
  const { served } = editing;
  const send = await editing.next();
  const before = served.head();
  const active = served.stack.host.faults.add({ ...fault, match });
  const answer = await send();
  assert.ok(active.hits > 0, "the fault was met");
  served.stack.host.faults.clear();
  editing.assertHonest(answer, before);

  const repeat = await send();
  if (repeat.body.status === "committed") {
    assert.equal(editing.there(), "whole");
    assert.equal(served.git("rev-list", "--count", `${before}..main`), "1", "it was committed once");
    assert.equal(repeat.body.commitSha, served.head());
    return;
  }
  // The first is answered for once its lease has passed; until then nobody commits it again.
  assert.equal(repeat.body.error?.code, "request_in_progress", JSON.stringify(repeat.body));
  assert.equal(answer.body.error?.code, "write_unknown");
}

async function started(context: TestContext, uncached: boolean): Promise<WrittenStack> {
  const vars = { UPSTREAM_TIMEOUT_MS: "1000", HEAD_MAX_AGE: "0" };
  const served = await WrittenStack.start({ files: FILES, vars, uncached });
  context.after(() => served.close());
  return served;
}

test("reading what is planned on", async (context) => {
  // Without memory or store every read is made and can fail.
  const editing = new Editing(await started(context, true));
  for (const [step, match] of Object.entries(READS)) {
    for (const [name, fault] of Object.entries(READ_FAULTS)) {
      await context.test(`${step}: ${name}`, () => strike(editing, fault, match));
    }
  }
  editing.served.assertSound();
});

for (const [step, match] of Object.entries(WRITES)) {
  // A stack for each: GitHub's bound on what is created within a minute is kept here, and would be met.
  test(step, async (context) => {
    const editing = new Editing(await started(context, false));
    for (const [name, fault] of Object.entries(WRITE_FAULTS)) {
      await context.test(name, () => strike(editing, fault, match));
    }
    editing.served.assertSound();
  });
}

test("a pull request that fails leaves the commit, and says so; one that was made unheard is found", async (context) => {
  const served = await started(context, false);
  const source = await served.source("a.py", "f");
  const operations = [served.patchOf(source, "return 0", "return 1")];
  const outcomes: [string | undefined, number | null | undefined][] = [];
  for (const name of ["403, always", "500, always", "502 after it was done, always"]) {
    served.stack.host.faults.add({
      kind: "status",
      ...WRITE_FAULTS[name],
      match: (method, path) => method === "POST" && path.endsWith("/pulls"),
    });
    const branch = `agent/${outcomes.length}`;
    const given = { operations, branch, create_branch: true, pull_request: { title: "X" } };
    const { status, body } = await served.mutate(given);
    served.stack.host.faults.clear();
    assert.deepEqual([status, body.status], [200, "committed"], JSON.stringify(body));
    assert.equal(served.head(branch), body.commitSha);
    const pull = body.pull_request;
    if (pull?.status === "failed") assert.match(pull.next_step ?? "", /^The commit stands on agent/);
    outcomes.push([pull?.status, pull?.number]);
  }
  assert.deepEqual(outcomes, [
    ["failed", null],
    ["failed", null],
    ["open", 1],
  ]);
});

test("a pull request that failed, and one that was made unheard: the repeat opens or finds it with what that costs", async (context) => {
  const served = await started(context, false);
  const source = await served.source("a.py", "f");
  const operations = [served.patchOf(source, "return 0", "return 1")];
  const outcomes: (readonly [number | null | undefined, readonly string[]])[] = [];
  for (const afterwards of [false, true]) {
    const branch = `agent/${afterwards}`;
    const given = {
      operations,
      branch,
      create_branch: true,
      pull_request: { title: "X" },
      request_id: branch,
    };
    for (const method of ["POST", "GET"]) {
      served.stack.host.faults.add({
        kind: "status",
        status: 502,
        afterwards,
        match: (asked, path) => asked === method && path.split("?")[0]?.endsWith("/pulls") === true,
      });
    }
    const first = await served.mutate(given);
    assert.deepEqual([first.body.status, first.body.pull_request?.status], ["committed", "failed"]);
    served.stack.host.faults.clear();
    const again = await served.stack.counted(() => served.mutate(given));
    const { already_applied, commitSha, pull_request: pull } = again.result.body;
    assert.deepEqual([already_applied, commitSha, pull?.status], [true, first.body.commitSha, "open"]);
    outcomes.push([
      pull?.number,
      shapeOf(again.requests).map((asked) => asked.replace(/ \/repositories\/\d+/, " ")),
    ]);
    const last = await served.stack.counted(() => served.mutate(given));
    assert.deepEqual(last.requests.length, 1, "what HEAD denies by now");
    assert.deepEqual(last.result.body.pull_request, pull);
  }
  assert.deepEqual(outcomes, [
    [1, ["POST /pulls", "GET /commits/HEAD"]],
    [2, ["POST /pulls", "GET /pulls", "GET /commits/HEAD"]],
  ]);
});
