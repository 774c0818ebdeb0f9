/**
 * `gitpin brief`: what is known of repositories, with citations, and what is not, arranged for an audience.
 * A gap is a finding, not a failure: exit 0 unless the brief could not be made, 2 when a repository could not be examined.
 */
import { Command, Option } from "commander";
import { analyzeInput, audience, evidenceBrief } from "../../schema/brief.ts";
import { checkArguments } from "../../tools/invoke.ts";
import { briefText } from "../brief-text.ts";
import { checkedAnswer } from "../checked-answer.ts";
import { connect } from "../connection.ts";
import type { CommandContext } from "../output.ts";

interface Options {
  audience: string;
  repository?: string[];
  changeRange?: string;
  json?: boolean;
}

export function briefCommand(context: CommandContext): Command {
  return new Command("brief")
    .description("Known facts and gaps of repositories, each with its citation, for an audience.")
    .addOption(
      new Option("--audience <who>", "changes the presentation and no fact")
        .choices(audience.options)
        .default("technical"),
    )
    .option("--repository <name>", "examine this one, repeatable; all of the catalog without it", collect)
    .option("--change-range <base..head>", "with one repository: paths that differ become facts")
    .option("--json", "print the whole brief as JSON")
    .action(async (options: Options) => {
      const input = {
        operation: "brief",
        audience: options.audience,
        ...(options.repository === undefined ? {} : { repositories: options.repository }),
        ...(options.changeRange === undefined ? {} : { changeRange: options.changeRange }),
      };
      checkArguments(analyzeInput, input);
      const connection = await connect(context.environment);
      const brief = checkedAnswer(evidenceBrief, await connection.call("pin.analyze", input));
      const examined = new Set(brief.scope.repositories.map(({ repository }) => repository));
      if (examined.size === 0 || options.repository?.some((name) => !examined.has(name))) context.exit(2);
      context.output.out(options.json ? `${JSON.stringify(brief, null, 2)}\n` : briefText(brief));
    });
}

const collect = (name: string, before: string[] = []): string[] => [...before, name];
