/**
 * The way between this Worker and its Durable Objects of `github/`: one method, `call(operation, arguments)`.
 * Errors travel as data, because an exception loses its code on its way out of an object.
 */
import { asGitpinError, type ErrorReport, GitpinError } from "../../errors.ts";

export type Outcome = { ok: true; value: unknown } | { ok: false; error: ErrorReport };

export interface ObjectStub {
  call(operation: string, args: readonly unknown[]): Promise<Outcome>;
}

/** A stub belongs to the request that made it, so one is made for each call. */
export type OpenStub = () => ObjectStub;

/** In the object: runs an operation, and turns what it throws into data. */
export async function outcomeOf(work: () => unknown): Promise<Outcome> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    return { ok: false, error: asGitpinError(thrown).report() };
  }
}

/** The operations of `T` from outside the object. Throws what the operation threw, or the crossing's own failure. */
export type Crossing<T> = {
  [K in keyof T as T[K] extends (...args: never[]) => unknown ? K : never]: T[K] extends (
    ...args: infer A
  ) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

export function crossing<T>(open: OpenStub): Crossing<T> {
  return new Proxy({} as Crossing<T>, {
    get:
      (_, operation) =>
      async (...args: unknown[]) => {
        const outcome = await open().call(String(operation), args);
        if (outcome.ok) return outcome.value;
        const { code, message, nextStep, data } = outcome.error;
        throw new GitpinError(code, message, nextStep, data);
      },
  });
}
