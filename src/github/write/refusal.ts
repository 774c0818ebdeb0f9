/**
 * What GitHub means when it refuses to change something, as our errors. Its texts are matched here and never shown, but for whole
 * sentences that are on record (`known-words.ts`) and one path of a served clone, if the caller may write it.
 * Follows the texts on record of REST and GraphQL alike; what none of them fits is left to the step that asked (`null`).
 * A branch's name may stand in a text: so what is matched holds a space or a colon, which no name does.
 */
import { mayWritePath } from "../../core/policy/writable.ts";
import type { GitpinError } from "../../errors.ts";
import type { RepositoryEntry } from "../../schema/registry.ts";
import { failureOf, repositoryEmpty, unexpected } from "../failure.ts";
import { type BranchStep, checkedOut, refusedByRules, uncommittedWork } from "./branch-refusal.ts";
import { knownWords } from "./known-words.ts";
import type { WritableRepository } from "./writable-repository.ts";
import type { WriteRefused } from "./write-client.ts";
import {
  archived,
  notPermitted,
  pushRules,
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
    "(?:verified|valid) signatures",
    "locked branch",
    "not authorized to push",
    "must not contain merge commits",
    "(?:creations?|updates?) (?:is |are |being )?restricted",
  ].join("|"),
  "i",
);
const RULE_TYPES = ["BRANCH_PROTECTION_RULE_VIOLATION", "REPOSITORY_RULE_VIOLATION"];
const FORBIDDEN_TYPES = ["FORBIDDEN", "INSUFFICIENT_SCOPES"];
const NOT_ACCESSIBLE = /resource not accessible|must have (?:admin|push|write)|requires authentication/i;

/** What the local host says of a branch whose files somebody works on, and git of one that is checked out. */
const UNCOMMITTED =
  /the clone has uncommitted changes in (?:(\d{1,6} files?)|([^\n]{1,200}?)(?: and (\d{1,6}) more)?): commit or stash them/;
const CHECKED_OUT = /\bchecked out in the served clone\b|refusing to update checked out branch/i;

export interface Step {
  /** For error texts: "a new tree". */
  what: string;
  /** What was asked of which branch; null: nothing. */
  branch: { name: string; step: BranchStep } | null;
  /** What the step takes, where GitHub does not say so itself. */
  permission?: string;
  /** Paths that were written. */
  paths?: readonly string[];
}

/** All that GitHub said, for matching. */
export const textOf = ({ message, details }: WriteRefused): string => [message, ...details].join("\n");

const isWorkflow = (path: string): boolean => /^\.github\/workflows\//i.test(path);

/** Which files hold uncommitted work. One is named if callers may write it; what is closed to them is counted. Null: it is not about that. */
function uncommittedWhere(entry: RepositoryEntry, text: string): string | null {
  const found = UNCOMMITTED.exec(text);
  if (found === null) return null;
  const [, counted, path = "", others = "0"] = found;
  if (counted !== undefined) return counted;
  const more = Number(others);
  if (mayWritePath(entry, path).allowed) return more === 0 ? path : `${path} and ${more} more`;
  return more === 0 ? "1 file" : `${more + 1} files`;
}

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
  const ruled = RULES.test(text) || types.some((type) => RULE_TYPES.includes(type));
  if (branch !== null) {
    const where = uncommittedWhere(entry, text);
    if (where !== null) return uncommittedWork(branch.name, where);
    if (CHECKED_OUT.test(text)) return checkedOut(branch.name);
    if (ruled) return refusedByRules(branch.step, branch.name, knownWords(text));
  } else if (ruled && paths.length > 0) return pushRules();
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
