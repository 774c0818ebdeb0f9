/**
 * What GitHub means when it refuses to change something, as our errors. Its texts are matched here and nowhere else, and never shown.
 * Follows the texts on record of REST and GraphQL alike; what none of them fits is left to the step that asked (`null`).
 * A branch's name may stand in a text: so what is matched holds a space or a colon, which no name does.
 */
import type { GitpinError } from "../../errors.ts";
import { failureOf, repositoryEmpty, unexpected } from "../failure.ts";
import type { WritableRepository } from "./writable-repository.ts";
import type { WriteRefused } from "./write-client.ts";
import {
  archived,
  branchProtected,
  notPermitted,
  samlEnforced,
  secretFound,
  WRITE_CONTENTS,
  workflowsClosed,
} from "./write-failure.ts";

const ARCHIVED = /repository (?:was|is) archived/i;
const WORKFLOWS = /refusing to allow .*workflow/i;
const SECRET = /secrets? detected|secret scanning|contain secrets|push protection|\bGH009:/i;
const SAML = /\bSAML (?:enforcement|SSO)/i;
/** Protected branches and rulesets. */
const RULES = new RegExp(
  [
    "protected (?:branch|ref)",
    "rule violations?",
    "\\bGH0(?:06|13):",
    "through (?:a pull request|the merge queue)",
    "added to a merge queue",
    "required status check",
    "approving review",
    "verified signatures",
    "not authorized to push",
    "must not contain merge commits",
    "(?:creations?|updates?) (?:is |are |being )?restricted",
  ].join("|"),
  "i",
);
const RULE_TYPES = ["BRANCH_PROTECTION_RULE_VIOLATION", "REPOSITORY_RULE_VIOLATION"];
const FORBIDDEN_TYPES = ["FORBIDDEN", "INSUFFICIENT_SCOPES"];
const NOT_ACCESSIBLE = /resource not accessible|must have (?:admin|push|write)|requires authentication/i;

export interface Step {
  /** For error texts: "a new tree". */
  what: string;
  /** Null: nothing about a branch was asked. */
  branch: string | null;
  /** What the step takes, where GitHub does not say so itself. */
  permission?: string;
  /** Paths that were written. */
  paths?: readonly string[];
}

/** All that GitHub said, for matching. */
export const textOf = ({ message, details }: WriteRefused): string => [message, ...details].join("\n");

const isWorkflow = (path: string): boolean => /^\.github\/workflows\//i.test(path);

/** Null: none of the reasons that this service knows. */
export function knownReason(
  { entry }: WritableRepository,
  refused: WriteRefused,
  { what, branch, permission = WRITE_CONTENTS, paths = [] }: Step,
): GitpinError | null {
  const text = textOf(refused);
  const { http, types } = refused;
  if (ARCHIVED.test(text)) return archived();
  if (WORKFLOWS.test(text)) return workflowsClosed();
  if (SECRET.test(text)) return secretFound();
  if (SAML.test(text)) return samlEnforced();
  if (branch !== null && (RULES.test(text) || types.some((type) => RULE_TYPES.includes(type))))
    return branchProtected(branch, true);
  if (/repository is empty/i.test(text)) return repositoryEmpty(entry.name);
  if (http === 403 || types.some((type) => FORBIDDEN_TYPES.includes(type)) || NOT_ACCESSIBLE.test(text)) {
    if (paths.some(isWorkflow)) return workflowsClosed();
    return notPermitted(refused.permission ?? permission);
  }
  if (http === 451) return failureOf(http, what);
  return null;
}

/** The same, with an error for whatever else it is. A 404 of what can be read means: not to be written. */
export async function reasonOf(
  repository: WritableRepository,
  refused: WriteRefused,
  step: Step,
): Promise<GitpinError> {
  const known = knownReason(repository, refused, step);
  if (known !== null) return known;
  if (refused.http !== 404) return unexpected(step.what, `HTTP ${refused.http}`);
  await repository.confirm();
  return notPermitted(refused.permission ?? step.permission ?? WRITE_CONTENTS);
}
