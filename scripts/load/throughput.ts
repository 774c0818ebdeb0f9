/**
 * How many requests a second one address answers, with a few callers at once over kept connections, and the CPU time that each
 * took. Every answer is looked at: a fast wrong one is a failure, not a figure.
 */
import { Agent, type IncomingMessage, request } from "node:http";
import type { ProcessMeter } from "./workerd-process.ts";

export interface Ask {
  url: string;
  /** Sent by POST as JSON; a GET where it is left out. */
  body?: unknown;
  /** What every answer must hold. */
  expected: string;
}

export interface Rate {
  perSecond: number;
  /** Of the measured process, milliseconds for each request; null where it cannot be measured. */
  cpuMs: number | null;
}

const LANES = 8;

/** `fetch` takes as much CPU as the answers do; plain sockets leave the machine to what is measured. */
function send(ask: Ask, agent: Agent): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const body = ask.body === undefined ? null : JSON.stringify(ask.body);
  const headers =
    body === null
      ? {}
      : {
          "content-type": "application/json",
          "content-length": String(Buffer.byteLength(body)),
          accept: "application/json, text/event-stream",
        };
  const outgoing = request(ask.url, { agent, method: body === null ? "GET" : "POST", headers });
  outgoing.on("error", reject);
  outgoing.on("response", (response: IncomingMessage) => {
    const pieces: Buffer[] = [];
    response.on("data", (piece: Buffer) => pieces.push(piece));
    response.on("error", reject);
    response.on("end", () => {
      const text = Buffer.concat(pieces).toString();
      if (response.statusCode === 200 && text.includes(ask.expected)) resolve();
      else reject(new Error(`${ask.url} answered ${response.statusCode}: ${text.slice(0, 300)}`));
    });
  });
  outgoing.end(body);
  return promise;
}

export async function throughput(ask: Ask, seconds: number, meter: ProcessMeter | null): Promise<Rate> {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  const cpuBefore = meter?.cpuMs() ?? 0;
  const start = performance.now();
  let done = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() - start < seconds * 1000) {
      await send(ask, agent);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const elapsed = performance.now() - start;
  agent.destroy();
  return {
    perSecond: (done / elapsed) * 1000,
    cpuMs: meter === null ? null : (meter.cpuMs() - cpuBefore) / done,
  };
}
