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

test("where nobody left word, the tip of such a branch is found by one more question; of other branches it tells nothing", async () => {
  const pushed = here.foreign(here.head, "outside.txt", "outside\n");
  const onward = here.foreign(pushed, "more.txt", "more\n");
  here.git("branch", "secret", pushed);
  const github = here.at.isolate();
  const { reader } = here.at.call(github, OPEN);
  assert.equal((await reader.head()).sha, here.head);
  assert.equal((await reader.commit(pushed))?.sha, pushed);
  here.at.forget();
  const compared = `GET /compare/${pushed}...${here.head}?per_page=1&page=2 200`;
  const looked = `GET /commits/${pushed}/branches-where-head 200`;
  assert.equal(await reader.reachable(pushed), false);
  assert.deepEqual(here.asked(), [compared, looked]);
  here.at.forget();
  assert.equal(await here.at.call(github, OPEN).reader.reachable(pushed), false);
  assert.deepEqual(here.asked(), [], "for a moment");

  here.git("branch", "agent/four", pushed);
  const another = here.at.isolate();
  assert.equal(await here.at.call(another, OPEN).reader.reachable(pushed), true);
  assert.deepEqual(here.asked().slice(-1), [looked]);
  here.git("branch", "--force", "agent/four", onward);
  here.at.forget();
  assert.equal(await here.at.call(another, OPEN).reader.reachable(pushed), true);
  assert.equal(await here.at.call(here.at.isolate(), OPEN).reader.reachable(pushed), true);
  assert.deepEqual(here.asked(), [], "kept in memory and in the store");

  here.at.forget();
  assert.equal(await here.at.call(here.at.isolate()).reader.reachable(pushed), false);
  assert.ok(!here.asked().includes(looked), "no branch is open");
});

test("a host that cannot be asked which branches stand at a commit leaves it open; one without the question says no", async () => {
  const pushed = here.foreign(here.head, "outside.txt", "outside\n");
  here.git("branch", "agent/five", pushed);
  const github = here.at.isolate();
  const reachable = async () => await here.at.call(github, OPEN).reader.reachable(pushed);
  const match = (_: string, path: string) => path.endsWith("/branches-where-head");
  const broken = here.at.host.faults.add({ kind: "reset", match });
  assert.equal(await reachable(), null);
  broken.remove();
  const older = here.at.host.faults.add({ kind: "status", status: 404, match });
  assert.equal(await reachable(), false);
  older.remove();
  here.at.clock.ms += 1500;
  assert.equal(await reachable(), true);
});
