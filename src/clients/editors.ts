/** Clients in an editor: Cursor, VS Code, Windsurf, Zed, Continue. */
import { braces, type Client, headersFor, PLACEHOLDER, SERVER_NAME, setToken } from "./client.ts";

/** cursor.com/docs/mcp: `.cursor/mcp.json`; `${env:VAR}` in headers. Tool names: letters, digits, underscore only. */
export const cursor: Client = {
  id: "cursor",
  title: "Cursor",
  configuration: (target) => ({
    path: ".cursor/mcp.json",
    content: {
      format: "json",
      insert: [
        {
          path: ["mcpServers", SERVER_NAME],
          value: { url: target.url, ...headersFor(target, braces("env:GITPIN_TOKEN")) },
        },
      ],
    },
    unfinished: null,
  }),
  commands: () => [],
  notes: (target) => ["For all projects, put the same entry into ~/.cursor/mcp.json.", ...setToken(target)],
};

/** code.visualstudio.com/docs/copilot/reference/mcp-configuration: `servers`, and `inputs` for what is asked of the user. */
export const vsCode: Client = {
  id: "vscode",
  title: "VS Code",
  configuration: (target) => ({
    path: ".vscode/mcp.json",
    content: {
      format: "jsonc",
      insert: [
        ...(target.token
          ? [
              {
                path: ["inputs"],
                value: [
                  { type: "promptString", id: "gitpin-token", description: "GitPin token", password: true },
                ],
              },
            ]
          : []),
        {
          path: ["servers", SERVER_NAME],
          value: { type: "http", url: target.url, ...headersFor(target, braces("input:gitpin-token")) },
        },
      ],
    },
    unfinished: null,
  }),
  commands: () => [],
  notes: (target) => [
    "For all workspaces, run `MCP: Open User Configuration` and put the same entry there.",
    ...(target.token ? ["VS Code asks for the token when the server starts, and keeps it encrypted."] : []),
  ],
};

/** docs.windsurf.com/windsurf/cascade/mcp: `serverUrl` (not `url`); `${env:VAR}` in headers. */
export const windsurf: Client = {
  id: "windsurf",
  title: "Windsurf",
  configuration: (target) => ({
    path: "~/.codeium/windsurf/mcp_config.json",
    content: {
      format: "json",
      insert: [
        {
          path: ["mcpServers", SERVER_NAME],
          value: { serverUrl: target.url, ...headersFor(target, braces("env:GITPIN_TOKEN")) },
        },
      ],
    },
    unfinished: null,
  }),
  commands: () => [],
  notes: (target) => [...setToken(target), "Refresh the list of MCP servers in Cascade afterwards."],
};

/** zed.dev/docs/ai/mcp: `context_servers` in the settings; headers are taken as they stand. */
export const zed: Client = {
  id: "zed",
  title: "Zed",
  configuration: (target) => ({
    path: "~/.config/zed/settings.json",
    content: {
      format: "jsonc",
      insert: [
        {
          path: ["context_servers", SERVER_NAME],
          value: { url: target.url, ...headersFor(target, PLACEHOLDER) },
        },
      ],
    },
    unfinished: target.token
      ? `Zed takes headers as they stand: put the entry in by hand, with the token for ${PLACEHOLDER}.`
      : null,
  }),
  commands: () => [],
  notes: () => ["Check in Settings > AI > MCP Servers: the dot turns green."],
};

/** docs.continue.dev, MCP: a block file of its own; secrets of `.env` files as `${{ secrets.NAME }}`. */
export const continueDev: Client = {
  id: "continue",
  title: "Continue",
  configuration: (target) => ({
    path: `.continue/mcpServers/${SERVER_NAME}.yaml`,
    content: {
      format: "yaml",
      text: [
        "name: GitPin",
        "version: 0.0.1",
        "schema: v1",
        "mcpServers:",
        `  - name: ${SERVER_NAME}`,
        "    type: streamable-http",
        `    url: ${JSON.stringify(target.url)}`,
        ...(target.token
          ? [
              "    requestOptions:",
              "      headers:",
              `        Authorization: "Bearer ${braces("{ secrets.GITPIN_TOKEN }")}"`,
            ]
          : []),
        "",
      ].join("\n"),
    },
    unfinished: null,
  }),
  commands: () => [],
  notes: (target) => [
    "Tools work in agent mode only.",
    ...(target.token ? ["Put GITPIN_TOKEN into ~/.continue/.env."] : []),
  ],
};
