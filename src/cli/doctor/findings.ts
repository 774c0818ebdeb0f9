/** What a diagnosis says, line by line. A failure raises the exit code: 1 for a repository, 2 for what all answers need. */
import { asGitpinError } from "../../errors.ts";

export interface Findings {
  ok(text: string): void;
  note(text: string): void;
  fail(text: string, exit: 1 | 2): void;
}

/** Runs one check; null when it failed, which was said. */
export async function checked<T>(
  findings: Findings,
  what: string,
  check: () => Promise<T> | T,
): Promise<T | null> {
  try {
    return await check();
  } catch (thrown) {
    const { code, message, nextStep } = asGitpinError(thrown);
    findings.fail(`${what}: ${code}: ${message} ${nextStep}`, 2);
    return null;
  }
}
