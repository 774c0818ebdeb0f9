/** Where the command line writes and what it reads of its surroundings, handed in so that tests can stand in. */
export type Environment = Readonly<Record<string, string | undefined>>;

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
  exit(code: 0 | 1 | 2): void;
}
