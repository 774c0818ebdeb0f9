/**
 * A team's entry names an owner that the operator allows the team; GitHub follows a repository that was renamed or given away.
 * So every read of a team's repository first makes sure that where it is now is still the team's: else our credential, which may
 * read more than the team may, would serve a repository of somebody else under the team's old name.
 */
import type { TeamMap } from "../auth/team-map.ts";
import { GitpinError } from "../errors.ts";
import type { RepositoryReader } from "../ports/repository-reader.ts";
import type { RepositoryEntry } from "../schema/registry.ts";

/** The same reader, every operation of it behind that check. The operator's own entries need none. */
export function withinTeam(
  reader: RepositoryReader,
  entry: RepositoryEntry,
  teams: TeamMap,
): RepositoryReader {
  const { team } = entry;
  if (team === undefined) return reader;
  let checked: Promise<void> | undefined;
  const check = async (): Promise<void> => {
    const { fullName } = await reader.identity();
    const [owner = "", repo = ""] = fullName.split("/");
    if (!teams.allows(team, owner, repo)) throw movedAway(entry.name);
  };
  // All operations are asynchronous. A proxy, so that one that is added later is behind the check as well.
  return new Proxy(reader, {
    get(target, name) {
      const operation: unknown = Reflect.get(target, name, target);
      if (typeof operation !== "function") return operation;
      return async (...args: unknown[]) => {
        checked ??= check();
        await checked;
        return await operation.apply(target, args);
      };
    },
  });
}

const movedAway = (name: string): GitpinError =>
  new GitpinError(
    "repository_unavailable",
    `The repository registered as ${name} is no longer where the team's registry says.`,
    "An admin of the team corrects owner and repo of the entry, or removes it.",
  );
