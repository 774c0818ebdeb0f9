/**
 * Blobs, a tree and a commit, made at GitHub. Nothing refers to them, so nobody sees them: a request whose outcome was not told may be
 * made once more, a tree only after its id was looked for. Every id that GitHub gives is compared with the one computed here.
 * Text goes inline in the tree request; what is no text, and what would make that request too large, as blobs before it.
 */
import * as z from "zod";
import type { HostCommit } from "../../core/git/commit-rebuild.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import { EMPTY_TREE } from "../../core/git/tree.ts";
import type { CommitFile, CommitRequest } from "../../ports/repository-writer.ts";
import { gitCommitAnswer } from "../answers.ts";
import { unexpected } from "../failure.ts";
import { getJson } from "../repository.ts";
import { reasonOf, type Step } from "./refusal.ts";
import { type Sent, sent, type WritableRepository } from "./writable-repository.ts";
import { treeMismatch } from "./write-failure.ts";

/**
 * Bytes of inline text in one tree request. GitHub names no bound; requests from about 2.5 MB on were seen to end in 502 or a time-out,
 * and its work on one is cut after ten seconds.
 */
const INLINE_BYTES_AT_MOST = 2_000_000;

const shaAnswer = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) });

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Null: not UTF-8, or with NUL characters, which not everything between here and git's storage lets through. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Paths of the files that are sent as text, with it: all that is text, but the largest ones where it is too much. */
export function inlineTexts(
  files: readonly CommitFile[],
  atMost = INLINE_BYTES_AT_MOST,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let bytes = 0;
  for (const file of [...files].sort((a, b) => a.bytes.byteLength - b.bytes.byteLength)) {
    if (bytes + file.bytes.byteLength > atMost) break;
    const text = textOf(file.bytes);
    if (text === null) continue;
    bytes += file.bytes.byteLength;
    texts.set(file.path, text);
  }
  return texts;
}

/** The answer of a request for an object: asked for once more where nobody knows whether it was made. */
async function made<T>(
  repository: WritableRepository,
  ask: () => Promise<Sent<T>>,
  step: Step,
  look: () => Promise<T | null> = async () => null,
): Promise<T> {
  let answer = await ask();
  if (answer.status === "unknown") {
    const found = await look();
    if (found !== null) return found;
    answer = await ask();
  }
  if (answer.status === "done") return answer.data;
  throw answer.status === "refused" ? await reasonOf(repository, answer, step) : answer.failure;
}

async function makeBlob(repository: WritableRepository, { path, bytes, blob }: CommitFile): Promise<void> {
  const what = "a new blob";
  const body = { content: Buffer.from(bytes).toString("base64"), encoding: "base64" };
  const { sha } = await made(
    repository,
    () =>
      sent(
        repository.send({ method: "POST", path: "/git/blobs", body, what, access: "write" }),
        shaAnswer,
        what,
      ),
    { what, branch: null, paths: [path] },
  );
  if (sha !== blob) throw treeMismatch(blob, sha, { path });
}

/** Whether GitHub has a tree, as far as it can be found out. */
async function hasTree(repository: WritableRepository, id: ObjectId): Promise<boolean> {
  try {
    const path = `/git/trees/${id}`;
    const answer = await getJson(repository, { path, what: "a new tree" }, shaAnswer);
    return answer.status === 200 && answer.data.sha === id;
  } catch {
    // Whoever asks makes it once more then, which is no different for a tree that is there.
    return false;
  }
}

async function makeTree(repository: WritableRepository, request: CommitRequest): Promise<void> {
  const { files, parentTree, tree } = request;
  const what = "a new tree";
  const texts = inlineTexts(files);
  for (const file of files) if (!texts.has(file.path)) await makeBlob(repository, file);
  const body = {
    // Hosts may not store the tree without entries.
    ...(parentTree === EMPTY_TREE ? {} : { base_tree: parentTree }),
    tree: files.map(({ path, mode, blob }) => {
      const content = texts.get(path);
      return { path, mode, type: "blob", ...(content === undefined ? { sha: blob } : { content }) };
    }),
  };
  const { sha } = await made(
    repository,
    () =>
      sent(
        repository.send({ method: "POST", path: "/git/trees", body, what, access: "write" }),
        shaAnswer,
        what,
      ),
    { what, branch: null, paths: files.map(({ path }) => path) },
    async () => ((await hasTree(repository, tree)) ? { sha: tree } : null),
  );
  if (sha !== tree) throw treeMismatch(tree, sha);
}

/** Makes what the request asks for, and gives the commit as GitHub tells of it. */
export async function makeCommit(
  repository: WritableRepository,
  request: CommitRequest,
): Promise<HostCommit> {
  await makeTree(repository, request);
  const { message, tree, parent } = request;
  const what = "a new commit";
  const body = { message, tree, parents: [parent] };
  // A second commit that nothing refers to does no harm, and its id could not be looked for.
  const commit = await made(
    repository,
    () =>
      sent(
        repository.send({ method: "POST", path: "/git/commits", body, what, access: "write" }),
        gitCommitAnswer,
        what,
      ),
    { what, branch: null },
  );
  if (commit.tree !== tree) throw treeMismatch(tree, commit.tree);
  if (commit.parents.length !== 1 || commit.parents[0] !== parent)
    throw unexpected(what, "it has other parents than asked for");
  return commit;
}
