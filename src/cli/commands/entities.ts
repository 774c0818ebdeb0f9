/**
 * `gitpin entities`: functions, types and other entities of one commit, one a line. Exit 1 when the commit or path is missing,
 * blocked or none that is read; a list says itself whether it is complete.
 */
import { Command } from "commander";
import { entitiesFound, findEntitiesInput } from "../../schema/entities.ts";
import { entitiesText } from "../../tools/entity-text.ts";
import { checkArguments } from "../../tools/invoke.ts";
import { checkedAnswer } from "../checked-answer.ts";
import { connectService } from "../connection.ts";
import type { CommandContext } from "../output.ts";

interface Options {
  repository: string;
  kind?: string;
  language?: string;
  path?: string;
  sha?: string;
  ref?: string;
  limit?: number;
  cursor?: string;
  json?: boolean;
}

export function entitiesCommand(context: CommandContext): Command {
  return new Command("entities")
    .description("Find functions, types and other code entities of one commit.")
    .argument("[query]", "name, qualified name, or any part of one; without it every entity")
    .requiredOption("--repository <name>", "registry name")
    .option("--kind <kind>", "only this kind, in the language's own word")
    .option("--language <language>", "only files of this language")
    .option("--path <path>", "a file, a directory or a glob")
    .option("--sha <hex>", "commit, 7 to 40 hex digits")
    .option("--ref <ref>", "a registered ref, instead of HEAD")
    .option("--limit <n>", "most entities in one answer", Number)
    .option("--cursor <cursor>", "go on where the answer before ended")
    .option("--json", "print the whole answer as JSON")
    .action(async (query: string | undefined, { json, ...options }: Options) => {
      const input = { ...options, ...(query === undefined ? {} : { query }) };
      checkArguments(findEntitiesInput, input);
      const connection = connectService(context.environment);
      const answer = checkedAnswer(entitiesFound, await connection.call("kin_find_entities", input));
      context.output.out(`${json ? JSON.stringify(answer, null, 2) : entitiesText(answer)}\n`);
      if (answer.status !== "ok") context.exit(1);
    });
}
