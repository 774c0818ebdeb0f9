/** Branches that the registry opens to changes and does not register: who commits to one can read it, at its tip and by SHA. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { commitFile, planned, type Writing, writing } from "../../../test/repositories/writing.ts";

let here: Writing;
beforeEach(async () => {
  here = await writing();
});
afterEach(() => here.close());

const OPEN = { writable: { branches: ["agent/*"] } };

test("a branch that is open to changes may be named; others may not", async () => {
  here.git("branch", "agent/one");
  here.git("branch", "secret");
  const { reader } = here.at.call(here.at.isolate(), OPEN);
  for (const name of ["agent/one", "heads/agent/one", "refs/heads/agent/one"]) {
    const { ref, sha } = await reader.head(name);
    assert.deepEqual([ref, sha], ["refs/heads/agent/one", here.head], name);
  }
  for (const name of ["secret", "tags/agent/one", "agent/one/more"]) {
    await assert.rejects(reader.head(name), { code: "ref_not_registered" }, name);
  }
  const closed = here.at.call(here.at.isolate()).reader;
  await assert.rejects(closed.head("agent/one"), { code: "ref_not_registered" });
});

test("what was committed to such a branch is reachable, for every isolate, until no branch is open", async () => {
  const github = here.at.isolate();
  const { reader, writer } = here.at.call(github, OPEN);
  const request = await planned(reader, here.head, [commitFile("src/app.ts", "new\n")], "Change");
  const commit = await writer.prepare(request);
  assert.equal(await reader.reachable(commit), false);
  assert.equal(await writer.createBranch("agent/two", commit), "moved");
  writer.wrote("agent/two", commit, request.files);
  here.at.forget();
  assert.equal(await here.at.call(github, OPEN).reader.reachable(commit), true);
  assert.equal(await here.at.call(here.at.isolate(), OPEN).reader.reachable(commit), true);
  assert.deepEqual(here.asked(), []);
  assert.equal(await here.at.call(here.at.isolate()).reader.reachable(commit), false);
});

test("what somebody else pushed to such a branch is reachable once it was read by that name, for whom the same branches are open", async () => {
  const pushed = here.foreign(here.head, "outside.txt", "outside\n");
  here.git("branch", "agent/three", pushed);
  const github = here.at.isolate();
  const { sha } = await here.at.call(github, OPEN).reader.head("agent/three");
  assert.equal(sha, pushed);
  here.at.forget();
  assert.equal(await here.at.call(github, OPEN).reader.reachable(pushed), true);
  assert.equal(await here.at.call(here.at.isolate(), OPEN).reader.reachable(pushed), true);
  assert.deepEqual(here.asked(), []);
  for (const entry of [{}, { writable: { branches: ["other/*"] } }]) {
    assert.equal(await here.at.call(here.at.isolate(), entry).reader.reachable(pushed), false);
  }
});
