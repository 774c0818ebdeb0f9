/**
 * What became of the calls that carried a `request_id`: kept per caller for 30 days. A commit that is about to land is written
 * down before its ref moves, so that a call cut off in the middle can be answered for later. Implemented by `commits/`.
 */
import type { ObjectId } from "../core/git/object-id.ts";
import type { Caller } from "./registry.ts";

/** What was about to happen, and may or may not have. */
export type Intent = CommitIntent | FirstCommitIntent;

/** A commit that exists. `receipt` is the answer, as JSON, if it landed. */
export interface CommitIntent {
  repositoryId: number;
  branch: string;
  commit: ObjectId;
  receipt: string;
}

/** The first commit of an empty repository: the host makes it and lands it in one, so it is known by what it holds. */
export interface FirstCommitIntent {
  repositoryId: number;
  branch: string;
  commit: null;
  /** Root tree. */
  tree: ObjectId;
  /** Whole message, without a final line feed. */
  message: string;
}

export type Claim =
  /** `fence` is handed to `intend` and `settle`; `earlier`: what a cut-off call was about to do, newest last. */
  | { status: "claimed"; fence: number; earlier: readonly Intent[] }
  /** `fence` is handed to `amend`. */
  | { status: "settled"; fence: number; receipt: string }
  /** The same id with other arguments. */
  | { status: "mismatch" }
  /** Another call with this id is at work. */
  | { status: "in_progress"; retryAfterSeconds: number };

export interface RequestLedger {
  /**
   * `digest` names the arguments: equal calls, equal digests, whatever the order of keys. Throws `request_ids_full`,
   * `requests_unavailable`. Who asks makes sure first that the caller still sees the repository: a receipt holds content.
   */
  claim(caller: Caller, requestId: string, digest: string): Promise<Claim>;
  /**
   * False: somebody else holds the request by now; then nothing may be moved. Nor where it throws: `requests_unavailable`,
   * `body_too_large` (the receipts are more than is kept for one id).
   */
  intend(caller: Caller, requestId: string, fence: number, intent: Intent): Promise<boolean>;
  /** The receipt is the answer from now on. Never throws: where it cannot be kept, a repeat finds the commit by its intent. */
  settle(caller: Caller, requestId: string, fence: number, receipt: string): Promise<void>;
  /**
   * A better receipt of the same commit in place of the one that was settled with this fence; nothing where that is no longer kept.
   * Never throws: where it cannot be kept, the older one stays the answer.
   */
  amend(caller: Caller, requestId: string, fence: number, receipt: string): Promise<void>;
  /** Gives the id up: nothing landed, and a repeat shall start anew. Never throws: where it cannot be, the claim's lease ends it. */
  release(caller: Caller, requestId: string, fence: number): Promise<void>;
}
