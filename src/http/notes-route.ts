/**
 * `POST /v1/verify-cites`: notes in, a report on all their citations out, with a status that makes `curl -f` a gate. Takes
 * Markdown, plain text, and what `curl --data-binary` calls its body when it is not told; all of it is read as UTF-8.
 */
import { GitpinError } from "../errors.ts";
import { NOTES } from "../schema/citations-report.ts";
import type { NotesGate } from "../tools/notes-gate.ts";
import { readBytes } from "./body.ts";
import type { Exchange, OpenedCall } from "./exchange.ts";
import { negotiate } from "./negotiation.ts";
import { parseQuery } from "./query.ts";

export const NOTES_PATH = "/v1/verify-cites";

/** The first is what a caller should send; curl says the last two by itself. */
export const NOTES_TYPES = [
  "text/markdown",
  "text/plain",
  "application/octet-stream",
  "application/x-www-form-urlencoded",
] as const;

function assertNotes(contentType: string | null): void {
  if (contentType === null) return;
  const [type = "", ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  const known = (NOTES_TYPES as readonly string[]).includes(type);
  if (known && (charset === undefined || /^charset="?(utf-8|utf8|us-ascii)"?$/.test(charset))) return;
  throw new GitpinError(
    "media_type_unsupported",
    "The body must be notes: Markdown or plain text in UTF-8.",
    "Send Content-Type: text/markdown, with the file as the body.",
    { offered: NOTES_TYPES },
  );
}

async function readNotes(request: Request): Promise<string> {
  assertNotes(request.headers.get("content-type"));
  const bytes = await readBytes(request, { bytes: NOTES.bytes, depth: 0 });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new GitpinError("invalid_argument", "The notes are not UTF-8.", "Send the file in UTF-8.", {
      field: "body",
    });
  }
}

export async function serveNotes(
  gate: NotesGate,
  request: Request,
  call: OpenedCall,
  exchange: Exchange,
): Promise<Response> {
  const type = negotiate(request.headers.get("accept"), ["application/json", "text/plain", "text/markdown"]);
  const [unknown] = parseQuery(new URL(request.url).search).keys();
  if (unknown !== undefined) {
    const field = unknown.slice(0, 60);
    throw new GitpinError("invalid_argument", `"${field}" is not a parameter here.`, "Leave it out.", {
      field,
    });
  }
  const report = await gate.check(await readNotes(request), { ...call, spelling: "dotted" });
  const status = gate.httpStatus(report);
  exchange.answered(status);
  const body =
    type === "text/markdown"
      ? gate.markdown(report)
      : type === "text/plain"
        ? gate.text(report)
        : JSON.stringify(report);
  return new Response(`${body}\n`, {
    status,
    headers: { "content-type": type === "application/json" ? type : `${type}; charset=utf-8` },
  });
}
