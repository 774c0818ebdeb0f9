/**
 * `gitpin mutate`: one call of `kin_mutate` from a file, sent as it stands. Exit 0 when it was committed or planned; 1 when nothing
 * was written (a conflict, a refusal) or the pull request asked for is not open; 2 when an error stopped it.
 */
import { Command } from "commander";
import { GitpinError } from "../../errors.ts";
import { mutateInput } from "../../schema/mutation.ts";
import { type MutationResult, mutationResult } from "../../schema/mutation-result.ts";
import { checkArguments } from "../../tools/invoke.ts";
import { mutationText } from "../../tools/mutation-text.ts";
import { checkedAnswer } from "../checked-answer.ts";
import { connectService } from "../connection.ts";
import type { CommandContext } from "../output.ts";
import { parseJson } from "../parse-json.ts";
import { readText } from "../read-text.ts";

interface Options {
  dryRun?: boolean;
  requestId?: string;
  json?: boolean;
}

export function mutateCommand(context: CommandContext): Command {
  return new Command("mutate")
    .description(
      "Commit edits of code entities: one call of kin_mutate. Exit 1: nothing was written (conflict, refusal), or the pull request is not open.",
    )
    .argument("<file>", "the call's arguments as JSON; - for standard input")
    .option("--dry-run", "plan, diff and checks; nothing is written")
    .option("--request-id <id>", "your id of this call: repeated with it, it commits once")
    .option("--json", "print the whole result as JSON: it holds fresh bases")
    .action(async (file: string, options: Options) => {
      const input = callIn(readText(file, "<file>"), file, options);
      const connection = connectService(context.environment);
      const answer = await connection.call("kin_mutate", input).catch((thrown: unknown) => {
        throw explained(thrown, input);
      });
      const result = checkedAnswer(mutationResult, answer);
      context.output.out(`${options.json ? JSON.stringify(result, null, 2) : mutationText(result)}\n`);
      context.exit(exitOf(result));
    });
}

/** The file's own arguments; an option stands before what the file says. As given, not as parsed: bases are opaque. */
function callIn(text: string, file: string, { dryRun, requestId }: Options): Record<string, unknown> {
  const value = parseJson(text, file, "Give the arguments of kin_mutate as one JSON object.", "<file>");
  const input =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? {
          ...value,
          ...(dryRun === true ? { dry_run: true } : {}),
          ...(requestId === undefined ? {} : { request_id: requestId }),
        }
      : value;
  checkArguments(mutateInput, input);
  return input as Record<string, unknown>;
}

const exitOf = ({ status, pull_request: pull }: MutationResult): 0 | 1 =>
  status === "conflict" || status === "refused" || pull?.status === "failed" ? 1 : 0;

/**
 * What the service's own words do not say: to who may not write there is no such address, and where it is silent nobody knows whether
 * something was written.
 */
function explained(thrown: unknown, { request_id, dry_run }: Record<string, unknown>): unknown {
  if (!(thrown instanceof GitpinError)) return thrown;
  const { code, message, nextStep, data } = thrown;
  const leading = (next: string) => new GitpinError(code, message, next, data, { cause: thrown });
  if (code === "route_unknown") {
    return leading(
      "GITPIN_TOKEN must be a token with the scope kin:write, of a service that commits: gitpin status says what you may change.",
    );
  }
  if (data.service === undefined || dry_run === true) return thrown;
  return leading(
    request_id === undefined
      ? `${nextStep} The commit may stand all the same: look at the branch before you send the call again, best with a --request-id.`
      : `${nextStep} The commit may stand all the same: sent again with the same request id, the call commits once.`,
  );
}
