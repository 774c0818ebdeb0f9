/**
 * The page at `/`: what this is, where MCP clients and shells go in. Static, without script; the same words as HTML
 * and as text. All addresses come from configuration.
 */
import { html } from "hono/html";
import type { Tool } from "../tools/tool.ts";
import { negotiate } from "./negotiation.ts";

export interface LandingOptions {
  /** Without a final slash. */
  publicUrl: string;
  docsUrl: string | null;
  version: string;
  tools: readonly Tool[];
}

const STYLE =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}pre{overflow:auto;padding:.75rem;background:#8881}";
/** SHA-256 of `STYLE`, base64; a test computes it. */
const STYLE_HASH = "sha256-2QwicfNnEdFrCiwH8TfvR202wxY4AJ4BKI7u87SjSG8=";

const POLICY = `default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Words {
  title: string;
  about: string;
  mcp: string;
  mcpDotted: string;
  curl: string;
  routes: string[];
}

function words(options: LandingOptions): Words {
  const first = options.tools.find((tool) => tool.route.methods.includes("GET"));
  return {
    title: "GitPin",
    about:
      "Evidence from hosted git: exact bytes at a full commit SHA, exact search at that SHA, and a verdict that anyone can re-check with plain git.",
    mcp: `${options.publicUrl}/mcp?names=underscore`,
    mcpDotted: `${options.publicUrl}/mcp`,
    curl: `curl '${options.publicUrl}${first?.route.path ?? "/healthz"}'`,
    routes: options.tools.map(({ route, title }) => `${route.methods.join(", ")} ${route.path}: ${title}`),
  };
}

function asText(page: Words, options: LandingOptions): string {
  return [
    `${page.title} ${options.version}`,
    page.about,
    "",
    `MCP server (works with every client): ${page.mcp}`,
    `MCP server (dotted tool names):       ${page.mcpDotted}`,
    `From a shell:                         ${page.curl}`,
    ...(options.docsUrl === null ? [] : [`Documentation:                        ${options.docsUrl}`]),
    "",
    ...page.routes,
    "",
  ].join("\n");
}

function asHtml(page: Words, options: LandingOptions): string {
  // Values go through hono's template, which escapes them; only STYLE is ours and literal.
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<style>STYLE</style>
</head>
<body>
<h1>${page.title} <small>${options.version}</small></h1>
<p>${page.about}</p>
<h2>MCP server</h2>
<pre>${page.mcp}</pre>
<p>This address lists tool names that every client takes. The same tools with dotted names: <code>${page.mcpDotted}</code></p>
<h2>From a shell</h2>
<pre>${page.curl}</pre>
<ul>${page.routes.map((route) => html`<li><code>${route}</code></li>`)}</ul>
${options.docsUrl === null ? "" : html`<p><a href="${options.docsUrl}">Documentation</a></p>`}
</body>
</html>
`).replace("STYLE", STYLE);
}

export function landingPage(request: Request, options: LandingOptions): Response {
  const type = negotiate(request.headers.get("accept"), ["text/html", "text/plain"]);
  const page = words(options);
  return new Response(type === "text/html" ? asHtml(page, options) : asText(page, options), {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      ...(type === "text/html" ? { "content-security-policy": POLICY } : {}),
    },
  });
}
