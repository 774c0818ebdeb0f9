/**
 * Which files of a commit are meant: one file, a directory, a glob, or all; and of these the sources in a language whose
 * entities are read. Policy comes first: a path that it denies is not looked up, a file that it denies is counted, as the
 * search counts it. Order is git's.
 */
import { languageOfFile } from "../../core/entity/entity.ts";
import type { LanguageName } from "../../core/entity/language/spec.ts";
import { languageOf } from "../../core/entity/language/table.ts";
import { pathFault } from "../../core/git/path.ts";
import type { TreeEntry } from "../../core/git/tree-entry.ts";
import { pathFilter } from "../../core/search/path-filter.ts";
import { GitpinError } from "../../errors.ts";
import { wholeTree } from "../whole-tree.ts";
import type { EntityPlace } from "./place.ts";
import { Skips } from "./skipped.ts";

/** A regular file in a language whose entities are read, allowed by policy. */
export interface SelectedFile {
  entry: TreeEntry;
  /** Its place in git's order among all paths of the commit; 0 for a file that was named. */
  index: number;
}

export type Selection =
  | { status: "ok"; files: SelectedFile[]; skips: Skips; single: boolean }
  | { status: "missing" | "blocked" | "refused"; reason: string };

export interface Asked {
  path?: string | undefined;
  language?: LanguageName | undefined;
}

export async function selectFiles(place: EntityPlace, asked: Asked): Promise<Selection> {
  const { path } = asked;
  if (path === undefined) return await filesWhere(place, asked, () => true);
  const decision = place.policy.decide(path);
  if (!decision.allowed) return { status: "blocked", reason: decision.reason };
  const found = pathFault(path) === null ? await place.reader.entry(place.commit, path) : null;
  if (found === null) return await filesByGlob(place, asked, path);
  if (found.entry.kind === "directory") {
    return await filesWhere(place, asked, (file) => file.startsWith(`${path}/`));
  }
  const refusal = refusalOf(found.entry);
  if (refusal !== null) return { status: "refused", reason: refusal };
  const fits = isOf(found.entry.path, asked.language);
  const files = fits ? [{ entry: found.entry, index: 0 }] : [];
  return { status: "ok", files, skips: new Skips(), single: true };
}

/** Why a file is not read, by its kind and name alone; null when nothing speaks against it. */
export function refusalOf({ path, mode }: TreeEntry): string | null {
  try {
    languageOfFile(path, mode);
    return null;
  } catch (thrown) {
    if (thrown instanceof GitpinError && thrown.code === "source_refused") return thrown.message;
    throw thrown;
  }
}

const isOf = (path: string, language: LanguageName | undefined): boolean => {
  const spec = languageOf(path);
  return spec !== null && (language === undefined || spec.name === language);
};

async function filesByGlob(place: EntityPlace, asked: Asked, glob: string): Promise<Selection> {
  const selects = compiled(glob);
  let any = false;
  const selection = await filesWhere(place, asked, (path) => {
    const selected = selects(path);
    any ||= selected;
    return selected;
  });
  if (any || /[*?[{]/.test(glob)) return selection;
  return { status: "missing", reason: `There is no such path at commit ${place.commit.sha}.` };
}

function compiled(glob: string): (path: string) => boolean {
  try {
    return pathFilter({ include: [glob], exclude: [], language: null });
  } catch (thrown) {
    if (!(thrown instanceof GitpinError)) throw thrown;
    const message = thrown.message.replace(/^\S+/, "path");
    throw new GitpinError("invalid_argument", message, thrown.nextStep, { field: "path" });
  }
}

/** Throws `tree_incomplete` where one call does not suffice to walk the tree. */
async function filesWhere(
  { reader, commit, policy }: EntityPlace,
  { language }: Asked,
  wanted: (path: string) => boolean,
): Promise<Selection> {
  const { entries } = await wholeTree(reader, commit);
  const files: SelectedFile[] = [];
  const skips = new Skips();
  for (const [index, entry] of entries.entries()) {
    const { path, kind } = entry;
    // What is wanted is asked of every path, whatever its language: it tells a path that is not there.
    if (!wanted(path) || !isOf(path, language)) continue;
    if (!policy.decide(path).allowed) skips.add("denied", path);
    else if (kind === "symlink" || kind === "submodule") skips.add(kind, path);
    else files.push({ entry, index });
  }
  return { status: "ok", files, skips, single: false };
}
