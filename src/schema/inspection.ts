/**
 * Input and result of `pin.inspect`: what a repository's tip looks like. One result object for all operations; the
 * operation's own part is filled, the others are null. Lists are cut at `limit` and say how long they are.
 */
import * as z from "zod";
import { entryType, envelope, fullSha, headState, nextCall, repositoryName } from "./common.ts";

export const inspectOperation = z
  .enum(["status", "commits", "manifest", "tests", "changes"])
  .describe(
    "status: branch and tip. commits: the latest. manifest: package manifests. tests: where tests are kept. changes: paths the latest commits touched.",
  );

export const inspectInput = z.object({
  repository: repositoryName,
  operation: inspectOperation,
  limit: z
    .number()
    .int()
    .min(1)
    .max(50)
    .optional()
    .describe("Most commits, manifests, changed paths, or rows of each list of tests; default 20."),
});

/** A list that may have been cut, and by how much. */
const listed = <T extends z.ZodType>(row: T) =>
  z.object({
    items: z.array(row),
    total: z
      .number()
      .int()
      .nullable()
      .describe("How many there are; null where only more than shown is known."),
    truncated: z.boolean().describe("There are more than `items` holds; raise limit (50 at most) or narrow."),
  });

const person = z.object({
  name: z.string(),
  email: z.string(),
  date: z.string().describe("ISO 8601 instant, UTC."),
});

export const commitRow = z.object({
  sha: fullSha,
  author: person,
  committer: person,
  subject: z
    .string()
    .describe("The message up to its first blank line, on one line, as `git log --format=%s`."),
  parents: z.array(fullSha),
});

export const statusView = z.object({
  ref: z.string().describe("Full name of the ref that HEAD stands for."),
  defaultBranch: z.string().nullable(),
  against: z
    .string()
    .nullable()
    .describe(
      "The default branch, where it is a registered ref other than HEAD: ahead and behind are counted against it.",
    ),
  ahead: z.number().int().nullable().describe("Commits on HEAD and not on `against`; null when not counted."),
  behind: z
    .number()
    .int()
    .nullable()
    .describe("Commits on `against` and not on HEAD; null when not counted."),
  latestCommit: commitRow,
  workingTree: z
    .string()
    .describe("Says that hosted git has no working tree: nothing uncommitted exists here or is left out."),
});

export const manifestScript = z.object({
  name: z.string(),
  command: z
    .string()
    .nullable()
    .describe(
      "As written, several commands one a line; null when it is no plain text or over 2000 characters.",
    ),
  origin: z.string().describe("Key of the table it stands in, e.g. `scripts` or `tool.pdm.scripts`."),
});

export const manifest = z.object({
  path: z.string(),
  ecosystem: z.string().describe("e.g. npm, python, rust, go, maven."),
  name: z.string().nullable(),
  version: z.string().nullable().describe("As written."),
  scripts: z.array(manifestScript),
  scriptsOmitted: z.number().int(),
  workspaces: z
    .array(z.string())
    .nullable()
    .describe("Members or globs as written; null when none are stated."),
  workspacesOmitted: z.number().int(),
  reason: z.string().nullable().describe("Why name or version is null; nothing is run or guessed."),
});

const excluded = z
  .array(z.object({ folder: z.string(), files: z.number().int() }))
  .describe("Vendored folders, left out of the lists, with how many matching files each holds.");

export const testLayout = z.object({
  folders: z.array(z.object({ path: z.string(), files: z.number().int() })),
  files: z.array(z.object({ path: z.string(), rule: z.string().describe("The naming rule that fits.") })),
  configurations: z.array(z.object({ path: z.string(), runner: z.string() })),
  scripts: z.array(manifestScript.extend({ manifest: z.string().describe("Path of its manifest.") })),
  excluded,
});

export const changedPath = z.object({
  sourcePath: z.string(),
  status: z.enum(["A", "M", "D", "T", "R"]).describe("Git's letter in the newest commit that touched it."),
  previousPath: z.string().nullable().describe("For R: where it stood before."),
  entryType: entryType.nullable().describe("What stands there after that commit; null for D."),
  blocked: z.boolean().describe("Policy forbids this path's content."),
  sha: fullSha.describe("The newest of the examined commits that touched it."),
  author: z.string(),
  date: z.string().describe("Author date of that commit, ISO 8601 UTC."),
  subject: z.string(),
});

export const inspection = z.object({
  ...envelope("inspection"),
  repository: z.string(),
  operation: inspectOperation,
  commitSha: fullSha.describe("The commit all of this is said of."),
  status: statusView.nullable(),
  commits: listed(commitRow).nullable().describe("Newest first, as `git log` lists them."),
  manifest: z
    .object({ ...listed(manifest).shape, excluded })
    .nullable()
    .describe("Nearest the root first."),
  tests: z
    .object({
      folders: listed(testLayout.shape.folders.element),
      files: listed(testLayout.shape.files.element),
      configurations: listed(testLayout.shape.configurations.element),
      scripts: listed(testLayout.shape.scripts.element),
      manifestsUnread: listed(z.string()).describe("Manifests whose scripts were not read."),
      excluded,
    })
    .nullable()
    .describe("By the customs of file names: a custom is no proof that a file tests anything."),
  changes: z
    .object({
      ...listed(changedPath).shape,
      commitsExamined: z.number().int(),
      oldestExamined: fullSha.nullable(),
      incomplete: z
        .string()
        .nullable()
        .describe("Why some commits' paths are missing here; null: all there."),
    })
    .nullable(),
  head: headState.optional(),
  next: nextCall,
});

export type InspectInput = z.infer<typeof inspectInput>;
export type Inspection = z.infer<typeof inspection>;
export type Manifest = z.infer<typeof manifest>;
export type ManifestScript = z.infer<typeof manifestScript>;
export type TestLayout = z.infer<typeof testLayout>;
export type CommitRow = z.infer<typeof commitRow>;
