/**
 * Inputs and result of `pin.search_code` and `pin.search_docs`, and the citation of an absence. A hit is a candidate until
 * it is proven; what was not searched is said. Bounds here follow `core/search/query.ts`, which checks them again.
 */
import * as z from "zod";
import { citation } from "./citation.ts";
import { envelope, fullSha, headState, nextCall, proof, repositoryName, shaInput } from "./common.ts";
import { errorReport } from "./error-report.ts";

const count = z.number().int();

const options = {
  query: z
    .string()
    .min(1)
    .max(1000)
    .describe("Text to look for, within one line. A regular expression when mode is regex."),
  mode: z
    .enum(["literal", "regex"])
    .optional()
    .describe("literal (default): the text itself. regex: RE2's dialect, no lookaround, no backreferences."),
  caseSensitive: z
    .boolean()
    .optional()
    .describe("Default false: simple Unicode case folding, free of any locale."),
  wholeWord: z
    .boolean()
    .optional()
    .describe("As `git grep -w`: no ASCII letter, digit or _ beside the match. Default false."),
  paths: z
    .array(z.string().min(1).max(500))
    .max(40)
    .optional()
    .describe("Globs (src, *.ts, docs/**/*.md), a folder meaning all below; a leading ! excludes and wins."),
  language: z
    .string()
    .max(30)
    .optional()
    .describe("Only files of this language by name: go, typescript, c++ ..."),
  context: z.number().int().min(0).max(5).optional().describe("Lines around each hit, 0 (default) to 5."),
  maxResults: z
    .number()
    .int()
    .min(1)
    .max(500)
    .optional()
    .describe("Hits or files in one answer, default 50."),
  filesOnly: z.boolean().optional().describe("Paths with their number of matching lines, no lines."),
  count: z.boolean().optional().describe("Totals only."),
  cursor: z.string().max(20_000).optional().describe("`nextCursor` of the answer before."),
};

const at = {
  sha: shaInput
    .optional()
    .describe("Commit to search, 7 to 40 hex digits, instead of HEAD. One repository only."),
  ref: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("A registered ref whose tip to search, instead of HEAD. One repository only."),
};

const repositories = z.array(repositoryName).min(1).max(50).optional();

export const searchCodeInput = z.object({
  repository: repositoryName.optional(),
  repositories: repositories.describe(
    "Several repositories at HEAD instead of one, at most 8 in one answer.",
  ),
  ...options,
  ...at,
  engine: z
    .enum(["archive", "github"])
    .optional()
    .describe(
      "archive: exact and exhaustive (default). github: GitHub's code search, whose candidates are read at the commit; for trees too large to stream.",
    ),
});

export const searchDocsInput = z.object({
  repository: repositoryName.optional(),
  repositories: repositories.describe("These repositories; all that you see when neither is given."),
  ...options,
  ...at,
});

const lineText = {
  text: z
    .string()
    .describe("The line without its terminator, cut at 500 bytes; U+FFFD for bytes that are not UTF-8."),
  textColumn: count.describe(
    "Column of the first byte of `text`; more than 1 when the line's start is cut off.",
  ),
  lineBytes: count.describe("Bytes of the whole line."),
  truncated: z.boolean().describe("`text` is not the whole line."),
};

const contextLine = z.object({ line: count, ...lineText });

export const candidate = z.object({
  repository: z.string(),
  sourcePath: z.string(),
  line: count.describe("1-based."),
  column: count.describe("Of the first match, in bytes from 1."),
  ...lineText,
  ranges: z
    .array(z.object({ column: count, bytes: count }))
    .describe("Matches in the line, in bytes from 1."),
  moreRanges: z.boolean(),
  before: z.array(contextLine),
  after: z.array(contextLine),
  citation,
  next: nextCall,
});

const matchingFile = z.object({
  repository: z.string(),
  sourcePath: z.string(),
  matchingLines: count,
  citation,
  next: nextCall,
});

const totals = z.object({
  filesSearched: count,
  bytesSearched: count,
  matchingFiles: count,
  matchingLines: count,
});

const skipped = z.object({
  reason: z
    .enum(["binary", "symlink", "denied", "long_lines", "line_too_long", "missing", "too_costly"])
    .describe("binary, symlink and denied are rules; every other one is a gap, and the search incomplete."),
  count: count.describe("Files."),
  paths: z.array(z.string()).describe("The first 20 of them."),
  detail: z.string().nullable(),
});

export const absenceCitation = z.object({
  handle: z
    .string()
    .describe("`gitpin-absence:repo@fullSha?q=...`: commit and search; pin_verify takes it as absence."),
  repoAtSha: z.string(),
  verify: z
    .object({
      gitGrep: z
        .string()
        .nullable()
        .describe("Prints nothing and ends with 1, in a clone; null where git cannot say the same."),
      gitpinCli: z.string(),
      curl: z.string().describe("Exit 0 only if the verdict is ok."),
    })
    .describe("Commands for a POSIX shell, quoted, ready to paste."),
  repository: z.string(),
  commitSha: fullSha,
  treeSha: fullSha.describe("The tree that was searched, whole."),
  query: z.string(),
  mode: z.enum(["literal", "regex"]),
  caseSensitive: z.boolean(),
  wholeWord: z.boolean(),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  language: z.string().nullable(),
  documents: z.boolean().describe("Only documentation was searched."),
  filesSearched: count,
  bytesSearched: count,
  filesDenied: count.describe("Files that policy keeps from every search; nothing is said of them."),
});

const searchedRepository = z.object({
  repository: z.string(),
  status: z
    .enum(["ok", "missing", "blocked", "failed"])
    .describe("missing: no such commit. blocked: it may not be shown. failed: see `error`; not searched."),
  reason: z
    .string()
    .nullable()
    .describe("Why there is no result; with status ok, why no file was searched and so nothing is absent."),
  error: errorReport.nullable(),
  commitSha: fullSha.nullable(),
  treeSha: fullSha.nullable(),
  reachable: z.boolean().nullable(),
  engine: z.enum(["archive", "github"]).nullable(),
  complete: z
    .boolean()
    .describe(
      "Every selected file was searched, but for binary ones, symlinks and those that policy denies.",
    ),
  incompleteBecause: z.array(z.string()),
  totals,
  skipped: z.array(skipped),
  submodules: z.array(z.string()).describe("Their files are in other repositories and were not searched."),
  searchedFrom: z
    .string()
    .nullable()
    .describe("First file of this page's search, when it goes on from an earlier one."),
  stoppedAt: z
    .string()
    .nullable()
    .describe("First file not searched when the work ran out; the cursor goes on there."),
  archive: z
    .object({ from: z.enum(["host", "store"]), bytes: count, replacedFiles: count })
    .nullable()
    .describe("Compressed bytes; replacedFiles: read as blobs because the archive lacks or changes them."),
  codeSearch: z
    .object({ total: count, stoppedEarly: z.boolean(), candidates: count, read: count })
    .nullable()
    .describe("What GitHub's code search named, and how many of the files were read."),
  proof: proof.nullable(),
  absence: absenceCitation
    .nullable()
    .describe("Set when the search is complete, searched a file at least, and found nothing."),
  head: headState.optional(),
  next: nextCall,
});

export const searchResult = z.object({
  ...envelope("evidence-candidates"),
  status: z
    .enum(["ok", "partial", "missing", "blocked"])
    .describe("partial: a repository could not be searched, or was not searched completely."),
  query: z.object({
    query: z.string(),
    mode: z.enum(["literal", "regex"]),
    caseSensitive: z.boolean(),
    wholeWord: z.boolean(),
    include: z.array(z.string()),
    exclude: z.array(z.string()),
    language: z.string().nullable(),
    documents: z.boolean(),
  }),
  answer: z.enum(["hits", "files", "count"]),
  dialect: z.string().describe("The rules that the query was read by."),
  candidates: z.array(candidate).describe("Not yet claims: prove a line before you cite it."),
  files: z.array(matchingFile),
  repositories: z.array(searchedRepository).describe("What was searched, one row each."),
  totals,
  complete: z.boolean(),
  notSearched: z
    .array(z.object({ repository: z.string(), reason: z.string() }))
    .describe("Repositories that this answer did not come to, the first 200; the cursor goes on with them."),
  notSearchedCount: count,
  nextCursor: z.string().nullable(),
  next: nextCall,
});

export type SearchCodeInput = z.infer<typeof searchCodeInput>;
export type SearchDocsInput = z.infer<typeof searchDocsInput>;
export type SearchResult = z.infer<typeof searchResult>;
export type SearchedRepository = z.infer<typeof searchedRepository>;
export type Candidate = z.infer<typeof candidate>;
export type CandidateFile = z.infer<typeof matchingFile>;
export type AbsenceCitation = z.infer<typeof absenceCitation>;
