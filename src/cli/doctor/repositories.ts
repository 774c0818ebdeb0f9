/** Every repository that the caller may see: its HEAD, or why it cannot be read. */
import { type Catalog, type CatalogRow, catalog as catalogSchema } from "../../schema/catalog.ts";
import { checkedAnswer } from "../checked-answer.ts";
import type { Connection } from "../connection.ts";
import { checked, type Findings } from "./findings.ts";

/** Gives the names of those that could be changed: neither archived nor out of reach. */
export async function diagnoseRepositories(
  connection: Connection,
  findings: Findings,
): Promise<readonly string[]> {
  const rows = await checked(findings, "catalog", () => allRows(connection));
  if (rows === null) return [];
  for (const { repository, fullName, headSha, status, stale, reason } of rows) {
    const name = `${repository} (${fullName})`;
    if ((status === "ok" || status === "archived") && !stale) findings.ok(`${name}: HEAD is ${headSha}`);
    else if (status === "empty" && !stale) findings.note(`${name}: no commit yet`);
    else findings.fail(`${name}: ${status}${stale ? " stale" : ""}: ${reason ?? "no reason given"}`, 1);
  }
  const count = `${rows.length} ${rows.length === 1 ? "repository" : "repositories"}`;
  findings.note(
    rows.length === 0
      ? `${count} visible to this caller: register one, or call with a token that may see some`
      : `${count} visible to this caller`,
  );
  return rows
    .filter(({ status, stale }) => (status === "ok" || status === "empty") && !stale)
    .map(({ repository }) => repository);
}

async function allRows(connection: Connection): Promise<CatalogRow[]> {
  const rows: CatalogRow[] = [];
  let cursor: string | null = null;
  do {
    const input: Record<string, unknown> = { limit: 100, ...(cursor === null ? {} : { cursor }) };
    const page: Catalog = checkedAnswer(catalogSchema, await connection.call("pin.catalog", input));
    rows.push(...page.repositories);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}
