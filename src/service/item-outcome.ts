/** One item of a set: its result, or the report of what kept it from having one. A bad item never sinks the others. */
import { asGitpinError, type ErrorReport } from "../errors.ts";

export type ItemOutcome<T> = { result: T; error: null } | { result: null; error: ErrorReport };

export async function outcomeOf<T>(work: () => Promise<T>): Promise<ItemOutcome<T>> {
  try {
    return { result: await work(), error: null };
  } catch (thrown) {
    return { result: null, error: asGitpinError(thrown).report() };
  }
}
