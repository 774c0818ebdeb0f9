/**
 * `npm run bench`: figures of one run, as ratios, since machines are noisy. Throughput of `pin.verify` over MCP and of
 * `/v1/verify`, warm, beside an empty tool and an empty route of the same server, and CPU time for each; time from a cold start
 * to the first verdict; planning edits beside reading the same files; size and start-up CPU of both bundles. What they mean:
 * docs/explanation/performance.md.
 */
import { startLocalHost } from "../src/local/host.ts";
import { startWorker, type WorkerOptions } from "../src/local/workerd.ts";
import { GitRepository } from "../test/repositories/git.ts";
import { benchEntities } from "./bench-entities.ts";
import { BUNDLES, bundleSize, sizeText } from "./bundle-size.ts";
import { type Ask, type Rate, throughput } from "./load/throughput.ts";
import { workerdProcess } from "./load/workerd-process.ts";
import { startupCpuMs } from "./startup-cpu.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = 5;
const AIM = 0.6;
const WIDTH = 36;

const toolCall = (name: string, given: unknown) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: given },
});

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const row = (what: string, figures: string): void => console.log(`${what.padEnd(WIDTH)} ${figures}`);

const meterText = (rates: Rate[]): string => {
  const cpu = rates.flatMap(({ cpuMs }) => (cpuMs === null ? [] : [cpuMs]));
  return cpu.length === 0 ? "?" : `${median(cpu).toFixed(2)} ms CPU`;
};

/** Both sides in turn, so that a slow moment of the machine meets both. The first round of each only warms up. */
async function ratio(what: string, side: Ask, base: Ask): Promise<void> {
  const meter = workerdProcess();
  const sides: Rate[] = [];
  const bases: Rate[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = [
      await throughput(base, SECONDS, meter),
      await throughput(side, SECONDS, meter),
    ] as const;
    if (round === 0) continue;
    bases.push(measured[0]);
    sides.push(measured[1]);
  }
  const [one, other] = [sides, bases].map((rates) => median(rates.map(({ perSecond }) => perSecond)));
  const perRound = sides.map(({ perSecond }, i) => perSecond / (bases[i]?.perSecond ?? Number.NaN));
  row(
    what,
    `${one?.toFixed(0)}/s of ${other?.toFixed(0)}/s, ratio ${median(perRound).toFixed(2)} (aim ${AIM.toFixed(2)}); ${meterText(sides)} of ${meterText(bases)}`,
  );
}

const repository = new GitRepository("bench");
const sha = repository.write("src/app.ts", "export const answer = 42;\n".repeat(200)).commit("bench");
const host = await startLocalHost({
  repositories: [{ owner: "o", name: "bench", path: repository.path, id: 1 }],
  rateLimit: { limit: 1e9 },
});
const place = { repository: "bench", sourcePath: "src/app.ts", sha, line: 3, mustContain: "answer = 42" };
const query = new URLSearchParams(Object.entries(place).map(([name, value]) => [name, String(value)]));

const start = (more: Partial<WorkerOptions> = {}) =>
  startWorker({
    entry: "scripts/bench-worker.ts",
    ...more,
    // Kept, they would fill this process.
    onLog: () => undefined,
    vars: {
      PUBLIC_URL: "{url}",
      GITHUB_API_URL: host.url,
      ANONYMOUS_ACCESS: "all",
      HEAD_MAX_AGE: "3600",
      REGISTRY: JSON.stringify({
        version: 1,
        repositories: [{ name: "bench", owner: "o", repo: "bench", id: 1 }],
      }),
      ...more.vars,
    },
  });

const verifyAt = (url: string): Ask => ({ url: `${url}/v1/verify?${query}`, expected: '"status":"ok"' });

async function throughputs(): Promise<void> {
  const before = performance.now();
  const worker = await start();
  try {
    const started = performance.now();
    const verified = await fetch(verifyAt(worker.url).url);
    if (verified.status !== 200) throw new Error(await verified.text());
    await verified.arrayBuffer();
    const [startMs, firstMs] = [started - before, performance.now() - started];
    row(
      "start",
      `${startMs.toFixed(0)} ms, bundling included; then ${firstMs.toFixed(0)} ms to the first verdict, cold`,
    );
    await ratio("/v1/verify to an empty route", verifyAt(worker.url), {
      url: `${worker.url}/v1/empty`,
      expected: '"kind":"empty"',
    });
    await ratio(
      "pin.verify to an empty tool (MCP)",
      { url: `${worker.url}/mcp`, body: toolCall("pin.verify", place), expected: '\\"status\\":\\"ok\\"' },
      { url: `${worker.url}/mcp`, body: toolCall("pin.empty", {}), expected: '\\"kind\\":\\"empty\\"' },
    );
  } finally {
    await worker.close();
  }
}

/** CPU time of a verdict without the memory of the isolate, and without KV as well. */
async function colder(what: string, more: Partial<WorkerOptions>): Promise<void> {
  const worker = await start({ ...more, vars: { MEMORY_CACHE_BYTES: "0" } });
  try {
    const meter = workerdProcess();
    const rates: Rate[] = [];
    for (let round = 0; round < 3; round++)
      rates.push(await throughput(verifyAt(worker.url), SECONDS, meter));
    row(what, `${median(rates.map(({ perSecond }) => perSecond)).toFixed(0)}/s; ${meterText(rates)}`);
  } finally {
    await worker.close();
  }
}

try {
  await throughputs();
  await colder("/v1/verify out of KV", {});
  await colder("/v1/verify, nothing kept", { kv: [] });
} finally {
  await host.close();
  repository.remove();
}

const { kib, read, readAgain, plan } = await benchEntities();
const perRound = plan.map((took, index) => took / (read[index] ?? Number.NaN));
row(
  "100 edits over 50 files, planned",
  `${median(plan).toFixed(0)} ms, ${median(perRound).toFixed(1)} times reading these ${kib.toFixed(0)} KiB once (${median(read).toFixed(0)} ms; again, ${median(readAgain).toFixed(0)} ms)`,
);

for (const [name, bundled] of Object.entries(BUNDLES)) {
  row(name, sizeText(bundleSize(bundled), bundled));
  const starts = [startupCpuMs(bundled), startupCpuMs(bundled), startupCpuMs(bundled)];
  row(`${name}, start-up CPU`, `${median(starts).toFixed(0)} ms (limit 1000)`);
}
