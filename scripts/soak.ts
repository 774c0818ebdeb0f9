/**
 * `npm run soak [-- --minutes N --seed N]`: mixed calls against the whole product on loopback, with faults of the host switched on
 * and off and new commits arriving, for 20 minutes or as long as said. Fails on a wrong answer, on an error that no fault
 * explains, on a request without its log line, and on memory that grows.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startLocalHost } from "../src/local/host.ts";
import { freePort } from "../src/local/port.ts";
import { startWorker } from "../src/local/workerd.ts";
import { heapMeter } from "./load/isolate-heap.ts";
import { workerdProcess } from "./load/workerd-process.ts";
import { ask } from "./soak/ask.ts";
import { type Call, someCall } from "./soak/calls.ts";
import { History } from "./soak/history.ts";
import { growthOf, mib, type Sample } from "./soak/memory.ts";
import { Weather } from "./soak/weather.ts";

const LANES = 4;
/** Between two calls of one lane: the run is long, not hard. */
const PAUSE_MS = 10;
const WEATHER_MS = 7000;
const GROW_MS = 1000;
const SAMPLE_MS = 2000;
const FAULTS_SHOWN = 20;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now() % 1e6) },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error("--minutes takes a number above 0");

/** Mulberry32: the same seed, the same calls (though not the same moments). */
let state = Number(values.seed) >>> 0;
function random(): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}
const dice = (count: number): number => Math.floor(random() * count);

const faults: string[] = [];
const calls = new Map<string, { answered: number; explained: number }>();
const codes = new Map<string, number>();
let asked = 0;
let logged = 0;

function blame(call: Call, what: string, excuse: readonly string[]): void {
  const under = excuse.length === 0 ? "clear sky" : excuse.join(", ");
  faults.push(
    `${call.name}: ${what}\n    ${call.path} ${JSON.stringify(call.rpc ?? "")}\n    under: ${under}`,
  );
}

async function one(url: string, history: History, weather: Weather): Promise<void> {
  const call = someCall(history, dice);
  const tally = calls.get(call.name) ?? { answered: 0, explained: 0 };
  calls.set(call.name, tally);
  const from = Date.now();
  asked += 1;
  const answer = await ask(url, call).catch((thrown: unknown) => {
    blame(call, `no answer: ${String(thrown)}`, weather.during(from, Date.now()));
    return null;
  });
  if (answer === null) return;
  const excuse = weather.during(from, Date.now());
  const error = answer.error ?? call.errorIn?.(answer) ?? null;
  if (error === null) {
    tally.answered += 1;
    const wrong = call.judge(answer);
    if (wrong !== null) blame(call, `wrong answer: ${wrong}`, excuse);
    return;
  }
  if (error.code === call.expectedError) {
    tally.answered += 1;
    return;
  }
  const explained = error.code === "search_busy" || (error.fault === "upstream" && excuse.length > 0);
  if (!explained) blame(call, `unexplained error: ${answer.status} ${error.code}`, excuse);
  tally.explained += 1;
  codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
}

const history = new History();
const host = await startLocalHost({
  repositories: [{ owner: "octo", name: "soak", path: history.repository.path, id: 1 }],
  rateLimit: { limit: 1e9 },
});
const inspectorPort = await freePort();
const worker = await startWorker({
  inspectorPort,
  entry: "src/worker.ts",
  vars: {
    PUBLIC_URL: "{url}",
    GITHUB_API_URL: host.url,
    ANONYMOUS_ACCESS: "all",
    HEAD_MAX_AGE: "1",
    UPSTREAM_TIMEOUT_MS: "2000",
    // Small, so that it is full after a moment and has to give way from then on.
    MEMORY_CACHE_BYTES: "4000000",
    REGISTRY: JSON.stringify({
      version: 1,
      repositories: [{ name: "soak", owner: "octo", repo: "soak", id: 1 }],
    }),
  },
  durableObjects: { BUDGETS: "BudgetObject" },
  onLog: (line) => {
    if (line.startsWith('{"event":"request"')) logged += 1;
    else faults.push(`a line of log that is none of ours: ${line.slice(0, 300)}`);
  },
});
const meter = workerdProcess();
const heap = await heapMeter(inspectorPort);
const samples: Sample[] = [];
const weather = new Weather(host, random);
const until = Date.now() + minutes * 60_000;
const running = () => Date.now() < until;

async function every(ms: number, work: () => void | Promise<void>): Promise<void> {
  while (running()) {
    await sleep(Math.min(ms, Math.max(0, until - Date.now())));
    await work();
  }
}

async function lane(): Promise<void> {
  while (running()) {
    await one(worker.url, history, weather);
    await sleep(PAUSE_MS);
  }
}

console.log(`soak: ${minutes} minutes, seed ${values.seed}`);
let interrupted = false;
try {
  await Promise.all([
    ...Array.from({ length: LANES }, lane),
    every(WEATHER_MS, () => void weather.change()),
    every(GROW_MS, () => history.grow(dice)),
    every(SAMPLE_MS, async () => {
      // What reached the host is of no use here, and would be what grows.
      host.requests.length = 0;
      samples.push({ heap: await heap.usedBytes(), resident: meter?.rssBytes() ?? null });
    }),
    every(60_000, () => {
      const last = samples.at(-1);
      console.log(
        `${asked} calls, ${history.moments.length} commits, ${faults.length} faults, heap ${last === undefined ? "?" : mib(last.heap)}`,
      );
    }),
  ]);
  host.faults.clear();
  // Lines come a little after their answers: each is awaited, within bounds.
  for (let tries = 0; logged < asked && tries < 100; tries++) await sleep(50);
} catch (thrown) {
  interrupted = true;
  throw thrown;
} finally {
  heap.close();
  await worker.close();
  await host.close();
  history.repository.remove();
  if (interrupted) process.exitCode = 1;
}

if (logged !== asked) faults.push(`${asked} requests have ${logged} log lines`);
const growth = growthOf(samples);
if (growth !== null && growth.fault !== null) faults.push(growth.fault);
for (const [name, { answered, explained }] of [...calls].sort()) {
  console.log(
    `${name.padEnd(24)} ${String(answered).padStart(7)} right, ${explained} errors that a fault explains`,
  );
}
console.log(`errors: ${[...codes].map(([code, count]) => `${code} ${count}`).join(", ") || "none"}`);
console.log(
  growth === null
    ? "memory: too short a run to say"
    : `memory: heap of the Worker at least ${mib(growth.middle)} in the middle, ${mib(growth.end)} at the end; process at most ${mib(growth.resident)}`,
);
if (faults.length > 0) {
  console.error(
    `\n${faults.length} faults${faults.length > FAULTS_SHOWN ? `, the first ${FAULTS_SHOWN}` : ""}:`,
  );
  for (const fault of faults.slice(0, FAULTS_SHOWN)) console.error(`- ${fault}`);
  process.exitCode = 1;
} else {
  console.log(`soak: ${asked} calls, no fault.`);
}
