/**
 * The registry object as the rest of the service reaches it, and the crossing between: errors travel as data, because an
 * exception loses its code on its way out of a Durable Object. What fails in between is `registry_unavailable`.
 */
import { asGitpinError, type ErrorReport, GitpinError } from "../errors.ts";
import type { RegistryStore } from "./registry-store.ts";

export type Outcome<T> = { ok: true; value: T } | { ok: false; error: ErrorReport };

/** The operations of the store that may be called from outside the object. */
export type Operation =
  | "enter"
  | "seed"
  | "write"
  | "read"
  | "list"
  | "history"
  | "version"
  | "issue"
  | "revoke"
  | "tokens"
  | "audit"
  | "commit";

/** The same operations from outside: asynchronous, throwing `GitpinError`s. */
export type RegistryHome = {
  [K in Operation]: (...args: Parameters<RegistryStore[K]>) => Promise<Awaited<ReturnType<RegistryStore[K]>>>;
};

/** The one method of the object: `call("read", ["blue"])`. */
export interface RegistryStub {
  call(operation: Operation, args: readonly unknown[]): Promise<Outcome<unknown>>;
}

/** In the object: runs an operation, and turns what it throws into data. */
export function outcomeOf<T>(work: () => T): Outcome<T> {
  try {
    return { ok: true, value: work() };
  } catch (thrown) {
    return { ok: false, error: asGitpinError(thrown).report() };
  }
}

/** A stub belongs to the request that made it, so one is made for each call. */
export function registryHome(stub: () => RegistryStub): RegistryHome {
  const ask = <K extends Operation>(operation: K): RegistryHome[K] =>
    (async (...args: unknown[]) => {
      const outcome = await reach(() => stub().call(operation, args));
      if (outcome.ok) return outcome.value;
      const { code, message, nextStep, data } = outcome.error;
      throw new GitpinError(code, message, nextStep, data);
    }) as RegistryHome[K];
  return {
    enter: ask("enter"),
    seed: ask("seed"),
    write: ask("write"),
    read: ask("read"),
    list: ask("list"),
    history: ask("history"),
    version: ask("version"),
    issue: ask("issue"),
    revoke: ask("revoke"),
    tokens: ask("tokens"),
    audit: ask("audit"),
    commit: ask("commit"),
  };
}

async function reach<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new GitpinError(
      "registry_unavailable",
      "The live registry could not be asked.",
      "Try again in a few seconds.",
      {},
      { cause },
    );
  }
}
