/** A commit made here is searched on the archive of the one it was made from: no archive is fetched, and `git grep` says the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OperationInput } from "../../src/schema/mutation.ts";
import type { SearchResult } from "../../src/schema/search.ts";
import { patchAt } from "./operations.ts";
import { REPOSITORY_ID, shapeOf, WrittenStack } from "./written-stack.ts";

const FILES = {
  ".gitattributes": "hidden.py export-ignore\nsubst.txt export-subst\n",
  "a.py": "def helper():\n    return 1\n\n\ndef other():\n    return helper()\n",
  "b.py": "from a import helper\n\n\ndef uses():\n    return helper() + 2\n",
  "hidden.py": "def secret():\n    return helper()\n",
  "subst.txt": "$Format:%H$ helper\n",
};

async function search(served: WrittenStack, query: string): Promise<SearchResult> {
  const { status, body } = await served.stack.post<SearchResult>("/v1/search-code", {
    repository: "app",
    query,
    wholeWord: true,
    caseSensitive: true,
    maxResults: 500,
  });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.complete, true);
  return body;
}

const hitsOf = ({ candidates }: SearchResult) =>
  candidates.map(({ sourcePath, line }) => `${sourcePath}:${line}`);

function grepped(served: WrittenStack, word: string): string[] {
  const said = served.git("grep", "-n", "-w", "-F", "-e", word, "main");
  return said.split("\n").map((line) => line.split(":").slice(1, 3).join(":"));
}

test("searches and references after a commit cost no archive, one commit after the other", async () => {
  const served = await WrittenStack.start({ files: FILES });
  try {
    const first = await search(served, "helper");
    assert.equal(first.repositories[0]?.archive?.from, "host");
    assert.deepEqual(hitsOf(first), grepped(served, "helper"));

    const uses = await served.source("b.py", "uses");
    const patch = served.patchOf(uses, "+ 2", "+ helper()");
    const created: OperationInput = {
      verb: "create",
      target: uses.id ?? "",
      description: "",
      payload: {
        EntityCreate: {
          name: "more",
          kind: "function",
          body: "def more():\n    return helper()\n",
          placement: "new_source_unit",
          source_base: uses.source_base ?? {},
        },
      },
    };
    const landed = await served.mutate({ operations: [patch, created] });
    assert.equal(landed.body.status, "committed", JSON.stringify(landed.body));

    const again = await served.stack.counted(() => search(served, "helper"));
    assert.deepEqual(shapeOf(again.requests), []);
    const archive = again.result.repositories[0]?.archive;
    assert.equal(archive?.from, "store");
    assert.deepEqual(hitsOf(again.result), grepped(served, "helper"));
    assert.equal(again.result.repositories[0]?.commitSha, served.head());

    const helper = await served.source("a.py", "helper");
    const removed = await served.mutate({
      operations: [
        {
          verb: "remove",
          target: helper.id ?? "",
          description: "",
          payload: {
            EntityRemove: { source_base: helper.source_base ?? {} },
          },
        },
      ],
    });
    assert.equal(removed.body.status, "committed", JSON.stringify(removed.body));
    const { references } = removed.body;
    assert(references !== undefined && references !== "not_checked", "the state after a commit is searched");
    assert.equal(references.complete, true);
    assert.deepEqual(
      references.lines.map(({ path, line }) => `${path}:${line}`),
      grepped(served, "helper"),
    );
    served.assertSound();
  } finally {
    await served.close();
  }
});

test("more files than are read as blobs: the next search fetches the archive of the commit itself", async () => {
  const source = (index: number) => `def f${index}():\n    return needle\n`;
  const files = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`m${index}.py`, source(index)]));
  const served = await WrittenStack.start({ files });
  try {
    assert.equal((await search(served, "needle")).totals.matchingLines, 51);
    const head = served.head();
    const place = { repository: "app", repositoryId: REPOSITORY_ID, head };
    const patches = await Promise.all(
      Object.entries(files).map(([path, text], index) =>
        patchAt({ ...place, path, text }, `f${index}`, ["return needle", "return 0  # needle"]),
      ),
    );
    const all = await served.mutate({ operations: patches });
    assert.equal(all.body.status, "committed", JSON.stringify(all.body));
    const after = await search(served, "needle");
    assert.equal(after.repositories[0]?.archive?.from, "host");
    assert.equal(after.repositories[0]?.archive?.replacedFiles, 0);
    assert.deepEqual(hitsOf(after), grepped(served, "needle"));
  } finally {
    await served.close();
  }
});
