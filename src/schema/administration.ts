/**
 * Inputs and answers of the admin routes: the registry of a team, its history, tokens, audit.
 * A token itself is in one answer only, that of its issue. Times are ISO 8601 UTC.
 */
import * as z from "zod";
import { repositoryName } from "./common.ts";
import { repositoryEntry } from "./registry.ts";
import { scope, teamName } from "./teams.ts";

/** Only the operator chooses; every other admin's team is that of the token. */
export const teamInput = teamName
  .optional()
  .describe("For the operator: whose section or tokens. Others leave it out: their token says it.");

const limit = z.number().int().min(1).max(100).optional().describe("Most rows of this page, default 50.");
const cursor = z.string().max(500).optional().describe("`nextCursor` of the page before.");
const version = z.number().int().min(1).describe("Version of the section, from 1.");

export const sectionQuery = z.strictObject({ team: teamInput });
export const pageQuery = z.strictObject({ team: teamInput, limit, cursor });

export const registryBody = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1),
  // Checked by `registry/check-section.ts`, which names the fields.
  repositories: z.array(z.unknown()).max(5000),
});

export const registryPatch = z
  .strictObject({
    put: z
      .array(z.looseObject({ name: repositoryName }))
      .max(1000)
      .default([])
      .describe("Entries to add, or to replace by name, whole."),
    remove: z.array(repositoryName).max(1000).default([]).describe("Names of entries to remove."),
  })
  .refine(({ put, remove }) => put.length + remove.length > 0, { message: "names nothing to put or remove" });

export const restoreBody = z.strictObject({ version });

export const sectionChange = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.object({ name: z.string(), fields: z.array(z.string()) })),
});

export const sectionState = z.object({
  kind: z.literal("registry"),
  team: z.string().nullable().describe("Whose section: a team's, or null for the operator's own."),
  /** 0: never written. */
  version: z.number().int(),
  etag: z.string().describe("Send it as If-Match with a change."),
  at: z.string().nullable(),
  by: z.string().nullable(),
  repositories: z.array(repositoryEntry),
});

export const sectionSummary = z.object({
  team: z.string().nullable(),
  version: z.number().int(),
  repositories: z.number().int(),
});

export const registryView = sectionState.extend({
  sections: z.array(sectionSummary).optional().describe("For the operator: every section there is."),
});

export const versionSummary = z.object({
  version: z.number().int(),
  at: z.string(),
  by: z.string(),
  restoredFrom: z.number().int().nullable(),
  repositories: z.number().int(),
  change: sectionChange,
});

export const registryHistory = z.object({
  kind: z.literal("registry-history"),
  team: z.string().nullable(),
  versions: z.array(versionSummary),
  nextCursor: z.string().nullable(),
});

export const registryValidation = z.object({
  kind: z.literal("registry-validation"),
  team: z.string().nullable(),
  valid: z.literal(true),
  change: sectionChange.describe("What a push would change."),
});

export const tokenRequest = z.strictObject({
  team: teamInput,
  scopes: z
    .array(scope)
    .min(1)
    .max(3)
    .refine((scopes) => new Set(scopes).size === scopes.length, { message: "names a scope twice" }),
  label: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[^\p{Cc}\p{Cf}\u2028\u2029]+$/u, "no control characters")
    .describe("Who or what it is for; shown in lists and audit."),
  expiresAt: z.iso.datetime().optional().describe("ISO 8601 UTC, in the future; never when left out."),
});

export const tokenRow = z.object({
  id: z.string(),
  team: z.string(),
  scopes: z.array(scope),
  label: z.string(),
  issuedAt: z.string(),
  issuedBy: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  revokedBy: z.string().nullable(),
});

export const tokenIssued = z.object({
  kind: z.literal("token-issued"),
  token: z.string().describe("Shown this once; the service keeps its hash only."),
  row: tokenRow,
});
export const tokenRevoked = z.object({ kind: z.literal("token-revoked"), row: tokenRow });
export const tokenList = z.object({
  kind: z.literal("token-list"),
  tokens: z.array(tokenRow),
  nextCursor: z.string().nullable(),
});

export const auditRow = z.object({
  at: z.string(),
  by: z.string().describe("`operator`, `seed`, `token:ID`, or `anonymous` on a service of one machine."),
  team: z.string().nullable(),
  action: z.enum([
    "registry.seed",
    "registry.change",
    "registry.restore",
    "token.issue",
    "token.revoke",
    "kin.commit",
  ]),
  subject: z.string().describe("What it was done to: `registry`, a token's id, or the name of a repository."),
  detail: z
    .record(z.string(), z.unknown())
    .describe(
      "Of kin.commit: branch, parent (null: the first commit), commit, paths (the first of them) and pathsTotal, operations, requestId, pullRequest.",
    ),
});
export const auditLog = z.object({
  kind: z.literal("audit"),
  events: z.array(auditRow),
  nextCursor: z.string().nullable(),
});

/** `detail` of `kin.commit`. */
export interface CommitDetail {
  branch: string;
  /** Full ids. Null: the first commit of the repository. */
  parent: string | null;
  commit: string;
  /** The first of them. */
  paths: readonly string[];
  pathsTotal: number;
  operations: number;
  requestId: string | null;
  pullRequest: number | null;
}

export type SectionChange = z.infer<typeof sectionChange>;
export type SectionState = z.infer<typeof sectionState>;
export type SectionSummary = z.infer<typeof sectionSummary>;
export type RegistryView = z.infer<typeof registryView>;
export type RegistryHistory = z.infer<typeof registryHistory>;
export type RegistryValidation = z.infer<typeof registryValidation>;
export type RegistryPatch = z.infer<typeof registryPatch>;
export type VersionSummary = z.infer<typeof versionSummary>;
export type TokenRequest = z.infer<typeof tokenRequest>;
export type TokenRow = z.infer<typeof tokenRow>;
export type TokenIssued = z.infer<typeof tokenIssued>;
export type TokenRevoked = z.infer<typeof tokenRevoked>;
export type TokenList = z.infer<typeof tokenList>;
export type AuditRow = z.infer<typeof auditRow>;
export type AuditLog = z.infer<typeof auditLog>;
