// Contents by path: files, directories, symlinks and submodules, as JSON, `object` or raw.
// Owns: GitHub's peculiarities here: a link to a file shows the file under the link's SHA, a trailing slash is
// redirected without its `ref`, listings are cut without a sign.

import { resolveCommit } from "../git/resolve.ts";
import { submoduleUrls } from "../git/submodules.ts";
import { type ListedEntry, listTree } from "../git/tree-listing.ts";
import { type Located, linkTarget, locate } from "../git/tree-path.ts";
import { type Answer, ApiError, bytes, json, notFound } from "../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../http/exchange.ts";
import { numericUrl } from "../http/pages.ts";
import { wrapBase64 } from "../shapes/base64.ts";
import { lastModified } from "../shapes/cache.ts";
import { type ContentFacts, type ContentType, contentShape } from "../shapes/content.ts";
import { linksOf } from "../shapes/links.ts";
import { rawUrl } from "./downloads.ts";

const DOCS = "https://docs.github.com/rest/repos/contents#get-repository-content";

/** A request for `path` at a commit. */
interface Asked {
  exchange: RepositoryExchange;
  path: string;
  ref: string;
  commit: string;
  tree: string;
  headers: Record<string, string>;
}

async function ask(exchange: RepositoryExchange): Promise<Asked> {
  const { git, defaultBranch } = exchange.repository;
  const named = exchange.query.get("ref") || null;
  const found = await resolveCommit(git, named ?? "HEAD", defaultBranch);
  const commit = found && (await git.commit(found.commit));
  if (!commit) {
    if (await git.isEmpty()) throw new ApiError(404, "This repository is empty.");
    throw new ApiError(404, `No commit found for the ref ${named ?? defaultBranch}`);
  }
  return {
    exchange,
    path: exchange.params.path ?? "",
    ref: named ?? defaultBranch,
    commit: found.commit,
    tree: commit.tree,
    headers: lastModified(commit.committer.seconds),
  };
}

function tooLarge(): ApiError {
  const message =
    "This API returns blobs up to 1 MB in size. The requested blob is too large to fetch via the API, but you can use the Git Data API to request blobs up to 100 MB in size.";
  return new ApiError(403, message, {
    members: { errors: [{ resource: "Blob", field: "data", code: "too_large" }] },
  });
}

/** `blob` holds the bytes; `sha` is what the answer says (the link's own for a symlink). */
async function file(asked: Asked, sha: string, blob: string): Promise<Answer> {
  const { exchange, path, ref, headers } = asked;
  const { git } = exchange.repository;
  const { limits } = exchange.host;
  const raw = exchange.media.param === "raw";
  const info = await git.info(blob);
  if (info?.type !== "blob") throw notFound();
  const { size } = info;
  const whole = size <= limits.contentsBytes;
  if (size > limits.blobBytes) throw tooLarge();
  if (!whole && !raw && limits.largeContents === "forbidden" && exchange.media.param !== "object")
    throw tooLarge();
  const found = whole || raw ? await git.object(blob) : null;
  // GitHub's ETag of a file is its blob; what a link shows can change without the link.
  const tagged = sha === blob ? { ...headers, etag: `W/"${sha}"` } : headers;
  if (raw) {
    return bytes(`${exchange.media.type}; charset=utf-8`, found?.content ?? Buffer.alloc(0), tagged);
  }
  const downloadUrl = rawUrl(exchange, asked.commit, path);
  const shape = contentShape(linksOf(exchange), { type: "file", path, sha, size, ref, downloadUrl });
  const content = found
    ? { content: wrapBase64(found.content), encoding: "base64" }
    : { content: "", encoding: "none" };
  return json({ ...shape, ...content }, tagged);
}

async function symlink(asked: Asked, link: Located): Promise<Answer> {
  const { exchange, path, ref, headers } = asked;
  const { git } = exchange.repository;
  const blob = await git.object(link.sha);
  if (!blob) throw notFound();
  const target = blob.content.toString("utf8");
  const inside = linkTarget(path, target);
  const led = inside === null ? null : await locate(git, asked.tree, inside);
  if (led?.mode.startsWith("100")) return file(asked, link.sha, led.sha);
  if (exchange.media.param === "raw") return file(asked, link.sha, link.sha);
  const facts: ContentFacts = {
    type: "symlink",
    path,
    sha: link.sha,
    size: blob.size,
    ref,
    downloadUrl: rawUrl(exchange, asked.commit, path),
  };
  return json({ ...contentShape(linksOf(exchange), facts), target }, headers);
}

async function submodule(asked: Asked, { sha }: Located): Promise<Answer> {
  const { exchange, path, ref, headers } = asked;
  const urls = await submoduleUrls(exchange.repository.git, asked.tree);
  const submoduleUrl = urls.get(path) ?? null;
  const facts: ContentFacts = { type: "submodule", path, sha, size: 0, ref, downloadUrl: null, submoduleUrl };
  return json({ ...contentShape(linksOf(exchange), facts), submodule_git_url: submoduleUrl }, headers);
}

function typeOf({ mode, type }: ListedEntry): ContentType {
  if (type === "tree") return "dir";
  if (type === "commit") return "submodule";
  return mode === "120000" ? "symlink" : "file";
}

async function directory(asked: Asked, { sha }: Located): Promise<Answer> {
  const { exchange, path, ref, commit } = asked;
  const { git } = exchange.repository;
  const links = linksOf(exchange);
  const room = exchange.host.limits.directoryEntries;
  const { entries } = await listTree(git, sha, false, (_, index) => index < room);
  const urls = entries.some(({ type }) => type === "commit")
    ? await submoduleUrls(git, asked.tree)
    : new Map();
  const shapes = entries.map((entry) => {
    const inner = path === "" ? entry.path : `${path}/${entry.path}`;
    const type = typeOf(entry);
    const facts: ContentFacts = {
      type,
      path: inner,
      sha: entry.sha,
      size: entry.size ?? 0,
      ref,
      downloadUrl: type === "file" || type === "symlink" ? rawUrl(exchange, commit, inner) : null,
      submoduleUrl: urls.get(inner) ?? null,
    };
    const older = type === "submodule" && exchange.apiVersion === "2022-11-28";
    return contentShape(links, facts, older ? "file" : type);
  });
  const { headers } = asked;
  if (exchange.media.param !== "object") return json(shapes, headers);
  const whole: ContentFacts = { type: "dir", path, sha, size: 0, ref, downloadUrl: null };
  return json({ ...contentShape(links, whole), entries: shapes }, headers);
}

async function contents(exchange: RepositoryExchange): Promise<Answer> {
  const asked = await ask(exchange);
  if (asked.path.endsWith("/")) {
    const location = numericUrl(exchange).replace(/(?:\/|%2F)+$/i, "");
    return { status: 302, headers: { location }, body: null };
  }
  const found = await locate(exchange.repository.git, asked.tree, asked.path);
  switch (found?.mode) {
    case undefined:
      throw notFound();
    case "040000":
      return directory(asked, found as Located);
    case "120000":
      return symlink(asked, found as Located);
    case "160000":
      return submodule(asked, found as Located);
    default:
      return file(asked, (found as Located).sha, (found as Located).sha);
  }
}

export const contentsRoutes: RepositoryRoute[] = [
  { method: "GET", pattern: "/contents", docs: DOCS, run: contents },
  { method: "GET", pattern: "/contents/{path*}", docs: DOCS, run: contents },
];
