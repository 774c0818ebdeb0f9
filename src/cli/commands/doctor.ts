/**
 * `gitpin doctor`: is everything there that an answer needs? One line per check, with the way out of what fails.
 * Exit 0 when all is well, 1 when a repository cannot be read, 2 when the service or the registry cannot.
 */
import { Command } from "commander";
import { asGitpinError } from "../../errors.ts";
import { type CatalogRow, catalog as catalogSchema } from "../../schema/catalog.ts";
import { checkedAnswer } from "../checked-answer.ts";
import { type Connection, connect } from "../connection.ts";
import type { CommandContext } from "../output.ts";

export function doctorCommand(context: CommandContext): Command {
  return new Command("doctor")
    .description("Check the service or registry, the credentials, and every repository.")
    .option("--url <url>", "service to check, instead of GITPIN_URL")
    .action(async ({ url }: { url?: string }) => {
      const environment =
        url === undefined
          ? context.environment
          : { ...context.environment, GITPIN_URL: url, GITPIN_REGISTRY: undefined };
      const say = (mark: "ok" | "FAIL" | "note", text: string) =>
        context.output.out(`${mark.padEnd(5)} ${text}\n`);
      const connection = await connect(environment);
      say(
        "ok",
        connection.kind === "hosted"
          ? `asking ${environment.GITPIN_URL}`
          : `registry ${environment.GITPIN_REGISTRY} is valid`,
      );
      if (connection.kind === "direct" && environment.GITHUB_TOKEN === undefined) {
        say("note", "GITHUB_TOKEN is not set: public repositories only, 60 requests an hour");
      }
      const rows = await allRows(connection).catch((thrown: unknown) => {
        const error = asGitpinError(thrown);
        say("FAIL", `catalog: ${error.code}: ${error.message} ${error.nextStep}`);
        context.exit(2);
        return [];
      });
      for (const row of rows) {
        const well = row.status === "ok" && !row.stale;
        say(
          well ? "ok" : "FAIL",
          `${row.repository} (${row.fullName}): ${well ? row.headSha : `${row.status}, ${row.reason}`}`,
        );
        if (!well) context.exit(1);
      }
      say(
        "note",
        `${rows.length} ${rows.length === 1 ? "repository" : "repositories"} visible to this caller`,
      );
    });
}

async function allRows(connection: Connection): Promise<CatalogRow[]> {
  const rows: CatalogRow[] = [];
  let cursor: string | null = null;
  do {
    const input: Record<string, unknown> = cursor === null ? {} : { cursor };
    const page: ReturnType<typeof catalogSchema.parse> = checkedAnswer(
      catalogSchema,
      await connection.call("pin.catalog", input),
    );
    rows.push(...page.repositories);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}
