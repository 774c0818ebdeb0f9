/**
 * One request and what becomes known of it on its way: the record that handlers fill and that headers and the log
 * line are made from. Lives as long as the request, and holds no body.
 */
import { asGitpinError, type Fault, type GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import { faultOf, OUTCOMES, type Outcome, type RequestLine } from "./request-line.ts";
import type { Trace } from "./trace-context.ts";

/** A call before it is known how the caller spells names: that is the transport's to say. */
export type OpenedCall = Omit<Call, "spelling">;

/** What is known when a request comes in. */
export interface Arrival {
  requestId: string;
  method: string;
  trace: Trace | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

/** What is known when its answer has gone out. */
export interface Departure {
  status: number;
  bytes: number;
  abandoned: boolean;
  at: number;
  version: string;
}

const OUTCOME_OF: Record<Fault, Outcome> = {
  caller: "caller_error",
  upstream: "upstream_error",
  service: "service_error",
};

/** JSON-RPC's "internal error"; every other code is about what the caller sent. */
const RPC_INTERNAL = -32_603;

const only = (names: ReadonlySet<string>): string | null =>
  names.size === 1 ? ([...names][0] ?? null) : null;

export class Exchange {
  readonly arrival: Arrival;
  route = "none";
  rpc: string | null = null;
  readonly #tools: string[] = [];
  #call: OpenedCall | null = null;
  #error: GitpinError | null = null;
  #rpcError: number | null = null;
  #outcome: Outcome = "ok";

  constructor(arrival: Arrival) {
    this.arrival = arrival;
  }

  get requestId(): string {
    return this.arrival.requestId;
  }

  opened(call: OpenedCall): void {
    this.#call = call;
  }

  ran(tool: string): void {
    this.#tools.push(tool);
  }

  /** A tool's result: `status` is the one it has over REST, whatever it travels as. */
  answered(status: number): void {
    this.#worsen(status < 400 ? "ok" : "negative");
  }

  /** Takes whatever was thrown and gives back the error that the caller may see. The worst one is logged. */
  failed(thrown: unknown): GitpinError {
    const error = asGitpinError(thrown);
    if (this.#worsen(OUTCOME_OF[error.form.fault]) || this.#error === null) this.#error = error;
    return error;
  }

  /** The protocol's own error goes out, be it the SDK's or one of ours in that form. */
  rpcFailed(code: number): void {
    this.#rpcError ??= code;
    if (this.#error === null) this.#worsen(code === RPC_INTERNAL ? "service_error" : "caller_error");
  }

  get upstreamRequests(): number {
    return this.#call?.ledger.upstreamRequests ?? 0;
  }

  /** True when it is worse than what was before. */
  #worsen(outcome: Outcome): boolean {
    const worse = OUTCOMES.indexOf(outcome) > OUTCOMES.indexOf(this.#outcome);
    if (worse) this.#outcome = outcome;
    return worse;
  }

  line({ status, bytes, abandoned, at, version }: Departure): RequestLine {
    const { requestId, method, trace } = this.arrival;
    const ledger = this.#call?.ledger;
    // Refusals that the SDK makes by itself are known by their status alone.
    if (status >= 400 && this.#outcome === "ok")
      this.#worsen(status < 500 ? "caller_error" : "service_error");
    return {
      event: "request",
      requestId,
      traceId: trace?.traceId ?? null,
      spanId: trace?.spanId ?? null,
      version,
      method,
      route: this.route,
      tool: this.#tools.length === 0 ? null : this.#tools.join(","),
      rpc: this.rpc,
      caller: this.#call?.caller.id ?? null,
      team: this.#call?.caller.team ?? null,
      repository: ledger === undefined ? null : only(ledger.repositories),
      repositories: ledger?.repositories.size ?? 0,
      sha: ledger === undefined ? null : only(ledger.commits),
      commits: ledger?.commits.size ?? 0,
      status,
      outcome: this.#outcome,
      error: this.#error?.code ?? null,
      rpcError: this.#rpcError,
      abandoned,
      upstreamRequests: this.upstreamRequests,
      notModified: ledger?.notModified ?? 0,
      cacheHits: ledger?.cacheHits ?? 0,
      answerBytes: bytes,
      durationMs: at - this.arrival.at,
      fault: this.#error === null ? null : faultOf(this.#error),
    };
  }
}
