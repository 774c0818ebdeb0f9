// Archives and raw files. The API redirects to a download address (another host at GitHub, another path here).
// Owns: `/_codeload/…` and `/_raw/…`. Refuses: requests that carry `Authorization` there, because a client must not
// send its token to another host; what is private needs the short-lived token in its query.
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Directory, ServedRepository } from "../directory.ts";
import type { GitRepository } from "../git/repository.ts";
import { resolveCommit } from "../git/resolve.ts";
import { locate } from "../git/tree-path.ts";
import { type Answer, bytes, notFound } from "../http/answer.ts";
import { conditional } from "../http/conditional.ts";
import type { HostContext, RepositoryExchange, RepositoryRoute } from "../http/exchange.ts";
import { encodePath } from "../shapes/links.ts";

const FORMATS = {
  tarball: { folder: "legacy.tar.gz", format: "tar.gz", type: "application/x-gzip" },
  zipball: { folder: "legacy.zip", format: "zip", type: "application/zip" },
} as const;

type Kind = keyof typeof FORMATS;

const DOWNLOAD = /^\/(_codeload|_raw)\/([^/]+)\/([^/]+)\/([^/]+)\/(.+)$/s;

/** A download's address, with a token when the repository is private. */
function signed({ host, repository }: RepositoryExchange, path: string): string {
  const query = repository.private ? `?token=${host.downloads.issue(path)}` : "";
  return `${host.url}${path}${query}`;
}

export function rawUrl(exchange: RepositoryExchange, commit: string, path: string): string {
  const { owner, name } = exchange.repository;
  return signed(exchange, `/_raw/${owner}/${name}/${commit}/${encodePath(path)}`);
}

async function redirect(exchange: RepositoryExchange, kind: Kind): Promise<Answer> {
  const { owner, name, git, defaultBranch } = exchange.repository;
  const found = await resolveCommit(git, exchange.params.ref || "HEAD", defaultBranch);
  if (!found) throw notFound();
  const path = `/_codeload/${owner}/${name}/${FORMATS[kind].folder}/${encodePath(found.ref ?? found.commit)}`;
  const headers = {
    location: signed(exchange, path),
    "cache-control": "public, must-revalidate, max-age=0",
  };
  return { status: 302, headers, body: null };
}

const DOCS = "https://docs.github.com/rest/repos/contents#download-a-repository-archive";
const mount = (kind: Kind, docs: string): RepositoryRoute[] =>
  [`/${kind}`, `/${kind}/{ref*}`].map((pattern) => ({
    method: "GET",
    pattern,
    docs,
    run: (exchange) => redirect(exchange, kind),
  }));

export const archives: RepositoryRoute[] = [
  ...mount("tarball", `${DOCS}-tar`),
  ...mount("zipball", `${DOCS}-zip`),
];

const plain = (status: number, text: string): Answer => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: Buffer.from(text),
});

/** What is no percent-encoded UTF-8 stays as it is, and is not found. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (malformed) {
    if (malformed instanceof URIError) return part;
    throw malformed;
  }
}

/** Answers a download address; null when the path is none. `target` is the raw path with its query. */
export async function download(
  host: HostContext,
  directory: Directory,
  target: string,
  headers: IncomingHttpHeaders,
): Promise<Answer | null> {
  const [path = "", query] = target.split("?", 2);
  const parts = DOWNLOAD.exec(path);
  if (!parts) return null;
  if (headers.authorization !== undefined)
    return plain(400, "400: Bad Request: Authorization must not be sent here");
  const [, service, owner = "", name = "", third = "", rest = ""] = parts.map(decode);
  const repository = directory.byName(owner, name)?.repository;
  const token = new URLSearchParams(query).get("token");
  if (!repository || (repository.private && !host.downloads.allows(token, path))) {
    return plain(404, "404: Not Found");
  }
  const found =
    service === "_raw" ? await rawFile(repository, third, rest) : await archive(repository, third, rest);
  return found ? conditional(found, headers) : plain(404, "404: Not Found");
}

async function rawFile({ git }: ServedRepository, commit: string, path: string): Promise<Answer | null> {
  const tree = /^[0-9a-f]{40}$/.test(commit) ? (await git.commit(commit))?.tree : undefined;
  const found = tree === undefined ? null : await locate(git, tree, path);
  const blob = found && (await git.object(found.sha));
  return blob?.type === "blob" ? bytes("text/plain; charset=utf-8", blob.content) : null;
}

async function archive(repository: ServedRepository, folder: string, ref: string): Promise<Answer | null> {
  const { owner, name, git, defaultBranch } = repository;
  const kind = Object.values(FORMATS).find((one) => one.folder === folder);
  const found = kind && (await resolveCommit(git, ref, defaultBranch));
  if (!found) return null;
  const top = `${owner}-${name}-${found.commit.slice(0, 7)}`;
  const hash = createHash("sha256").update(`${top} ${found.commit} ${kind.format}`).digest("hex");
  return bytes(kind.type, archiveStream(git, kind.format, top, found.commit), {
    etag: `W/"${hash}"`,
    "content-disposition": `attachment; filename=${top}.${kind.format}`,
    "cache-control": "max-age=0, private, must-revalidate",
  });
}

/** `git archive` honours the attributes in the tree (`export-ignore`, `export-subst`), as GitHub does. */
function archiveStream(git: GitRepository, format: string, top: string, commit: string) {
  const child = git.start(["archive", `--format=${format}`, `--prefix=${top}/`, commit]);
  child.stderr.resume();
  child.on("error", (reason) => child.stdout.destroy(reason));
  child.on("close", (code) => {
    if (code !== 0) child.stdout.destroy(new Error(`git archive ended with ${code}`));
  });
  child.stdout.on("close", () => child.kill());
  return child.stdout;
}
