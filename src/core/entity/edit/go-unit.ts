/**
 * Units: a Go package, addressed by its directory, or (for imports) a file. Owns the projection of a package on its one
 * conventional file, and what a package must agree on: one name per directory, names free, receivers declared.
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

const PACKAGE = '{language:"go", package:"internal/store", name:"store", role:"source"}';
const FILE = '{language:"python", path:"src/app.py"}';

/** What to send instead, by what the unit is for. */
const WAY = {
  create: `Address a Go package as ${PACKAGE}, not a file.`,
  imports: `Address a file as ${FILE}, or a Go package as ${PACKAGE}.`,
} as const;

type Use = keyof typeof WAY;

const invalid = (operation: number, reason: string, nextStep: string) =>
  refused("unit_invalid", operation, reason, nextStep);

const firstFault = (error: z.ZodError): string => {
  const issue = error.issues[0];
  const field = ["unit", ...(issue?.path ?? [])].join(".");
  return `${field}: ${issue?.message ?? "not of its form"}.`;
};

/** The unit that something is created in: a Go package. */
export function readCreateUnit(
  value: Readonly<Record<string, unknown>> | undefined,
  operation: number,
): GoUnit {
  const { language } = value ?? {};
  if (typeof language === "string" && language !== "go") {
    throw invalid(
      operation,
      `A unit to create in is a Go package, not one of ${JSON.stringify(language.slice(0, 40))}.`,
      "In other languages create beside an entity: source_base and placement, target the anchor's UUID. A first file without one to stand beside is committed with git.",
    );
  }
  return readGoUnit(value, operation, "create");
}

/** The unit whose imports change: a file, or a Go package. */
export function readImportUnit(
  value: Readonly<Record<string, unknown>>,
  operation: number,
): GoUnit | FileUnit {
  const named = "package" in value || "name" in value;
  if (!("path" in value) && named) return readGoUnit(value, operation, "imports");
  const parsed = fileUnit.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(operation, firstFault(parsed.error), WAY.imports);
}

function readGoUnit(value: unknown, operation: number, use: Use): GoUnit {
  const stop = (reason: string) => invalid(operation, reason, WAY[use]);
  const parsed = goUnit.safeParse(value);
  if (!parsed.success) throw stop(firstFault(parsed.error));
  const unit = { role: "source" as const, ...parsed.data };
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(unit.name) || unit.name === "_" || KEYWORDS.has(unit.name)) {
    throw stop("unit.name is not the name of a Go package.");
  }
  if (unit.package !== ".") {
    for (const element of unit.package.split("/")) {
      const plain = /^[A-Za-z0-9_.\-~]+$/.test(element) && !/^[._]/.test(element);
      if (!plain || element === "testdata" || element === "vendor") {
        throw stop("unit.package is not a package path below the module.");
      }
    }
    if (unit.package.endsWith(".go")) throw stop("unit.package names a file.");
  }
  return unit;
}

/** The first directory of a package path where that looks like the host of an import path, else null. */
export function hostLike(unit: GoUnit): string | null {
  const [first = ""] = unit.package.split("/");
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(first) ? first : null;
}

export const importPathGiven = (unit: GoUnit, operation: number) =>
  invalid(
    operation,
    `unit.package ${JSON.stringify(unit.package)} reads like an import path: there is no such directory.`,
    'Give the directory below go.mod instead ("." for its own): of example.com/shop/store in module example.com/shop that is "store".',
  );

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

const RECEIVER_METHOD = /^[\p{L}_][\p{L}\p{Nd}_]*\.[\p{L}_][\p{L}\p{Nd}_]*$/u;
/** Receiver type and name of the method that a body declares. */
const DECLARED_METHOD =
  /^func\s*\(\s*(?:[\p{L}_][\p{L}\p{Nd}_]*\s+)?\*?\s*([\p{L}_][\p{L}\p{Nd}_]*)[^)]*\)\s*([\p{L}_][\p{L}\p{Nd}_]*)/mu;

export function assertReceiverDeclared(creation: Creation, scope: readonly Located[]): void {
  if (creation.kind !== "method") return;
  if (!RECEIVER_METHOD.test(creation.name)) {
    const declared = DECLARED_METHOD.exec(creation.body);
    throw refused(
      "name_mismatch",
      creation.operation,
      `A Go method is named Receiver.Method, without parentheses or \`*\`; ${JSON.stringify(creation.name)} is not.`,
      declared === null ? "Send that name." : `Name it ${declared[1]}.${declared[2]}.`,
    );
  }
  const receiver = creation.name.slice(0, creation.name.lastIndexOf("."));
  if (scope.some(({ declaration }) => declaration.qualifiedName === receiver)) return;
  throw refused(
    "receiver_missing",
    creation.operation,
    `Method ${creation.name} names receiver type ${receiver}, which the package does not declare.`,
    `Create the type ${receiver} in the same call, or correct the name.`,
  );
}
