/** `manifest`: package manifests anywhere in the tree. Content of one is read only where policy allows its path. */
import type { TreeEntry } from "../../core/git/tree-entry.ts";
import { findManifests, MANIFEST_BYTES, readManifest, unreadManifest } from "../../core/inspect/manifests.ts";
import type { Manifest } from "../../schema/inspection.ts";
import { sideBySide } from "../side-by-side.ts";
import { wholeTree } from "../whole-tree.ts";
import type { Part, View } from "./view.ts";

export interface ManifestsRead {
  manifests: Manifest[];
  /** Paths of those beyond the limit, not read. */
  beyond: string[];
  total: number;
  excluded: Part<"manifest">["excluded"];
}

export async function manifestOf(view: View): Promise<Part<"manifest">> {
  const { entries } = await wholeTree(view.at.reader, view.at.outcome.commit);
  const { manifests, total, excluded, beyond } = await readManifests(view, entries);
  return { items: manifests, total, truncated: beyond.length > 0, excluded };
}

/** Reads the first `limit` of them, those nearest the root first. */
export async function readManifests(
  { at, limit }: View,
  entries: readonly TreeEntry[],
): Promise<ManifestsRead> {
  const files = new Map(
    entries.filter(({ kind }) => kind !== "submodule").map((entry) => [entry.path, entry]),
  );
  const { found, excluded } = findManifests([...files.keys()]);
  const manifests = await sideBySide(found.slice(0, limit), async ({ path, ecosystem }) => {
    const entry = files.get(path);
    const withheld = entry === undefined ? "it is not there" : reasonNotToRead(at, entry);
    if (entry === undefined || withheld !== null) return unreadManifest(path, ecosystem, withheld ?? "");
    const bytes = await at.reader.blob(entry.id);
    return readManifest(path, bytes) ?? unreadManifest(path, ecosystem, "it is no manifest");
  });
  return {
    manifests,
    beyond: found.slice(limit).map(({ path }) => path),
    total: found.length,
    excluded,
  };
}

function reasonNotToRead({ outcome }: View["at"], { path, kind, size }: TreeEntry): string | null {
  const decision = outcome.policy.decide(path);
  if (!decision.allowed) return `blocked: ${decision.reason}`;
  if (kind === "symlink") return "it is a symlink, and symlinks are not followed";
  return size !== null && size > MANIFEST_BYTES ? `it is larger than ${MANIFEST_BYTES} bytes` : null;
}
