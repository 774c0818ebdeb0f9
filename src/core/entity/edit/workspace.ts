/**
 * The files of one call while it is planned: read once, parsed once, then moved from state to state. Owns the drafts
 * and the proof after each step. A file that no operation touches is never written.
 */
import { GitpinError } from "../../../errors.ts";
import { pathFault } from "../../git/path.ts";
import { languageOfFile, parseSourceUnit, type SourceUnit } from "../entity.ts";
import { SourceText } from "../source-text.ts";
import type { SyntaxReader } from "../syntax.ts";
import { wishFor } from "./borders.ts";
import { advance, type Draft } from "./draft.ts";
import { assertFootprint, type Step } from "./footprint.ts";
import { assertPathFree } from "./free-path.ts";
import { assertSamePlace, assertUnitCurrent } from "./freshness.ts";
import { assertConstantsKept } from "./go-constants.ts";
import { goDirectory, goFileName, hostLike, importPathGiven } from "./go-unit.ts";
import type { HeadView } from "./head-view.ts";
import { isGoUnit, type UnitOperation } from "./operation.ts";
import { refused } from "./outcome.ts";
import { assertReadAlike } from "./own-reading.ts";
import type { PlanRequest } from "./plan-mutation.ts";
import { applySplices, overlapping, type Spliced } from "./splice.ts";
import { assertStructureStands } from "./structure.ts";
import { assertNoNewFaults } from "./syntax-check.ts";

/**
 * Bytes of source that one call may have read and parsed: what it edits, and packages whose names are compared. A file takes
 * some seven times its size while it is held, twice that once it is edited.
 */
export const SOURCE_BYTES_PER_CALL = 4 * 1024 * 1024;

export const callTooLarge = (operation: number | null, what: string) =>
  refused(
    "call_too_large",
    operation,
    `The call ${what} than is planned at once.`,
    "Send its operations in several calls, each with the bases of the receipt before it.",
  );

export class Workspace {
  readonly request: PlanRequest;
  readonly reader: SyntaxReader;
  readonly #view: HeadView;
  readonly #drafts = new Map<string, Draft>();
  readonly #packages = new Map<string, Promise<SourceUnit[]>>();
  #sourceBytes = 0;

  constructor(request: PlanRequest, view: HeadView, reader: SyntaxReader) {
    this.request = request;
    this.reader = reader;
    this.#view = view;
  }

  /** The draft of a file, read at its first use; null when there is no such file. */
  async draft(path: string, operation: number): Promise<Draft | null> {
    const held = this.#drafts.get(path);
    if (held !== undefined) return held;
    try {
      return await this.#read(path, operation);
    } catch (thrown) {
      if (!(thrown instanceof GitpinError) || thrown.code !== "source_refused") throw thrown;
      throw refused("source_refused", operation, thrown.message, thrown.nextStep);
    }
  }

  async #read(path: string, operation: number): Promise<Draft | null> {
    const file = pathFault(path) === null ? await this.#view.file(path) : null;
    if (file === null) return null;
    const spec = languageOfFile(path, file.mode);
    const source = new SourceText(file.bytes, path);
    this.#sourceBytes += file.bytes.byteLength;
    if (this.#sourceBytes > SOURCE_BYTES_PER_CALL) throw callTooLarge(operation, "reads more source");
    const wish = wishFor(source.text, []);
    const unit = await parseSourceUnit(this.reader, this.request.repositoryId, path, spec, source, wish);
    return this.#keep({ path, mode: file.mode, original: unit, unit });
  }

  /** Starts a new file; `unit` is its state before anything is created in it. */
  start(path: string, unit: SourceUnit): Draft {
    return this.#keep({ path, mode: "100644", original: null, unit });
  }

  /** Refuses a path where something stands, in the repository or in this call, or would on some checkouts. */
  async assertFree(path: string, operation: number): Promise<void> {
    // Asked first: what may not be seen is refused before anything beside it is looked at.
    await this.#view.file(path);
    const made = [...this.#drafts.values()].filter(({ original }) => original === null);
    await assertPathFree(
      this.#view,
      made.map((draft) => draft.path),
      path,
      operation,
    );
  }

  #keep(start: Pick<Draft, "path" | "mode" | "original" | "unit">): Draft {
    const draft: Draft = { ...start, tracked: [], removed: [], earlierFaults: [] };
    this.#drafts.set(start.path, draft);
    return draft;
  }

  /** All Go files of a directory as they stand in this call. One that is refused stops the call: a name might hide in it. */
  async goFiles(directory: string, operation: number): Promise<SourceUnit[]> {
    let reading = this.#packages.get(directory);
    if (reading === undefined) {
      reading = this.#readPackage(directory, operation);
      this.#packages.set(directory, reading);
    }
    const prefix = directory === "" ? "" : `${directory}/`;
    const inDirectory = (path: string) =>
      path.startsWith(prefix) && !path.slice(prefix.length).includes("/") && path.endsWith(".go");
    const units = new Map((await reading).map((unit) => [unit.path, unit]));
    for (const draft of this.#drafts.values()) if (inDirectory(draft.path)) units.set(draft.path, draft.unit);
    return [...units.values()];
  }

  async #readPackage(directory: string, operation: number): Promise<SourceUnit[]> {
    const entries = await this.#view.directory(directory);
    const units: SourceUnit[] = [];
    for (const { path, mode } of entries) {
      if (!path.endsWith(".go") || !mode.startsWith("100")) continue;
      const draft = await this.draft(path, operation);
      if (draft !== null) units.push(draft.unit);
    }
    return units;
  }

  /** Directory and file that a unit operation addresses. */
  async place({ unit, index }: UnitOperation): Promise<{ directory: string; path: string }> {
    if (!isGoUnit(unit)) {
      if (pathFault(unit.path) !== null) {
        throw refused(
          "unit_invalid",
          index,
          `unit.path: ${pathFault(unit.path)}.`,
          "Give the path from the repository root.",
        );
      }
      return { directory: unit.path.slice(0, Math.max(0, unit.path.lastIndexOf("/"))), path: unit.path };
    }
    const modules = this.request.head === null ? [] : await this.#view.goModules();
    const directory = goDirectory(unit, modules, index);
    const host = hostLike(unit);
    if (host !== null) {
      const root = goDirectory({ ...unit, package: "." }, modules, index);
      const entries = await this.#view.directory(root === "" ? host : `${root}/${host}`);
      if (entries.length === 0) throw importPathGiven(unit, index);
    }
    const name = goFileName(unit);
    return { directory, path: directory === "" ? name : `${directory}/${name}` };
  }

  async checkUnits(operations: readonly UnitOperation[]): Promise<void> {
    for (const operation of operations) {
      assertSamePlace(operation.base, this.request, operation.index);
      const { directory } = await this.place(operation);
      await assertUnitCurrent(operation.base, directory, this.#view, this.request, operation.index);
    }
  }

  /** Moves a file by steps that all address its present text, and proves what they did. */
  async apply(draft: Draft, steps: readonly Step[]): Promise<Spliced | null> {
    if (steps.length === 0) return null;
    const clash = overlapping(steps);
    if (clash !== null) {
      throw refused(
        "edits_overlap",
        clash[1].operation,
        `operations[${clash[0].operation}] and operations[${clash[1].operation}] address common text of ${draft.path}.`,
        "Edit the outer entity once, or only the inner ones.",
      );
    }
    const before = draft.unit;
    const spliced = applySplices(before.source.text, steps);
    const after = await parseSourceUnit(
      this.reader,
      this.request.repositoryId,
      draft.path,
      before.spec,
      SourceText.of(spliced.text, draft.path),
      wishFor(spliced.text, spliced.regions),
    );
    assertReadAlike(before, after, steps, spliced.regions);
    const operation = steps.length === 1 ? (steps[0]?.operation ?? null) : null;
    const faults = await assertNoNewFaults(this.reader, before, after, spliced, operation);
    const found = assertFootprint(before, after, steps, spliced);
    await assertStructureStands(this.reader, before, after, steps, spliced);
    await assertConstantsKept(this.reader, before, after, steps);
    advance(draft, after, spliced, faults);
    for (const [index, step] of steps.entries()) {
      const effect = step.purpose.effect === "create" ? "created" : "edited";
      for (const { declaration } of found[index] ?? []) {
        const { kind, qualifiedName, span } = declaration;
        draft.tracked.push({ operation: step.operation, effect, kind, qualifiedName, region: { ...span } });
      }
    }
    return spliced;
  }

  /** Drafts whose bytes differ from the repository's, in the order of their paths. */
  changed(): Draft[] {
    const drafts = [...this.#drafts.values()].filter(
      ({ original, unit }) => original === null || original.source.text !== unit.source.text,
    );
    return drafts.sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}
