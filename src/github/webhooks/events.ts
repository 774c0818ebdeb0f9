/**
 * What GitHub's webhook events mean to this service, as news. Reads a few members of a payload and trusts none of its content as
 * evidence: a push says that a ref may have moved, never where to. Follows docs.github.com/webhooks/webhook-events-and-payloads.
 */
import * as z from "zod";
import { memberSpans, parseSpan } from "../../core/json-scan.ts";
import type { NewsItem } from "../news/news.ts";

const repository = z.object({
  id: z.number().int().positive(),
  full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
  private: z.boolean().default(false),
});
const listed = z.object({ id: z.number().int().positive(), full_name: z.string() });
const account = z.object({ login: z.string().min(1) });

const push = z.object({
  ref: z.string().startsWith("refs/").max(1000),
  repository: repository.extend({ default_branch: z.string().nullish() }),
});

const changed = z.object({
  action: z.string(),
  repository,
  changes: z
    .object({
      repository: z.object({ name: z.object({ from: z.string() }).optional() }).optional(),
      owner: z
        .object({
          from: z.object({ user: account.optional(), organization: account.optional() }),
        })
        .optional(),
    })
    .nullish(),
});

const installation = z.object({
  action: z.string(),
  installation: z.object({ account: account.nullish(), repository_selection: z.string().nullish() }),
  repositories: z.array(listed).nullish(),
});

const installationRepositories = z.object({
  action: z.string(),
  repositories_added: z.array(listed).nullish(),
  repositories_removed: z.array(listed).nullish(),
});

/** What a payload comes to. */
export interface Told {
  items: NewsItem[];
  /** Told to be public again, which GitHub itself must confirm. */
  publicized: { id: number; fullName: string } | null;
  /** Which installation opens which repository may have changed. */
  installations: boolean;
}

const told = (items: NewsItem[], more: Partial<Told> = {}): Told => ({
  items,
  publicized: null,
  installations: false,
  ...more,
});

/** The members of a payload that a form names, parsed one by one. */
function read<T extends z.ZodObject>(form: T, payload: Uint8Array): z.output<T> | null {
  const spans = memberSpans(payload);
  if (spans === null) return null;
  const members = Object.keys(form.shape).flatMap((name) => {
    const span = spans.get(name);
    return span === undefined ? [] : [[name, parseSpan(payload, span)]];
  });
  const checked = form.safeParse(Object.fromEntries(members));
  return checked.success ? checked.data : null;
}

/** Null: the payload is not of the documented form. Undefined: an event that means nothing here. */
export function readEvent(event: string, payload: Uint8Array): Told | null | undefined {
  switch (event) {
    case "ping":
      return told([]);
    case "push":
      return pushed(read(push, payload));
    case "repository":
      return repositoryChanged(read(changed, payload));
    case "installation":
      return installationChanged(read(installation, payload));
    case "installation_repositories":
      return selectionChanged(read(installationRepositories, payload));
    default:
      return undefined;
  }
}

function pushed(event: z.output<typeof push> | null): Told | null {
  if (event === null) return null;
  const { id, default_branch: branch, full_name: name, private: hidden } = event.repository;
  const isDefault = typeof branch === "string" && event.ref === `refs/heads/${branch}`;
  const items: NewsItem[] = [
    { kind: "push", repositoryId: id, refs: isDefault ? [event.ref, "HEAD"] : [event.ref] },
  ];
  // A push to a private repository says so, in case the news of that went astray.
  if (hidden) items.push({ kind: "repository", repositoryId: id, names: [name], private: true });
  return told(items);
}

/** The name before a rename or transfer. */
function nameBefore({ changes, repository: { full_name: name } }: z.output<typeof changed>): string[] {
  const [owner = "", repo = ""] = name.split("/");
  const from = changes?.owner?.from;
  const ownerBefore = from?.organization?.login ?? from?.user?.login ?? owner;
  const before = `${ownerBefore}/${changes?.repository?.name?.from ?? repo}`;
  return before === name ? [] : [before];
}

function repositoryChanged(event: z.output<typeof changed> | null): Told | null {
  if (event === null) return null;
  const { action, repository: about } = event;
  const item: NewsItem = {
    kind: "repository",
    repositoryId: about.id,
    names: [about.full_name, ...nameBefore(event)],
    gone: action === "deleted" ? "deleted" : null,
    ...(about.private && action !== "publicized" ? { private: true } : {}),
  };
  const publicized = action === "publicized" ? { id: about.id, fullName: about.full_name } : null;
  return told([item], { publicized });
}

const accessOf = (
  repositories: readonly z.output<typeof listed>[] | null | undefined,
  gone: "no_access" | null,
): NewsItem[] =>
  (repositories ?? []).map(({ id, full_name: name }) => ({
    kind: "repository",
    repositoryId: id,
    names: [name],
    gone,
  }));

function installationChanged(event: z.output<typeof installation> | null): Told | null {
  if (event === null) return null;
  const gone = event.action === "deleted" || event.action === "suspend" ? "no_access" : null;
  const items = accessOf(event.repositories, gone);
  const owner = event.installation.account?.login;
  if (owner !== undefined) items.push({ kind: "owner", owner, gone });
  return told(items, { installations: true });
}

function selectionChanged(event: z.output<typeof installationRepositories> | null): Told | null {
  if (event === null) return null;
  const items = [
    ...accessOf(event.repositories_removed, "no_access"),
    ...accessOf(event.repositories_added, null),
  ];
  return told(items, { installations: true });
}
