/** `pin.read`: a slice of a file, or the entries of a directory in pages that are pinned to the tree. */
import * as z from "zod";
import { boundKind, decodeCursor, encodeCursor, foreignCursor } from "../core/cursor.ts";
import { envelopeOf } from "../core/evidence/envelope.ts";
import type { TreeEntry } from "../core/git/tree-entry.ts";
import type { Policy } from "../core/policy/policy.ts";
import { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import type { EvidenceSlice, ReadInput } from "../schema/evidence.ts";
import { type Located, locate } from "./locate.ts";
import { lookAround } from "./look-around.ts";
import { nextTool } from "./next.ts";
import { readOn } from "./read-on.ts";
import type { ServicePorts } from "./service-ports.ts";
import { askedLines, citationAt, headState, NO_BYTES, readSlice } from "./slice.ts";

const PAGE = 200;

export async function read(ports: ServicePorts, input: ReadInput, call: Call): Promise<EvidenceSlice> {
  const asked = askedLines(input.lineStart, input.lineEnd, ["lineStart", "lineEnd"]);
  const page = pageOf(input);
  const located = await locate(
    ports,
    call,
    page.sha === null ? input : { ...input, ref: undefined, sha: page.sha },
  );
  if (located.outcome.status === "ok" && located.outcome.found.entry.kind === "directory" && asked === null) {
    return listing(ports, located, page.offset, input, call);
  }
  if (input.cursor !== undefined) throw foreignCursor();
  const { fields } = await readSlice(ports, located, asked, input.maxBytes);
  const place = { repository: input.repository, sourcePath: input.sourcePath, sha: located.commitSha };
  return {
    ...envelopeOf("evidence-slice"),
    ...fields,
    entries: null,
    totalEntries: null,
    nextCursor: null,
    next:
      fields.status === "missing"
        ? lookAround(located, fields, call)
        : fields.status === "blocked"
          ? null
          : fields.truncated
            ? readOn("pin.read", located, fields, input.maxBytes, call)
            : nextTool("pin.prove", call.spelling, {
                ...place,
                lineStart: asked?.start,
                lineEnd: asked?.end,
              }),
  };
}

const cursorShape = z.tuple([z.string().regex(/^[0-9a-f]{40}$/), z.number().int().min(1)]);

const cursorKind = ({ repository, sourcePath }: ReadInput) => boundKind("read", repository, sourcePath);

/** A cursor carries the commit of the first page, so that later pages show the same tree. */
function pageOf(input: ReadInput): { sha: string | null; offset: number } {
  if (input.cursor === undefined) return { sha: null, offset: 0 };
  const [sha, offset] = decodeCursor(cursorKind(input), cursorShape, input.cursor);
  if (input.ref !== undefined) {
    throw new GitpinError(
      "invalid_argument",
      "cursor and ref exclude each other.",
      "Leave ref out when you pass a cursor: the cursor carries the commit.",
      { field: "ref" },
    );
  }
  if (input.sha !== undefined && !sha.startsWith(input.sha.toLowerCase())) {
    throw new GitpinError(
      "invalid_argument",
      "cursor belongs to another commit than sha.",
      "Leave sha out when you pass a cursor: the cursor carries the commit.",
      { field: "cursor" },
    );
  }
  return { sha, offset };
}

async function listing(
  ports: ServicePorts,
  located: Located,
  offset: number,
  input: ReadInput,
  call: Call,
): Promise<EvidenceSlice> {
  if (located.outcome.status !== "ok") throw new TypeError("only a found directory has a listing");
  const { commit, policy } = located.outcome;
  const directory = await located.reader.directory(commit, located.sourcePath);
  const children = directory?.entries ?? [];
  if (offset > 0 && offset >= children.length) throw foreignCursor();
  const limit = input.limit ?? PAGE;
  const shown = children.slice(offset, offset + limit);
  const nextCursor =
    offset + limit < children.length ? encodeCursor(cursorKind(input), [commit.sha, offset + limit]) : null;
  const place = { repository: input.repository, sourcePath: input.sourcePath };
  return {
    ...envelopeOf("evidence-slice"),
    status: "ok",
    reason: null,
    citation: citationAt(ports, located, null, "ok"),
    repository: located.entry.name,
    sourcePath: located.sourcePath,
    commitSha: commit.sha,
    ...NO_BYTES,
    entryType: "directory",
    truncated: nextCursor !== null || directory?.complete === false,
    reachable: located.reachable,
    ...headState(located),
    entries: shown.map((entry) => row(entry, policy)),
    totalEntries: children.length,
    nextCursor,
    next:
      nextCursor === null
        ? null
        : nextTool("pin.read", call.spelling, { ...place, limit: input.limit, cursor: nextCursor }),
  };
}

/**
 * A blob id is a hash of the content and a size narrows it: neither is shown for what policy blocks. Nor is the id of a
 * blocked directory, which is a hash of what it holds.
 */
function row(entry: TreeEntry, policy: Policy) {
  const name = entry.path.slice(entry.path.lastIndexOf("/") + 1);
  const blocked = !policy.decide(entry.path).allowed;
  return {
    name,
    sourcePath: entry.path,
    entryType: entry.kind,
    id: blocked ? null : entry.id,
    size: blocked ? null : entry.size,
    blocked,
  };
}
