#!/usr/bin/env node
/**
 * The command line `gitpin`. Owns the list of commands and the exit codes of the contract: 0 all ok, 1 a verdict that
 * is not ok, 2 wrong usage or an error that stopped the check. One command a file under `commands/`.
 */
import { Command, CommanderError } from "commander";
import { asGitpinError } from "../errors.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { registryCommand } from "./commands/registry.ts";
import { tokenCommand } from "./commands/token.ts";
import { verifyCommand } from "./commands/verify.ts";
import { type CommandContext, type Environment, type Output, processOutput } from "./output.ts";

/** Runs one command line (without `node` and the script) and gives its exit code. */
export async function run(
  args: readonly string[],
  environment: Environment,
  output: Output,
): Promise<number> {
  let exitCode = 0;
  const context: CommandContext = {
    environment,
    output,
    exit(code) {
      exitCode = Math.max(exitCode, code);
    },
  };
  const program = new Command("gitpin")
    .description("Evidence from hosted git: prove, verify and gate citations.")
    .exitOverride()
    .configureOutput({ writeOut: (text) => output.out(text), writeErr: (text) => output.error(text) })
    .addHelpText(
      "after",
      "\nSet GITPIN_URL (and GITPIN_TOKEN) to ask a service, or GITPIN_REGISTRY to a registry file to ask GitHub directly (with GITHUB_TOKEN).\nExit codes: 0 all ok; 1 a verdict that is not ok; 2 wrong usage or an error that stopped the check.",
    );
  for (const command of [
    verifyCommand(context),
    doctorCommand(context),
    registryCommand(context),
    tokenCommand(context),
  ])
    program.addCommand(command);
  inheritSettings(program);
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    const error = asGitpinError(thrown);
    output.error(`gitpin: ${error.code}: ${error.message}\n${error.nextStep}\n`);
    return error.form.exit;
  }
}

/** Commands that were added ready-made take over where output goes, and that nothing ends the process. */
function inheritSettings(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent);
    inheritSettings(command);
  }
}

if (import.meta.main) {
  process.exitCode = await run(process.argv.slice(2), process.env, processOutput);
}
