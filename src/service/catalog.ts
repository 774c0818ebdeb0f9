/**
 * `pin.catalog`: the repositories a caller sees, with how fresh each HEAD is. One repository that fails keeps its row
 * and never sinks the others. At most one request per repository, none within the bound of HEAD, and one more
 * after news of the repository.
 */
import * as z from "zod";
import { decodeCursor, encodeCursor } from "../core/cursor.ts";
import { envelopeOf } from "../core/evidence/envelope.ts";
import { isDocumentation } from "../core/policy/policy.ts";
import { asGitpinError, type ErrorCode } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import type { Head, RepositoryFacts, RepositoryReader } from "../ports/repository-reader.ts";
import type { Catalog, CatalogInput, CatalogRow } from "../schema/catalog.ts";
import type { RepositoryEntry } from "../schema/registry.ts";
import { nextTool } from "./next.ts";
import type { ServicePorts } from "./service-ports.ts";
import { sideBySide } from "./side-by-side.ts";

const PAGE = 50;
const position = z.tuple([z.number().int().min(0)]);

export async function catalog(ports: ServicePorts, input: CatalogInput, call: Call): Promise<Catalog> {
  const view = input.view ?? "repositories";
  const [offset] = input.cursor === undefined ? [0] : decodeCursor(`catalog:${view}`, position, input.cursor);
  const limit = input.limit ?? PAGE;
  const all = await ports.registry.visible(call.caller);
  // The stale view filters by state, so every repository's state must be known before a page can be cut.
  const examined = view === "stale" ? all : all.slice(offset, offset + limit);
  const seen = await sideBySide(examined, (entry) => row(ports, entry, call));
  // What turns out not to be this caller's any more is no row, and is not counted.
  const rows = seen.filter((item) => item !== null);
  const wanted = view === "stale" ? rows.filter((item) => item.stale) : rows;
  const shown = view === "stale" ? wanted.slice(offset, offset + limit) : wanted;
  const total = view === "stale" ? wanted.length : all.length - (seen.length - rows.length);
  const first = shown.find((item) => item.status === "ok" || item.status === "archived");
  return {
    ...envelopeOf("catalog"),
    view,
    repositories: shown,
    registry: ports.registry.status(),
    total,
    nextCursor:
      offset + limit < (view === "stale" ? total : all.length)
        ? encodeCursor(`catalog:${view}`, [offset + limit])
        : null,
    next: first === undefined ? null : nextTool("pin.read", call.spelling, { repository: first.repository }),
  };
}

const STATUS_OF: Partial<Record<ErrorCode, CatalogRow["status"]>> = {
  repository_empty: "empty",
  repository_deleted: "deleted",
  repository_no_access: "no_access",
  repository_unavailable: "unavailable",
  upstream_forbidden: "no_access",
};

const isErrorCode = (code: string): code is ErrorCode => code in STATUS_OF;

/** What an older HEAD says of the repository, or what the repository says of itself. */
function statusOf(head: Head, facts: RepositoryFacts | null): CatalogRow["status"] {
  const code = head.stale?.code ?? "";
  const why = isErrorCode(code) ? STATUS_OF[code] : undefined;
  return why ?? (facts?.archived ? "archived" : "ok");
}

/** Null: nothing is known. Name and archive are worth no row: what fails here is left out. */
async function factsIfTold(reader: RepositoryReader): Promise<RepositoryFacts | null> {
  try {
    return await reader.facts();
  } catch (thrown) {
    const error = asGitpinError(thrown);
    if (error.form.fault === "upstream") return null;
    throw error;
  }
}

async function row(ports: ServicePorts, entry: RepositoryEntry, call: Call): Promise<CatalogRow | null> {
  const fixed = {
    repository: entry.name,
    description: entry.description ?? null,
    fullName: `${entry.owner}/${entry.repo}`,
    visibility: entry.visibility,
    refs: entry.refs,
  };
  try {
    const reader = ports.open(entry, call);
    const head = await reader.head();
    const facts = await factsIfTold(reader);
    return {
      ...fixed,
      fullName: facts?.fullName ?? fixed.fullName,
      ref: head.ref,
      headSha: head.sha,
      checkedAt: head.checkedAt,
      docCount: await docCount(reader, entry, head.sha),
      status: statusOf(head, facts),
      stale: head.stale !== null,
      reason: head.stale?.reason ?? null,
    };
  } catch (thrown) {
    const error = asGitpinError(thrown);
    if (error.code === "repository_unknown") return null;
    return {
      ...fixed,
      ref: entry.ref ?? null,
      headSha: null,
      checkedAt: null,
      docCount: null,
      status: STATUS_OF[error.code] ?? "error",
      stale: error.code !== "repository_empty",
      reason: `${error.code}: ${error.message}`,
    };
  }
}

/** Counted only where the tree is known already: a catalog must not cost a tree per repository. */
async function docCount(
  reader: RepositoryReader,
  entry: RepositoryEntry,
  sha: string,
): Promise<number | null> {
  const commit = await reader.commit(sha);
  const listing = commit === null ? null : await reader.pathsIfKnown(commit);
  if (listing === null || !listing.complete) return null;
  return listing.entries.filter(({ path }) => isDocumentation(path, entry)).length;
}
