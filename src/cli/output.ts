/** Where the command line writes, and what every command is handed, so that tests can stand in for it. */
import type { Environment } from "./environment.ts";

export interface Output {
  out(text: string): void;
  error(text: string): void;
}

export const processOutput: Output = {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
};

/** What every command gets. `exit` raises the exit code; the highest one wins. */
export interface CommandContext {
  environment: Environment;
  output: Output;
  /** Waits; a service that is asked too often says for how long. */
  sleep(milliseconds: number): Promise<void>;
  exit(code: 0 | 1 | 2): void;
}
