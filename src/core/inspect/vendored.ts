/**
 * Folders that hold other people's code, copied into the repository. What stands in them says nothing about this
 * repository's own packages and tests, so it is counted apart and never dropped in silence.
 */

/** Folder names, compared in lower case: package managers' own, then the customary ones. */
const VENDORED = new Set([
  "node_modules",
  "bower_components",
  "jspm_packages",
  ".yarn",
  ".pnpm-store",
  ".venv",
  "venv",
  "site-packages",
  "__pypackages__",
  ".bundle",
  "pods",
  "carthage",
  "godeps",
  "_vendor",
  "vendor",
  "vendored",
  "third_party",
  "third-party",
  "thirdparty",
]);

/** The topmost vendored folder a file stands in; null when it stands in none. The file's own name does not count. */
export function vendoredFolder(path: string): string | null {
  let start = 0;
  for (;;) {
    const end = path.indexOf("/", start);
    if (end === -1) return null;
    if (VENDORED.has(path.slice(start, end).toLowerCase())) return path.slice(0, end);
    start = end + 1;
  }
}

/** How many of these paths stand in each vendored folder, in the order of first sight. */
export function countByVendoredFolder(paths: readonly string[]): { folder: string; files: number }[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = vendoredFolder(path);
    if (folder !== null) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].map(([folder, files]) => ({ folder, files }));
}
