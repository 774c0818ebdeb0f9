// The environment every git process of the local host runs in.
// Owns: which variables git sees. Nothing of the caller's GIT_* variables, user or system configuration gets
// through, replace refs are ignored, nothing is fetched, nothing is locked. Refuses: writing to a clone.
// Objects are read through a bare, empty "view" directory that only borrows the clone's object store, so that the
// clone's own configuration (filters, external diffs, file system monitors, promisor remotes) never runs.
// Objects made through the API go to a store of the host's own beside the view, which borrows the clone's in its turn.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const INHERITED = ["PATH", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT"];

const ISOLATED = {
  LC_ALL: "C",
  TZ: "UTC",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "",
  GIT_LITERAL_PATHSPECS: "1",
};

export type Environment = Record<string, string>;

/** The bare minimum of variables, for the few commands that must look at the clone itself (its refs). */
export function cleanEnvironment(extra: Environment = {}): Environment {
  const kept: Environment = {};
  for (const name of INHERITED) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return { ...kept, ...ISOLATED, ...extra };
}

/** An empty bare repository in the temporary folder; one serves every clone of a host. */
export interface View {
  directory: string;
  remove(): Promise<void>;
}

/** Makes the view: a `HEAD`, a configuration without settings, and no refs. */
export async function createView(): Promise<View> {
  const directory = await mkdtemp(join(tmpdir(), "gitpin-local-"));
  await mkdir(join(directory, "objects"));
  await mkdir(join(directory, "refs"));
  await writeFile(join(directory, "HEAD"), "ref: refs/heads/none\n");
  await writeFile(join(directory, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
  return { directory, remove: () => rm(directory, { recursive: true, force: true, maxRetries: 3 }) };
}

/** A place of the host's own for objects of one clone. */
export interface Store {
  objects: string;
  /** Where content waits until git has read it. */
  incoming: string;
}

/** In the view's folder, and gone with it. */
export async function createStore(view: View): Promise<Store> {
  const folder = await mkdtemp(join(view.directory, "store-"));
  const store = { objects: join(folder, "objects"), incoming: join(folder, "incoming") };
  await Promise.all([mkdir(store.objects), mkdir(store.incoming)]);
  return store;
}

/**
 * Objects of one clone as seen through the view; those that are written go to `objects`. The shallow file need not exist
 * (yet).
 */
export function viewEnvironment(
  view: View,
  objects: string,
  borrowed: readonly string[],
  shallowFile: string,
): Environment {
  return cleanEnvironment({
    GIT_DIR: view.directory,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: borrowed.map(quoted).join(delimiter),
    GIT_SHALLOW_FILE: shallowFile,
  });
}

/** As git reads a path of a list when it begins with a quotation mark. */
function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
