/**
 * A writer that refuses whatever the registry does not open, behind whoever plans commits: what is planned wrongly is not
 * committed. The rules are `core/policy/writable.ts`'s; here they are asked at every step that makes or moves something.
 */
import { assertMayWrite } from "../core/policy/writable.ts";
import type { Caller } from "../ports/registry.ts";
import type { RepositoryWriter } from "../ports/repository-writer.ts";
import type { RepositoryEntry } from "../schema/registry.ts";

/** Every operation but those that only read throws `write_not_allowed` for what may not be changed. */
export function withinGrant(
  writer: RepositoryWriter,
  entry: RepositoryEntry,
  { team }: Caller,
): RepositoryWriter {
  const assert = (asked: { branch?: string; paths?: readonly string[] }) =>
    assertMayWrite(entry, { team, paths: [], ...asked });
  return {
    tip: (branch) => writer.tip(branch),
    landed: (branch, commit) => writer.landed(branch, commit),
    firstLanded: (branch, tree, message) => writer.firstLanded(branch, tree, message),
    inTheWayOf: (branch) => writer.inTheWayOf(branch),
    wrote: (branch, commit, files) => writer.wrote(branch, commit, files),
    async prepare(request) {
      assert({ paths: request.files.map(({ path }) => path) });
      return await writer.prepare(request);
    },
    async advance(branch, from, to) {
      assert({ branch });
      return await writer.advance(branch, from, to);
    },
    async createBranch(branch, at) {
      assert({ branch });
      return await writer.createBranch(branch, at);
    },
    async firstCommit(file, branch, message) {
      assert({ branch, paths: [file.path] });
      return await writer.firstCommit(file, branch, message);
    },
    // What a pull request asks to change is not changed by asking: only the branch it comes from must be one of the caller's.
    async openPullRequest(input) {
      assert({ branch: input.head });
      return await writer.openPullRequest(input);
    },
  };
}
