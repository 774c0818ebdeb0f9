/**
 * The parser's port over a binding to the Worker of the entities. Owns in how many calls files are sent, and what the failures
 * of another Worker are to the caller: an error of the caller's own view is thrown as it was, all else (the isolate died, ran
 * out of memory or time, cannot be reached) is `entities_unavailable`. Holds no grammar.
 */
import { GitpinError } from "../errors.ts";
import type { EntityParser, SourceFile, SourceReading } from "../ports/entity-parser.ts";
import { type EntitiesRpc, released, sentBytes, sentFile } from "./entities-rpc.ts";
import { watchView } from "./watched-view.ts";

/** Bytes of files sent in one call: a call more than this takes is cheap, the other side's memory is not. */
const CALL_BYTES = 8 * 1024 * 1024;

export function boundParser(binding: EntitiesRpc): EntityParser {
  const readAll = async (files: readonly SourceFile[]): Promise<SourceReading[]> => {
    const readings: SourceReading[] = [];
    while (readings.length < files.length) {
      const sent = firstOf(files.slice(readings.length));
      const read = await reached(() => binding.read(sent));
      if (read.length === 0 || read.length > sent.length) throw unavailable();
      readings.push(...read);
    }
    return readings;
  };
  return {
    async read(file) {
      const [reading] = await readAll([file]);
      return reading ?? Promise.reject(unavailable());
    },
    readAll,
    async plan(request, given) {
      const { view, failed, through } = watchView(given);
      const sent = { ...view, file: async (path: string) => sentFile(await view.file(path)) };
      return await through(() => reached(() => binding.plan(request, sent), failed));
    },
  };
}

/** As many as one call takes, one at least, in a form that crosses. */
function firstOf(files: readonly SourceFile[]): SourceFile[] {
  const first: SourceFile[] = [];
  let bytes = 0;
  for (const file of files) {
    const sent = sentBytes(file.bytes);
    bytes += sent.byteLength;
    if (bytes > CALL_BYTES && first.length > 0) break;
    first.push({ ...file, bytes: sent });
  }
  return first;
}

/** Asks, and once more where the runtime says that this may help: the isolate had gone before this call came to it. */
async function reached<T>(ask: () => Promise<T>, ours: () => boolean = () => false): Promise<T> {
  try {
    return released(await ask());
  } catch (thrown) {
    if (ours() || !mayBeRepeated(thrown)) throw unavailable(thrown);
  }
  return released(
    await ask().catch((thrown: unknown) => {
      throw unavailable(thrown);
    }),
  );
}

/** `retryable` and `overloaded` are the runtime's own marks on the errors of another Worker. */
function mayBeRepeated(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { retryable, overloaded } = thrown as { retryable?: unknown; overloaded?: unknown };
  return retryable === true && overloaded !== true;
}

const unavailable = (cause?: unknown): GitpinError =>
  new GitpinError(
    "entities_unavailable",
    "The part of this service that parses source gave no answer.",
    "Call again, with fewer or smaller files where that is possible; if it stays so, report the request id of this answer to the operator.",
    {},
    { cause },
  );
