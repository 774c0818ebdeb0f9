/** Repositories and hosts that are not the ordinary case: empty ones, protected branches, older hosts; and what a removal leaves behind. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { MutationResult } from "../../src/schema/mutation-result.ts";
import { GitRepository } from "../repositories/git.ts";
import { shapeOf, type WrittenOptions, WrittenStack } from "./written-stack.ts";

async function started(context: TestContext, options: WrittenOptions): Promise<WrittenStack> {
  const served = await WrittenStack.start(options);
  context.after(() => served.close());
  return served;
}

const FILES = { "app.py": "def run():\n    return 0\n\n\ndef stop():\n    return 1\n" };

test("from an empty repository to a program of two packages, by receipts alone", async (context) => {
  const served = await started(context, { files: {} });
  const { status, repository_base: base } = await served.status();
  assert.deepEqual([status, base?.head], ["empty", null]);
  const unit = (path: string, name: string) => ({ language: "go", package: path, name });
  const create = (repository_base: unknown, at: object, name: string, body: string, imports?: string[]) => ({
    verb: "create",
    target: name,
    description: `Add ${name}`,
    payload: { EntityCreate: { name, kind: "function", body, repository_base, unit: at, imports } },
  });
  const main = unit(".", "main");
  const first = await served.mutate({ operations: [create(base, main, "main", "func main() {}")] });
  assert.equal(first.body.status, "committed", JSON.stringify(first.body));
  assert.deepEqual([first.body.parent, served.head()], [null, first.body.commitSha]);
  assert.equal(served.git("rev-parse", "main^{tree}"), first.body.treeSha);
  const { repository_base: next } = first.body;
  const second = await served.mutate({
    operations: [
      create(next, main, "run", 'func run() {\n\tfmt.Println("run")\n}', ["fmt"]),
      create(next, unit("store", "store"), "Get", "func Get() int {\n\treturn 1\n}"),
    ],
  });
  assert.equal(second.body.status, "committed", JSON.stringify(second.body));
  assert.equal(
    served.git("show", "main:main.go"),
    'package main\n\nimport (\n\t"fmt"\n)\n\nfunc main() {}\n\nfunc run() {\n\tfmt.Println("run")\n}',
  );
  assert.equal(served.git("show", "main:store/store.go"), "package store\n\nfunc Get() int {\n\treturn 1\n}");
  // The base of the empty repository is outdated by now: nobody's first file is overwritten.
  const late = await served.mutate({ operations: [create(base, main, "late", "func late() {}")] });
  assert.deepEqual([late.status, late.body.code], [409, "repository_base_conflict"]);
  served.assertSound();
});

test("a protected branch refuses; its next step leads to a branch and a pull request", async (context) => {
  const served = await started(context, { files: FILES, protectedBranches: ["main"] });
  const operations = [served.patchOf(await served.source("app.py", "run"), "return 0", "return 2")];
  const head = served.head();
  const refused = await served.mutate({ operations, request_id: "r" });
  const { error } = refused.body as unknown as { error: { code: string; nextStep: string } };
  assert.deepEqual([refused.status, error.code, served.head()], [409, "branch_protected", head]);
  assert.match(error.nextStep, /branch set to a new name, create_branch true and pull_request/);
  const made = await served.mutate({
    operations,
    request_id: "r",
    branch: "agent/run",
    create_branch: true,
    pull_request: { title: "Run differently" },
  });
  assert.deepEqual([made.status, made.body.pull_request?.number], [200, 1], JSON.stringify(made.body));
  assert.equal(served.head("agent/run"), made.body.commitSha);
  assert.equal(served.head(), head);
  // What was committed to a branch that may be written can be read back.
  assert.equal(made.body.next?.tool, "pin.prove");
  const proof = await served.stack.post("/v1/prove", made.body.next?.arguments);
  assert.deepEqual([proof.status, proof.body.claimTextMatch], [200, true], JSON.stringify(proof.body));
});

for (const refUpdates of [true, false]) {
  test(`uncommitted work in the clone is told, and how to go on: ${refUpdates ? "" : "no "}updateRefs`, async (context) => {
    const told: string[] = [];
    const host = { refUpdates, onWorkInTheWay: (line: string) => void told.push(line) };
    const served = await started(context, { files: FILES, host });
    const tree = `${served.path}-tree`;
    served.git("worktree", "add", "--quiet", tree, "main");
    writeFileSync(join(tree, "app.py"), "def mine():\n    return 0\n");
    const operations = [served.patchOf(await served.source("app.py", "run"), "return 0", "return 2")];
    const head = served.head();
    const refused = await served.mutate({ operations, request_id: "r" });
    const { error } = refused.body as unknown as { error: Record<string, unknown> };
    const words = "the clone has uncommitted changes in app.py: commit or stash them";
    assert.equal(refused.status, 409);
    assert.deepEqual(error, {
      code: "branch_protected",
      message:
        "The branch is checked out in the served clone, and the clone has uncommitted changes in app.py.",
      fault: "upstream",
      retryable: false,
      nextStep:
        "Nothing was changed. Commit or stash them in the clone, then send the same call again; or send it with branch set to a new name and create_branch true.",
      data: { branch: "main", reason: "uncommitted", said: words, applied: false },
    });
    assert.deepEqual(told, [`Refused to commit to main of octo/app: ${words}.`]);
    assert.equal(served.head(), head);
    served.git("-C", tree, "stash", "--quiet");
    const done = await served.mutate({ operations, request_id: "r" });
    assert.deepEqual([done.status, served.head()], [200, done.body.commitSha]);
    assert.match(readFileSync(join(tree, "app.py"), "utf8"), /return 2/);
  });
}

test("a host without a compare-and-swap of refs: the branch is read and moved forward", async (context) => {
  const served = await started(context, { files: FILES, host: { refUpdates: false } });
  const first = await served.mutate({
    operations: [served.patchOf(await served.source("app.py", "run"), "return 0", "return 2")],
  });
  assert.equal(first.body.status, "committed", JSON.stringify(first.body));
  assert.equal(served.head(), first.body.commitSha);
  const [entity] = first.body.entities ?? [];
  const edits = [{ old_text: "return 2", new_text: "return 3" }];
  const payload = { EntitySourcePatch: { source_base: entity?.source_base, edits } };
  const operation = { verb: "patch", target: entity?.id, description: "", payload };
  const { result, requests } = await served.stack.counted(() => served.mutate({ operations: [operation] }));
  assert.equal(result.body.status, "committed");
  assert.deepEqual(
    shapeOf(requests).map((request) => request.replace(/ \/repositories\/\d+/, " ")),
    [
      "GET /commits/heads%2Fmain",
      "POST /git/trees",
      "POST /git/commits",
      "GET /commits/heads%2Fmain",
      "PATCH /git/refs/heads/main",
    ],
  );
});

test("what still names a removed function is listed: a dry run fetches the archive, and after it that costs nothing", async (context) => {
  const files = {
    ...FILES,
    "use.py": "from app import run\n\nrun()\n",
    "README.md": "`run` runs; running does not count.\n",
  };
  const served = await started(context, { files });
  const source = await served.source("app.py", "run");
  const operation = {
    verb: "remove",
    target: source.id,
    description: "",
    payload: { EntityRemove: { source_base: source.source_base } },
  };
  const rehearse = () =>
    served.stack.counted(() => served.mutate({ operations: [operation], dry_run: true }));
  const first = await rehearse();
  assert.equal(first.requests.filter((request) => request.includes("/tarball/")).length, 1);
  const { result, requests } = await rehearse();
  const { references } = result.body as MutationResult;
  assert.ok(typeof references === "object", JSON.stringify(references));
  assert.deepEqual(references, first.result.body.references);
  assert.deepEqual(
    references.lines.map(({ path, line }) => `${path}:${line}`),
    ["README.md:1", "use.py:1", "use.py:3"],
  );
  assert.ok(requests.length <= 1, requests.join("\n"));
  const done = await served.mutate({ operations: [operation] });
  const told = done.body.references;
  assert.ok(typeof told === "object");
  // Git itself, on what was committed.
  const clone = new GitRepository("judge");
  context.after(() => clone.remove());
  clone.git("fetch", "--quiet", served.path, "main");
  const found = clone
    .shell(told.command ?? "")
    .toString("utf8")
    .trim()
    .split("\n");
  assert.deepEqual(
    found.map((line) => line.replace(`${done.body.commitSha}:`, "").replace(/:(\d+):.*/, ":$1")),
    told.lines.map(({ path, line }) => `${path}:${line}`),
  );
});
