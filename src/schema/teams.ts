/**
 * Teams and their credentials as data: names, scopes, and the operator's map of what a team may register.
 * The map is deployment configuration (`TEAMS`): no route changes it, so no token can widen it.
 */
import * as z from "zod";

export const teamName = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,37}[a-z0-9])?$/,
    "lower-case letters, digits and inner hyphens, 39 at most",
  );

export const SCOPES = ["pin:read", "registry:admin", "kin:write"] as const;

export const scope = z
  .enum(SCOPES)
  .describe(
    "pin:read: the team's private repositories; registry:admin: the team's registry and tokens; kin:write: edits where an entry allows them.",
  );

export const ownerName = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$/, "a GitHub account name");

const fullName = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/,
    "owner/name of a GitHub repository",
  );

/** What one team may register: every repository of these accounts, and these repositories. */
export const teamRule = z
  .strictObject({
    owners: z.array(ownerName).max(100).default([]),
    repositories: z.array(fullName).max(1000).default([]),
  })
  .refine(({ owners, repositories }) => owners.length + repositories.length > 0, {
    message: "names neither owners nor repositories",
  });

/** `TEAMS`: team name to rule. */
export const teamRules = z.record(teamName, teamRule);

export type Scope = z.infer<typeof scope>;
export type TeamRule = z.infer<typeof teamRule>;
export type TeamRules = z.infer<typeof teamRules>;
