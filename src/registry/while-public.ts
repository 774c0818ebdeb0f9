/**
 * A public entry is public as long as its repository is. From the moment GitHub tells that it turned private, by webhook or by
 * whatever it answered about the repository, the entry does not exist for anybody who saw it as public. Whoever sees everything (the
 * operator) keeps seeing it. Where nobody can say yet what webhooks told, public entries are refused, not shown.
 */
import { GitpinError } from "../errors.ts";
import type { Caller, Registry } from "../ports/registry.ts";
import type { RepositoryIdentity, RepositoryReader } from "../ports/repository-reader.ts";
import type { RepositoryWriter } from "../ports/repository-writer.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { checkedPort } from "./checked-port.ts";
import { type AnonymousAccess, isPublic, viewOf } from "./visibility.ts";

/** What webhooks told. */
export interface ToldPrivate {
  /** False: nothing was ever read of it. */
  readonly known: boolean;
  /** By id where there is one, else by name. */
  isPrivate(repository: { id?: number | undefined; owner: string; repo: string }): boolean;
}

export interface PublicityOptions {
  anonymous: AnonymousAccess;
  /** Null where there are no webhooks. */
  news: ToldPrivate | null;
  /** What GitHub answered last, from memory. `current`: not too old, and after all news of it. */
  lastIdentity(entry: RepositoryEntry): { identity: RepositoryIdentity; current: boolean } | null;
}

interface About {
  entry: RepositoryEntry;
  caller: Caller;
  /** The error that says that there is no such repository. */
  unknown: () => GitpinError;
}

export interface Publicity {
  /** The registry without what is known to be public no more. Throws `registry_unavailable` where that cannot be known. */
  registry(registry: Registry): Registry;
  /** The reader, where this caller may read. Every operation throws `unknown` once the repository is found to be private. */
  reader(reader: RepositoryReader, about: About): RepositoryReader;
  /** The writer likewise; `reader` says who the repository is. What was done is told even where it is found to be private by then. */
  writer(
    writer: RepositoryWriter,
    reader: Pick<RepositoryReader, "identity">,
    about: About,
  ): RepositoryWriter;
  /** Whether an answer about it may be kept by others: nothing known speaks against its being public. */
  mayBeKept(entry: RepositoryEntry): boolean;
}

const newsUnknown = (): GitpinError =>
  new GitpinError(
    "registry_unavailable",
    "What GitHub told by webhook cannot be read, so nobody can say which repositories are still public.",
    "Try again in a few seconds.",
    { retryAfterSeconds: 5 },
  );

export function publicity({ anonymous, news, lastIdentity }: PublicityOptions): Publicity {
  const seesAll = (caller: Caller): boolean => viewOf(caller, anonymous).kind === "everything";
  const isPrivate = (entry: RepositoryEntry, { id, visibility }: RepositoryIdentity): boolean =>
    visibility !== "public" || (news?.isPrivate({ ...entry, id }) ?? false);

  /** An identity that may have changed since is left to the reader, which asks again. */
  const hidden = (entry: RepositoryEntry): boolean => {
    if (!isPublic(entry)) return false;
    const last = lastIdentity(entry);
    return (news?.isPrivate(entry) ?? false) || (last?.current === true && isPrivate(entry, last.identity));
  };
  const shown = (caller: Caller, entry: RepositoryEntry): boolean => {
    if (!isPublic(entry) || seesAll(caller)) return true;
    if (news !== null && !news.known) throw newsUnknown();
    return !hidden(entry);
  };

  const assertPublic = async (
    reader: Pick<RepositoryReader, "identity">,
    { entry, unknown }: About,
  ): Promise<void> => {
    const last = lastIdentity(entry);
    // An entry without an id asks who it is in any case; one with an id only to find out whether it is still private.
    const ask = entry.id === undefined || (last !== null && isPrivate(entry, last.identity));
    if (ask && isPrivate(entry, await reader.identity())) throw unknown();
  };
  const assertNotHidden = ({ entry, unknown }: About): void => {
    if (hidden(entry)) throw unknown();
  };

  return {
    registry: (registry) => ({
      async visible(caller) {
        return (await registry.visible(caller)).filter((entry) => shown(caller, entry));
      },
      async find(caller, name) {
        const entry = await registry.find(caller, name);
        return entry !== null && shown(caller, entry) ? entry : null;
      },
      status: () => registry.status(),
    }),

    reader(reader, about) {
      if (!isPublic(about.entry) || seesAll(about.caller)) return reader;
      return checkedPort(reader, {
        before: () => assertPublic(reader, about),
        // It may have learned who the repository is.
        after: () => assertNotHidden(about),
      });
    },

    writer(writer, reader, about) {
      if (!isPublic(about.entry) || seesAll(about.caller)) return writer;
      return checkedPort(writer, {
        before: () => assertPublic(reader, about),
        each: () => assertNotHidden(about),
        passing: ["wrote"],
      });
    },

    mayBeKept(entry) {
      if (anonymous !== "public" || !isPublic(entry) || hidden(entry)) return false;
      const last = lastIdentity(entry);
      return (news === null || news.known) && (last === null || !isPrivate(entry, last.identity));
    },
  };
}
