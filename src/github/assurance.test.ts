/** What is proven and what rests on the host's word, over a history of peculiar commits and trees. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Hosted, hosted } from "../../test/repositories/hosted.ts";
import { type Peculiar, peculiarRepository } from "../local/testing/peculiar.ts";

let peculiar: Peculiar;
let at: Hosted;
before(async () => {
  peculiar = peculiarRepository();
  at = await hosted(peculiar.repository.path);
});
after(async () => {
  await at.host.close();
  peculiar.remove();
});

test("every commit is proven but the one whose text JSON cannot carry; the store gives the same again", async () => {
  for (const from of ["host", "store"]) {
    const { reader, ledger } = at.call(at.isolate());
    for (const sha of peculiar.repository.git("rev-list", "--all").split("\n")) {
      const commit = await reader.commit(sha);
      assert.equal(
        commit?.assurance,
        sha === peculiar.latin1 ? "attested" : "hashed",
        `${sha} from the ${from}`,
      );
      assert.equal(commit?.tree, peculiar.repository.git("rev-parse", `${sha}^{tree}`));
      assert.deepEqual(
        commit?.parents,
        peculiar.repository.git("show", "-s", "--format=%P", sha).split(" ").filter(Boolean),
      );
    }
    if (from === "store") assert.equal(ledger.upstreamRequests, 0);
  }
});

test("a name that is not UTF-8 leaves its own tree to the host's word, not those below it", async () => {
  const { reader } = at.call(at.isolate());
  const commit = await reader.commit(peculiar.head);
  assert.ok(commit);
  assert.equal((await reader.paths(commit)).assurance, "attested");
  assert.equal((await reader.directory(commit, ""))?.assurance, "attested");
  const found = await reader.entry(commit, "bad-\ufffd-name.txt");
  assert.equal(found?.assurance, "attested");
  assert.ok(found);
  assert.equal(Buffer.from(await reader.blob(found.entry.id)).toString(), "not utf-8\n");
  const earlier = await reader.commit(peculiar.merge);
  assert.ok(earlier);
  assert.equal((await reader.entry(earlier, "dir/inner.txt"))?.assurance, "hashed");
});

test("a tip brings a commit that is proven as well", async () => {
  const github = at.isolate();
  const { reader, ledger } = at.call(github);
  const head = await reader.head();
  assert.equal((await reader.commit(head.sha))?.assurance, "hashed");
  assert.equal(ledger.upstreamRequests, 1);
});
