// Commits, annotated tags and blobs of the git API, by full SHA.
import { type Answer, ApiError, bytes, json, notFound } from "../http/answer.ts";
import type { RepositoryExchange, RepositoryRoute } from "../http/exchange.ts";
import { wrapBase64 } from "../shapes/base64.ts";
import { immutable, lastModified } from "../shapes/cache.ts";
import { gitCommitShape, messageShape, personShape, verificationShape } from "../shapes/commit.ts";
import { linksOf, nodeId } from "../shapes/links.ts";
import { emptyOr, missing } from "./missing.ts";

const FULL_SHA = /^[0-9a-f]{40}$/;

async function commit(exchange: RepositoryExchange): Promise<Answer> {
  const sha = exchange.params.sha ?? "";
  const found = FULL_SHA.test(sha) ? await exchange.repository.git.commit(sha) : null;
  if (!found) throw await missing(exchange);
  const headers = { ...immutable(exchange.caller.token), ...lastModified(found.committer.seconds) };
  return json(gitCommitShape(linksOf(exchange), sha, found), headers);
}

async function tag(exchange: RepositoryExchange): Promise<Answer> {
  const sha = exchange.params.sha ?? "";
  const found = FULL_SHA.test(sha) ? await exchange.repository.git.tag(sha) : null;
  if (!found) throw await missing(exchange);
  const links = linksOf(exchange);
  const shape = {
    node_id: nodeId("Tag", links.fullName, sha),
    sha,
    url: links.api(`/git/tags/${sha}`),
    tag: found.tag,
    message: messageShape(found.message),
    // Very old tags have none; GitHub's schema wants one all the same.
    tagger: personShape(found.tagger ?? { name: "", email: "", seconds: 0 }),
    object: { sha: found.object, type: found.type, url: links.api(`/git/${found.type}s/${found.object}`) },
    verification: verificationShape(found),
  };
  return json(shape, immutable(exchange.caller.token));
}

function tooLarge(limit: number): ApiError {
  return new ApiError(403, `This API returns blobs up to ${Math.floor(limit / 1024 / 1024)} MB in size.`, {
    members: { errors: [{ resource: "Blob", field: "data", code: "too_large" }] },
  });
}

async function blob(exchange: RepositoryExchange): Promise<Answer> {
  const { host, media, params, repository, caller } = exchange;
  const sha = params.sha ?? "";
  if (!FULL_SHA.test(sha)) {
    const message = "The sha parameter must be exactly 40 characters and contain only [0-9a-f].";
    throw await emptyOr(exchange, new ApiError(422, message));
  }
  const info = await repository.git.info(sha);
  if (info?.type !== "blob") throw await missing(exchange);
  if (info.size > host.limits.blobBytes) throw tooLarge(host.limits.blobBytes);
  const found = await repository.git.object(sha);
  if (!found) throw notFound();
  if (media.param === "raw") {
    return bytes(`${media.type}; charset=utf-8`, found.content, immutable(caller.token));
  }
  const links = linksOf(exchange);
  const shape = {
    sha,
    node_id: nodeId("Blob", links.fullName, sha),
    size: found.size,
    url: links.api(`/git/blobs/${sha}`),
    content: wrapBase64(found.content),
    encoding: "base64",
  };
  return json(shape, immutable(caller.token));
}

export const gitObjects: RepositoryRoute[] = [
  {
    method: "GET",
    pattern: "/git/commits/{sha}",
    docs: "https://docs.github.com/rest/git/commits#get-a-commit-object",
    run: commit,
  },
  {
    method: "GET",
    pattern: "/git/tags/{sha}",
    docs: "https://docs.github.com/rest/git/tags#get-a-tag",
    run: tag,
  },
  {
    method: "GET",
    pattern: "/git/blobs/{sha}",
    docs: "https://docs.github.com/rest/git/blobs#get-a-blob",
    run: blob,
  },
];
