/**
 * One call of one tool, the same for every transport: checks the arguments, runs the tool, checks the result.
 * Owns the wording of argument errors. Refuses unknown arguments, and results that are not of the tool's schema.
 */
import type * as z from "zod";
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
}

function problemsOf(issues: readonly z.core.$ZodIssue[], known: string): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    if (issue.code !== "unrecognized_keys") {
      const missing = issue.code === "invalid_type" && /received undefined$/.test(issue.message);
      return [{ field: fieldName(issue.path), problem: missing ? "is required" : issue.message }];
    }
    return issue.keys.map((key) => ({
      field: issue.path.length === 0 ? key : `${fieldName(issue.path)}.${key}`,
      problem: issue.path.length === 0 ? `is not an argument of this tool (known: ${known})` : "is not known",
    }));
  });
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
  const known = Object.keys(schema.shape).join(", ");
  const problems = problemsOf(checked.error.issues, known === "" ? "none" : known);
  const said = problems.slice(0, 5).map(({ field, problem }) => `${echo(field)} ${problem}`);
  const more = problems.length > 5 ? `; and ${problems.length - 5} more` : "";
  const field = (problems[0]?.field ?? "arguments").slice(0, ECHO_UNITS);
  throw new GitpinError(
    "invalid_argument",
    `Wrong arguments: ${said.join("; ")}${more}.`,
    `Correct ${echo(field)} and call again. Known arguments: ${known === "" ? "none" : known}.`,
    { field, known: Object.keys(schema.shape) },
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
