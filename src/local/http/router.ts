// Finds the route of a request. Works on the raw path, so that `%2F` and `/` in refs and paths both arrive.
// Owns: patterns and the two addresses of a repository, `/repos/{owner}/{repo}` and `/repositories/{id}`.
import { type Directory, followHead } from "../directory.ts";
import type { Access } from "./access.ts";
import { type Answer, ApiError, notFound } from "./answer.ts";
import type { Exchange, RepositoryRoute, Route } from "./exchange.ts";
import { beforeWriting } from "./permissions.ts";

interface Compiled {
  method: string;
  pattern: RegExp;
}

/** A route that fits, with what is left to do. */
export interface Match {
  docs: string;
  resource: Route["resource"];
  run(exchange: Exchange): Promise<Answer>;
}

const TAIL: Record<string, string> = { "": "[^/]+", "+": ".+", "*": ".*" };
const ROOTS = ["/repos/{owner}/{repo}", "/repositories/{repository_id}"];

function compile(pattern: string): RegExp {
  const source = pattern
    .split(/(\{\w+[+*]?\})/)
    .map((part) => {
      const hole = /^\{(\w+)([+*]?)\}$/.exec(part);
      return hole ? `(?<${hole[1]}>${TAIL[hole[2] ?? ""]})` : part.replace(/[.\\+*?^$()|[\]]/g, "\\$&");
    })
    .join("");
  return new RegExp(`^${source}$`, "s");
}

/** Throws 404 for what is no percent-encoded UTF-8: nothing GitHub serves has such a name. */
function decode(groups: Record<string, string> | undefined): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(groups ?? {}).map(([name, raw]) => [name, decodeURIComponent(raw)]),
    );
  } catch (malformed) {
    if (malformed instanceof URIError) throw notFound();
    throw malformed;
  }
}

export class Router {
  readonly #plain: (Compiled & { route: Route })[];
  readonly #ofRepository: (Compiled & { route: RepositoryRoute })[];
  readonly #directory: Directory;
  readonly #access: Access;

  constructor(routes: Route[], repositoryRoutes: RepositoryRoute[], directory: Directory, access: Access) {
    this.#plain = routes.map((route) => ({ route, method: route.method, pattern: compile(route.pattern) }));
    this.#ofRepository = repositoryRoutes.flatMap((route) =>
      ROOTS.map((root) => ({ route, method: route.method, pattern: compile(root + route.pattern) })),
    );
    this.#directory = directory;
    this.#access = access;
  }

  /** HEAD finds what GET does. */
  match(requestMethod: string, path: string): Match | null {
    const method = requestMethod === "HEAD" ? "GET" : requestMethod;
    const fits = (one: Compiled): boolean => one.method === method && one.pattern.test(path);
    const plain = this.#plain.find(fits);
    if (plain) {
      const { route, pattern } = plain;
      return {
        docs: route.docs,
        resource: route.resource,
        run: async (exchange) => route.run({ ...exchange, params: decode(pattern.exec(path)?.groups) }),
      };
    }
    const found = this.#ofRepository.find(fits);
    if (!found) return null;
    const { route, pattern } = found;
    return {
      docs: route.docs,
      resource: route.resource,
      run: async (exchange) => {
        const params = decode(pattern.exec(path)?.groups);
        return this.#inRepository({ ...exchange, params }, route);
      },
    };
  }

  async #inRepository(exchange: Exchange, route: RepositoryRoute): Promise<Answer> {
    const { owner = "", repo = "", repository_id: id } = exchange.params;
    const byId = id === undefined ? undefined : this.#directory.byId(Number(id));
    const found = byId ? { repository: byId, moved: false } : this.#directory.byName(owner, repo);
    if (!found || !this.#access.mayRead(exchange.caller, found.repository)) throw notFound();
    if (exchange.caller.app !== undefined && !route.app) {
      throw new ApiError(401, "Bad credentials", { documentationUrl: "https://docs.github.com/rest" });
    }
    if (found.moved) throw moved(exchange, found.repository.id);
    if (route.writes) beforeWriting(exchange.host, exchange.caller, found.repository, route.writes);
    await followHead(found.repository);
    const answer = await route.run({ ...exchange, repository: found.repository });
    if (!route.writes) return answer;
    const accepted = { "x-accepted-github-permissions": `${route.writes}=write` };
    return { ...answer, headers: { ...accepted, ...answer.headers } };
  }
}

/** A renamed repository: 301 for reading, 307 for the rest, to the address that never changes. */
function moved(exchange: Exchange, id: number): ApiError {
  const rest = exchange.path.replace(/^\/repos\/[^/]+\/[^/]+/, "");
  const query = exchange.query.size > 0 ? `?${exchange.query}` : "";
  const url = `${exchange.host.url}/repositories/${id}${rest}${query}`;
  const reading = exchange.method === "GET" || exchange.method === "HEAD";
  return new ApiError(reading ? 301 : 307, reading ? "Moved Permanently" : "Temporary Redirect", {
    documentationUrl: "https://docs.github.com/v3/#http-redirects",
    members: { url },
    headers: { location: url },
  });
}
