/**
 * The registry file: which repositories exist for this service, and what of each may be seen.
 * Strict: an unknown key is an error, so that a misspelt rule never silently allows. `registry.schema.json` is
 * generated from this.
 */
import * as z from "zod";
import { repositoryName } from "./common.ts";
import { ownerName, teamName } from "./teams.ts";

const glob = z.string().min(1).max(500);
const globs = z.array(glob).max(200);
const branchGlob = glob.refine((pattern) => !/^\/*refs\//.test(pattern), {
  message: "branches are named without refs/heads/",
});
const refName = z
  .string()
  .min(1)
  .max(255)
  .regex(/^(?!-)(?!.*\.\.)[^\s~^:?*[\\\p{Cc}]+$/u, "a branch name, `tags/NAME`, or a full `refs/...` name");

export const repositoryEntry = z.strictObject({
  name: repositoryName,
  owner: ownerName,
  repo: z.string().regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/, "a GitHub repository name"),
  id: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("GitHub's numeric id; saves a request and pins the identity."),
  ref: refName.optional().describe("What HEAD stands for; the default branch when left out."),
  refs: z.array(refName).max(50).default([]).describe("Further refs that callers may name."),
  team: teamName
    .optional()
    .describe("The team this entry belongs to: its members alone see it. Without one it is the operator's."),
  description: z.string().max(1000).optional(),
  docs: z
    .strictObject({ include: globs.default([]), exclude: globs.default([]) })
    .optional()
    .describe("Which paths are documentation; the default is by extension (.md .mdx .rst .adoc .txt)."),
  allow: globs.default([]).describe("Paths that the default deny list would forbid and this entry allows."),
  deny: globs.default([]).describe("Paths never served, whatever else allows them."),
  visibility: z.enum(["public", "private"]).default("private"),
  allowUnreachable: z
    .boolean()
    .optional()
    .describe("Serve commits no registered ref leads to; default true for public, else false."),
  writable: z
    .union([
      z.literal(false),
      z.strictObject({
        branches: z
          .array(branchGlob)
          .min(1, "name at least one branch, or set writable to false")
          .max(200)
          .describe("Globs over branch names, which match case by case."),
        paths: globs
          .min(1, "name at least one path, or leave paths out for all of them")
          .default(["**"])
          .describe(
            "Globs over paths, which match case by case. `.github`, `.github/workflows`, `.github/actions`, CODEOWNERS files, `.gitpin` and `docs/wiki.yaml` only by a pattern that starts with that place.",
          ),
      }),
    ])
    .default(false)
    .describe("Branches and paths that callers with the write scope may change; none when left out."),
});

export const registryFile = z
  .strictObject({
    $schema: z.string().optional(),
    version: z.literal(1),
    repositories: z.array(repositoryEntry).max(5000),
  })
  .superRefine((file, context) => {
    for (const { index, field, message } of entryFaults(file.repositories)) {
      context.addIssue({ code: "custom", path: ["repositories", index, field], message });
    }
  });

interface EntryFault {
  index: number;
  field: keyof RepositoryEntry;
  message: string;
}

/** What no single field shows: names taken twice within one team, and entries that would leave their team. */
export function entryFaults(entries: readonly RepositoryEntry[]): EntryFault[] {
  const faults: EntryFault[] = [];
  const seen = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    const key = `${entry.team ?? ""}/${entry.name.toLowerCase()}`;
    const first = seen.get(key);
    if (first !== undefined) {
      const message = `the same name as repositories.${first} (names differ in more than case)`;
      faults.push({ index, field: "name", message });
    }
    seen.set(key, index);
    if (entry.team === undefined) continue;
    if (entry.visibility === "public") {
      const message = "an entry of a team is private; public entries are the operator's, without a team";
      faults.push({ index, field: "visibility", message });
    }
    if (entry.allowUnreachable === true) {
      // By SHA alone a host gives out commits of other forks too, which the operator's map of teams could not bound.
      const message = "an entry of a team serves what its registered refs lead to, and nothing else";
      faults.push({ index, field: "allowUnreachable", message });
    }
    if (entry.id !== undefined) {
      // GitHub is asked by id where one is given, and an id says nothing about the owner that the team may use.
      const message = "an entry of a team is found by owner and repo, never by id";
      faults.push({ index, field: "id", message });
    }
  }
  return faults;
}

export type RepositoryEntry = z.infer<typeof repositoryEntry>;
export type RegistryFile = z.infer<typeof registryFile>;

/** Contract: unreachable commits are served for public repositories unless the entry says otherwise. */
export const servesUnreachable = (entry: RepositoryEntry): boolean =>
  entry.allowUnreachable ?? entry.visibility === "public";
