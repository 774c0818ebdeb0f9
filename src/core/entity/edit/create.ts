/**
 * Anchored creation: behind a sibling, or in a new file beside the anchor's. The declared name must be free in the
 * file (in Go: in the package). A Go method goes behind the last method of its receiver in that file; a method anchored at
 * its class, `impl` or trait becomes the last member; a Rust `impl` block that is the body goes behind those of its type.
 */
import type { Declaration } from "../declaration.ts";
import { type Located, parseSourceUnit, type SourceUnit } from "../entity.ts";
import type { LanguageName } from "../language/spec.ts";
import { SourceText } from "../source-text.ts";
import type { SyntaxReader } from "../syntax.ts";
import { type CreateKind, creatableKinds, declaredKinds } from "./created-kinds.ts";
import type { Step } from "./footprint.ts";
import { assertInBlock, type ImplBlock, placeOfImpl } from "./impl-block.ts";
import { indented } from "./indent.ts";
import { insertionBehind, insertionInside } from "./insertion.ts";
import { indentationAt } from "./lines.ts";
import { refused } from "./outcome.ts";
import { memberIndentation } from "./owner-body.ts";
import { assertComplete } from "./update.ts";

export interface Creation {
  operation: number;
  name: string;
  kind: CreateKind;
  body: string;
}

/** The declared kinds that fit, or a refusal where the language has no such thing. */
export function kindsOf(unit: SourceUnit, creation: Creation): readonly string[] {
  const kinds = declaredKinds(unit.spec.name, creation.kind);
  if (kinds.length > 0) return kinds;
  throw refused(
    "kind_mismatch",
    creation.operation,
    `${unit.spec.title} has no ${creation.kind} to create.`,
    `Give the kind that the body declares, one of ${creatableKinds(unit.spec.name).join(", ")}.`,
  );
}

const GO_COMMENT = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const GO_STATEMENT = /(?:const|func|import|package|type|var)\b/y;
const GO_NAME = /[\p{L}_]/uy;

/** A member of a Go group is no declaration by itself, and the group takes none. */
export function assertGoDeclaration({ kind, name, body, operation }: Creation): void {
  if (kind !== "const" && kind !== "var") return;
  let at = 0;
  const isAt = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    return pattern.test(body);
  };
  while (isAt(GO_COMMENT)) at = GO_COMMENT.lastIndex;
  if (isAt(GO_STATEMENT) || !isAt(GO_NAME)) return;
  throw refused(
    "kind_mismatch",
    operation,
    `The body does not begin with ${kind}, and nothing is created in a group \`${kind} ( ... )\`.`,
    `Send the whole declaration: ${kind} ${name} = ...; beside a member of a group it stands behind the group.`,
  );
}

/** What stands behind a member is a member: in Python, too, where nothing closes the class around it. */
function assertNamedWithOwner({ spec }: SourceUnit, owner: string | null, creation: Creation): void {
  if (spec.name !== "python" || owner === null || creation.name.startsWith(`${owner}.`)) return;
  const name = `${owner}.${creation.name.slice(creation.name.lastIndexOf(".") + 1)}`;
  throw refused(
    "name_mismatch",
    creation.operation,
    `The body declares ${name} there, not ${creation.name}.`,
    `Send the name ${name}, or the anchor of another place.`,
  );
}

/** The body without line ends around it, its lines ending as the file's do. */
export function bodyFor(unit: SourceUnit, creation: Creation): string {
  assertComplete(creation.body, creation.operation);
  const lines = creation.body.replace(/\r\n/g, "\n").split("\n");
  while (lines[0]?.trim() === "") lines.shift();
  while (lines.at(-1)?.trim() === "") lines.pop();
  return lines.join(unit.source.lineEnding);
}

/**
 * The name of a creation, and those that its statement declares beside it (`const { a, b } = f()`, a Go group). A member
 * does not stand for itself, and declares one name.
 */
export async function namesOf(
  reader: SyntaxReader,
  { spec, path }: SourceUnit,
  { name, kind, body }: Creation,
): Promise<Set<string>> {
  const names = new Set([name]);
  if (kind === "method") return names;
  const owner = name.slice(0, name.lastIndexOf(".") + 1);
  const { located } = await parseSourceUnit(reader, 0, path, spec, SourceText.of(body, path));
  for (const { declaration } of located)
    if (declaration.owner === null) names.add(owner + declaration.qualifiedName);
  return names;
}

/** `taken` are the declarations whose names are not free. */
export function assertNameFree(
  creation: Creation,
  taken: Iterable<Located>,
  name: string = creation.name,
): void {
  for (const { entity } of taken) {
    if (entity.qualifiedName !== name) continue;
    throw refused(
      "name_taken",
      creation.operation,
      `${name} already names a ${entity.kind} in ${entity.path}, line ${entity.startLine}.`,
      "Choose another name, or update that entity.",
    );
  }
}

/** Anchors that a member goes into, as their last: an owner without members has no sibling to name. */
const OWNERS = new Set(["class", "impl", "trait"]);
/** Kinds beside methods that are members where the name says so. */
const MEMBERS: Partial<Record<LanguageName, readonly CreateKind[]>> = {
  python: ["class"],
  rust: ["const", "type"],
};

function goesInside({ spec }: SourceUnit, anchor: Declaration, { kind, name }: Creation): boolean {
  if (!OWNERS.has(anchor.kind)) return false;
  if (kind === "method") return true;
  const place = anchor.owner === null ? "" : `${anchor.owner}.`;
  const isMembers = name.startsWith(place) && name.slice(place.length).includes(".");
  return isMembers && MEMBERS[spec.name]?.includes(kind) === true;
}

export async function siblingStep(
  reader: SyntaxReader,
  unit: SourceUnit,
  anchor: Located,
  creation: Creation,
  block: ImplBlock | null,
): Promise<Step> {
  const kinds = kindsOf(unit, creation);
  const purpose = {
    effect: "create",
    name: creation.name,
    kinds,
    allowGroup: true,
  } as const;
  if (unit.spec.name === "go") assertGoDeclaration(creation);
  if (block === null && goesInside(unit, anchor.declaration, creation)) {
    assertNamedWithOwner(unit, anchor.declaration.qualifiedName, creation);
    const depth = await memberIndentation(reader, unit, anchor.declaration, creation.operation);
    const member = await indented(reader, unit.spec, bodyFor(unit, creation), depth);
    const splice = insertionInside(unit, anchor.declaration, member);
    return { ...splice, operation: creation.operation, purpose };
  }
  assertNamedWithOwner(unit, anchor.declaration.owner, creation);
  if (block === null) assertInBlock(unit, anchor.declaration, creation);
  const behind =
    block === null
      ? placeBehind(unit, anchor.declaration, creation)
      : await placeOfImpl(reader, unit, anchor.declaration, block);
  const indentation = indentationAt(unit.source.text, behind.statement.start) ?? "";
  const body = await indented(reader, unit.spec, bodyFor(unit, creation), indentation);
  return {
    ...insertionBehind(unit, behind, body, kinds),
    operation: creation.operation,
    purpose,
  };
}

/** A Go method belongs to the others of its type, wherever the anchor stands. */
function placeBehind(unit: SourceUnit, anchor: Declaration, creation: Creation): Declaration {
  if (unit.spec.name !== "go" || creation.kind !== "method") return anchor;
  return lastOfReceiver(unit, creation.name) ?? anchor;
}

export function lastOfReceiver(unit: SourceUnit, name: string): Declaration | undefined {
  const receiver = name.slice(0, name.lastIndexOf("."));
  if (receiver === "") return undefined;
  return unit.located
    .map(({ declaration }) => declaration)
    .findLast(({ owner, qualifiedName }) => owner === receiver || qualifiedName === receiver);
}

const BUILD_CONSTRAINT = /^\/\/(go:build\b|\s*\+build\b)/m;
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{Nd}_$]*$/u;

/** Path of a new file for `name` beside the anchor's. */
export function newUnitPath(anchor: SourceUnit, creation: Creation): string {
  const stop = (reason: string) =>
    refused("placement_refused", creation.operation, reason, "Use placement sibling_after.");
  const slash = anchor.path.lastIndexOf("/") + 1;
  const file = anchor.path.slice(slash);
  if (anchor.spec.name === "rust") throw stop("A new Rust file needs a `mod` declaration elsewhere.");
  if (!IDENTIFIER.test(creation.name)) throw stop(`${creation.name} does not make a file name.`);
  if (creation.kind === "method") throw stop("A method stands with its type, not in a file of its own.");
  if (anchor.spec.name === "go") {
    if (file.includes("_") || file.startsWith("."))
      throw stop(`The name of ${file} may carry a build meaning.`);
    if (creation.name.includes("_")) throw stop(`A Go file ${creation.name}.go may carry a build meaning.`);
    const head = anchor.source.text.slice(0, anchor.outline.packageName?.start ?? 0);
    if (BUILD_CONSTRAINT.test(head)) throw stop(`${file} has a build constraint.`);
    if (anchor.outline.packageName === null) throw stop(`${file} has no package clause.`);
  }
  const extension = /\.d\.[cm]?ts$/.exec(file)?.[0] ?? file.slice(file.lastIndexOf("."));
  return `${anchor.path.slice(0, slash)}${creation.name}${extension}`;
}

/** A file with what must stand above any declaration, and its parsed form. */
export async function emptyUnit(
  reader: SyntaxReader,
  repositoryId: number,
  path: string,
  like: Pick<SourceUnit, "spec">,
  packageName: string | null,
  lineEnding = "\n",
): Promise<SourceUnit> {
  const text = packageName === null ? "" : `package ${packageName}${lineEnding}`;
  return parseSourceUnit(reader, repositoryId, path, like.spec, SourceText.of(text, path));
}
