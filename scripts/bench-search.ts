/**
 * Compares the search with `git grep` on one repository, in one run, by hand: `node scripts/bench-search.ts <repository>
 * [commit]`. Prints milliseconds of both and whether they found the same number of lines. Best of five; the archive is
 * in memory (a stored one), git reads its object store. Not a test: it asserts nothing and needs a quiet machine.
 */
import { spawnSync } from "node:child_process";
import { CommitArchive } from "../src/core/archive/commit-archive.ts";
import { gunzip } from "../src/core/archive/gunzip.ts";
import { parseQuery, type SearchOptions } from "../src/core/search/query.ts";
import { runSearch } from "../src/core/search/search-run.ts";
import { WorkBudget } from "../src/core/search/work-budget.ts";

const [repository = ".", revision = "HEAD"] = process.argv.slice(2);

function git(...args: string[]): Buffer {
  const { stdout, stderr, status } = spawnSync("git", ["-C", repository, ...args], {
    maxBuffer: 2 ** 31 - 1,
    env: { ...process.env, LC_ALL: "C.UTF-8", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  });
  // Status 1 of `git grep` is "no line found".
  if (status !== 0 && !(args[0] === "grep" && status === 1)) throw new Error(stderr.toString());
  return stdout;
}

const commit = git("rev-parse", `${revision}^{commit}`).toString().trim();
const tree = git("rev-parse", `${commit}^{tree}`).toString().trim();
const archive = git("archive", "--format=tar.gz", "--prefix=top/", commit);

const QUERIES: readonly SearchOptions[] = [
  { query: "zz-not-there-zz", caseSensitive: true },
  { query: "function", caseSensitive: true },
  { query: "function" },
  { query: "import", wholeWord: true },
  { query: "e" },
  { query: "return null|throw new|never mind", mode: "regex", caseSensitive: true },
  { query: "[A-Za-z]+Exception\\(", mode: "regex", caseSensitive: true },
  { query: "^\\s*return [a-z]+;$", mode: "regex", caseSensitive: true },
  { query: "[0-9]{4}-[0-9]{2}-[0-9]{2}", mode: "regex", caseSensitive: true },
  { query: "\\bget[A-Z]\\w+\\(.*\\)", mode: "regex", caseSensitive: true },
  { query: "set[a-z]+\\(", mode: "regex" },
  { query: "(x+x+)+y", mode: "regex", caseSensitive: true },
];

async function search(options: SearchOptions, hash: boolean): Promise<{ lines: number; root: string }> {
  const stored = new Blob([new Uint8Array(archive)]).stream();
  const files = new CommitArchive(gunzip(stored).next, { commit, hash });
  const work = new WorkBudget(async () => undefined, Number.MAX_SAFE_INTEGER);
  const outcome = await runSearch(files.files(), parseQuery(options), { commit, denied: () => false, work });
  return { lines: outcome.totals.matchingLines, root: hash ? files.rootTree() : "" };
}

function gitGrep(options: SearchOptions): number {
  const flags = [options.mode === "regex" ? "-P" : "-F"];
  if (options.caseSensitive !== true) flags.push("-i");
  if (options.wholeWord === true) flags.push("-w");
  const counts = git("grep", "-I", "-c", ...flags, "-e", options.query, commit).toString();
  return counts.split("\n").reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(":") + 1)), 0);
}

async function best<T>(run: () => T | Promise<T>): Promise<{ ms: number; value: T }> {
  let ms = Number.POSITIVE_INFINITY;
  let value: T | undefined;
  for (let i = 0; i < 5; i++) {
    const before = performance.now();
    value = await run();
    ms = Math.min(ms, performance.now() - before);
  }
  return { ms, value: value as T };
}

console.log(`${commit}  archive ${(archive.length / 1e6).toFixed(1)} MB`);
console.log("query".padEnd(44), "git ms", "  ours", "ratio", "hashed", "ratio", " lines");
for (const options of QUERIES) {
  const theirs = await best(() => gitGrep(options));
  const ours = await best(() => search(options, false));
  const hashed = await best(() => search(options, true));
  const name = `${options.query}${options.caseSensitive === true ? "" : " -i"}${options.wholeWord === true ? " -w" : ""}`;
  const same = ours.value.lines === theirs.value ? "same" : `DIFFERENT: git ${theirs.value}`;
  console.log(
    name.padEnd(44),
    theirs.ms.toFixed(0).padStart(6),
    ours.ms.toFixed(0).padStart(6),
    (ours.ms / theirs.ms).toFixed(2).padStart(5),
    hashed.ms.toFixed(0).padStart(6),
    (hashed.ms / theirs.ms).toFixed(2).padStart(5),
    ours.value.lines,
    same,
    hashed.value.root === tree ? "" : "(the archive is not the tree)",
  );
}
const { rss } = process.memoryUsage();
console.log(`resident ${(rss / 1e6).toFixed(0)} MB`);
