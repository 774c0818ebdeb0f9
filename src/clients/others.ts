/** Claude's own applications, and any other client. */
import { braces, type Client, headersFor, PLACEHOLDER, SERVER_NAME, type Target } from "./client.ts";

const DESKTOP_FILES: Readonly<Record<string, string>> = {
  darwin: "~/Library/Application Support/Claude/claude_desktop_config.json",
  win32: "~/AppData/Roaming/Claude/claude_desktop_config.json",
};

/**
 * Its file takes programs only (an entry with a URL is skipped), so a server on this machine goes through mcp-remote;
 * one on the internet is added as a connector instead. mcp-remote expands `${VAR}` in headers from its own environment.
 */
export const claudeDesktop: Client = {
  id: "claude-desktop",
  title: "Claude Desktop",
  configuration: (target, platform) => ({
    path: DESKTOP_FILES[platform] ?? "~/.config/Claude/claude_desktop_config.json",
    content: {
      format: "json",
      insert: [
        {
          path: ["mcpServers", SERVER_NAME],
          value: {
            command: "npx",
            args: [
              "-y",
              "mcp-remote",
              target.url,
              "--transport",
              "http-only",
              ...(target.url.startsWith("http:") ? ["--allow-http"] : []),
              // Without white space: some versions cut arguments there.
              ...(target.token ? ["--header", `Authorization:${braces("GITPIN_AUTHORIZATION")}`] : []),
            ],
            ...(target.token ? { env: { GITPIN_AUTHORIZATION: `Bearer ${PLACEHOLDER}` } } : {}),
          },
        },
      ],
    },
    unfinished: target.token
      ? `Claude Desktop does not read your shell's variables: put the entry in by hand, with the token for ${PLACEHOLDER}.`
      : null,
  }),
  commands: () => [],
  notes: (target) => [
    "Needs Node.js for npx. Restart Claude Desktop afterwards.",
    ...(target.loopback || target.token
      ? []
      : ["Or without the file: Settings > Connectors > Add custom connector, with the address above."]),
  ],
};

/** support.claude.com, custom connectors: called from Anthropic's network; open servers or OAuth, no header of one's own. */
export const claudeAi: Client = {
  id: "claude-ai",
  title: "claude.ai",
  configuration: () => null,
  commands: () => [],
  notes: (target) => [
    "Settings > Connectors > Add custom connector. Name: GitPin. Remote MCP server URL:",
    `  ${target.url}`,
    "claude.ai calls from the internet, so the service must be public and https.",
    ...claudeAiLimits(target),
  ],
};

function claudeAiLimits({ token, loopback, url }: Target): string[] {
  return [
    ...(loopback ? ["This address is on your own machine: claude.ai cannot reach it."] : []),
    ...(!loopback && url.startsWith("http:") ? ["This address is not https: claude.ai refuses it."] : []),
    ...(token
      ? ["A connector sends no token of its own: what needs GITPIN_TOKEN stays invisible there."]
      : []),
  ];
}

export const generic: Client = {
  id: "generic",
  title: "Any MCP client",
  configuration: (target) => ({
    path: "mcp.json",
    content: {
      format: "json",
      insert: [
        {
          path: ["mcpServers", SERVER_NAME],
          value: { type: "http", url: target.url, ...headersFor(target, PLACEHOLDER) },
        },
      ],
    },
    unfinished: "Where this goes is the client's to say.",
  }),
  commands: () => [],
  notes: (target) => [
    "Transport: streamable HTTP, stateless; protocol 2026-07-28 and the 2025 ones.",
    `Names with underscores (works everywhere): ${target.url}`,
    `Names with dots:                           ${target.dottedUrl}`,
    ...(target.token ? ["Header: Authorization: Bearer, then the token."] : []),
  ],
};
