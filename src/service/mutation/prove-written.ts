/**
 * The call that proves what a commit wrote: each entity by its lines, then what was written outside of entities (imports, the head of a
 * new file), each with a line that the commit added. On the branch that HEAD stands for that is a verification, which takes the
 * bytes' hash as well; elsewhere HEAD has other text, so it is a proof at the commit. Tool names are dotted here; who answers spells
 * them. What was removed leaves nothing to look at. Pure.
 */
import type { MutationPlan, PlannedFile } from "../../core/entity/edit/outcome.ts";
import { sha256 } from "../../core/git/hash.ts";
import { type LineRange, sliceLines } from "../../core/git/lines.ts";
import type { ObjectId } from "../../core/git/object-id.ts";
import type { NextCall } from "../../schema/common.ts";
import { nextTool } from "../next.ts";

/** Items that a set takes, and UTF-16 units of a line that is asked for. */
const ITEMS = 8;
const LINE_UNITS = 500;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: false });

export interface Proof {
  next: NextCall;
  /** Places that were written and that `next` does not look at. */
  omitted: number;
}

interface Place {
  file: PlannedFile;
  lines: LineRange;
}

/** `head`: the commit is on the branch that HEAD stands for. */
export function proveWritten(repository: string, plan: MutationPlan, commit: ObjectId, head: boolean): Proof {
  const places = writtenPlaces(plan);
  const items = places.slice(0, ITEMS).map((place) => ({
    repository,
    sha: commit,
    sourcePath: place.file.path,
    ...asked(place, head),
  }));
  const omitted = places.length - items.length;
  const [first] = items;
  if (first === undefined) {
    const sourcePath = plan.files[0]?.path;
    return { next: nextTool("pin.read", "dotted", { repository, sourcePath, sha: commit }), omitted };
  }
  const tool = head ? "pin.verify" : "pin.prove";
  const next =
    items.length === 1 ? nextTool(tool, "dotted", first) : nextTool(`${tool}_set`, "dotted", { items });
  return { next, omitted };
}

function writtenPlaces({ files, entities }: MutationPlan): Place[] {
  const fileAt = new Map(files.map((file) => [file.path, file]));
  const written = entities.flatMap(({ effect, entity }): Place[] => {
    const file = fileAt.get(entity.path);
    if (effect === "removed" || file === undefined) return [];
    return [{ file, lines: { start: entity.startLine, end: entity.endLine } }];
  });
  const beside = files.flatMap((file) =>
    file.added
      .filter((lines) => !written.some((place) => place.file === file && overlap(place.lines, lines)))
      .filter((lines) => tellingLine({ file, lines }) !== undefined)
      .map((lines): Place => ({ file, lines })),
  );
  return [...written, ...beside];
}

const overlap = (one: LineRange, other: LineRange): boolean =>
  one.start <= other.end && other.start <= one.end;

function asked(place: Place, head: boolean) {
  const { start, end } = place.lines;
  const text = tellingLine(place);
  if (!head) return { lineStart: start, lineEnd: end, claim: text };
  const slice = sliceLines(place.file.bytes, start, end);
  return {
    line: start,
    lineEnd: end,
    mustContain: text,
    contentSha256: slice === null ? undefined : sha256(slice),
  };
}

/** The longest line of a place that the commit added; where it only took lines away, the longest there is. */
function tellingLine({ file, lines: { start, end } }: Place): string | undefined {
  const slice = sliceLines(file.bytes, start, end);
  if (slice === null) return undefined;
  const lines = decoder.decode(slice).split("\n");
  const isNew = (index: number): boolean =>
    file.added.some((range) => range.start <= start + index && start + index <= range.end);
  const longest = (texts: readonly string[]): string | undefined =>
    texts
      .map((text) => text.trim())
      .filter((text) => text !== "" && text.length <= LINE_UNITS)
      .reduce<string | undefined>(
        (best, text) => (text.length > (best?.length ?? 0) ? text : best),
        undefined,
      );
  return longest(lines.filter((_, index) => isNew(index))) ?? longest(lines);
}
