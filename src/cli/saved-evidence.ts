/**
 * Evidence that somebody saved as JSON -> what to ask of it again. Reads evidence packs and sets, verification reports
 * and sets of them, arguments of `pin.verify_set`, and arrays of all these.
 * Owns the checks that need no service: a pack must hold the bytes of its own hash, and name one place throughout.
 * Refuses what it does not know: evidence that is passed over would count as checked.
 */
import * as z from "zod";
import { parseCitation } from "../core/citation/parse.ts";
import { evidenceSetId } from "../core/evidence/evidence-set-id.ts";
import { sha256 } from "../core/git/hash.ts";
import { GitpinError } from "../errors.ts";
import { citation } from "../schema/citation.ts";
import { evidencePack } from "../schema/evidence.ts";
import { evidenceSet } from "../schema/evidence-set.ts";
import { type VerifyInput, verificationReport, verifyInput } from "../schema/verification.ts";
import { verificationSetReport } from "../schema/verification-set.ts";
import { parseJson } from "./parse-json.ts";

export interface SavedItem {
  /** Where in the file, e.g. `items[2]`; empty for the whole. */
  where: string;
  /** The place as text, for people. */
  cite: string;
  /** Null when there is nothing to ask: the fault says why. */
  input: VerifyInput | null;
  /** What else the pack says of the commit: the service must say the same. Null: nothing. */
  facts: { blobSha: string | null; totalLines: number | null } | null;
  /** Why this is no evidence whatever the service says; null when it may be. */
  fault: string | null;
}

const savedCitation = citation.pick({
  cite: true,
  handle: true,
  repository: true,
  sourcePath: true,
  line: true,
  lineEnd: true,
  commitSha: true,
});
const savedPack = evidencePack
  .pick({
    kind: true,
    status: true,
    repository: true,
    sourcePath: true,
    commitSha: true,
    content: true,
    encoding: true,
    contentSha256: true,
    truncated: true,
    claim: true,
    range: true,
    totalLines: true,
    blobSha: true,
  })
  .extend({ citation: savedCitation });
const savedError = z.object({ code: z.string(), message: z.string() });
const savedSet = evidenceSet.pick({ kind: true, evidenceSetId: true }).extend({
  items: z.array(z.object({ pack: z.unknown(), error: savedError.nullable() })).min(1),
});
const savedReport = verificationReport
  .pick({ kind: true, status: true, claimVerdict: true, contentSha256: true })
  .extend({ citation: savedCitation });
const savedReports = verificationSetReport.pick({ kind: true }).extend({
  items: z.array(z.object({ report: z.unknown(), error: savedError.nullable() })).min(1),
});
const savedArguments = z.object({ items: z.array(verifyInput).min(1) });

type SavedPack = z.infer<typeof savedPack>;

/** Throws `invalid_argument` for text that is not JSON, and for JSON that is none of the known forms. */
export function readSavedEvidence(text: string, source: string): SavedItem[] {
  const value = parseJson(text, source, "Save the answer of pin.prove or pin.prove_set as it came.", source);
  return itemsOf(value, "", source);
}

function itemsOf(value: unknown, where: string, source: string): SavedItem[] {
  if (Array.isArray(value)) {
    if (value.length === 0) throw unknownForm(where, source, "the array is empty");
    return value.flatMap((item, index) => itemsOf(item, `${where}[${index}]`, source));
  }
  const read = <S extends z.ZodType>(schema: S): z.infer<S> => {
    const checked = schema.safeParse(value);
    if (checked.success) return checked.data;
    const issue = checked.error.issues[0];
    throw unknownForm(where, source, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
  };
  const kind = typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;
  const at = (index: number): string => `${where}${where === "" ? "" : "."}items[${index}]`;
  switch (kind) {
    case "evidence-pack":
      return [packItem(read(savedPack), where)];
    case "evidence-set":
      return setItems(read(savedSet), at, source);
    case "verification-report":
      return [reportItem(read(savedReport), where)];
    case "verification-set-report":
      return read(savedReports).items.flatMap(({ report, error }, index) =>
        error === null ? itemsOf(report, at(index), source) : [failedItem(error, at(index))],
      );
    case undefined:
      return read(savedArguments).items.map((input, index) => ({
        where: at(index),
        cite: `${input.repository}/${input.sourcePath}`,
        input,
        facts: null,
        fault: null,
      }));
    default:
      throw unknownForm(where, source, `kind ${JSON.stringify(kind)} is not evidence`);
  }
}

function unknownForm(where: string, source: string, what: string): GitpinError {
  return new GitpinError(
    "invalid_argument",
    `${source} holds something that is not saved evidence${where === "" ? "" : ` at ${where}`}: ${what}.`,
    "Give an evidence pack, an evidence set, a verification report or set, or an array of them, as the service answered.",
    { field: where === "" ? source : where },
  );
}

const failedItem = (error: z.infer<typeof savedError>, where: string): SavedItem => ({
  where,
  cite: "",
  input: null,
  facts: null,
  fault: `it was saved without evidence: ${error.message}`,
});

function placeOf({ repository, sourcePath, commitSha, line, lineEnd }: z.infer<typeof savedCitation>) {
  const lines = line === null ? {} : { line, lineEnd: lineEnd ?? line };
  return { repository, sourcePath, sha: commitSha, ...lines };
}

function packItem(pack: SavedPack, where: string): SavedItem {
  const { claim, contentSha256 } = pack;
  return {
    where,
    cite: pack.citation.cite,
    input: {
      ...placeOf(pack.citation),
      ...(claim === null ? {} : { mustContain: claim }),
      ...(contentSha256 === null ? {} : { contentSha256 }),
    },
    facts: pack.status === "ok" ? { blobSha: pack.blobSha, totalLines: pack.totalLines } : null,
    fault: packFault(pack),
  };
}

function packFault(pack: SavedPack): string | null {
  const { repository, sourcePath, commitSha, content, encoding, contentSha256, truncated } = pack;
  const { citation: cited } = pack;
  const onePlace =
    cited.repository === repository &&
    cited.sourcePath === sourcePath &&
    cited.commitSha === commitSha &&
    [cited.cite, cited.handle].every((text) => namesPlace(text, cited));
  if (!onePlace || !sameLines(pack)) return "its citation and its fields name different places";
  // A content that was cut does not have the hash of the whole slice, and says so.
  if (content === null || truncated || contentSha256 === null) return null;
  const bytes = Buffer.from(content, encoding === "base64" ? "base64" : "utf8");
  return sha256(bytes) === contentSha256 ? null : "its content does not have its own contentSha256";
}

/** A range is the cited lines, or the whole file where none are cited. */
function sameLines({ status, range, totalLines, citation: { line, lineEnd } }: SavedPack): boolean {
  if (status !== "ok") return true;
  if (line !== null) return range?.start === line && range.end === (lineEnd ?? line);
  return totalLines === 0 ? range === null : range?.start === 1 && range.end === totalLines;
}

function namesPlace(text: string, cited: z.infer<typeof savedCitation>): boolean {
  try {
    const { repository, sourcePath, sha, line, lineEnd } = parseCitation(text);
    return (
      repository === cited.repository &&
      sourcePath === cited.sourcePath &&
      sha === cited.commitSha &&
      line === cited.line &&
      lineEnd === (cited.lineEnd ?? cited.line)
    );
  } catch (thrown) {
    if (thrown instanceof GitpinError) return false;
    throw thrown;
  }
}

function setItems(set: z.infer<typeof savedSet>, at: (index: number) => string, source: string): SavedItem[] {
  const items = set.items.flatMap(({ pack, error }, index) =>
    error === null ? itemsOf(pack, at(index), source) : [failedItem(error, at(index))],
  );
  const packs = set.items.flatMap(({ pack }) => savedPack.safeParse(pack).data ?? []);
  const proven = packs.filter(({ status }) => status === "ok").map((pack) => pack.citation);
  const id = proven.length === 0 ? null : evidenceSetId(proven);
  if (id === set.evidenceSetId) return items;
  const fault = "the set's evidenceSetId is not that of its packs";
  return items.map((item) => ({ ...item, fault: item.fault ?? fault }));
}

/** A report does not hold the text it asked for, but the hash of the bytes that held it. */
function reportItem(report: z.infer<typeof savedReport>, where: string): SavedItem {
  const { contentSha256 } = report;
  return {
    where,
    cite: report.citation.cite,
    input: { ...placeOf(report.citation), ...(contentSha256 === null ? {} : { contentSha256 }) },
    facts: null,
    fault:
      report.status === "contradicted"
        ? "it was saved as contradicted, and does not hold the text it asked for"
        : null,
  };
}
