/**
 * Package manifests of a repository: where they stand and what they state. Owns the list of ecosystems (`ecosystems/`).
 * Never runs anything and never guesses: what a file does not state plainly is null, with the reason.
 */
import type { Manifest } from "../../schema/inspection.ts";
import { compareByteOrder } from "../change/byte-order.ts";
import { functional } from "./ecosystems/functional.ts";
import { javascript } from "./ecosystems/javascript.ts";
import { make } from "./ecosystems/make.ts";
import { managed } from "./ecosystems/managed.ts";
import { platforms } from "./ecosystems/platforms.ts";
import { python } from "./ecosystems/python.ts";
import { scripting } from "./ecosystems/scripting.ts";
import { systems } from "./ecosystems/systems.ts";
import { type ManifestFacts, type ManifestRule, nothing } from "./manifest-form.ts";
import { countByVendoredFolder, vendoredFolder } from "./vendored.ts";

const RULES: readonly ManifestRule[] = [
  ...javascript,
  ...python,
  ...systems,
  ...make,
  ...managed,
  ...scripting,
  ...functional,
  ...platforms,
];

const BY_NAME = new Map(RULES.flatMap((rule) => (rule.names ?? []).map((name) => [name, rule] as const)));
const BY_PATTERN = RULES.flatMap((rule) =>
  rule.pattern === undefined ? [] : [{ pattern: rule.pattern, rule }],
);

/** Largest manifest that is read, in bytes. */
export const MANIFEST_BYTES = 524_288;
/** Most scripts, and most workspace globs, told of one manifest; how many more there are is told too. */
export const MANIFEST_LIST = 100;
/** Longest command of a script, in UTF-16 units; a longer one is null. */
const COMMAND_UNITS = 2000;

export interface FoundManifests {
  /** Those nearest the root first, then in git's order. */
  found: { path: string; ecosystem: string }[];
  /** Vendored folders, with how many manifests stand in each. */
  excluded: { folder: string; files: number }[];
}

/** Finds manifests by file name among a repository's paths. */
export function findManifests(paths: readonly string[]): FoundManifests {
  const manifests = paths.filter((path) => ruleFor(path) !== undefined);
  const found = manifests
    .filter((path) => vendoredFolder(path) === null)
    .map((path) => ({ path, ecosystem: ruleFor(path)?.ecosystem ?? "", depth: path.split("/").length }))
    .sort((left, right) => left.depth - right.depth || compareByteOrder(left.path, right.path))
    .map(({ path, ecosystem }) => ({ path, ecosystem }));
  return { found, excluded: countByVendoredFolder(manifests) };
}

/** Reads one manifest from the bytes of its blob; null for a path that is no manifest. */
export function readManifest(path: string, bytes: Uint8Array): Manifest | null {
  const rule = ruleFor(path);
  return rule === undefined ? null : bounded(path, rule.ecosystem, factsOf(rule, bytes));
}

/** The row of a manifest whose bytes are not to be had (blocked, a submodule, too large), with the reason. */
export function unreadManifest(path: string, ecosystem: string, reason: string): Manifest {
  return bounded(path, ecosystem, nothing(reason));
}

function ruleFor(path: string): ManifestRule | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return BY_NAME.get(name) ?? BY_PATTERN.find(({ pattern }) => pattern.test(name))?.rule;
}

function factsOf(rule: ManifestRule, bytes: Uint8Array): ManifestFacts {
  if (bytes.byteLength > MANIFEST_BYTES) return nothing(`it is larger than ${MANIFEST_BYTES} bytes`);
  const text = decode(bytes);
  return text === null ? nothing("it is not valid UTF-8") : rule.read(text);
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}

function bounded(path: string, ecosystem: string, facts: ManifestFacts): Manifest {
  const { name, version, scripts, workspaces, reason } = facts;
  return {
    path,
    ecosystem,
    name,
    version,
    scripts: scripts.slice(0, MANIFEST_LIST).map((script) => ({
      ...script,
      command: script.command !== null && script.command.length > COMMAND_UNITS ? null : script.command,
    })),
    scriptsOmitted: Math.max(scripts.length - MANIFEST_LIST, 0),
    workspaces: workspaces?.slice(0, MANIFEST_LIST) ?? null,
    workspacesOmitted: Math.max((workspaces?.length ?? 0) - MANIFEST_LIST, 0),
    reason,
  };
}
