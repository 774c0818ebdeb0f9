// Faults on purpose, for tests of what talks to this host.
// Owns: which request meets which fault, and how an answer is spoilt. Headers of common use stay as they were, so
// that a client sees what a broken network or a broken host would show it.
import type { Answer } from "./answer.ts";
import { corruptOneByte, dropLastByte } from "./corrupt.ts";

/**
 * Instead of the answer, before the route runs: `status`, `html-503`, `primary-limit`, `secondary-limit`, `secondary-limit-no-retry-after`,
 * `reset` (connection reset), `hang` (no answer until released), `delay` (`ms`, then the true answer). With `afterwards`
 * the route runs first: what was asked for happened, and the client is not told.
 * On the true answer, so always afterwards: `cut` (half the body, then the connection ends), `wrong-length` (Content-Length promises
 * more than is sent), `flip-byte`, `short` (well-formed, but one byte of content is missing), `bad-json`
 * (half the JSON, well framed), `rewrite` (whatever `rewrite` makes of it).
 */
export type FaultKind =
  | "status"
  | "html-503"
  | "primary-limit"
  | "secondary-limit"
  | "secondary-limit-no-retry-after"
  | "reset"
  | "hang"
  | "delay"
  | "cut"
  | "wrong-length"
  | "flip-byte"
  | "short"
  | "bad-json"
  | "rewrite";

/** An answer whose body is at hand. */
export type WholeAnswer = Answer & { body: Buffer | null };

export interface FaultRule {
  kind: FaultKind;
  /**
   * `path` is raw, with its query; `fields` are the root fields of a GraphQL request (`updateRefs`), none for every other.
   */
  match(method: string, path: string, fields: readonly string[]): boolean;
  /** The request is served before the fault: a write has happened, whatever the client gets to see. */
  afterwards?: boolean;
  /** How many requests meet it; default all. */
  times?: number;
  /** For `status` (default 500) and the limits (default 403). */
  status?: number;
  /** For `status`; default "Server Error". */
  message?: string;
  /** Added to the answer. */
  headers?: Record<string, string>;
  /** For `delay`. */
  ms?: number;
  /** For `secondary-limit`; default 60. */
  retryAfterSeconds?: number;
  /** For `flip-byte` on anything but JSON: which byte; default the middle one. */
  offset?: number;
  rewrite?(answer: WholeAnswer): WholeAnswer;
}

export interface Fault {
  readonly rule: FaultRule;
  /** How many requests met it so far. */
  readonly hits: number;
  /** Resolves when the first request is struck: with `afterwards`, when it has been served. */
  readonly struck: Promise<void>;
  /** Lets go the requests that hang; they get their true answers, as do later ones. */
  release(): void;
  remove(): void;
}

export class FaultControl {
  readonly #active: ActiveFault[] = [];

  add(rule: FaultRule): Fault {
    const fault = new ActiveFault(rule, () => {
      const at = this.#active.indexOf(fault);
      if (at >= 0) this.#active.splice(at, 1);
    });
    this.#active.push(fault);
    return fault;
  }

  /** Removes every rule and lets go what hangs. */
  clear(): void {
    for (const fault of [...this.#active]) fault.release();
  }

  /** The first rule that fits this request, counted as met. */
  take(method: string, path: string, fields: readonly string[]): ActiveFault | undefined {
    const fault = this.#active.find((one) => one.fits(method, path, fields));
    fault?.meet();
    return fault;
  }
}

export class ActiveFault implements Fault {
  readonly rule: FaultRule;
  readonly released: Promise<void>;
  readonly struck: Promise<void>;
  readonly #remove: () => void;
  #letGo: () => void = () => undefined;
  #strike: () => void = () => undefined;
  #hits = 0;

  constructor(rule: FaultRule, remove: () => void) {
    this.rule = rule;
    this.#remove = remove;
    this.released = new Promise((resolve) => {
      this.#letGo = resolve;
    });
    this.struck = new Promise((resolve) => {
      this.#strike = resolve;
    });
  }

  get hits(): number {
    return this.#hits;
  }

  fits(method: string, path: string, fields: readonly string[]): boolean {
    const { times = Number.POSITIVE_INFINITY } = this.rule;
    return this.#hits < times && this.rule.match(method, path, fields);
  }

  meet(): void {
    this.#hits += 1;
  }

  /** It takes effect now. */
  strike(): void {
    this.#strike();
  }

  release(): void {
    this.#letGo();
    this.#remove();
  }

  remove(): void {
    this.#remove();
  }
}

/** Spoils a finished answer; kinds that are no matter of the body leave it as it is. */
export function spoil(answer: WholeAnswer, rule: FaultRule): WholeAnswer {
  const { body } = answer;
  const headers = { ...answer.headers, ...rule.headers };
  switch (rule.kind) {
    case "flip-byte":
      return { ...answer, headers, body: body && corruptOneByte(body, answer, rule.offset) };
    case "short":
      return { ...answer, headers, body: body && dropLastByte(body, answer) };
    case "bad-json":
      return { ...answer, headers, body: body?.subarray(0, Math.floor(body.length / 2)) ?? null };
    case "rewrite":
      return rule.rewrite ? rule.rewrite({ ...answer, headers }) : { ...answer, headers };
    default:
      return { ...answer, headers };
  }
}
