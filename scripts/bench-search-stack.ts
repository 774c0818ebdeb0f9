/**
 * `npm run bench:search`: the search as a caller meets it (REST, Worker in workerd, store) beside `git grep` on the same
 * commit, in one run; and the memory of the workerd process. The tree is made of text files of this project's dependencies
 * (`BENCH_TREE_MB`, default 64; the large one is six copies, each file a little different). The archive is made beforehand
 * and comes from loopback. Best of `BENCH_ROUNDS`. Not a test: it asserts only that both found the same number of lines.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { startLocalHost } from "../src/local/host.ts";
import { startWorker, type WorkerOptions } from "../src/local/workerd.ts";
import type { SearchResult } from "../src/schema/search.ts";
import { GitRepository } from "../test/repositories/git.ts";

const TREE_MB = Number(process.env.BENCH_TREE_MB ?? 64);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const COPIES = 6;
const TEXT = /\.(?:[cm]?[jt]sx?|json|md|css|html|ya?ml|txt|capnp|h)$/;

interface Question {
  query: string;
  mode?: "regex";
  caseSensitive?: boolean;
  wholeWord?: boolean;
}

const LITERALS: readonly Question[] = [
  { query: "zz-not-there-zz", caseSensitive: true },
  { query: "function", caseSensitive: true },
  { query: "function" },
  { query: "import", wholeWord: true },
];
const EXPRESSIONS: readonly Question[] = [
  { query: "return null|throw new|never mind", mode: "regex", caseSensitive: true },
  { query: "[A-Za-z]+Exception\\(", mode: "regex", caseSensitive: true },
  { query: "^\\s*return [a-z]+;$", mode: "regex", caseSensitive: true },
  { query: "[0-9]{4}-[0-9]{2}-[0-9]{2}", mode: "regex", caseSensitive: true },
  { query: "\\bget[A-Z]\\w+\\(.*\\)", mode: "regex", caseSensitive: true },
];

function* textFiles(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* textFiles(path);
    else if (entry.isFile() && TEXT.test(entry.name)) yield path;
  }
}

/** Text files below `node_modules` of at most 1 MB each, until there is enough; `copies` of the lot. */
function treeOf(
  name: string,
  copies: number,
): { repository: GitRepository; commit: string; files: number; bytes: number } {
  const modules = join(import.meta.dirname, "../node_modules");
  const repository = new GitRepository(name);
  // No clean-up by git itself beside ours.
  repository.git("config", "gc.auto", "0");
  let files = 0;
  let bytes = 0;
  for (let copy = 0; copy < copies; copy++) {
    let left = TREE_MB * 1e6;
    for (const path of textFiles(modules)) {
      const { size } = statSync(path);
      if (size > 1e6 || size === 0) continue;
      const target = join(repository.path, `copy${copy}`, path.slice(modules.length));
      mkdirSync(dirname(target), { recursive: true });
      const content = readFileSync(path);
      writeFileSync(
        target,
        copy === 0 ? content : Buffer.concat([content, Buffer.from(`\n// copy ${copy}\n`)]),
      );
      files++;
      bytes += size;
      left -= size;
      if (left <= 0) break;
    }
  }
  repository.git("add", "--all", "--force");
  repository.git("commit", "--quiet", "--message", name);
  repository.git("gc", "--quiet");
  return { repository, commit: repository.git("rev-parse", "HEAD"), files, bytes };
}

/** The local host behind a door that has the archives ready: making one is not what is measured. */
async function readyArchives(
  hostUrl: string,
  archives: ReadonlyMap<string, Buffer>,
): Promise<{ url: string; server: Server }> {
  const { port: hostPort } = new URL(hostUrl);
  let url = "";
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? "/";
    const archive = [...archives].find(
      ([commit]) => path.startsWith("/_codeload/") && path.includes(commit),
    )?.[1];
    if (archive !== undefined) {
      outgoing.writeHead(200, { "content-type": "application/x-gzip", "content-length": archive.length });
      outgoing.end(archive);
      return;
    }
    const headers = { ...incoming.headers, host: `127.0.0.1:${hostPort}` };
    request({ port: hostPort, path, headers, host: "127.0.0.1" }, async (answer) => {
      const body = await buffer(answer);
      const { location } = answer.headers;
      const moved = location === undefined ? {} : { location: location.replace(hostUrl, url) };
      outgoing.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...moved });
      outgoing.end(body);
    }).end();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, server };
}

/** The workerd that this process started, `but` for another one. */
function workerdPid(but = ""): string {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const stat = spawnSync("cat", [`/proc/${pid}/stat`], { encoding: "utf8" }).stdout;
    const [, name, parent] = /^\d+ \((.+)\) \S (\d+)/.exec(stat) ?? [];
    if (name === "workerd" && parent === String(process.pid) && pid !== but) return pid;
  }
  throw new Error("no workerd was started by this process");
}

/** Processor time of a process so far, in milliseconds (Linux counts in steps of ten). */
function processorMs(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const memoryOf = (pid: string): { now: number; peak: number } => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1000;
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") };
};

/** Peaks count from here on. */
const forgetPeak = (pid: string): void => writeFileSync(`/proc/${pid}/clear_refs`, "5");

interface Measure {
  ms: number;
  /** Of all threads together. */
  processorMs: number;
  lines: number;
}

/** Wall and processor time of `git grep`, its start included. */
function gitGrep(repository: GitRepository, commit: string, question: Question): Measure {
  const { query, mode, caseSensitive, wholeWord } = question;
  const flags = [
    mode === "regex" ? "-P" : "-F",
    ...(caseSensitive ? [] : ["-i"]),
    ...(wholeWord ? ["-w"] : []),
  ];
  const env = {
    PATH: process.env.PATH,
    LC_ALL: "C.UTF-8",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const before = performance.now();
  const grep = ["git", "grep", "-I", "-c", ...flags, "-e", query, commit];
  const { stdout } = spawnSync("bash", ["-c", '"$@"; times', "bash", ...grep], {
    cwd: repository.path,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env,
  });
  const ms = performance.now() - before;
  const rows = stdout.trimEnd().split("\n");
  const times = (rows.pop() ?? "").matchAll(/(\d+)m([\d.]+)s/g);
  rows.pop();
  return {
    ms,
    processorMs: [...times].reduce(
      (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
      0,
    ),
    lines: rows.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(":") + 1)), 0),
  };
}

/** The fastest of some, by wall time, and the least processor time of any. */
async function best(rounds: number, work: () => Promise<Measure> | Measure): Promise<Measure> {
  let least = await work();
  for (let i = 1; i < rounds; i++) {
    const { ms, processorMs: processor, lines } = await work();
    least = { ms: Math.min(least.ms, ms), processorMs: Math.min(least.processorMs, processor), lines };
  }
  return least;
}

const ratios = (ours: Measure, theirs: Measure): string =>
  `${(ours.ms / theirs.ms).toFixed(2).padStart(5)} ${(ours.processorMs / theirs.processorMs).toFixed(2).padStart(5)}`;

const small = treeOf("tree", 1);
const large = treeOf("large", COPIES);
const archives = new Map(
  [small, large].map(({ repository, commit }) => [
    commit,
    repository.bytes("archive", "--format=tar.gz", "--prefix=top/", commit),
  ]),
);
const host = await startLocalHost({
  repositories: [
    { owner: "o", name: "tree", path: small.repository.path, id: 1 },
    { owner: "o", name: "large", path: large.repository.path, id: 2 },
  ],
});
const door = await readyArchives(host.url, archives);
const settings: WorkerOptions = {
  entry: "src/worker.ts",
  vars: {
    PUBLIC_URL: "{url}",
    GITHUB_API_URL: door.url,
    ANONYMOUS_ACCESS: "all",
    HEAD_MAX_AGE: "3600",
    REGISTRY: JSON.stringify({
      version: 1,
      repositories: ["tree", "large"].map((name, i) => ({ name, owner: "o", repo: name, id: i + 1 })),
    }),
  },
};
const worker = await startWorker(settings);
const pid = workerdPid();
// Without any store, so that what the local store keeps in the same process does not count.
const bare = await startWorker({ ...settings, kv: [] });
const barePid = workerdPid(pid);

async function search(
  repository: string,
  sha: string,
  question: Question,
  url = worker.url,
): Promise<Measure> {
  const before = performance.now();
  const processor = processorMs(pid);
  const response = await fetch(`${url}/v1/search-code`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ repository, sha, ...question, count: true }),
  });
  if (response.status !== 200) throw new Error(await response.text());
  const { totals } = (await response.json()) as SearchResult;
  return {
    ms: performance.now() - before,
    processorMs: processorMs(pid) - processor,
    lines: totals.matchingLines,
  };
}

try {
  const { repository, commit } = small;
  const archive = archives.get(commit)?.length ?? 0;
  console.log(
    `tree: ${small.files} files, ${(small.bytes / 1e6).toFixed(0)} MB of text, archive ${(archive / 1e6).toFixed(1)} MB; ${process.version}, ${spawnSync("git", ["--version"], { encoding: "utf8" }).stdout.trim()}`,
  );
  // The gate's own requests (HEAD, the tree for its policy files) are made once per commit, before anything is measured.
  await fetch(`${worker.url}/v1/read?repository=tree&sha=${commit}`);
  await fetch(`${worker.url}/v1/read?repository=large&sha=${large.commit}`);
  const idle = memoryOf(pid).now;
  const rare: Question = { query: "zz-not-there-zz", caseSensitive: true };
  const theirsRare = await best(ROUNDS, () => gitGrep(repository, commit, rare));
  forgetPeak(pid);
  const first = await search("tree", commit, rare);
  const firstPeak = memoryOf(pid).peak;
  console.log(`${"".padEnd(36)} git: wall   cpu   ours: wall   cpu   ratio: wall   cpu   aim   lines`);
  const row = (name: string, theirs: Measure, ours: Measure, aim: string): void => {
    const columns = [theirs.ms, theirs.processorMs, ours.ms, ours.processorMs].map((ms) => ms.toFixed(0));
    const [a = "", b = "", c = "", d = ""] = columns;
    console.log(
      `${name.padEnd(36)} ${a.padStart(9)} ${b.padStart(5)} ${c.padStart(12)} ${d.padStart(5)}        ${ratios(ours, theirs)}   ${aim}   ${ours.lines}`,
    );
  };
  row("first search: hashed and stored", theirsRare, first, "2.0");
  for (const question of [...LITERALS, ...EXPRESSIONS]) {
    const theirs = await best(ROUNDS, () => gitGrep(repository, commit, question));
    const ours = await best(ROUNDS, () => search("tree", commit, question));
    if (ours.lines !== theirs.lines)
      throw new Error(`${question.query}: ${ours.lines} lines, git ${theirs.lines}`);
    const name = `${question.query}${question.caseSensitive ? "" : " -i"}${question.wholeWord ? " -w" : ""}`;
    row(name, theirs, ours, question.mode === "regex" ? "1.5" : "1.0");
  }
  forgetPeak(pid);
  await search("tree", commit, rare);
  const storedPeak = memoryOf(pid).peak;
  forgetPeak(pid);
  const largeFirst = await search("large", large.commit, rare);
  const largeFirstPeak = memoryOf(pid).peak;
  forgetPeak(pid);
  const largeStored = await search("large", large.commit, rare);
  const largeStoredPeak = memoryOf(pid).peak;
  const theirsLarge = gitGrep(large.repository, large.commit, rare);
  console.log(
    `large tree: ${large.files} files, ${(large.bytes / 1e6).toFixed(0)} MB, archive ${((archives.get(large.commit)?.length ?? 0) / 1e6).toFixed(1)} MB`,
  );
  row("large tree, first", theirsLarge, largeFirst, "2.0");
  row("large tree, stored", theirsLarge, largeStored, "1.0");
  const grown = (peak: number, from: number): string => `+${(peak - from).toFixed(0)} MB`;
  console.log(
    `memory of the workerd process, its local KV inside it, over ${idle.toFixed(0)} MB before: first ${grown(firstPeak, idle)}, stored ${grown(storedPeak, idle)}; large tree: first ${grown(largeFirstPeak, idle)}, stored ${grown(largeStoredPeak, idle)}`,
  );
  const peaks: string[] = [];
  await search("tree", commit, rare, bare.url);
  for (const [name, sha] of [
    ["tree", commit],
    ["large", large.commit],
    ["large", large.commit],
  ] as const) {
    const before = memoryOf(barePid).now;
    forgetPeak(barePid);
    await search(name, sha, rare, bare.url);
    peaks.push(`${name} ${memoryOf(barePid).peak.toFixed(0)} MB (${grown(memoryOf(barePid).peak, before)})`);
  }
  console.log(`memory of a workerd process without any store, at its peak, hashing: ${peaks.join(", ")}`);
} finally {
  await worker.close();
  await bare.close();
  door.server.closeAllConnections();
  door.server.close();
  await host.close();
  small.repository.remove();
  large.repository.remove();
}
