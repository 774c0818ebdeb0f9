/**
 * `gitpin init`: the exact configuration that an MCP client reads, and the address it needs. Prints only; with `--write`
 * merges the entry into the client's file, which keeps all else. Never reads or prints the token itself.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import type { Client, Configuration, Target } from "../../clients/client.ts";
import { CLIENTS } from "../../clients/index.ts";
import { snippet } from "../../clients/snippet.ts";
import { isLoopback } from "../../config.ts";
import { GitpinError } from "../../errors.ts";
import { configured } from "../edit/configured.ts";
import type { CommandContext } from "../output.ts";
import { readText } from "../read-text.ts";
import { replaceFile } from "../replace-file.ts";
import { serviceAddress } from "../service-address.ts";

/** Where `npm start` listens. */
const LOCAL = "http://127.0.0.1:8787";

interface Options {
  client: string;
  url?: string;
  withToken?: boolean;
  write?: boolean;
  file?: string;
}

export function initCommand(context: CommandContext): Command {
  return new Command("init")
    .description("Print the configuration that an MCP client needs; write it only with --write.")
    .addOption(
      new Option("--client <name>", "which client")
        .choices(CLIENTS.map(({ id }) => id))
        .makeOptionMandatory(),
    )
    .option("--url <url>", `service, instead of GITPIN_URL (else ${LOCAL})`)
    .option("--with-token", "calls need GITPIN_TOKEN; assumed when it is set")
    .option("--write", "merge the entry into the client's file")
    .option("--file <path>", "with --write: another file than the client's usual one")
    .action((options: Options) => {
      const client = CLIENTS.find(({ id }) => id === options.client) as Client;
      const target = targetOf(options, context);
      const configuration = client.configuration(target, process.platform);
      if (options.write !== true) {
        if (options.file !== undefined) throw usage("--file goes with --write.");
        context.output.out(page(client, target, configuration));
        return;
      }
      context.output.out(write(client, configuration, options.file));
    });
}

function targetOf({ url, withToken }: Options, { environment }: CommandContext): Target {
  const { GITPIN_URL, GITPIN_TOKEN } = environment;
  const token = withToken === true || GITPIN_TOKEN !== undefined;
  const field = url === undefined ? "GITPIN_URL" : "--url";
  // A stand-in for the token: the rule about plain http holds for what will be sent later, too.
  const { base } = serviceAddress(url ?? GITPIN_URL ?? LOCAL, token ? "token" : undefined, field);
  return {
    url: `${base}/mcp?names=underscore`,
    dottedUrl: `${base}/mcp`,
    token,
    loopback: isLoopback(base),
  };
}

const usage = (message: string): GitpinError =>
  new GitpinError("invalid_argument", message, "See gitpin init --help.", { field: "--write" });

function page(client: Client, target: Target, configuration: Configuration | null): string {
  const commands = client.commands(target);
  return `${[
    `${client.title}: ${target.url}`,
    ...(configuration === null ? [] : ["", `In ${configuration.path}:`, snippet(configuration).trimEnd()]),
    ...(commands.length === 0 ? [] : ["", "Or by its own command:", ...commands]),
    "",
    ...client.notes(target),
    ...(configuration?.unfinished ? [configuration.unfinished] : []),
  ].join("\n")}\n`;
}

function write(client: Client, configuration: Configuration | null, file: string | undefined): string {
  if (configuration === null)
    throw usage(`${client.title} is set up in its own pages; there is no file to write.`);
  if (configuration.unfinished !== null) throw usage(configuration.unfinished);
  const path = resolve(file ?? configuration.path.replace(/^~(?=\/)/, homedir()));
  const before = existsSync(path) ? readText(path, "--file") : null;
  const after = configured(before, configuration, path);
  if (after === before) return `${path} has the entry already.\n`;
  replaceFile(path, before, after);
  return `${before === null ? "Made" : "Added the entry to"} ${join(path)}.\n`;
}
