/**
 * Go units: addressed by package, never by file. Owns the projection of a unit on its one conventional file, and what
 * a package must agree on: one name per directory, names free, receivers declared.
 */
import * as z from "zod";
import type { Located, SourceUnit } from "../entity.ts";
import type { Creation } from "./create.ts";
import { refused } from "./outcome.ts";

const goUnit = z.strictObject({
  language: z.literal("go"),
  package: z.string().max(512),
  name: z.string().max(200),
  role: z.enum(["source", "test"]).optional(),
});

const fileUnit = z.strictObject({
  language: z.enum(["go", "python", "rust", "typescript", "tsx", "javascript"]),
  path: z.string().min(1).max(4_096),
});

export type GoUnit = Required<z.infer<typeof goUnit>>;
export type FileUnit = z.infer<typeof fileUnit>;

const KEYWORDS = new Set(
  "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var".split(
    " ",
  ),
);

const invalid = (operation: number, reason: string) =>
  refused(
    "unit_invalid",
    operation,
    reason,
    'Address a package as {language:"go", package:"internal/store", name:"store", role:"source"}, never by file path.',
  );

export function readGoUnit(value: unknown, operation: number): GoUnit {
  const parsed = goUnit.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalid(operation, `unit.${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not of its form"}.`);
  }
  const unit = { role: "source" as const, ...parsed.data };
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(unit.name) || unit.name === "_" || KEYWORDS.has(unit.name)) {
    throw invalid(operation, "unit.name is not the name of a Go package.");
  }
  if (unit.package !== ".") {
    for (const element of unit.package.split("/")) {
      const plain = /^[A-Za-z0-9_.\-~]+$/.test(element) && !/^[._]/.test(element);
      if (!plain || element === "testdata" || element === "vendor") {
        throw invalid(operation, "unit.package is not a package path below the module.");
      }
    }
    if (unit.package.endsWith(".go")) throw invalid(operation, "unit.package names a file.");
  }
  return unit;
}

export function readFileUnit(value: unknown, operation: number): FileUnit {
  const parsed = fileUnit.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw refused(
    "unit_invalid",
    operation,
    `unit.${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not of its form"}.`,
    'Address a file as {language:"python", path:"src/app.py"}.',
  );
}

/** Directory of a unit, given the paths of all `go.mod` files. */
export function goDirectory(unit: GoUnit, modules: readonly string[], operation: number): string {
  if (modules.length > 1) {
    throw refused(
      "unit_invalid",
      operation,
      `The repository holds ${modules.length} Go modules, so a package path does not name one directory.`,
      "Create beside an entity of that package instead: source_base and placement.",
    );
  }
  const root = (modules[0] ?? "go.mod").slice(0, -"go.mod".length).replace(/\/$/, "");
  const below = unit.package === "." ? "" : unit.package;
  return [root, below].filter((part) => part !== "").join("/");
}

/** The one file of a unit: its stem can carry no build meaning (`_linux`, `_test`). */
export function goFileName(unit: GoUnit): string {
  const stem = unit.name.includes("_")
    ? `${unit.name.startsWith("_") ? "unit" : ""}${unit.name}_unit`
    : unit.name;
  return `${stem}${unit.role === "test" ? "_test" : ""}.go`;
}

/** The units of one directory must be one package, and its external tests. */
export function assertOnePackage(
  unit: GoUnit,
  directory: readonly SourceUnit[],
  file: string,
  operation: number,
): void {
  for (const { path, outline } of directory) {
    const name = outline.packageName?.name;
    if (name === undefined || name === unit.name) continue;
    if (path === file) {
      throw refused(
        "package_mismatch",
        operation,
        `${path} declares package ${name}, not ${unit.name}.`,
        `Use the name ${name}, or another directory.`,
      );
    }
    const externalTest =
      (path.endsWith("_test.go") && name === `${unit.name}_test`) ||
      (unit.role === "test" && unit.name === `${name}_test`);
    if (externalTest) continue;
    throw refused(
      "package_mismatch",
      operation,
      `The directory holds package ${name} (${path}).`,
      `Use the name ${name}, or another directory.`,
    );
  }
}

/** Declarations that share a namespace with package `name`. */
export const packageScope = (directory: readonly SourceUnit[], name: string): Located[] =>
  directory.filter(({ outline }) => outline.packageName?.name === name).flatMap(({ located }) => located);

/** Names that any number of declarations may carry. */
export const isRepeatable = (name: string): boolean => name === "_" || name === "init";

export function assertReceiverDeclared(creation: Creation, scope: readonly Located[]): void {
  if (creation.kind !== "method") return;
  const receiver = creation.name.slice(0, Math.max(0, creation.name.lastIndexOf(".")));
  if (scope.some(({ declaration }) => declaration.qualifiedName === receiver)) return;
  throw refused(
    "receiver_missing",
    creation.operation,
    `Method ${creation.name} names receiver type ${receiver || "(none)"}, which the package does not declare.`,
    "Create the type first, in the same call, and name the method Receiver.Method.",
  );
}
