/** A commit that was just pushed: the tip that is known may be older than it, and then proves nothing against it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { GitRepository } from "../../test/repositories/git.ts";
import { type Hosted, hosted } from "../../test/repositories/hosted.ts";

const repository = new GitRepository("pushed");
let at: Hosted;
before(async () => {
  repository.write("a.txt", "one\n").commit("first");
  at = await hosted(repository.path);
});
after(async () => {
  await at.host.close();
  repository.remove();
});

test("a tip of two seconds ago is asked for again before a commit counts as unreachable", async () => {
  const isolate = at.isolate({ headMaxAgeSeconds: 15 });
  const known = await at.call(isolate).reader.head();
  const pushed = repository.write("a.txt", "two\n").commit("second");
  at.clock.ms += 2000;
  at.forget();
  const { reader } = at.call(isolate);
  assert.equal(await reader.reachable(pushed), true);
  assert.equal((await reader.head()).sha, pushed, "one call has one HEAD");
  assert.deepEqual(at.paths(), [
    `/compare/${pushed}...${known.sha}?per_page=1&page=2`,
    "/commits/HEAD?per_page=1",
  ]);
});

test("a commit that no ref leads to costs one look at the tip in a while, whoever asks", async () => {
  const lost = repository.feed("", "commit-tree", "HEAD^{tree}", "-m", "lost");
  const isolate = at.isolate({ headMaxAgeSeconds: 15 });
  await at.call(isolate).reader.head();
  at.clock.ms += 2000;
  assert.equal(await at.call(isolate).reader.reachable(lost), false);
  at.forget();
  for (let call = 0; call < 5; call++) {
    assert.equal(await at.call(isolate).reader.reachable(lost), false);
    at.clock.ms += 250;
  }
  assert.deepEqual(at.paths(), []);
  at.clock.ms += 1000;
  assert.equal(await at.call(isolate).reader.reachable(lost), false);
  assert.deepEqual(at.paths(), ["/commits/HEAD?per_page=1"]);
});

test("when the tip cannot be asked for again, nobody knows", async () => {
  const isolate = at.isolate({ headMaxAgeSeconds: 15 });
  await at.call(isolate).reader.head();
  const pushed = repository.write("a.txt", "three\n").commit("third");
  at.clock.ms += 2000;
  const fault = at.host.faults.add({ kind: "reset", match: (_, path) => path.includes("/commits/") });
  assert.equal(await at.call(isolate).reader.reachable(pushed), null);
  fault.remove();
  assert.equal(await at.call(isolate).reader.reachable(pushed), true);
});
