/** Import editing by language: the one door of this folder. */
import type { SourceUnit } from "../../entity.ts";
import { refused } from "../outcome.ts";
import type { Splice } from "../splice.ts";
import { addEcmascriptImport, removeEcmascriptImport } from "./ecmascript-imports.ts";
import { goImportSplices } from "./go-imports.ts";
import type { ImportEntry } from "./import-edit.ts";
import { addPythonImport, removePythonImport } from "./python-imports.ts";
import { addRustImport, removeRustImport } from "./rust-imports.ts";

type OneImport = (unit: SourceUnit, entry: ImportEntry) => Splice[];

/** Called once for each state of the file: entries one by one, or (Go) all at once. */
export type ImportStep = (unit: SourceUnit) => { splices: Splice[]; operation: number };

/** The steps that make the file import `add` and not `remove`; each sees the file as the one before left it. */
export function importSteps(
  unit: SourceUnit,
  add: readonly ImportEntry[],
  remove: readonly ImportEntry[],
): ImportStep[] {
  const first = (add[0] ?? remove[0])?.operation ?? 0;
  if (unit.spec.name === "go") {
    return [(state) => ({ splices: goImportSplices(state, add, remove), operation: first })];
  }
  const [adds, removes] = editorsOf(unit, first);
  return [
    ...add.map(
      (entry): ImportStep =>
        (state) => ({ splices: adds(state, entry), operation: entry.operation }),
    ),
    ...remove.map(
      (entry): ImportStep =>
        (state) => ({ splices: removes(state, entry), operation: entry.operation }),
    ),
  ];
}

function editorsOf(unit: SourceUnit, operation: number): [OneImport, OneImport] {
  switch (unit.spec.name) {
    case "python":
      return [addPythonImport, removePythonImport];
    case "rust":
      return [addRustImport, removeRustImport];
    case "javascript":
    case "typescript":
    case "tsx":
      return [addEcmascriptImport, removeEcmascriptImport];
    default:
      throw refused(
        "language_not_editable",
        operation,
        `Imports of ${unit.spec.title} are not edited here.`,
        "Edit the file by other means.",
      );
  }
}
