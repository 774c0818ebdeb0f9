/**
 * A repository that grows during a soak run, and beside it what every commit of it holds, as it was written: the oracle, which asks
 * neither the service nor git. Content tells its own place, so that bytes of another commit or path cannot pass for the right ones.
 */
import { GitRepository } from "../../test/repositories/git.ts";

const FILES = 40;
const LINES = 60;
const SECRET = ".env";

export interface Moment {
  sha: string;
  /** Path to content. */
  files: ReadonlyMap<string, string>;
  /** Milliseconds since the Unix epoch; from then on it was HEAD. */
  at: number;
}

const contentOf = (path: string, version: number): string =>
  Array.from({ length: LINES }, (_, line) => `${path} v${version} line ${line + 1} needle${version}\n`).join(
    "",
  );

export class History {
  readonly repository = new GitRepository("soak");
  readonly moments: Moment[] = [];
  #files = new Map<string, string>();
  #version = 0;

  constructor() {
    this.repository.write(SECRET, "TOKEN=soak-secret\n");
    for (let file = 0; file < FILES; file++) this.#write(`src/part-${file % 8}/file-${file}.ts`);
    this.#commit();
  }

  /** One more commit, which changes a few files. */
  grow(pick: (count: number) => number): void {
    const paths = [...this.#files.keys()];
    for (let change = 0; change < 3; change++)
      this.#write(paths[pick(paths.length)] ?? "src/part-0/file-0.ts");
    this.#commit();
  }

  #write(path: string): void {
    this.#version += 1;
    const content = contentOf(path, this.#version);
    this.#files = new Map(this.#files).set(path, content);
    this.repository.write(path, content);
  }

  #commit(): void {
    const sha = this.repository.commit(`version ${this.#version}`);
    this.moments.push({ sha, files: this.#files, at: Date.now() });
  }
}

export { SECRET };
