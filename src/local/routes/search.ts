// `GET /search/code`, as far as a clone can answer it: default branches, words without regard to case or punctuation.
// Owns GitHub's limits on it: a token is needed, 256 characters, five operators, files below 384 KB, 1,000 results, two
// fragments a file. Qualifiers: repo, user, org, path, filename, extension, in:file. Refuses all others (422), as it does
// what GitHub cannot parse; a repository that is unknown or not visible is told of in the same words as there.
import type { ServedRepository } from "../directory.ts";
import { locate } from "../git/tree-path.ts";
import { ApiError, json } from "../http/answer.ts";
import type { Exchange, Route } from "../http/exchange.ts";
import { type Page, pageOf } from "../http/pages.ts";
import { encodePath, Links } from "../shapes/links.ts";
import { repositoryShape } from "../shapes/repository.ts";

const DOCS = "https://docs.github.com/rest/search/search#search-code";
const QUERY_UNITS = 256;
const OPERATORS = 5;
const FILE_BYTES = 384 * 1024;
const RESULTS = 1000;
const FRAGMENTS = 2;
/** Characters of a fragment on each side of its match. */
const AROUND = 80;

interface Question {
  words: string[];
  repositories: string[];
  owners: string[];
  path: string | null;
  filename: string | null;
  extension: string | null;
}

interface Found {
  repository: ServedRepository;
  commit: string;
  path: string;
  sha: string;
  content: Buffer;
}

const invalid = (message: string, code = "invalid"): ApiError =>
  new ApiError(422, "Validation Failed", {
    members: { errors: [{ message, resource: "Search", field: "q", code }] },
  });

const unparsed = (): ApiError =>
  new ApiError(422, "ERROR_TYPE_QUERY_PARSING_FATAL unable to parse query!", {
    members: {
      errors: [{ message: "Query could not be parsed", resource: "Search", field: "q", code: "invalid" }],
    },
  });

function readQuestion(q: string | null): Question {
  if (q === null || q.trim() === "") throw invalid("The search must have a query.", "missing");
  const question: Question = {
    words: [],
    repositories: [],
    owners: [],
    path: null,
    filename: null,
    extension: null,
  };
  const terms: string[] = [];
  for (const part of q.trim().split(/\s+/)) {
    const qualifier = /^([a-z]+):(.+)$/.exec(part);
    if (qualifier === null) terms.push(part);
    else qualify(question, qualifier[1] ?? "", (qualifier[2] ?? "").replace(/^"|"$/g, ""));
  }
  const text = terms.join(" ");
  if (text.length > QUERY_UNITS) throw invalid(`The search is longer than ${QUERY_UNITS} characters.`);
  if (terms.filter((term) => /^(?:AND|OR|NOT)$/.test(term)).length > OPERATORS)
    throw invalid("More than five AND / OR / NOT operators were used.");
  // What is left of the operators is more than a clone's words: nothing here asks for it.
  if (/(?:^|\s)(?:OR|NOT)(?:\s|$)|[|]/.test(text)) throw unparsed();
  question.words = text
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== "" && word !== "AND")
    .map((word) => word.toLowerCase());
  if (question.words.length === 0 && question.filename === null)
    throw invalid("The search must contain at least one term.");
  return question;
}

function qualify(question: Question, name: string, value: string): void {
  if (name === "repo") question.repositories.push(value.toLowerCase());
  else if (name === "user" || name === "org") question.owners.push(value.toLowerCase());
  else if (name === "path" || name === "filename" || name === "extension")
    question[name] = value.toLowerCase();
  else if (name !== "in" || value !== "file") throw unparsed();
}

/** What the caller sees of what was named. Several of which some are seen: the others are left out without a word. */
function scope(question: Question, exchange: Exchange): ServedRepository[] {
  const visible = exchange.host.visible(exchange.caller);
  if (question.repositories.length === 0 && question.owners.length === 0) return visible;
  const named = visible.filter(
    ({ owner, name }) =>
      question.repositories.includes(`${owner}/${name}`.toLowerCase()) ||
      question.owners.includes(owner.toLowerCase()),
  );
  if (named.length > 0) return named;
  throw invalid(
    "The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.",
  );
}

function pathFits(path: string, { path: folder, filename, extension }: Question): boolean {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  return (
    (folder === null || lower.startsWith(folder.replace(/^\/|\/$/g, ""))) &&
    (filename === null || name.includes(filename)) &&
    (extension === null || name.endsWith(`.${extension}`))
  );
}

/** Files of the default branch in which every word stands somewhere. */
async function searchRepository(repository: ServedRepository, question: Question): Promise<Found[]> {
  const { git, defaultBranch } = repository;
  const tip = await git.firstRef(`refs/heads/${defaultBranch}`);
  const commit = tip === null ? null : await git.commit(tip.sha);
  if (tip === null || commit === null) return [];
  const patterns = question.words.flatMap((word) => ["-e", word]);
  const searched =
    patterns.length === 0
      ? ["ls-tree", "-r", "-z", "--name-only", tip.sha]
      : ["grep", "-l", "-z", "-I", "-i", "-F", "--all-match", ...patterns, tip.sha];
  const { stdout } = await git.run(searched, [0, 1]);
  const paths = stdout
    .toString("utf8")
    .split("\0")
    .filter(Boolean)
    .map((line) => (patterns.length === 0 ? line : line.slice(tip.sha.length + 1)));
  const found: Found[] = [];
  for (const path of paths.filter((one) => pathFits(one, question))) {
    const entry = await locate(git, commit.tree, path);
    const blob = entry && (await git.object(entry.sha));
    if (blob?.type !== "blob" || blob.content.length >= FILE_BYTES) continue;
    found.push({ repository, commit: tip.sha, path, sha: blob.sha, content: blob.content });
  }
  return found;
}

/** At most two stretches of the text; indices count within a stretch. */
function textMatches(exchange: Exchange, { repository, commit, path, content }: Found, words: string[]) {
  const text = content.toString("utf8");
  const lower = text.toLowerCase();
  const fragments: { fragment: string; matches: { text: string; indices: [number, number] }[] }[] = [];
  let from = 0;
  for (let i = 0; i < FRAGMENTS; i++) {
    const places = words.map((word) => lower.indexOf(word, from)).filter((place) => place >= 0);
    if (places.length === 0) break;
    const at = Math.min(...places);
    const start = Math.max(from, at - AROUND);
    const end = Math.min(text.length, at + AROUND);
    const fragment = text.slice(start, end);
    const matches = words.flatMap((word) => {
      const index = fragment.toLowerCase().indexOf(word);
      if (index < 0) return [];
      const indices: [number, number] = [index, index + word.length];
      return [{ text: fragment.slice(...indices), indices }];
    });
    fragments.push({ fragment, matches });
    from = end;
  }
  const contents = `${exchange.host.url}/repositories/${repository.id}/contents/${encodePath(path)}?ref=${commit}`;
  return fragments.map((one) => ({
    object_url: contents,
    object_type: "FileContent",
    property: "content",
    ...one,
  }));
}

function item(exchange: Exchange, found: Found, words: string[]): Record<string, unknown> {
  const { repository, commit, path, sha } = found;
  const links = new Links(exchange.host, repository);
  // A result holds the minimal form of its repository.
  const facts = { pushedAt: new Date(0).toISOString().replace(".000", ""), size: 0 };
  const { temp_clone_token: _, ...minimal } = repositoryShape({ ...exchange, repository }, facts);
  return {
    name: path.slice(path.lastIndexOf("/") + 1),
    path,
    sha,
    url: `${exchange.host.url}/repositories/${repository.id}/contents/${encodePath(path)}?ref=${commit}`,
    git_url: `${exchange.host.url}/repositories/${repository.id}/git/blobs/${sha}`,
    html_url: links.web(`/blob/${commit}/${encodePath(path)}`),
    repository: minimal,
    score: 1,
    ...(exchange.media.param === "text-match" && { text_matches: textMatches(exchange, found, words) }),
  };
}

function links({ host, query }: Exchange, page: Page, total: number): Record<string, string> {
  if (page.end >= Math.min(total, RESULTS)) return {};
  const next = new URLSearchParams(query);
  next.set("page", String(page.number + 1));
  return { link: `<${host.url}/search/code?${next}>; rel="next"` };
}

export const search: Route[] = [
  {
    method: "GET",
    pattern: "/search/code",
    docs: DOCS,
    resource: "code_search",
    async run(exchange) {
      if (exchange.caller.token === null) throw new ApiError(401, "Requires authentication");
      const question = readQuestion(exchange.query.get("q"));
      const page = pageOf(exchange.query, { usual: 30, most: 100 });
      if (page.start >= RESULTS) throw new ApiError(422, "Only the first 1000 search results are available");
      const found: Found[] = [];
      for (const repository of scope(question, exchange))
        found.push(...(await searchRepository(repository, question)));
      const shown = found.slice(page.start, Math.min(page.end, RESULTS));
      const body = {
        total_count: found.length,
        incomplete_results: false,
        items: shown.map((one) => item(exchange, one, question.words)),
      };
      return json(body, links(exchange, page, found.length));
    },
  },
];
