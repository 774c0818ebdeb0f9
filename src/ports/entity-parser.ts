/**
 * What the service needs of the part that parses source. It holds no secret and reaches nothing: bytes go in, plain data
 * comes out, so it can be another Worker behind a service binding, and a hostile file takes down nothing but that one.
 * Implemented by `parsing/`. Throws `entities_unavailable` where it cannot be reached or died on what it was given.
 */

import type { HeadView } from "../core/entity/edit/head-view.ts";
import type { FaultPlace, Outcome } from "../core/entity/edit/outcome.ts";
import type { PlanRequest } from "../core/entity/edit/plan-mutation.ts";
import type { Entity } from "../core/entity/entity.ts";
import type { LanguageName } from "../core/entity/language/spec.ts";
import type { RefusalReason } from "../core/entity/source-refused.ts";

export interface SourceFile {
  /** The host's numeric id, for entity ids. */
  repositoryId: number;
  path: string;
  /** Six octal digits. */
  mode: string;
  bytes: Uint8Array;
}

/** Entities of one file in its order, an owner before its members; or why the file is not read. */
export type SourceReading =
  | { status: "read"; language: LanguageName; entities: Entity[]; faults: FaultPlace[] }
  | { status: "refused"; reason: RefusalReason; message: string };

export interface EntityParser {
  read(file: SourceFile): Promise<SourceReading>;
  /**
   * Reads many, in their order. For several files call this once rather than `read` for each: the runtime lets one request
   * call other Workers 32 times. Memory grows with what is handed in, so hand in some megabytes at a time.
   */
  readAll(files: readonly SourceFile[]): Promise<SourceReading[]>;
  /** `view` is asked while it plans; what one of its operations throws is thrown here, as it was. */
  plan(request: PlanRequest, view: HeadView): Promise<Outcome>;
}
