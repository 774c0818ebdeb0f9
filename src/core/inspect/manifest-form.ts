/**
 * The form of an ecosystem: which file names are its manifests, and what is read of each. A reader gets text and gives
 * back what the file states plainly; whatever it does not state, or only a program could tell, is null with a reason.
 */
import type { Manifest, ManifestScript } from "../../schema/inspection.ts";
import { entriesOf, type Parsed } from "./formats/parsed.ts";

export type ManifestFacts = Pick<Manifest, "name" | "version" | "scripts" | "workspaces" | "reason">;

export interface ManifestRule {
  ecosystem: string;
  /** Exact base names. */
  names?: readonly string[];
  /** Tried on the base name when no exact name matches. */
  pattern?: RegExp;
  read(text: string): ManifestFacts;
}

/** A value a file states as text, or why it is null. */
export type Stated = { value: string } | { why: string };

/** In UTF-16 units; names and versions beyond it are no names. */
const STATED_UNITS = 500;

/** Takes a value that should be a string. `what` names it in the reason. */
export function stated(value: unknown, what: string): Stated {
  if (value === undefined || value === null || value === "") return { why: `no ${what} is stated` };
  if (typeof value !== "string") return { why: `the ${what} is not a plain text` };
  return value.length > STATED_UNITS
    ? { why: `the ${what} is longer than ${STATED_UNITS} characters` }
    : { value };
}

/** Puts facts together; the reasons of all that is null become one sentence. */
export function facts(
  name: Stated,
  version: Stated,
  more: { scripts?: ManifestScript[]; workspaces?: string[] | null; reason?: string } = {},
): ManifestFacts {
  const reasons = [name, version].flatMap((one) => ("why" in one ? [one.why] : []));
  if (more.reason !== undefined) reasons.push(more.reason);
  return {
    name: "value" in name ? name.value : null,
    version: "value" in version ? version.value : null,
    scripts: more.scripts ?? [],
    workspaces: more.workspaces ?? null,
    reason: reasons.length === 0 ? null : reasons.join("; "),
  };
}

/** Nothing could be read, for one reason. */
export const nothing = (reason: string): ManifestFacts => ({
  name: null,
  version: null,
  scripts: [],
  workspaces: null,
  reason,
});

/** For manifests that are programs in a language. */
export const program = (language: string) => (): ManifestFacts =>
  nothing(`it is a program (${language}), and programs are not run`);

/** For formats that have no place for a name and a version. */
export const nameless = (): ManifestFacts => nothing("the format states neither name nor version");

/** For formats that no reader here knows. */
export const unread = (format: string) => (): ManifestFacts => nothing(`${format} is not read`);

/** Parses first; a fault of the format is the reason. */
export const from =
  (parse: (text: string) => Parsed, read: (value: unknown) => ManifestFacts) =>
  (text: string): ManifestFacts => {
    const parsed = parse(text);
    return "fault" in parsed ? nothing(parsed.fault) : read(parsed.value);
  };

/**
 * Scripts of a table `name -> command`. A list of commands is given one a line; a command that is neither text nor a list of
 * texts, nor a table with one under `commandKey`, is null.
 */
export function scriptsOf(table: unknown, origin: string, commandKey = "command"): ManifestScript[] {
  return entriesOf(table).map(([name, value]) => {
    const told = entriesOf(value).find(([key]) => key === commandKey)?.[1] ?? value;
    const commands = (Array.isArray(told) ? told : [told]).map((one) =>
      typeof one === "string" ? one : null,
    );
    return { name, command: commands.includes(null) ? null : commands.join("\n"), origin };
  });
}
