/**
 * A reader or writer behind a check: no operation starts before it, and none gives its answer out against a later doubt.
 * A proxy, so that an operation that is added to the port later stands behind the check as well; all are asynchronous but those
 * that are named as passing, which ask and answer nothing.
 */
export interface PortCheck<T> {
  /** Asked once, before the first operation. Throws to refuse; then every operation is refused. */
  before(): Promise<void>;
  /** Asked before each operation, of what is known by then. Throws to refuse that one. */
  each?(): void;
  /** Asked after each operation, which may have learned more. Throws to hold its answer back. */
  after?(): void;
  passing?: readonly (keyof T)[];
}

export function checkedPort<T extends object>(port: T, check: PortCheck<T>): T {
  let checked: Promise<void> | undefined;
  return new Proxy(port, {
    get(target, name) {
      const operation: unknown = Reflect.get(target, name, target);
      if (typeof operation !== "function") return operation;
      if (check.passing?.includes(name as keyof T)) return operation.bind(target);
      return async (...args: unknown[]) => {
        checked ??= check.before();
        await checked;
        check.each?.();
        const answer: unknown = await operation.apply(target, args);
        check.after?.();
        return answer;
      };
    },
  });
}
