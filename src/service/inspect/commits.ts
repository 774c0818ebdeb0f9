/** `commits`: the newest commits of HEAD, as `git log` lists them. */
import { LOG_AT_MOST } from "../../ports/repository-history.ts";
import { commitRowOf } from "../commit-row.ts";
import type { Part, View } from "./view.ts";

export async function commitsOf({ at, limit }: View): Promise<Part<"commits">> {
  const log = await at.reader.log(at.commitSha, LOG_AT_MOST);
  return {
    items: log.slice(0, limit).map(commitRowOf),
    total: log.length < LOG_AT_MOST ? log.length : null,
    truncated: log.length > limit,
  };
}
