/**
 * `GET /c/{handle}`: a citation as a page, and as JSON, text or a badge. Owns how the address is read; the verdict is
 * `pin.verify`'s and the lines are `pin.read`'s, through the same arguments, policy and statuses as over REST.
 *
 * The handle is one percent-encoded part of the path (`encodeURIComponent`). Pasted as it is (`/c/gitpin:...`), it is taken as
 * it is: its own percent sequences are never decoded twice. A form is chosen by `?format=`, by a suffix behind line numbers
 * (`...:3.svg`), else by `Accept`. Without line numbers a suffix could be part of the path, so there it is none.
 */

import { printable } from "../core/printable.ts";
import { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import { type EvidenceSlice, evidenceSlice } from "../schema/evidence.ts";
import { type VerificationReport, verificationReport } from "../schema/verification.ts";
import { invoke } from "../tools/invoke.ts";
import type { Tool } from "../tools/tool.ts";
import type { Exchange, OpenedCall } from "./exchange.ts";
import { negotiate } from "./negotiation.ts";
import { badge } from "./pages/badge.ts";
import { citationPage } from "./pages/citation-page.ts";
import { linesText, PAGE_LIMITS, shownLines } from "./pages/cited-lines.ts";
import { pageHeaders } from "./pages/layout.ts";
import { parseQuery } from "./query.ts";

export const CITATION_PREFIX = "/c/";

const FORMS = {
  html: "text/html",
  json: "application/json",
  txt: "text/plain",
  svg: "image/svg+xml",
} as const;
type Form = keyof typeof FORMS;

export interface CitationTools {
  verify: Tool;
  read: Tool;
}

/** Null where one of the two is not there. */
export function citationTools(tools: readonly Tool[]): CitationTools | null {
  const [verify, read] = ["pin.verify", "pin.read"].map((name) => tools.find((tool) => tool.name === name));
  return verify === undefined || read === undefined ? null : { verify, read };
}

export interface AskedCitation {
  handle: string;
  /** Null: `Accept` decides. */
  form: Form | null;
}

const wrong = (field: string, problem: string, nextStep: string): GitpinError =>
  new GitpinError("invalid_argument", problem, nextStep, { field });

/** `pathname` and `search` are a URL's, still encoded. Throws `invalid_argument`. */
export function readCitationAddress(pathname: string, search: string): AskedCitation {
  const written = pathname.slice(CITATION_PREFIX.length);
  let handle: string;
  try {
    handle = /^gitpin:/i.test(written) ? written : decodeURIComponent(written);
  } catch {
    throw wrong("handle", "The handle is not percent-encoded UTF-8.", "Encode it with encodeURIComponent.");
  }
  const form = formOf(search);
  const suffix = /^(gitpin:.*:\d+(?:-\d+)?)\.(html|json|txt|svg)$/s.exec(handle);
  if (suffix === null) return { handle, form };
  if (form !== null)
    throw wrong("format", "The form is given twice.", "Give the suffix or format, not both.");
  return { handle: suffix[1] ?? "", form: (suffix[2] ?? "html") as Form };
}

function formOf(search: string): Form | null {
  let form: Form | null = null;
  for (const [name, values] of parseQuery(search)) {
    const [value = ""] = values;
    if (name !== "format" || values.length > 1 || !Object.hasOwn(FORMS, value)) {
      throw wrong(
        name.slice(0, 60),
        name === "format"
          ? "format is one of html, json, txt and svg."
          : `"${name.slice(0, 60)}" is not a parameter here.`,
        "Give the whole handle percent-encoded, then format at most; a question mark in a path is %3F.",
      );
    }
    form = value as Form;
  }
  return form;
}

/** The slice and its report are of one commit: the report resolves what the handle says, the slice is read at that. */
async function answersOf(
  { verify, read }: CitationTools,
  handle: string,
  call: Call,
): Promise<{ report: VerificationReport; slice: EvidenceSlice | null }> {
  const absence = /^gitpin-absence:/i.test(handle);
  const asked = verify.rest?.toInput(absence ? { absence: handle } : { handle });
  const report = verificationReport.parse(await invoke(verify, asked, call));
  if (absence || report.status === "missing" || report.status === "blocked") return { report, slice: null };
  const { repository, sourcePath, commitSha, line, lineEnd } = report.citation;
  const place = {
    repository,
    sourcePath,
    sha: commitSha,
    maxBytes: PAGE_LIMITS.bytes,
    ...(line === null ? {} : { lineStart: line, lineEnd: lineEnd ?? line }),
  };
  return { report, slice: evidenceSlice.parse(await invoke(read, place, call)) };
}

function asText(tool: Tool, report: VerificationReport, slice: EvidenceSlice | null): string {
  const { verify, permalink } = report.citation;
  const withTabs = (line: string): string => line.split("\t").map(printable).join("\t");
  const lines = slice === null ? [] : linesText(shownLines(slice), withTabs);
  return [
    tool.text(report),
    ...(lines.length === 0 ? [] : ["", ...lines]),
    "",
    report.absence?.verify.gitGrep ?? verify.gitShow,
    permalink,
    "",
  ].join("\n");
}

export async function serveCitation(
  tools: CitationTools,
  request: Request,
  call: OpenedCall,
  exchange: Exchange,
  publicUrl: string,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { handle, form } = readCitationAddress(pathname, search);
  const accept = request.headers.get("accept");
  const type =
    form === null
      ? negotiate(accept, ["text/html", "application/json", "text/plain", "image/svg+xml"])
      : FORMS[form];
  exchange.ran(tools.verify.name);
  const { report, slice } = await answersOf(tools, handle, { ...call, spelling: "dotted" });
  const status = tools.verify.httpStatus(report);
  exchange.answered(status);
  switch (type) {
    case "text/html": {
      const url = `${publicUrl}${CITATION_PREFIX}${encodeURIComponent(report.absence?.handle ?? report.citation.handle)}`;
      return new Response(citationPage({ report, slice, url, publicUrl }), {
        status,
        headers: pageHeaders(),
      });
    }
    case "application/json":
      return new Response(`${JSON.stringify({ report, slice })}\n`, {
        status,
        headers: { "content-type": type },
      });
    case "text/plain":
      return new Response(asText(tools.verify, report, slice), {
        status,
        headers: { "content-type": "text/plain; charset=utf-8" },
      });
    default:
      // An image that is refused shows nothing: whatever the verdict, it is an image of the verdict.
      return new Response(badge(report), { headers: { "content-type": "image/svg+xml" } });
  }
}
