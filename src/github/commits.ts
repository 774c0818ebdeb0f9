/**
 * Commits: asked for once, proven from their own bytes where these can be rebuilt, and kept for ever.
 * Refuses an answer for another id than asked. What could not be rebuilt is kept as the host's word (`attested`), sealed.
 */
import * as z from "zod";
import { type Key, objectKey } from "../cache/keys.ts";
import { seal, unseal } from "../cache/sealed.ts";
import { type Form, readThrough } from "../cache/tiered.ts";
import { decodeCommit, type Signature } from "../core/git/commit.ts";
import { type HostCommit, rebuildCommit } from "../core/git/commit-rebuild.ts";
import { objectId } from "../core/git/hash.ts";
import type { ObjectId } from "../core/git/object-id.ts";
import type { Commit, Person } from "../ports/repository-reader.ts";
import { gitCommitAnswer } from "./answers.ts";
import { unexpected } from "./failure.ts";
import { getJson, type Repository } from "./repository.ts";

/** `bytes`: the commit object itself, where it is known. */
interface KnownCommit {
  commit: Commit;
  bytes: Uint8Array | null;
}

const toPerson = ({ name, email, seconds }: Signature): Person => ({
  name,
  email,
  date: new Date(seconds * 1000).toISOString(),
});

/** As GitHub does: one newline at the end of a message is left out. */
const toMessage = (text: string): string => text.replace(/\n$/, "");

function fromBytes(sha: ObjectId, bytes: Uint8Array): KnownCommit | null {
  if (objectId("commit", bytes) !== sha) return null;
  const decoded = decodeCommit(bytes);
  if (decoded === null) return null;
  const { tree, parents, author, committer, message } = decoded;
  return {
    commit: {
      sha,
      tree,
      parents,
      author: toPerson(author),
      committer: toPerson(committer),
      message: toMessage(message),
      assurance: "hashed",
    },
    bytes,
  };
}

const person = z.object({ name: z.string(), email: z.string(), date: z.string() });
const attestedCommit = z.object({
  sha: z.string(),
  tree: z.string(),
  parents: z.array(z.string()),
  author: person,
  committer: person,
  message: z.string(),
  assurance: z.literal("attested"),
});

function fromSeal(key: string, sha: ObjectId, bytes: Uint8Array): KnownCommit | null {
  const text = unseal(key, bytes);
  if (text === null) return null;
  const checked = attestedCommit.safeParse(JSON.parse(text));
  return checked.success && checked.data.sha === sha ? { commit: checked.data, bytes: null } : null;
}

const commitForm = (sha: ObjectId): Form<KnownCommit> => ({
  decode: (key, bytes) => fromBytes(sha, bytes) ?? fromSeal(key, sha, bytes),
  encode: (key, { commit, bytes }) => bytes ?? seal(key, JSON.stringify(commit)),
  weigh: ({ commit, bytes }) => 600 + commit.message.length * 2 + (bytes?.byteLength ?? 0),
});

const instant = (date: string): string => new Date(date).toISOString();

function fromHost(host: HostCommit): KnownCommit {
  const bytes = rebuildCommit(host);
  const proven = bytes === null ? null : fromBytes(host.sha, bytes);
  if (proven !== null) return proven;
  const { sha, tree, parents, author, committer, message } = host;
  const commit: Commit = {
    sha,
    tree,
    parents,
    author: { ...author, date: instant(author.date) },
    committer: { ...committer, date: instant(committer.date) },
    message,
    assurance: "attested",
  };
  return { commit, bytes: null };
}

const commitKey = (repository: Repository, sha: ObjectId): Key<KnownCommit> =>
  objectKey(repository.keys, "commit", sha);

/**
 * Keeps a commit that came along with another answer (a tip, an abbreviation), unless it is known. Every isolate meets
 * the same tips, and writes cost more than reads: so the store is looked into first, without anyone waiting for it.
 */
export function keepCommit(repository: Repository, host: HostCommit): void {
  const { memory, store, background } = repository.tiers;
  const key = commitKey(repository, host.sha);
  if (memory.get(key) !== undefined) return;
  const form = commitForm(host.sha);
  const known = fromHost(host);
  memory.set(key, known, form.weigh(known));
  const putIfAbsent = async (): Promise<void> => {
    if ((await store.get(key)) === null) store.put(key, form.encode(key, known));
  };
  background.keepAlive(putIfAbsent());
}

/** The same for one of many that came along in a list: in memory only, as a list would be as many writes to the store. */
export function rememberCommit(repository: Repository, host: HostCommit): Commit {
  const { memory } = repository.tiers;
  const key = commitKey(repository, host.sha);
  const known = memory.get(key);
  if (known !== undefined) return known.commit;
  const fresh = fromHost(host);
  memory.set(key, fresh, commitForm(host.sha).weigh(fresh));
  return fresh.commit;
}

/** Null: the repository can be read and has no such commit. */
export async function readCommit(repository: Repository, sha: ObjectId): Promise<Commit | null> {
  const what = "a commit";
  const known = await readThrough(repository.tiers, commitKey(repository, sha), commitForm(sha), async () => {
    const answer = await getJson(repository, { path: `/git/commits/${sha}`, what }, gitCommitAnswer);
    if (answer.status === 404) {
      await repository.confirm();
      return null;
    }
    // 422: the id is none of a commit. 409: the repository is empty, so it holds no commit at all.
    if (answer.status === 422 || answer.status === 409) return null;
    if (answer.status !== 200) throw unexpected(what, `HTTP ${answer.status}`);
    if (answer.data.sha !== sha) throw unexpected(what, "it is another commit than asked for");
    return fromHost(answer.data);
  });
  return known?.commit ?? null;
}
