/**
 * The parser's port over one syntax reader: what the Worker of the entities runs, and what tests in Node run in-process.
 * Owns how a file that is not read becomes data, and where a file's faults stand. Reaches nothing.
 */
import { planMutation } from "../core/entity/edit/plan-mutation.ts";
import { faultPlace } from "../core/entity/edit/syntax-check.ts";
import { readSourceUnit } from "../core/entity/entity.ts";
import { ANSWER_BYTES, roomOfReading } from "../core/entity/room.ts";
import { type RefusalReason, sourceRefused } from "../core/entity/source-refused.ts";
import type { SyntaxReader } from "../core/entity/syntax.ts";
import { GitpinError } from "../errors.ts";
import type { EntityParser, SourceFile, SourceReading } from "../ports/entity-parser.ts";
import { watchView } from "./watched-view.ts";

export function createEntityParser(reader: SyntaxReader): EntityParser {
  return {
    read: (file) => readFile(reader, file),
    async readAll(files) {
      const readings: SourceReading[] = [];
      for (const file of files) readings.push(await readFile(reader, file));
      return readings;
    },
    async plan(request, given) {
      const { view, through } = watchView(given);
      return await through(() => planMutation(request, view, reader));
    },
  };
}

/** Faults are the grammar's own, the outermost, in the order of the text: as many as the syntax reader lists. */
async function readFile(
  reader: SyntaxReader,
  { repositoryId, path, bytes, mode }: SourceFile,
): Promise<SourceReading> {
  try {
    const unit = await readSourceUnit(reader, repositoryId, path, bytes, mode);
    const entities = unit.located.map(({ entity }) => entity);
    const faults = unit.outline.faults.map((fault) => faultPlace(unit, fault));
    if (roomOfReading(entities, faults) > ANSWER_BYTES) throw sourceRefused("parse_budget");
    return { status: "read", language: unit.spec.name, entities, faults };
  } catch (thrown) {
    if (!(thrown instanceof GitpinError) || thrown.code !== "source_refused") throw thrown;
    const reason = thrown.data.reason as RefusalReason;
    // What the syntax reader refuses it knows without a path.
    return { status: "refused", reason, message: sourceRefused(reason, path).message };
  }
}
