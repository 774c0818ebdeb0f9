/**
 * How an MCP client finds the server from the host's name alone: the MCP Catalog at `/.well-known/mcp/catalog.json` and the
 * Server Card it points to, at the place reserved for it (`/mcp/server-card`). Follows SEP-2127 (final, extensions track) and
 * the draft of its extension. The core specification 2026-07-28 names OAuth metadata only, which a service that issues its own
 * tokens and has no authorization server does not have: it must not claim one.
 */
import { SUPPORTED_PROTOCOL_VERSIONS } from "./protocol-versions.ts";
import { SHORT_DESCRIPTION } from "./words.ts";

export const CATALOG_PATH = "/.well-known/mcp/catalog.json";
export const CARD_PATH = "/mcp/server-card";
export const CARD_TYPE = "application/mcp-server-card+json";

export interface ServerWords {
  publicUrl: string;
  version: string;
  docsUrl: string | null;
  /** Whether a call without a token is refused. */
  needsToken: boolean;
}

/** `gitpin.example.org`: `org.example.gitpin`. A host that is an address stays as it is. */
export function reverseHost(publicUrl: string): string {
  const host = new URL(publicUrl).hostname;
  return /^[\d.]+$|[[:]/.test(host)
    ? host.replace(/[^\d.a-f]+/gi, "-").replace(/^-|-$/g, "")
    : host.split(".").reverse().join(".");
}

export const serverCard = ({ publicUrl, version, docsUrl, needsToken }: ServerWords) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  name: `${reverseHost(publicUrl)}/gitpin`,
  title: "GitPin",
  description: SHORT_DESCRIPTION,
  version,
  websiteUrl: docsUrl ?? `${publicUrl}/`,
  remotes: [
    {
      type: "streamable-http",
      url: `${publicUrl}/mcp?names=underscore`,
      supportedProtocolVersions: [...SUPPORTED_PROTOCOL_VERSIONS],
      headers: [
        {
          name: "Authorization",
          description: "Bearer, then a token of this service. Without one, public repositories only.",
          isRequired: needsToken,
          isSecret: true,
        },
      ],
    },
  ],
});

export const mcpCatalog = ({ publicUrl }: Pick<ServerWords, "publicUrl">) => ({
  specVersion: "draft",
  entries: [
    {
      identifier: `urn:air:${new URL(publicUrl).hostname.replace(/[^A-Za-z0-9.-]+/g, "-")}:gitpin`,
      displayName: "GitPin",
      type: CARD_TYPE,
      url: `${publicUrl}${CARD_PATH}`,
    },
  ],
});
