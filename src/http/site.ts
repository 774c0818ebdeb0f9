/**
 * The documents about the service itself, each at its own address: the same for everybody until the next deployment. Made on
 * first use, once per isolate. They hold what configuration says and nothing of any repository.
 */
import { cacheable, FOR_AN_HOUR, UNTIL_DEPLOYMENT } from "./caching.ts";
import { llmsText } from "./discovery/llms-text.ts";
import { CARD_PATH, CARD_TYPE, CATALOG_PATH, mcpCatalog, serverCard } from "./discovery/mcp-catalog.ts";
import { ROBOTS_TEXT } from "./discovery/robots-text.ts";
import { negotiate } from "./negotiation.ts";
import { openApiDocument, type ServiceParts } from "./openapi/document.ts";
import { docsPage } from "./pages/docs-page.ts";
import { pageHeaders } from "./pages/layout.ts";

export interface SiteOptions extends ServiceParts {
  docsUrl: string | null;
  needsToken: boolean;
}

export interface SiteDocument {
  path: string;
  serve(request: Request): Response;
}

export function siteDocuments(options: SiteOptions): SiteDocument[] {
  const document = (
    path: string,
    types: readonly [string, ...string[]],
    headers: Record<string, string>,
    make: () => string,
    cacheControl = UNTIL_DEPLOYMENT,
  ): SiteDocument => {
    let made: string | undefined;
    return {
      path,
      serve(request) {
        negotiate(request.headers.get("accept"), types);
        made ??= make();
        return cacheable(request, made, headers, cacheControl);
      },
    };
  };
  const json = (
    path: string,
    make: () => object,
    type = "application/json",
    cacheControl = UNTIL_DEPLOYMENT,
  ) =>
    document(
      path,
      [type, "application/json"],
      { "content-type": type },
      () => `${JSON.stringify(make())}\n`,
      cacheControl,
    );
  const text = (path: string, type: "text/plain" | "text/markdown", make: () => string) =>
    document(path, [type, "text/plain"], { "content-type": `${type}; charset=utf-8` }, make);

  return [
    json("/openapi.json", () => openApiDocument(options)),
    document("/docs", ["text/html"], pageHeaders(), () => docsPage(openApiDocument(options))),
    text("/llms.txt", "text/markdown", () => llmsText(options)),
    text("/robots.txt", "text/plain", () => ROBOTS_TEXT),
    json(CATALOG_PATH, () => mcpCatalog(options), "application/json", FOR_AN_HOUR),
    json(CARD_PATH, () => serverCard(options), CARD_TYPE, FOR_AN_HOUR),
  ];
}
