/** `tests`: where tests are kept, by the customs of file names, and the scripts of manifests that run them. */
import { testLayout } from "../../core/inspect/test-layout.ts";
import { wholeTree } from "../whole-tree.ts";
import { readManifests } from "./manifest.ts";
import { listed, type Part, type View } from "./view.ts";

export async function testsOf(view: View): Promise<Part<"tests">> {
  const { at, limit } = view;
  const { entries } = await wholeTree(at.reader, at.outcome.commit);
  const { manifests, beyond } = await readManifests(view, entries);
  const paths = entries.filter(({ kind }) => kind !== "submodule").map(({ path }) => path);
  const { folders, files, configurations, scripts, excluded } = testLayout(paths, manifests);
  return {
    folders: listed(folders, limit),
    files: listed(files, limit),
    configurations: listed(configurations, limit),
    scripts: listed(scripts, limit),
    manifestsUnread: listed(beyond, limit),
    excluded,
  };
}
