// GitHub's own client writes here as it writes there: REST and GraphQL, and it understands what is refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Octokit } from "@octokit/core";
import { GitRepository } from "../../../../test/repositories/git.ts";
import { serve } from "../../testing/served.ts";

test("tree, commit, updateRefs, and a race that is lost", async () => {
  const repository = new GitRepository();
  const head = repository.write("a.txt", "a\n").commit("one");
  const { host } = await serve(repository.path, { writable: true });
  try {
    const octokit = new Octokit({ baseUrl: host.url, auth: "t", userAgent: "test" });
    const where = { owner: "octo", repo: "demo" };
    const tree = await octokit.request("POST /repos/{owner}/{repo}/git/trees", {
      ...where,
      base_tree: head,
      tree: [{ path: "b.txt", mode: "100644", type: "blob", content: "b\n" }],
    });
    const commit = await octokit.request("POST /repos/{owner}/{repo}/git/commits", {
      ...where,
      message: "two",
      tree: tree.data.sha,
      parents: [head],
    });
    const { repository: found } = await octokit.graphql<{ repository: { id: string } }>(
      "query($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { id } }",
      where,
    );
    const input = {
      repositoryId: found.id,
      refUpdates: [{ name: "refs/heads/main", beforeOid: head, afterOid: commit.data.sha }],
    };
    const move = () =>
      octokit.graphql(
        "mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }",
        {
          input,
        },
      );
    assert.deepEqual(await move(), { updateRefs: { clientMutationId: null } });
    assert.equal(repository.git("show", "main:b.txt"), "b");
    await assert.rejects(move(), { name: "GraphqlResponseError", message: /Reference update failed/ });
    const back = octokit.request("PATCH /repos/{owner}/{repo}/git/refs/{ref}", {
      ...where,
      ref: "heads/main",
      sha: head,
    });
    await assert.rejects(back, {
      name: "HttpError",
      status: 422,
      message: "Update is not a fast forward - https://docs.github.com/rest/git/refs#update-a-reference",
    });
  } finally {
    await host.close();
    repository.remove();
  }
});
