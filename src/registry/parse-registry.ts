/**
 * Text of a registry file -> checked entries. Owns the error that names the field's path.
 * Refuses anything the schema does not know: a misspelt rule must never silently allow.
 */
import type * as z from "zod";
import { globFaults } from "../core/policy/policy.ts";
import { GitpinError } from "../errors.ts";
import { type RegistryFile, registryFile } from "../schema/registry.ts";

/** Throws `invalid_argument` with every fault as `repositories.0.deny: ...` in `data.faults`. */
export function parseRegistry(text: string, source = "registry.json"): RegistryFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new GitpinError(
      "invalid_argument",
      `${source} is not JSON: ${cause instanceof Error ? cause.message : "it cannot be parsed"}.`,
      "Correct the file; registry.schema.json describes its form.",
      { field: "(root)" },
    );
  }
  return checkRegistry(value, source);
}

/** The same for a value that was parsed already (a bundled import, a request body). */
export function checkRegistry(value: unknown, source = "registry.json"): RegistryFile {
  const checked = registryFile.safeParse(value);
  const faults = checked.success
    ? checked.data.repositories.flatMap((entry, index) =>
        globFaults(entry).map((fault) => `repositories.${index}.${fault}`),
      )
    : checked.error.issues
        .flatMap(innerIssues)
        .map(({ path, message }) => `${path.map(String).join(".") || "(root)"}: ${message}`);
  if (checked.success && faults.length === 0) return checked.data;
  throw invalidRegistry(source, faults);
}

interface Issue {
  path: readonly PropertyKey[];
  message: string;
}

/** Where a field takes one of several forms: the faults of the form that was meant, which are those inside it. */
function innerIssues(issue: z.core.$ZodIssue): Issue[] {
  const meant =
    issue.code === "invalid_union"
      ? issue.errors.find((form) => form.some(({ path }) => path.length > 0))
      : undefined;
  if (meant === undefined) return [issue];
  return meant.flatMap(innerIssues).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** Most faults that one error names; the rest is counted. */
const FAULTS_SHOWN = 50;

/** `invalid_argument` with the first faults, each as `repositories.0.deny: ...`, in `data.faults`. */
export function invalidRegistry(source: string, all: readonly string[]): GitpinError {
  const more = all.length - FAULTS_SHOWN;
  const faults = more > 0 ? [...all.slice(0, FAULTS_SHOWN), `and ${more} more`] : all;
  return new GitpinError(
    "invalid_argument",
    `${source} is not a valid registry: ${faults.join("; ")}.`,
    "Correct the named fields; registry.schema.json describes the form.",
    { field: faults[0]?.split(":")[0] ?? "(root)", faults },
  );
}
