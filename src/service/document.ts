/**
 * `pin.get_doc`: a documentation file as a page: its bytes as `pin.read` gives them, with title and headings.
 * What the registry does not take for documentation, or a wiki file hides, is no page here, though it may be source.
 */
import * as z from "zod";
import { boundKind, decodeCursor, encodeCursor, foreignCursor } from "../core/cursor.ts";
import { headingsOf, titleOf } from "../core/document/headings.ts";
import { AGENT_INSTRUCTION } from "../core/evidence/agent-instruction.ts";
import { envelopeOf } from "../core/evidence/envelope.ts";
import { isBinary } from "../core/git/binary.ts";
import { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import type { NextCall } from "../schema/common.ts";
import type { DocInput, EvidenceDoc, Heading } from "../schema/doc.ts";
import { type Located, locate } from "./locate.ts";
import { nextTool } from "./next.ts";
import { readOn } from "./read-on.ts";
import type { ServicePorts } from "./service-ports.ts";
import { askedLines, readSlice } from "./slice.ts";

const HEADINGS = 200;
const position = z.tuple([z.string().regex(/^[0-9a-f]{40}$/), z.number().int().min(1)]);

export async function document(ports: ServicePorts, input: DocInput, call: Call): Promise<EvidenceDoc> {
  const asked = askedLines(input.lineStart, input.lineEnd, ["lineStart", "lineEnd"]);
  const page = pageOf(input);
  const { sourcePath, repository } = input;
  const place = { repository, sourcePath, sha: page?.sha ?? input.sha, ref: page ? undefined : input.ref };
  const located = asPage(await locate(ports, call, place));
  const { fields } = await readSlice(ports, located, asked, input.maxBytes);
  const headings = await headingsIn(located);
  const offset = page?.offset ?? 0;
  if (page !== null && headings !== null && offset >= headings.length) throw foreignCursor();
  const end = offset + (input.limit ?? HEADINGS);
  const more = headings !== null && end < headings.length;
  const nextCursor = more ? encodeCursor(cursorKind(input), [located.commitSha, end]) : null;
  return {
    ...envelopeOf("evidence-doc"),
    ...fields,
    truncated: fields.truncated || more,
    title: headings === null ? null : titleOf(headings),
    headings: headings?.slice(offset, end) ?? null,
    totalHeadings: headings?.length ?? null,
    nextCursor,
    agentInstruction: AGENT_INSTRUCTION,
    next: nextOf(fields, input, located, nextCursor, call),
  };
}

const cursorKind = ({ repository, sourcePath }: DocInput) => boundKind("doc", repository, sourcePath);

/** A cursor carries the commit of the first page, so that later pages show the headings of the same file. */
function pageOf(input: DocInput): { sha: string; offset: number } | null {
  if (input.cursor === undefined) return null;
  const [sha, offset] = decodeCursor(cursorKind(input), position, input.cursor);
  if (input.sha === undefined || sha.startsWith(input.sha.toLowerCase())) return { sha, offset };
  throw new GitpinError(
    "invalid_argument",
    "cursor belongs to another commit than sha.",
    "Leave sha out when you pass a cursor: the cursor carries the commit.",
    { field: "cursor" },
  );
}

/** The place as documentation: what is no page becomes missing, what is hidden as one becomes blocked. */
function asPage(located: Located): Located {
  const { outcome, sourcePath } = located;
  if (outcome.status !== "ok" || outcome.policy.exposesDocument(sourcePath)) return located;
  const hidden = outcome.policy.isDocumentation(sourcePath);
  return {
    ...located,
    outcome: hidden
      ? { status: "blocked", reason: "The repository's own policy does not show this page as documentation." }
      : {
          status: "missing",
          what: "path",
          reason: "The path is not among the documentation of this repository.",
        },
  };
}

/** Of the whole file; null where there is no text. */
async function headingsIn({ outcome, reader, sourcePath }: Located): Promise<Heading[] | null> {
  if (outcome.status !== "ok") return null;
  const { kind, id } = outcome.found.entry;
  if (kind !== "file" && kind !== "executable") return null;
  const bytes = await reader.blob(id);
  return isBinary(bytes) ? null : headingsOf(sourcePath, new TextDecoder().decode(bytes));
}

function nextOf(
  fields: Pick<EvidenceDoc, "status" | "truncation" | "range">,
  input: DocInput,
  located: Located,
  nextCursor: string | null,
  call: Call,
): NextCall {
  const { repository, sourcePath } = input;
  const place = { repository, sourcePath, sha: located.commitSha };
  if (fields.status === "missing") return nextTool("pin.read", call.spelling, place);
  if (fields.status !== "ok") return null;
  if (fields.truncation !== null) return readOn("pin.get_doc", located, fields, input.maxBytes, call);
  if (nextCursor !== null) {
    return nextTool("pin.get_doc", call.spelling, { repository, sourcePath, cursor: nextCursor });
  }
  return nextTool("pin.prove", call.spelling, {
    ...place,
    lineStart: input.lineStart,
    lineEnd: input.lineEnd,
  });
}
