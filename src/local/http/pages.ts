// `page` and `per_page`, and the `Link` header (RFC 8288) with addresses in their numeric form, as GitHub gives them.
import type { RepositoryExchange } from "./exchange.ts";

export interface Page {
  number: number;
  size: number;
  /** Indices into the whole, end excluded. */
  start: number;
  end: number;
}

function positive(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}

/** The page asked for; what does not make sense counts as not given. */
export function pageOf(query: URLSearchParams, sizes: { usual: number; most: number }): Page {
  const number = positive(query.get("page")) ?? 1;
  const size = Math.min(positive(query.get("per_page")) ?? sizes.usual, sizes.most);
  return { number, size, start: (number - 1) * size, end: number * size };
}

/** The headers that lead to the other pages of `total` entries; none when all fit on one. */
export function linkHeader(exchange: RepositoryExchange, page: Page, total: number): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / page.size));
  const links: string[] = [];
  const add = (rel: string, number: number): void => {
    const query = new URLSearchParams(exchange.query);
    query.set("page", String(number));
    links.push(`<${numericUrl(exchange)}?${query}>; rel="${rel}"`);
  };
  if (page.number > 1) add("prev", Math.min(page.number - 1, last));
  if (page.number < last) {
    add("next", page.number + 1);
    add("last", last);
  }
  if (page.number > 1) add("first", 1);
  return links.length > 0 ? { link: links.join(", ") } : {};
}

/** The address of the request as `/repositories/{id}/…`. */
export function numericUrl({ host, repository, path }: RepositoryExchange): string {
  const rest = path.replace(/^\/(?:repos\/[^/]+\/[^/]+|repositories\/\d+)/, "");
  return `${host.url}/repositories/${repository.id}${rest}`;
}
