/**
 * How the main Worker and the Worker of the entities speak: Cloudflare's RPC over a service binding, at most 32 MiB a message.
 * Only plain data and functions cross. Bytes are sent in a buffer of their own: of a part of a buffer, all of it would cross.
 */
import type { FileAtHead, HeadView } from "../core/entity/edit/head-view.ts";
import type { Outcome } from "../core/entity/edit/outcome.ts";
import type { PlanRequest } from "../core/entity/edit/plan-mutation.ts";
import { ANSWER_BYTES, roomOfReading } from "../core/entity/room.ts";
import { SOURCE_BYTES } from "../core/entity/source-text.ts";
import type { EntityParser, SourceFile, SourceReading } from "../ports/entity-parser.ts";

export interface EntitiesRpc {
  /** Readings of the first files, of one at least: as many as fit into an answer. The rest is to be asked for again. */
  read(files: readonly SourceFile[]): Promise<SourceReading[]>;
  plan(request: PlanRequest, view: HeadView): Promise<Outcome>;
}

/** Beyond what is parsed a file is refused by its size alone, so that no more of it need cross. */
export const sentBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength > SOURCE_BYTES || bytes.byteLength < bytes.buffer.byteLength
    ? bytes.slice(0, SOURCE_BYTES + 1)
    : bytes;

export const sentFile = (file: FileAtHead | null): FileAtHead | null =>
  file === null ? null : { mode: file.mode, bytes: sentBytes(file.bytes) };

/** Lets go of what the other side holds for an answer. The data in it stays. */
export function released<T>(answer: T): T {
  (answer as Partial<Disposable> | null)?.[Symbol.dispose]?.();
  return answer;
}

/** What the Worker of the entities answers with. */
export function servedParser(parser: EntityParser): EntitiesRpc {
  return {
    async read(files) {
      const readings: SourceReading[] = [];
      let room = 0;
      for (const file of files) {
        const reading = await parser.read(file);
        room += reading.status === "read" ? roomOfReading(reading.entities, reading.faults) : 0;
        if (room > ANSWER_BYTES && readings.length > 0) break;
        readings.push(reading);
      }
      return readings;
    },
    async plan(request, view) {
      const outcome = await parser.plan(request, receivedView(view));
      if (outcome.status !== "planned") return outcome;
      const files = outcome.plan.files.map((file) => ({ ...file, bytes: sentBytes(file.bytes) }));
      return { status: "planned", plan: { ...outcome.plan, files } };
    },
  };
}

/** A view whose functions are the caller's. */
const receivedView = (view: HeadView): HeadView => ({
  file: async (path) => released(await view.file(path)),
  directory: async (path) => released(await view.directory(path)),
  directoryId: async (commit, path) => await view.directoryId(commit, path),
  goModules: async () => released(await view.goModules()),
});
