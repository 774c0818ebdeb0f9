/**
 * A team's entry names an owner that the operator allows the team; GitHub follows a repository that was renamed or given away.
 * So every read of a team's repository first makes sure that where it is now is still the team's: else our credential, which may
 * read more than the team may, would serve a repository of somebody else under the team's old name.
 */
import type { TeamMap } from "../auth/team-map.ts";
import { GitpinError } from "../errors.ts";
import type { RepositoryReader } from "../ports/repository-reader.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { checkedReader } from "./checked-reader.ts";

/** The same reader, every operation of it behind that check. The operator's own entries need none. */
export function withinTeam(
  reader: RepositoryReader,
  entry: RepositoryEntry,
  teams: TeamMap,
): RepositoryReader {
  const { team } = entry;
  if (team === undefined) return reader;
  const before = async (): Promise<void> => {
    const { fullName } = await reader.identity();
    const [owner = "", repo = ""] = fullName.split("/");
    if (!teams.allows(team, owner, repo)) throw movedAway(entry.name);
  };
  return checkedReader(reader, { before });
}

const movedAway = (name: string): GitpinError =>
  new GitpinError(
    "repository_unavailable",
    `The repository registered as ${name} is no longer where the team's registry says.`,
    "An admin of the team corrects owner and repo of the entry, or removes it.",
  );
