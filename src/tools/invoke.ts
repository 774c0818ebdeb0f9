/**
 * One call of one tool, the same for every transport: checks the arguments, runs the tool, checks the result.
 * Owns the wording of argument errors. Refuses unknown arguments, and results that are not of the tool's schema.
 */
import * as z from "zod";
import { GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import type { Tool } from "./tool.ts";

/** Longest piece of the caller's own text that an error repeats, in UTF-16 units. */
const ECHO_UNITS = 60;

const echo = (text: string): string =>
  JSON.stringify(text.length > ECHO_UNITS ? `${text.slice(0, ECHO_UNITS)}…` : text);

/** `items[0].line`; the empty path is the whole of the arguments. */
export function fieldName(path: readonly PropertyKey[]): string {
  let name = "";
  for (const part of path) {
    if (typeof part === "number") name += `[${part}]`;
    else name += name === "" ? String(part) : `.${String(part)}`;
  }
  return name === "" ? "arguments" : name;
}

interface Problem {
  field: string;
  problem: string;
  /** The object that the field stands in. */
  place: readonly PropertyKey[];
}

/** The object of a schema at a path of the arguments, null where there is none. */
function objectAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.ZodObject | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return objectAt(schema.unwrap(), path);
  }
  const [part, ...rest] = path;
  if (part === undefined) return schema instanceof z.ZodObject ? schema : null;
  if (schema instanceof z.ZodArray) return objectAt(schema.element, rest);
  const inner = schema instanceof z.ZodObject ? schema.shape[String(part)] : undefined;
  return inner === undefined ? null : objectAt(inner, rest);
}

const listed = (names: readonly string[]): string => (names.length === 0 ? "none" : names.join(", "));

function problemsOf(issues: readonly z.core.$ZodIssue[], schema: z.ZodObject): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    const { path } = issue;
    if (issue.code !== "unrecognized_keys") {
      const missing = issue.code === "invalid_type" && /received undefined$/.test(issue.message);
      const problem = missing ? "is required" : issue.message;
      return [{ field: fieldName(path), problem, place: path.slice(0, -1) }];
    }
    const known = listed(Object.keys(objectAt(schema, path)?.shape ?? {}));
    return issue.keys.map((key) => ({
      field: path.length === 0 ? key : `${fieldName(path)}.${key}`,
      problem:
        path.length === 0
          ? `is not an argument of this tool (known: ${known})`
          : `is not known there (known: ${known})`,
      place: path,
    }));
  });
}

/** The names that the place of a fault knows, and how that place is called. */
function knownAt(schema: z.ZodObject, place: readonly PropertyKey[]): { names: string[]; where: string } {
  for (let length = place.length; length > 0; length--) {
    const found = objectAt(schema, place.slice(0, length));
    if (found === null) continue;
    return { names: Object.keys(found.shape), where: `Known in ${echo(fieldName(place.slice(0, length)))}` };
  }
  return { names: Object.keys(schema.shape), where: "Known arguments" };
}

const strict = new WeakMap<z.ZodObject, z.ZodObject>();

function strictly(schema: z.ZodObject): z.ZodObject {
  const form = strict.get(schema) ?? schema.strict();
  strict.set(schema, form);
  return form;
}

/** Half a surrogate pair has no UTF-8 form, so no byte of a repository can stand for it. JSON lets it through. */
function refuseHalfSurrogates(value: unknown, path: readonly PropertyKey[]): void {
  if (typeof value === "string" && !value.isWellFormed()) {
    const field = fieldName(path);
    throw new GitpinError(
      "invalid_argument",
      `${echo(field)} holds half of a surrogate pair, which is no text.`,
      `Send ${echo(field)} as whole characters.`,
      { field: field.slice(0, ECHO_UNITS) },
    );
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    refuseHalfSurrogates(item, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

/** Checks arguments against a schema; throws `invalid_argument` naming every field that is wrong (`data.field`: the first). */
export function checkArguments<S extends z.ZodObject>(schema: S, given: unknown): z.infer<S> {
  refuseHalfSurrogates(given, []);
  const checked = strictly(schema).safeParse(given);
  if (checked.success) return checked.data as z.infer<S>;
  const problems = problemsOf(checked.error.issues, schema);
  const { names, where } = knownAt(schema, problems[0]?.place ?? []);
  const said = problems.slice(0, 5).map(({ field, problem }) => `${echo(field)} ${problem}`);
  const more = problems.length > 5 ? `; and ${problems.length - 5} more` : "";
  const field = (problems[0]?.field ?? "arguments").slice(0, ECHO_UNITS);
  throw new GitpinError(
    "invalid_argument",
    `Wrong arguments: ${said.join("; ")}${more}.`,
    `Correct ${echo(field)} and call again. ${where}: ${listed(names)}.`,
    { field, known: names },
  );
}

/** Runs a tool with arguments from outside. The result is of `tool.output`, and of nothing beyond it. */
export async function invoke(tool: Tool, given: unknown, call: Call): Promise<z.infer<z.ZodObject>> {
  const result = await tool.run(checkArguments(tool.input, given), call);
  const checked = tool.output.safeParse(result);
  if (checked.success) return checked.data;
  throw new GitpinError(
    "internal",
    "The service made an answer that is not of its published form, and held it back.",
    "Report the request id of this answer to the operator.",
    { tool: tool.name },
    { cause: checked.error },
  );
}
