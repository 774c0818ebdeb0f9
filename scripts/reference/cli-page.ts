/** docs/reference/cli.md: the help of every command, as it is printed. */
import type { Command } from "commander";
import { createProgram } from "../../src/cli/main.ts";
import { table } from "./schema-rows.ts";

export function cliPage(): string {
  const program = createProgram({
    environment: {},
    output: { out: () => undefined, error: () => undefined },
    sleep: async () => undefined,
    exit: () => undefined,
  });
  return `# Command line

\`node bin/gitpin.mjs\` in a checkout, on any Node; after \`npm link\`, \`gitpin\` anywhere.

${table(
  ["variable", "what it is"],
  [
    [
      "`GITPIN_URL`",
      "service to ask, with or without `/mcp`; https, unless it is this machine or no token is set",
    ],
    ["`GITPIN_TOKEN`", "token for that service; sent nowhere else, and redirects are not followed"],
    [
      "`GITPIN_REGISTRY`",
      "registry file: ask GitHub directly, with the same core. Not together with `GITPIN_URL`",
    ],
    ["`GITHUB_TOKEN`", "with `GITPIN_REGISTRY`: token for GitHub"],
    [
      "`GITHUB_API_URL`, `GITHUB_WEB_URL`, `HEAD_MAX_AGE`, `UPSTREAM_TIMEOUT_MS`, `MAX_BLOB_BYTES`",
      "with `GITPIN_REGISTRY`: as in [configuration](configuration.md)",
    ],
  ],
)}

A variable that is set and empty counts as unset. Exit codes, of every command: **0** all ok; **1** a verdict that is not ok; **2** wrong usage, or an error that stopped the check. Where several things are checked, the highest counts.

${program.commands.flatMap((command) => sections(command, "gitpin")).join("\n\n")}
`;
}

function sections(command: Command, parent: string): string[] {
  const name = `${parent} ${command.name()}`;
  const help = command
    .configureHelp({ helpWidth: 100 })
    .helpInformation()
    .replace(/^Usage: .*/, (usage) => usage.replace(/Usage: .*? (?=\[|<|$)/, `Usage: ${name} `))
    .trimEnd();
  return [
    `## ${name}\n\n\`\`\`text\n${help}\n\`\`\``,
    ...command.commands.flatMap((sub) => sections(sub, name)),
  ];
}
