/**
 * A team's entry names an owner that the operator allows the team; GitHub follows a repository that was renamed or given away.
 * So every read of a team's repository, and every write to it, first makes sure that where it is now is still the team's: else our credential, which may
 * read and write more than the team may, would open a repository of somebody else under the team's old name.
 */
import type { TeamMap } from "../auth/team-map.ts";
import { GitpinError } from "../errors.ts";
import type { RepositoryReader } from "../ports/repository-reader.ts";
import type { RepositoryWriter } from "../ports/repository-writer.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { checkedPort } from "./checked-port.ts";

/** The same reader, every operation of it behind that check. The operator's own entries need none. */
export function withinTeam(
  reader: RepositoryReader,
  entry: RepositoryEntry,
  teams: TeamMap,
): RepositoryReader {
  if (entry.team === undefined) return reader;
  return checkedPort(reader, { before: () => assertWithinTeam(reader, entry, teams) });
}

/** A writer behind the same check; `reader` says where the repository is now. */
export function writerWithinTeam(
  writer: RepositoryWriter,
  reader: Pick<RepositoryReader, "identity">,
  entry: RepositoryEntry,
  teams: TeamMap,
): RepositoryWriter {
  if (entry.team === undefined) return writer;
  return checkedPort(writer, {
    before: () => assertWithinTeam(reader, entry, teams),
    passing: ["wrote"],
  });
}

async function assertWithinTeam(
  reader: Pick<RepositoryReader, "identity">,
  { name, team }: RepositoryEntry,
  teams: TeamMap,
): Promise<void> {
  const { fullName } = await reader.identity();
  const [owner = "", repo = ""] = fullName.split("/");
  if (team !== undefined && !teams.allows(team, owner, repo)) throw movedAway(name);
}

const movedAway = (name: string): GitpinError =>
  new GitpinError(
    "repository_unavailable",
    `The repository registered as ${name} is no longer where the team's registry says.`,
    "An admin of the team corrects owner and repo of the entry, or removes it.",
  );
