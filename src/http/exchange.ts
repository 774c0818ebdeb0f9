/**
 * One request and what becomes known of it on its way: the record that handlers fill and that headers and the log
 * line are made from. Lives as long as the request, and holds no body.
 */
import { asGitpinError, type GitpinError } from "../errors.ts";
import type { Call } from "../ports/call.ts";
import { faultOf, type RequestLine } from "./request-line.ts";

/** A call before it is known how the caller spells names: that is the transport's to say. */
export type OpenedCall = Omit<Call, "spelling">;

export class Exchange {
  readonly requestId: string;
  readonly method: string;
  route = "none";
  rpc: string | null = null;
  private readonly startedAt: number;
  private readonly tools: string[] = [];
  private call: OpenedCall | null = null;
  private error: GitpinError | null = null;

  constructor(requestId: string, method: string, startedAt: number) {
    this.requestId = requestId;
    this.method = method;
    this.startedAt = startedAt;
  }

  opened(call: OpenedCall): void {
    this.call = call;
  }

  ran(tool: string): void {
    this.tools.push(tool);
  }

  /** Takes whatever was thrown and gives back the error that the caller may see. */
  failed(thrown: unknown): GitpinError {
    this.error = asGitpinError(thrown);
    return this.error;
  }

  get upstreamRequests(): number {
    return this.call?.ledger.upstreamRequests ?? 0;
  }

  line(status: number, endedAt: number): RequestLine {
    return {
      event: "request",
      requestId: this.requestId,
      method: this.method,
      route: this.route,
      tool: this.tools.length === 0 ? null : this.tools.join(","),
      rpc: this.rpc,
      status,
      error: this.error?.code ?? null,
      upstreamRequests: this.upstreamRequests,
      notModified: this.call?.ledger.notModified ?? 0,
      cacheHits: this.call?.ledger.cacheHits ?? 0,
      durationMs: endedAt - this.startedAt,
      caller: this.call?.caller.id ?? null,
      fault: this.error === null ? null : faultOf(this.error),
    };
  }
}
