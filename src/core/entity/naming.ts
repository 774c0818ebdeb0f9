/** Names of declarations: as written, without quotes; owners as `Type`, `Outer.Inner`, `<Type as Trait>` (Rust). */
import type { Definition } from "./outline.ts";

const collapse = (text: string): string => text.replace(/\s+/g, " ").trim();
const withoutArguments = (type: string): string => type.replace(/<[\s\S]*$/, "").trim();

/** Every name the node declares, in the order of the text. */
export function names(node: Definition, text: string): string[] {
  if (node.kind === "impl") return [implName(node, text)];
  return node.names.map((name) => unquoted(collapse(text.slice(name.start, name.end))));
}

const unquoted = (name: string): string => name.replace(/^(["'])([\s\S]*)\1$/, "$2");

function implName(node: Definition, text: string): string {
  const type = node.owner === undefined ? "" : collapse(text.slice(node.owner.start, node.owner.end));
  return node.trait === undefined
    ? type
    : `${collapse(text.slice(node.trait.start, node.trait.end))} for ${type}`;
}

/** What the qualified name of the node starts with: what is around it, or the receiver's type (Go). */
export function ownerOf(node: Definition, text: string, around: string): string {
  if (node.owner === undefined || node.kind === "impl") return around;
  return receiverType(text.slice(node.owner.start, node.owner.end)) ?? around;
}

/** What the qualified names of the node's members start with. */
export function memberQualifier(node: Definition, text: string, owner: string): string {
  const own = node.kind === "impl" ? implementor(node, text) : (names(node, text)[0] ?? "");
  return owner === "" ? own : `${owner}.${own}`;
}

function implementor(node: Definition, text: string): string {
  if (node.owner === undefined) return "";
  const type = withoutArguments(collapse(text.slice(node.owner.start, node.owner.end)));
  return node.trait === undefined
    ? type
    : `<${type} as ${collapse(text.slice(node.trait.start, node.trait.end))}>`;
}

/** The type of a Go receiver list: `(s *Store[K, V])` gives `Store`. */
function receiverType(list: string): string | null {
  return /([\p{L}_][\p{L}\p{Nd}_]*)\s*(?:\[[^\]]*\])?\s*\)*\s*,?\s*\)$/u.exec(list)?.[1] ?? null;
}
