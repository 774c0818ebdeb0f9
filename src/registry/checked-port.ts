/**
 * A reader behind a check: no operation starts before it, and none gives its answer out against a later doubt.
 * A proxy, so that an operation that is added to the port later stands behind the check as well; all are asynchronous.
 */
import type { RepositoryReader } from "../ports/repository-reader.ts";

export interface ReaderCheck {
  /** Asked once, before the first operation. Throws to refuse; then every operation is refused. */
  before(): Promise<void>;
  /** Asked after each operation, which may have learned more. Throws to hold its answer back. */
  after?(): void;
}

export function checkedReader(reader: RepositoryReader, check: ReaderCheck): RepositoryReader {
  let checked: Promise<void> | undefined;
  return new Proxy(reader, {
    get(target, name) {
      const operation: unknown = Reflect.get(target, name, target);
      if (typeof operation !== "function") return operation;
      return async (...args: unknown[]) => {
        checked ??= check.before();
        await checked;
        const answer: unknown = await operation.apply(target, args);
        check.after?.();
        return answer;
      };
    },
  });
}
