/**
 * Hands files to the part that parses, several at a time, and remembers what it said. A file that it dies on takes its
 * neighbours' answers with it: they are asked for again in halves, so that one hostile file hides no other.
 */
import { asGitpinError } from "../../errors.ts";
import type { SourceReading } from "../../ports/entity-parser.ts";
import type { EntityPlace } from "./place.ts";
import type { SelectedFile } from "./selection.ts";

/** Calls beside the first ones: the runtime lets one request call other Workers 32 times. */
const REPEATS_AT_MOST = 12;

export interface FileInHand {
  file: SelectedFile;
  bytes: Uint8Array;
}

export class FilesReading {
  readonly #place: EntityPlace;
  #repeats = REPEATS_AT_MOST;
  #failure: unknown = null;
  #read = 0;

  constructor(place: EntityPlace) {
    this.#place = place;
  }

  /** In their order; null for one that no answer came for. */
  async read(files: readonly FileInHand[]): Promise<(SourceReading | null)[]> {
    const { parser, remembered, repositoryId } = this.#place;
    if (files.length === 0) return [];
    const sent = files.map(({ file: { entry }, bytes }) => ({
      repositoryId,
      path: entry.path,
      mode: entry.mode,
      bytes,
    }));
    try {
      const readings = await parser.readAll(sent);
      for (const [index, reading] of readings.entries()) {
        const entry = files[index]?.file.entry;
        if (entry !== undefined) remembered.keep({ repositoryId, path: entry.path, blob: entry.id }, reading);
      }
      this.#read += readings.length;
      return readings;
    } catch (thrown) {
      if (asGitpinError(thrown).code !== "entities_unavailable") throw thrown;
      this.#failure = thrown;
      if (files.length === 1 || this.#repeats < 2) return files.map(() => null);
      this.#repeats -= 2;
      const half = files.length >> 1;
      return [...(await this.read(files.slice(0, half))), ...(await this.read(files.slice(half)))];
    }
  }

  /** Throws the failure of the part that parses, where it gave no answer at all. */
  check(): void {
    if (this.#failure !== null && this.#read === 0) throw this.#failure;
  }
}
