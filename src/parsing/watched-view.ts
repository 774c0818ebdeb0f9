/**
 * A view that remembers the first error it threw, so that a plan which failed on it fails with that very error: between two
 * Workers an error loses its class, and the planner itself answers some errors as a refusal of the file.
 */
import type { HeadView } from "../core/entity/edit/head-view.ts";

export interface WatchedView {
  view: HeadView;
  /** Whether it threw. */
  failed(): boolean;
  /** Runs `planning`; throws what the view threw, first of all, whatever else came of it. */
  through<T>(planning: () => Promise<T>): Promise<T>;
}

export function watchView(given: HeadView): WatchedView {
  let failure: { thrown: unknown } | null = null;
  const watched = async <T>(answer: () => Promise<T>): Promise<T> => {
    try {
      return await answer();
    } catch (thrown) {
      failure ??= { thrown };
      throw thrown;
    }
  };
  const rethrow = (): void => {
    if (failure !== null) throw failure.thrown;
  };
  return {
    view: {
      file: (path) => watched(() => given.file(path)),
      directory: (path) => watched(() => given.directory(path)),
      directoryId: (commit, path) => watched(() => given.directoryId(commit, path)),
      goModules: () => watched(() => given.goModules()),
    },
    failed: () => failure !== null,
    async through(planning) {
      try {
        const result = await planning();
        rethrow();
        return result;
      } catch (thrown) {
        rethrow();
        throw thrown;
      }
    },
  };
}
