/**
 * The command line `gitpin`. Owns the list of commands and the exit codes of the contract: 0 all ok, 1 a verdict that
 * is not ok, 2 wrong usage or an error that stopped the check. One command a file under `commands/`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Command, CommanderError } from "commander";
import { printable } from "../core/printable.ts";
import { asGitpinError } from "../errors.ts";
import { VERSION } from "../version.ts";
import { briefCommand } from "./commands/brief.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { entitiesCommand } from "./commands/entities.ts";
import { initCommand } from "./commands/init.ts";
import { mutateCommand } from "./commands/mutate.ts";
import { proveSetCommand } from "./commands/prove-set.ts";
import { registryCommand } from "./commands/registry.ts";
import { sourceCommand } from "./commands/source.ts";
import { statusCommand } from "./commands/status.ts";
import { tokenCommand } from "./commands/token.ts";
import { verifyCommand } from "./commands/verify.ts";
import { verifyCitesCommand } from "./commands/verify-cites.ts";
import { type Environment, readEnvironment } from "./environment.ts";
import { type CommandContext, type Output, processOutput } from "./output.ts";

const COMMANDS = [
  verifyCommand,
  verifyCitesCommand,
  proveSetCommand,
  briefCommand,
  statusCommand,
  entitiesCommand,
  sourceCommand,
  mutateCommand,
  doctorCommand,
  initCommand,
  registryCommand,
  tokenCommand,
];

const HELP = `
Set GITPIN_URL (and GITPIN_TOKEN) to ask a service, or GITPIN_REGISTRY to a registry file to ask GitHub directly (with GITHUB_TOKEN).
Exit codes: 0 all ok; 1 a verdict that is not ok; 2 wrong usage or an error that stopped the check.`;

/** Runs one command line (without `node` and the script) and gives its exit code. Throws nothing. */
export async function run(
  args: readonly string[],
  environment: Environment,
  output: Output,
  wait: CommandContext["sleep"] = (milliseconds) => sleep(milliseconds),
): Promise<number> {
  let exitCode = 0;
  const context: CommandContext = {
    environment: readEnvironment(environment),
    output,
    sleep: wait,
    exit(code) {
      exitCode = Math.max(exitCode, code);
    },
  };
  const program = createProgram(context);
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    const error = asGitpinError(thrown);
    output.error(`gitpin: ${error.code}: ${printable(error.message)}\n${printable(error.nextStep)}\n`);
    return error.form.exit;
  }
}

/** All commands; the reference page is made from it. */
export function createProgram(context: CommandContext): Command {
  const { output } = context;
  const program = new Command("gitpin")
    .description(
      "Evidence from hosted git: prove, verify and gate citations; find, read and edit code entities.",
    )
    .version(VERSION)
    .exitOverride()
    .configureOutput({ writeOut: (text) => output.out(text), writeErr: (text) => output.error(text) })
    .addHelpText("after", HELP);
  for (const command of COMMANDS) program.addCommand(command(context));
  inheritSettings(program);
  return program;
}

/** Commands that were made apart write where the program writes, and none ends the process; theirs neither. */
function inheritSettings(parent: Command): void {
  for (const command of parent.commands) inheritSettings(command.copyInheritedSettings(parent));
}

/** The same as a process: arguments, environment, output and exit code of this one. */
export async function runProcess(args: readonly string[]): Promise<void> {
  // A reader that has enough (`| head`) is no fault: the exit code still tells the verdict.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
  process.exitCode = await run(args, process.env, processOutput);
}

if (import.meta.main) await runProcess(process.argv.slice(2));
