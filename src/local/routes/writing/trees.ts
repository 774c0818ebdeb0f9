// Making a tree, new or over another one: entries by object id, with their content inline, or taken away (`sha: null`).
import { editTree, ImpossibleChange, type TreeChange } from "../../git/edited-tree.ts";
import { isTreePath } from "../../git/tree-names.ts";
import { type Answer, ApiError, json } from "../../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../../http/exchange.ts";
import { type Members, objects, optionalString, readMembers } from "../../http/json-body.ts";
import { assertMaySet } from "../../http/permissions.ts";
import { linksOf } from "../../shapes/links.ts";
import { treeShape } from "../trees.ts";
import { assertNotEmpty, isSha, typeAt } from "./target.ts";

const MODES: Record<string, "blob" | "tree" | "commit"> = {
  "100644": "blob",
  "100755": "blob",
  "120000": "blob",
  "040000": "tree",
  "160000": "commit",
};

interface Entry {
  path: string;
  mode: string;
  type: "blob" | "tree" | "commit";
  /** Bytes to be made a blob, an object's id, or null: to be taken away. */
  what: { content: string } | { sha: string } | null;
}

const refuse = (message: string): ApiError => new ApiError(422, message);

function readEntry(members: Members): Entry {
  const path = optionalString(members, "path");
  if (path === undefined) throw refuse("Must supply a valid tree.path");
  if (!isTreePath(path)) throw refuse("tree.path contains a malformed path component");
  const mode = optionalString(members, "mode") ?? "";
  const type = MODES[mode];
  if (type === undefined) throw refuse("Must supply a valid tree.mode");
  if (mode === "120000" && /(?:^|\/)\.gitmodules$/i.test(path))
    throw refuse("tree.path contains a malformed path component");
  const { sha } = members;
  const content = optionalString(members, "content");
  if ((sha === undefined) === (content === undefined)) {
    throw refuse(
      "Must supply either tree.sha or tree.content. Request will be rejected if both are present.",
    );
  }
  if (content !== undefined) {
    if (type !== "blob") throw refuse("Must supply a valid tree.mode");
    return { path, mode, type, what: { content } };
  }
  if (sha === null) return { path, mode, type, what: null };
  if (typeof sha !== "string" || !isSha(sha)) throw refuse(`tree.sha ${String(sha)} is not a valid ${type}`);
  return { path, mode, type, what: { sha } };
}

/** The change of a tree that an entry stands for; makes the blob of one with content. */
async function changeOf(
  exchange: RepositoryExchange,
  { path, mode, type, what }: Entry,
): Promise<TreeChange> {
  if (what === null) return { path, mode, sha: null };
  if ("content" in what) {
    return { path, mode, sha: await exchange.repository.git.writer.blob(Buffer.from(what.content)) };
  }
  // A submodule's commit lives elsewhere.
  if (type !== "commit" && (await typeAt(exchange, what.sha)) !== type) {
    throw refuse(`tree.sha ${what.sha} is not a valid ${type}`);
  }
  return { path, mode, sha: what.sha };
}

/** The tree that a base names, itself or through a commit; null for none. */
async function baseTree(exchange: RepositoryExchange, members: Members): Promise<string | null> {
  const base = members.base_tree === null ? undefined : optionalString(members, "base_tree");
  if (base === undefined || base === "") return null;
  const type = await typeAt(exchange, base);
  if (type === "tree") return base;
  const commit = type === "commit" ? await exchange.repository.git.commit(base) : null;
  if (commit === null) throw refuse("base_tree is not a valid tree oid");
  return commit.tree;
}

async function create(exchange: RepositoryExchange): Promise<Answer> {
  await assertNotEmpty(exchange);
  const members = await readMembers(exchange);
  const entries = objects(members, "tree").map(readEntry);
  if (entries.length === 0) throw refuse("Invalid tree info");
  assertMaySet(
    exchange.caller,
    entries.map(({ path }) => path),
  );
  const base = await baseTree(exchange, members);
  const changes = await Promise.all(entries.map((entry) => changeOf(exchange, entry)));
  const sha = await editTree(exchange.repository.git, base, changes).catch((reason: unknown) => {
    throw reason instanceof ImpossibleChange ? refuse("GitRPC::BadObjectState") : reason;
  });
  const shape = await treeShape(exchange, { sha, tree: sha }, false);
  return json(shape, { location: linksOf(exchange).api(`/git/trees/${sha}`) }, 201);
}

export const treeWrites: RepositoryRoute[] = [
  {
    method: "POST",
    pattern: "/git/trees",
    docs: "https://docs.github.com/rest/git/trees#create-a-tree",
    writes: "contents",
    run: create,
  },
];
