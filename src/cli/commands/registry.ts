/**
 * `gitpin registry ...`: the live registry of a team over the admin routes. `show` prints a file that `push` takes back; nothing is
 * overwritten unread, so `push` wants the ETag that `show` printed. Exit 1 when `validate` finds the file wrong.
 */
import { readFileSync } from "node:fs";
import { Command } from "commander";
import { printable } from "../../core/printable.ts";
import { asGitpinError, GitpinError } from "../../errors.ts";
import {
  registryHistory,
  registryValidation,
  registryView,
  type SectionChange,
  type SectionState,
  sectionState,
} from "../../schema/administration.ts";
import { type AdminClient, adminClient } from "../admin-client.ts";
import type { CommandContext } from "../output.ts";

const ROUTE = "/v1/registry";
/** How often a single entry's change is made anew on a registry that changed meanwhile. */
const ATTEMPTS = 5;

interface TeamOption {
  team?: string;
}

interface AddOptions extends TeamOption {
  ref?: string;
  refs?: string[];
  description?: string;
  public?: true;
  writable?: string[];
  writablePaths?: string[];
  replace?: true;
}

export function registryCommand(context: CommandContext): Command {
  const { environment, output } = context;
  const say = (text: string) => output.error(`${text}\n`);
  const stored = ({ version, etag, repositories }: SectionState) =>
    say(`stored: version ${version}, ${repositories.length} entries, etag ${etag}`);

  const command = new Command("registry").description("Show and change the repositories of your team.");
  const subcommand = (usage: string, description: string): Command =>
    command
      .command(usage)
      .description(description)
      .option("--team <team>", "for the operator: whose registry; without it the operator's own");

  subcommand("show", "Print the registry as a file that push takes back; its ETag goes to standard error.")
    .option("--at <version>", "an older version")
    .action(async ({ team, at }: TeamOption & { at?: string }) => {
      const path = at === undefined ? ROUTE : `${ROUTE}/history/${encodeURIComponent(at)}`;
      const state = await adminClient(environment)(path, registryView, { query: { team } });
      output.out(`${JSON.stringify({ version: 1, repositories: state.repositories }, null, 2)}\n`);
      say(`version ${state.version}, etag ${state.etag}`);
      for (const section of state.sections ?? []) {
        say(
          `section ${section.team ?? "(operator)"}: version ${section.version}, ${section.repositories} entries`,
        );
      }
    });

  subcommand("add <name> <owner/repo>", "Register one repository.")
    .option("--ref <ref>", "what HEAD stands for")
    .option("--refs <ref...>", "further refs that callers may name")
    .option("--description <text>")
    .option("--public", "for the operator: an entry that everybody sees")
    .option("--writable <branch...>", "branches that callers with kin:write may change, as globs: 'agent/*'")
    .option("--writable-paths <path...>", "with --writable: these paths alone, as globs: 'src/**'")
    .option("--replace", "when the name is there already")
    .action(async (name: string, fullName: string, options: AddOptions) => {
      const { ref, refs, description, team, writable: branches, writablePaths: paths } = options;
      const [owner, repo, ...rest] = fullName.split("/");
      if (repo === undefined || rest.length > 0) throw usage("The repository is named OWNER/REPO.");
      if (paths !== undefined && branches === undefined) {
        throw usage("--writable-paths goes with --writable, which names the branches.");
      }
      const entry = {
        name,
        owner,
        repo,
        ...(ref === undefined ? {} : { ref }),
        ...(refs === undefined ? {} : { refs }),
        ...(description === undefined ? {} : { description }),
        ...(options.public === undefined ? {} : { visibility: "public" }),
        ...(branches === undefined
          ? {}
          : { writable: { branches, ...(paths === undefined ? {} : { paths }) } }),
      };
      const state = await patch(adminClient(environment), team, { put: [entry] }, ({ repositories }) => {
        if (options.replace === undefined && repositories.some((known) => known.name === name)) {
          throw usage(`${name} is registered already; --replace replaces its entry.`);
        }
      });
      stored(state);
    });

  subcommand("remove <name>", "Take one repository out.").action(
    async (name: string, { team }: TeamOption) => {
      stored(await patch(adminClient(environment), team, { remove: [name] }));
    },
  );

  subcommand(
    "validate <file>",
    "Check a file against the service's rules, and say what a push would change.",
  ).action(async (file: string, { team }: TeamOption) => {
    const body = readJsonFile(file);
    try {
      const query = { team };
      const result = await adminClient(environment)(`${ROUTE}/validate`, registryValidation, {
        method: "POST",
        query,
        body,
      });
      output.out(`valid\n${changeText(result.change)}`);
    } catch (thrown) {
      const error = asGitpinError(thrown);
      if (error.code !== "invalid_argument") throw error;
      output.out(`not valid: ${error.message}\n`);
      context.exit(1);
    }
  });

  subcommand("push <file>", "Replace the registry by a file.")
    .option("--if-match <etag>", "the ETag that show printed: the state the file was made from")
    .option("--force", "on whatever stands there now")
    .action(async (file: string, options: TeamOption & { ifMatch?: string; force?: true }) => {
      const { team, ifMatch, force } = options;
      const body = readJsonFile(file);
      const ask = adminClient(environment);
      if (ifMatch === undefined && force === undefined) {
        throw usage("push wants --if-match ETAG (show prints it), or --force.");
      }
      const etag = ifMatch ?? (await ask(ROUTE, registryView, { query: { team } })).etag;
      const quoted = etag.startsWith('"') ? etag : `"${etag}"`;
      stored(await ask(ROUTE, sectionState, { method: "PUT", query: { team }, body, ifMatch: quoted }));
    });

  subcommand("history", "List the versions, newest first.")
    .option("--limit <n>", "most rows", "20")
    .action(async ({ team, limit }: TeamOption & { limit: string }) => {
      const page = await adminClient(environment)(`${ROUTE}/history`, registryHistory, {
        query: { team, limit },
      });
      for (const { version, at, by, restoredFrom, repositories, change } of page.versions) {
        const restored = restoredFrom === null ? "" : `, restored from ${restoredFrom}`;
        output.out(
          `${printable(`${version}  ${at}  ${by}  ${repositories} entries${restored}`)}\n${changeText(change)}`,
        );
      }
      if (page.nextCursor !== null) say("there are older versions: --limit shows more (100 at most)");
    });

  subcommand("restore <version>", "Make an older version the newest.").action(
    async (version: string, { team }: TeamOption) => {
      if (!/^[1-9]\d{0,8}$/.test(version)) throw usage("A version is a number from 1.");
      const ask = adminClient(environment);
      const { etag } = await ask(ROUTE, registryView, { query: { team } });
      const body = { version: Number(version) };
      stored(
        await ask(`${ROUTE}/restore`, sectionState, { method: "POST", query: { team }, body, ifMatch: etag }),
      );
    },
  );
  return command;
}

/** One entry's change does not depend on the others: when they changed meanwhile it is made on what stands there then. */
async function patch(
  ask: AdminClient,
  team: string | undefined,
  body: object,
  check: (present: SectionState) => void = () => undefined,
): Promise<SectionState> {
  for (let attempt = 1; ; attempt++) {
    const present = await ask(ROUTE, registryView, { query: { team } });
    check(present);
    try {
      const { etag } = present;
      return await ask(ROUTE, sectionState, { method: "PATCH", query: { team }, body, ifMatch: etag });
    } catch (thrown) {
      if (asGitpinError(thrown).code !== "precondition_failed" || attempt === ATTEMPTS) throw thrown;
    }
  }
}

function changeText({ added, removed, changed }: SectionChange): string {
  return [
    ...added.map((name) => `  + ${name}`),
    ...removed.map((name) => `  - ${name}`),
    ...changed.map(({ name, fields }) => `  ~ ${name}: ${fields.join(", ")}`),
  ]
    .map((line) => `${printable(line)}\n`)
    .join("");
}

const usage = (message: string): GitpinError =>
  new GitpinError("invalid_argument", message, "gitpin registry --help lists the commands.");

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? "is not JSON" : "cannot be read";
    throw new GitpinError("invalid_argument", `${file} ${reason}.`, "Name a registry file.", {}, { cause });
  }
}
