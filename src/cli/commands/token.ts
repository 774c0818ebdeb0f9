/**
 * `gitpin token ...`: tokens of a team over the admin routes. `issue` prints the token, and nothing else, to standard output:
 * once, for a secret store to take in.
 */
import { Command } from "commander";
import { printable } from "../../core/printable.ts";
import { GitpinError } from "../../errors.ts";
import { type TokenRow, tokenIssued, tokenList, tokenRevoked } from "../../schema/administration.ts";
import { SCOPES } from "../../schema/teams.ts";
import { adminClient } from "../admin-client.ts";
import type { CommandContext } from "../output.ts";

const DAY_MS = 86_400_000;

interface IssueOptions {
  team?: string;
  label: string;
  scope: string[];
  expiresInDays?: string;
}

export function tokenCommand(context: CommandContext): Command {
  const { environment, output } = context;
  const command = new Command("token").description("Issue, list and revoke tokens of your team.");

  command
    .command("issue")
    .description("Make a token and print it: it is shown this once.")
    .requiredOption("--label <text>", "who or what it is for")
    .option("--scope <scope...>", `what it may do: ${SCOPES.join(", ")}`, ["pin:read"])
    .option("--expires-in-days <n>", "how long it holds; for ever when left out")
    .option("--team <team>", "for the operator: whose token")
    .action(async ({ team, label, scope, expiresInDays }: IssueOptions) => {
      const expiresAt = expiresInDays === undefined ? {} : { expiresAt: inDays(expiresInDays) };
      const named = team === undefined ? {} : { team };
      const { token, row } = await adminClient(environment)("/v1/tokens", tokenIssued, {
        method: "POST",
        body: { ...named, label, scopes: scope, ...expiresAt },
      });
      output.error(`${rowText(row)}\n`);
      output.out(`${token}\n`);
    });

  command
    .command("list")
    .description("List the tokens there are and were, newest first; never the tokens themselves.")
    .option("--team <team>", "for the operator: of one team only")
    .action(async ({ team }: { team?: string }) => {
      const ask = adminClient(environment);
      let cursor: string | undefined;
      do {
        const query = { team, cursor, limit: "100" };
        const page: ReturnType<typeof tokenList.parse> = await ask("/v1/tokens", tokenList, { query });
        for (const row of page.tokens) output.out(`${printable(rowText(row))}\n`);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    });

  command
    .command("revoke <id>")
    .description("End a token: the next call with it is refused, everywhere.")
    .action(async (id: string) => {
      const path = `/v1/tokens/${encodeURIComponent(id)}`;
      const { row } = await adminClient(environment)(path, tokenRevoked, { method: "DELETE" });
      output.out(`${printable(rowText(row))}\n`);
    });
  return command;
}

function inDays(text: string): string {
  const days = Number(text);
  if (days > 0 && days <= 3650) return new Date(Date.now() + days * DAY_MS).toISOString();
  throw new GitpinError(
    "invalid_argument",
    "--expires-in-days takes a number of days, 3650 at most.",
    "gitpin token issue --help lists the options.",
  );
}

function rowText({ id, team, scopes, label, issuedAt, expiresAt, revokedAt }: TokenRow): string {
  const end =
    revokedAt !== null ? `revoked ${revokedAt}` : expiresAt === null ? "no expiry" : `expires ${expiresAt}`;
  return `${id}  ${team}  ${scopes.join(" ")}  issued ${issuedAt}  ${end}  ${label}`;
}
