/** Clients in a terminal: Claude Code, Codex, Gemini CLI. */
import { shellQuote } from "../core/citation/shell-quote.ts";
import { braces, type Client, headersFor, SERVER_NAME, setToken } from "./client.ts";

/** code.claude.com/docs/en/mcp: `.mcp.json` in the project; `${VAR}` in `url` and `headers`. */
export const claudeCode: Client = {
  id: "claude-code",
  title: "Claude Code",
  configuration: (target) => ({
    path: ".mcp.json",
    content: {
      format: "json",
      insert: [
        {
          path: ["mcpServers", SERVER_NAME],
          value: { type: "http", url: target.url, ...headersFor(target, braces("GITPIN_TOKEN")) },
        },
      ],
    },
    unfinished: null,
  }),
  // In the project's file `${VAR}` is kept and filled in at each start.
  commands: (target) => [
    target.token
      ? `claude mcp add --transport http --scope project ${SERVER_NAME} ${shellQuote(target.url)} --header 'Authorization: Bearer ${braces("GITPIN_TOKEN")}'`
      : `claude mcp add --transport http --scope user ${SERVER_NAME} ${shellQuote(target.url)}`,
  ],
  notes: (target) => [
    "The file is shared with the project; scope user is for all your projects, and for you alone.",
    ...setToken(target),
    "Check with /mcp inside Claude Code.",
  ],
};

/** developers.openai.com/codex/mcp: `[mcp_servers.NAME]`; a token only by the name of its variable. */
export const codex: Client = {
  id: "codex",
  title: "Codex",
  configuration: (target) => ({
    path: "~/.codex/config.toml",
    content: {
      format: "toml",
      table: ["mcp_servers", SERVER_NAME],
      values: { url: target.url, ...(target.token ? { bearer_token_env_var: "GITPIN_TOKEN" } : {}) },
    },
    unfinished: null,
  }),
  commands: (target) => [
    `codex mcp add ${SERVER_NAME} --url ${shellQuote(target.url)}${
      target.token ? " --bearer-token-env-var GITPIN_TOKEN" : ""
    }`,
  ],
  notes: (target) => [
    "For one trusted project only, put the same table into its .codex/config.toml.",
    ...setToken(target),
    "Check with /mcp inside Codex.",
  ],
};

/** github.com/google-gemini/gemini-cli, docs/tools/mcp-server.md: `httpUrl` is streamable HTTP; settings expand `$VAR`. */
export const geminiCli: Client = {
  id: "gemini-cli",
  title: "Gemini CLI",
  configuration: (target) => ({
    path: "~/.gemini/settings.json",
    content: {
      format: "json",
      insert: [
        {
          path: ["mcpServers", SERVER_NAME],
          value: { httpUrl: target.url, ...headersFor(target, "$GITPIN_TOKEN") },
        },
      ],
    },
    unfinished: null,
  }),
  commands: () => [],
  notes: (target) => [
    "For one project only, put the same entry into its .gemini/settings.json.",
    ...setToken(target),
    "Check with /mcp inside Gemini CLI.",
  ],
};
