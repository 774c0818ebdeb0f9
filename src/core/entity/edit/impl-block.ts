/**
 * Rust: an `impl` block as the body of a creation, the one way to a type's first method. Owns what such a body is told
 * by, where the block goes and which of its names must be free. It goes behind the anchor and behind every block of its
 * type in the same module, so that no block or method that is there becomes another of its name: ids stay.
 */
import type { Declaration } from "../declaration.ts";
import { type Located, parseSourceUnit, type SourceUnit } from "../entity.ts";
import { SourceText } from "../source-text.ts";
import type { SyntaxReader } from "../syntax.ts";
import type { Creation } from "./create.ts";
import { isMember } from "./draft.ts";
import { refused } from "./outcome.ts";

export interface ImplBlock {
  /** As it is found by: `P<T>`, `Trait for P<T>`; without the module it is to stand in. */
  name: string;
  /** Whether it implements a trait: of one trait for one type there is one block. */
  ofTrait: boolean;
  /** The type without arguments and references. */
  type: string;
  /** Names of its members, without owner. */
  members: string[];
}

const IMPLS = "(impl_item trait: (_)? @trait type: (_) @type) @impl";

/** The block that a body is; null where it is something else. */
export async function implBlock(
  reader: SyntaxReader,
  { spec, path }: SourceUnit,
  { body }: Creation,
): Promise<ImplBlock | null> {
  if (spec.name !== "rust" || !/\bimpl\b/.test(body)) return null;
  const { located } = await parseSourceUnit(reader, 0, path, spec, SourceText.of(body, path));
  const block = located[0]?.declaration;
  if (block?.kind !== "impl") return null;
  const reading = await reader.read(spec.name, body, IMPLS);
  const match = reading.matches.find((captures) =>
    captures.some(({ name, start }) => name === "impl" && start === block.core.start),
  );
  const type = match?.find(({ name }) => name === "type");
  return {
    name: block.qualifiedName,
    ofTrait: match?.some(({ name }) => name === "trait") === true,
    type: type === undefined ? "" : bareType(body.slice(type.start, type.end)),
    members: located
      .filter(({ declaration }) => isMember(declaration, block))
      .map(({ declaration }) => declaration.name),
  };
}

/** `&'a mut Store<T>` is about `Store`. */
const bareType = (type: string): string =>
  type
    .replace(/^(?:&\s*(?:'\w+\s+)?(?:mut\s+)?)+/, "")
    .replace(/<[\s\S]*$/, "")
    .trim();

const typesOf = new WeakMap<SourceUnit, Promise<Map<number, string>>>();

/** The type of each block of a file, by where the block starts; asked once however many a call creates. */
function implTypes(reader: SyntaxReader, unit: SourceUnit): Promise<Map<number, string>> {
  const held = typesOf.get(unit) ?? readTypes(reader, unit);
  typesOf.set(unit, held);
  return held;
}

async function readTypes(reader: SyntaxReader, { spec, source }: SourceUnit): Promise<Map<number, string>> {
  const types = new Map<number, string>();
  for (const captures of (await reader.read(spec.name, source.text, IMPLS)).matches) {
    const whole = captures.find(({ name }) => name === "impl");
    const type = captures.find(({ name }) => name === "type");
    if (whole !== undefined && type !== undefined)
      types.set(whole.start, bareType(source.text.slice(type.start, type.end)));
  }
  return types;
}

/** What the block goes behind: all of the type's blocks in the module of the anchor, which may stand in one of them. */
export async function placeOfImpl(
  reader: SyntaxReader,
  unit: SourceUnit,
  anchor: Declaration,
  block: ImplBlock,
): Promise<Declaration> {
  const declarations = unit.located.map(({ declaration }) => declaration);
  const around = ownerOf(unit, anchor) ?? anchor;
  const module = declarations.findLast((one) => one.kind === "mod" && isMember(around, one));
  const types = await implTypes(reader, unit);
  const last = declarations.findLast(
    (one) =>
      one.kind === "impl" &&
      one.owner === around.owner &&
      types.get(one.node.start) === block.type &&
      (module === undefined || isMember(one, module)),
  );
  return last !== undefined && last.core.start > around.core.start ? last : around;
}

/** The `impl` or trait that a declaration is a member of; undefined of others. */
export const ownerOf = ({ located }: SourceUnit, inner: Declaration): Declaration | undefined =>
  located
    .map(({ declaration }) => declaration)
    .find((one) => (one.kind === "impl" || one.kind === "trait") && isMember(inner, one));

const qualified = (unit: SourceUnit, anchor: Declaration, block: ImplBlock): string => {
  const { owner } = ownerOf(unit, anchor) ?? anchor;
  return owner === null ? block.name : `${owner}.${block.name}`;
};

/** Names that nothing else of the call may create: the block of a trait, members of a type's own. */
export function claimsOf(unit: SourceUnit, anchor: Declaration, block: ImplBlock): string[] {
  const name = qualified(unit, anchor, block);
  return block.ofTrait ? [name] : block.members.map((member) => `${name}.${member}`);
}

/** There is no such block of the trait, and none of the members in a block of exactly this type. */
export function assertImplFree(
  unit: SourceUnit,
  anchor: Declaration,
  block: ImplBlock,
  { operation }: Creation,
  isGoing: (located: Located) => boolean,
): void {
  const name = qualified(unit, anchor, block);
  const alike = unit.located.filter(
    (one) => one.declaration.kind === "impl" && one.declaration.qualifiedName === name && !isGoing(one),
  );
  const taken = block.ofTrait
    ? alike[0]
    : unit.located.find(
        (one) =>
          block.members.includes(one.declaration.name) &&
          !isGoing(one) &&
          alike.some((other) => isMember(one.declaration, other.declaration)),
      );
  if (taken === undefined) return;
  const { kind, qualifiedName, path, startLine } = taken.entity;
  throw refused(
    "name_taken",
    operation,
    `${qualifiedName} already names ${kind === "impl" ? "an impl" : `a ${kind}`} in ${path}, line ${startLine}.`,
    block.ofTrait
      ? "Create its methods in that block: anchor them at it, each with a body of its own."
      : "Leave it out, choose another name, or update that entity.",
  );
}

/** Beside a struct a method would be a function. */
export function assertInBlock(unit: SourceUnit, anchor: Declaration, creation: Creation): void {
  if (unit.spec.name !== "rust" || creation.kind !== "method") return;
  if (ownerOf(unit, anchor) !== undefined) return;
  const dot = creation.name.lastIndexOf(".");
  const type = dot > 0 ? creation.name.slice(0, dot) : "P";
  throw refused(
    "placement_refused",
    creation.operation,
    `A Rust method stands in an impl or trait; behind ${anchor.kind} ${anchor.qualifiedName} it would be a function.`,
    `Anchor it at an impl or trait or at a method of one; or send a whole block as the body: impl ${type} { ... }.`,
  );
}
