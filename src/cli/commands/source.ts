/** `gitpin source`: one entity's exact source. Exit 1 when none was chosen: missing, ambiguous, blocked, or not every file looked at. */
import { Command } from "commander";
import { entitySource, entitySourceInput } from "../../schema/entities.ts";
import { entitySourceText } from "../../tools/entity-text.ts";
import { checkArguments } from "../../tools/invoke.ts";
import { checkedAnswer } from "../checked-answer.ts";
import { connectService } from "../connection.ts";
import type { CommandContext } from "../output.ts";

interface Options {
  repository: string;
  path?: string;
  sha?: string;
  ref?: string;
  json?: boolean;
}

export function sourceCommand(context: CommandContext): Command {
  return new Command("source")
    .description("Read one code entity's exact, complete source.")
    .argument("<entity>", "its id, or its exact name or qualified name")
    .requiredOption("--repository <name>", "registry name")
    .option("--path <path>", "its file: cheapest, and only entities of that file are meant")
    .option("--sha <hex>", "commit, 7 to 40 hex digits; then there is no source_base")
    .option("--ref <ref>", "a registered ref, instead of HEAD")
    .option("--json", "print the whole answer as JSON: it holds the source_base")
    .action(async (entity: string, { json, ...options }: Options) => {
      const input = { ...options, entity_id: entity };
      checkArguments(entitySourceInput, input);
      const connection = connectService(context.environment);
      const answer = checkedAnswer(entitySource, await connection.call("get_entity_source", input));
      context.output.out(`${json ? JSON.stringify(answer, null, 2) : entitySourceText(answer)}\n`);
      if (answer.status !== "ok") context.exit(1);
    });
}
