// The socket side: takes requests, keeps a record of them, lets faults happen, sends answers.
// Owns: loopback only, and only under a loopback name (a page that rebinds its name must not read a clone); nothing
// for pages at all (whatever carries `Origin` is refused, so that no page can make a clone change either).
// Refuses: nothing else; what an answer says is decided in `api.ts` and the routes.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { rootFields } from "../graphql/root-fields.ts";
import type { Answer } from "./answer.ts";
import { type Api, type ApiRequest, newRequestId } from "./api.ts";
import { faultAnswer } from "./fault-answers.ts";
import { type ActiveFault, type FaultControl, spoil, type WholeAnswer } from "./faults.ts";

export interface RecordedRequest {
  method: string;
  /** Raw path with its query. */
  path: string;
  /** 0 as long as nothing was answered (and for ever after `reset` and `hang`). */
  status: number;
  /** Names of the request's headers, lower case. Values are not kept: one of them is a token. */
  headers: string[];
  authorization: boolean;
  /** Root fields of a GraphQL request (`updateRefs`); none for every other. */
  fields: string[];
  /** The kind of fault it met. */
  fault: string | null;
}

export interface ServerParts {
  api: Api;
  faults: FaultControl;
  requests: RecordedRequest[];
  /** Told of each request as it arrives. */
  onRequest(request: RecordedRequest): void;
  /** Download addresses; null for every other path. */
  download(target: string, headers: IncomingHttpHeaders): Promise<Answer | null>;
  onError(reason: unknown): void;
  /** Milliseconds since the epoch, for `Date`. */
  now(): number;
}

const LOOPBACK_NAME = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;

// Longer than any client keeps an idle connection, so that none is closed just as it is used again.
const KEEP_ALIVE_MS = 120_000;

export function createLocalServer(parts: ServerParts): Server {
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    handle(parts, incoming, outgoing).catch((reason: unknown) => {
      outgoing.destroy();
      if (!isHangUp(reason)) parts.onError(reason);
    });
  });
}

/** A client that goes away in the middle is no fault of the host. */
function isHangUp(reason: unknown): boolean {
  const code = reason instanceof Error && "code" in reason ? reason.code : undefined;
  return code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET" || code === "EPIPE";
}

async function handle(
  parts: ServerParts,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = "GET", url = "/", headers } = incoming;
  const record: RecordedRequest = {
    method,
    path: url,
    status: 0,
    headers: Object.keys(headers),
    authorization: headers.authorization !== undefined,
    fields: [],
    fault: null,
  };
  let read: Promise<Buffer> | undefined;
  const body = (): Promise<Buffer> => {
    read ??= buffer(incoming);
    return read;
  };
  if (method === "POST" && url === "/graphql") record.fields = rootFields(await body());
  // Time is the host's everywhere: clients read rate limits by this clock.
  outgoing.setHeader("date", new Date(parts.now()).toUTCString());
  parts.requests.push(record);
  parts.onRequest(record);
  if (!LOOPBACK_NAME.test(headers.host ?? "")) {
    const type = { "content-type": "text/plain; charset=utf-8" };
    return send(record, outgoing, { status: 421, headers: type, body: Buffer.from("Misdirected Request\n") });
  }
  if (headers.origin !== undefined) {
    const type = { "content-type": "text/plain; charset=utf-8" };
    return send(record, outgoing, { status: 403, headers: type, body: Buffer.from("Not for web pages\n") });
  }
  const request: ApiRequest = {
    method,
    target: url,
    headers,
    address: incoming.socket.remoteAddress ?? "",
    body,
  };
  const requestId = newRequestId();
  const answered = async (): Promise<Answer> =>
    (await parts.download(url, headers)) ?? (await parts.api.answer(request, requestId));
  const fault = parts.faults.take(method, url, record.fields);
  if (!fault) return send(record, outgoing, await answered());
  record.fault = fault.rule.kind;
  const early = fault.rule.afterwards ? await whole(await answered()) : null;
  fault.strike();
  if (await interrupted(fault, parts, request, requestId, record, outgoing)) return;
  await sendSpoilt(record, outgoing, early ?? (await whole(await answered())), fault);
}

/** Faults that come instead of the answer, or hold it up. True when there is nothing more to do. */
async function interrupted(
  fault: ActiveFault,
  parts: ServerParts,
  request: ApiRequest,
  requestId: string,
  record: RecordedRequest,
  outgoing: ServerResponse,
): Promise<boolean> {
  const { rule } = fault;
  if (rule.kind === "reset") {
    outgoing.socket?.resetAndDestroy();
    return true;
  }
  if (rule.kind === "hang") {
    const gone = new Promise<void>((resolve) => outgoing.once("close", resolve));
    await Promise.race([fault.released, gone]);
    return outgoing.destroyed;
  }
  if (rule.kind === "delay") {
    await new Promise((resolve) => setTimeout(resolve, rule.ms ?? 0));
    return outgoing.destroyed;
  }
  const answer = faultAnswer(rule, parts.api, request, requestId);
  if (answer) await send(record, outgoing, answer);
  return answer !== null;
}

async function whole(answer: Answer): Promise<WholeAnswer> {
  const { body } = answer;
  return { ...answer, body: body === null || Buffer.isBuffer(body) ? body : await buffer(body) };
}

async function send(record: RecordedRequest, outgoing: ServerResponse, answer: Answer): Promise<void> {
  record.status = answer.status;
  const { body } = answer;
  const silent = record.method === "HEAD" || answer.status === 304;
  const length =
    Buffer.isBuffer(body) && answer.status !== 304 ? { "content-length": String(body.length) } : {};
  const none =
    body === null && answer.status !== 304 && answer.status !== 204 ? { "content-length": "0" } : {};
  outgoing.writeHead(answer.status, { server: "github.com", ...answer.headers, ...length, ...none });
  if (body === null || Buffer.isBuffer(body)) {
    outgoing.end(silent ? undefined : (body ?? undefined));
  } else if (silent) {
    body.destroy();
    outgoing.end();
  } else {
    await pipeline(body, outgoing);
  }
}

async function sendSpoilt(
  record: RecordedRequest,
  outgoing: ServerResponse,
  answer: WholeAnswer,
  { rule }: ActiveFault,
): Promise<void> {
  const spoilt = spoil(answer, rule);
  if (rule.kind !== "cut" && rule.kind !== "wrong-length") return send(record, outgoing, spoilt);
  record.status = spoilt.status;
  const body = spoilt.body ?? Buffer.alloc(0);
  const promised = rule.kind === "cut" ? body.length : body.length + 10;
  const sent = rule.kind === "cut" ? body.subarray(0, Math.floor(body.length / 2)) : body;
  outgoing.writeHead(spoilt.status, { ...spoilt.headers, "content-length": String(promised) });
  await new Promise<void>((resolve) => outgoing.write(sent, () => resolve()));
  outgoing.socket?.end();
}
