/** The repository's own policy files as they stand at a commit. Reading them is `core/policy/wiki-policy.ts`. */
import { readWikiPolicy, WIKI_PATHS, type WikiFile, type WikiPolicy } from "../core/policy/wiki-policy.ts";
import type { Commit, RepositoryReader } from "../ports/repository-reader.ts";

export async function wikiAt(reader: RepositoryReader, commit: Commit): Promise<WikiPolicy> {
  const files: WikiFile[] = [];
  for (const path of WIKI_PATHS) {
    const found = await reader.entry(commit, path);
    if (found === null) continue;
    const { kind, id } = found.entry;
    const isFile = kind === "file" || kind === "executable";
    files.push({ path, bytes: isFile ? await reader.blob(id) : null });
  }
  return readWikiPolicy(files);
}
