/**
 * Where a new file may stand: nothing is there, in the repository or in the call, and nothing whose path a checkout could
 * take for the same. macOS and Windows do not tell letter case apart, macOS not composed and decomposed characters either:
 * there `Foo.go` would overwrite `foo.go`, and `Src/a.go` would land in `src/`. Nor under a name that only some can make.
 */
import { folded, nameFault } from "./free-path-name.ts";
import type { HeadView } from "./head-view.ts";
import { refused } from "./outcome.ts";

/**
 * Throws `unit_occupied`, naming what stands there, and `unit_invalid` for a name that is not there yet and should not be
 * made. `made` are the paths of the call's other new files.
 */
export async function assertPathFree(
  view: Pick<HeadView, "directory">,
  made: Iterable<string>,
  path: string,
  operation: number,
): Promise<void> {
  const others = [...made];
  const names = path.split("/");
  // A repository may hold both `src` and `Src`: what stands in either is in the way.
  let directories = [""];
  for (const [index, name] of names.entries()) {
    const found: Entry[] = [];
    for (const directory of directories) found.push(...(await entriesOf(view, others, directory)));
    const alike = found.filter((entry) => folded(lastName(entry.path)) === folded(name));
    const wanted = names.slice(0, index + 1).join("/");
    const isLast = index === names.length - 1;
    const below = alike.filter(({ directory }) => directory).map((entry) => entry.path);
    if (!isLast && below.includes(wanted)) {
      directories = [...new Set(below)];
      continue;
    }
    const there = alike.find((entry) => entry.path === wanted) ?? alike[0];
    if (there !== undefined) throw occupied(path, wanted, there.path, isLast, operation);
    const fault = nameFault(name);
    if (fault !== null) throw unfit(path, name, fault, isLast, operation);
    directories = [];
  }
}

interface Entry {
  path: string;
  directory: boolean;
}

async function entriesOf(
  view: Pick<HeadView, "directory">,
  made: readonly string[],
  directory: string,
): Promise<Entry[]> {
  const prefix = directory === "" ? "" : `${directory}/`;
  const listed = await view.directory(directory);
  const entries = listed.map(({ path, mode }) => ({ path, directory: /^0?40/.test(mode) }));
  for (const path of made) {
    if (!path.startsWith(prefix)) continue;
    const slash = path.indexOf("/", prefix.length);
    entries.push(slash < 0 ? { path, directory: false } : { path: path.slice(0, slash), directory: true });
  }
  return entries;
}

const lastName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function occupied(path: string, wanted: string, there: string, isLast: boolean, operation: number) {
  const nextStep = "Choose another name, or placement sibling_after.";
  if (there === wanted) {
    return refused(
      "unit_occupied",
      operation,
      isLast
        ? `${path} is there already; nothing is overwritten.`
        : `${there} is no directory, so ${path} cannot be made.`,
      nextStep,
    );
  }
  return refused(
    "unit_occupied",
    operation,
    `${there} is there already: where letter case, the composition of characters or a dot at the end does not count (macOS, Windows), ${wanted} is the same path.`,
    isLast ? nextStep : `Spell the directory as it is there: ${there}.`,
  );
}

const unfit = (path: string, name: string, fault: string, isLast: boolean, operation: number) =>
  refused(
    "unit_invalid",
    operation,
    `No new ${isLast ? "file" : "directory"} is named ${JSON.stringify(name)} (for ${path}): that ${fault}.`,
    `Put it beside an entity with placement sibling_after, or choose another ${isLast ? "name" : "directory"}.`,
  );
