/**
 * The pages and documents about the service itself, each at its own address. They hold what configuration says and nothing of any
 * repository. Those that list tools list what their reader may call: the same for everybody without a credential, made on
 * first use and kept until the next deployment; for who shows one, that caller's own, which nobody keeps.
 */
import type { Caller } from "../ports/registry.ts";
import type { Tool } from "../tools/tool.ts";
import { toolsFor, toolsKey } from "../tools/tools-for.ts";
import { cacheable, FOR_AN_HOUR, NOT_KEPT, UNTIL_DEPLOYMENT } from "./caching.ts";
import { llmsText } from "./discovery/llms-text.ts";
import { CARD_PATH, CARD_TYPE, CATALOG_PATH, mcpCatalog, serverCard } from "./discovery/mcp-catalog.ts";
import { ROBOTS_TEXT } from "./discovery/robots-text.ts";
import { health } from "./health.ts";
import { negotiate } from "./negotiation.ts";
import { openApiDocument, type ServiceParts } from "./openapi/document.ts";
import { docsPage } from "./pages/docs-page.ts";
import { type LandingOptions, landingPage } from "./pages/landing-page.ts";
import { pageHeaders } from "./pages/layout.ts";

export interface SiteOptions extends ServiceParts, LandingOptions {
  /** Every tool there is, whoever may call it. */
  tools: readonly Tool[];
}

export interface SitePage {
  path: string;
  /** Whether it differs by caller. Then whoever shows a credential is to be known before it is served. */
  perCaller: boolean;
  /** Null: nobody showed a credential. */
  serve(request: Request, reader: Caller | null): Response;
}

export function sitePages(options: SiteOptions): SitePage[] {
  const nobody = { scopes: options.anonymousScopes };
  // Without a tool that needs a scope all readers are alike.
  const perCaller = options.tools.some(({ scope }) => scope !== undefined);

  const document = (
    path: string,
    types: readonly [string, ...string[]],
    headers: Record<string, string>,
    make: (seen: SiteOptions) => string,
    { cacheControl = UNTIL_DEPLOYMENT, listsTools = true } = {},
  ): SitePage => {
    const made = new Map<string, string>();
    return {
      path,
      perCaller: perCaller && listsTools,
      serve(request, reader) {
        negotiate(request.headers.get("accept"), types);
        const key = toolsKey(options.tools, reader ?? nobody);
        const text = made.get(key) ?? make({ ...options, tools: toolsFor(options.tools, reader ?? nobody) });
        made.set(key, text);
        return cacheable(request, text, headers, reader === null ? cacheControl : NOT_KEPT);
      },
    };
  };
  const json = (
    path: string,
    make: (seen: SiteOptions) => object,
    type = "application/json",
    how: Parameters<typeof document>[4] = {},
  ) =>
    document(
      path,
      [type, "application/json"],
      { "content-type": type },
      (seen) => `${JSON.stringify(make(seen))}\n`,
      how,
    );
  const text = (
    path: string,
    type: "text/plain" | "text/markdown",
    make: (seen: SiteOptions) => string,
    how: Parameters<typeof document>[4] = {},
  ) => document(path, [type, "text/plain"], { "content-type": `${type}; charset=utf-8` }, make, how);
  const forAll = { listsTools: false };

  return [
    {
      path: "/",
      perCaller,
      serve: (request, reader) =>
        landingPage(request, { ...options, tools: toolsFor(options.tools, reader ?? nobody) }),
    },
    { path: "/healthz", perCaller: false, serve: (request) => health(request, options.version) },
    json("/openapi.json", openApiDocument),
    document("/docs", ["text/html"], pageHeaders(), (seen) => docsPage(openApiDocument(seen))),
    text("/llms.txt", "text/markdown", llmsText),
    text("/robots.txt", "text/plain", () => ROBOTS_TEXT, forAll),
    json(CATALOG_PATH, mcpCatalog, "application/json", { ...forAll, cacheControl: FOR_AN_HOUR }),
    json(CARD_PATH, serverCard, CARD_TYPE, { ...forAll, cacheControl: FOR_AN_HOUR }),
  ];
}
