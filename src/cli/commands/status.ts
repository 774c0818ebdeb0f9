/** `gitpin status`: where a branch stands and what the caller may change of it. Exit 1 when nothing of the repository is served. */
import { Command } from "commander";
import { kinStatus, kinStatusInput } from "../../schema/entities.ts";
import { kinStatusText } from "../../tools/entity-text.ts";
import { checkArguments } from "../../tools/invoke.ts";
import { checkedAnswer } from "../checked-answer.ts";
import { connectService } from "../connection.ts";
import type { CommandContext } from "../output.ts";

interface Options {
  repository: string;
  branch?: string;
  json?: boolean;
}

export function statusCommand(context: CommandContext): Command {
  return new Command("status")
    .description("Where a branch stands, its languages, and what you may change.")
    .requiredOption("--repository <name>", "registry name")
    .option("--branch <name>", "a registered branch, instead of the one that HEAD stands for")
    .option("--json", "print the whole answer as JSON: it holds the repository_base")
    .action(async ({ json, ...input }: Options) => {
      checkArguments(kinStatusInput, input);
      const connection = connectService(context.environment);
      const answer = checkedAnswer(kinStatus, await connection.call("kin_status", { ...input }));
      context.output.out(`${json ? JSON.stringify(answer, null, 2) : kinStatusText(answer)}\n`);
      if (answer.status === "blocked") context.exit(1);
    });
}
