/**
 * From captured nodes to declarations: names, owners, ordinals, and spans with everything that belongs to them.
 * What is declared inside a function's body, its name or none, or inside what a language scopes alike, is local and no entity. A Go spec in a group is the spec alone.
 */
import { attachedStart } from "./attached.ts";
import type { Declaration, Outline, Span } from "./declaration.ts";
import type { LanguageSpec } from "./language/spec.ts";
import { withoutLateSemicolon } from "./late-semicolon.ts";
import { memberQualifier, names, ownerOf } from "./naming.ts";
import { signatureOf } from "./signature.ts";
import type { Capture, SyntaxReading } from "./syntax.ts";

/** A declaring node, with all names it declares (`var a, b int` declares two). */
export interface Definition extends Span {
  role: "definition";
  kind: string;
  weak: boolean;
  names: Capture[];
  /** Patterns whose names it declares as well. */
  patterns: Span[];
  owner: Capture | undefined;
  trait: Capture | undefined;
  body: Capture | undefined;
}

interface Wrap extends Span {
  role: "wrap";
  type: string;
  /** Holds several declarations. */
  group: boolean;
}

/** A body or block whose declarations nobody outside can name. */
interface Scope extends Span {
  role: "scope";
}

/** An open node around the one looked at. */
interface Frame {
  node: Definition | Wrap | Scope;
  qualifier: string;
  kind: string;
  /** The definition itself is no entity. */
  dropped: boolean;
}

const CAPTURED_KIND = /^d\.(\w+)(\.weak)?$/;
/** Kinds that may hold a class expression, whose members are entities all the same. */
const VALUE_KINDS = new Set(["const", "let", "var", "field", "default"]);

export function outline(spec: LanguageSpec, text: string, reading: SyntaxReading): Outline {
  const { definitions, wraps, scopes, trivia, imports, prologue, misread, packageName } = sortCaptures(
    reading,
    text,
  );
  const nodes: Frame["node"][] = [...wraps, ...definitions, ...scopes];
  nodes.sort((a, b) => a.start - b.start || b.end - a.end || (a.role === "wrap" ? -1 : 1));
  const declarations: Declaration[] = [];
  const ordinals = new Map<string, number>();
  const stack: Frame[] = [];
  for (const node of nodes) {
    while (stack.length > 0 && (stack.at(-1) as Frame).node.end <= node.start) stack.pop();
    if (node.role !== "definition") {
      stack.push({ node, qualifier: "", kind: "", dropped: node.role === "scope" });
      continue;
    }
    const around = stack.findLast((frame) => frame.node.role !== "wrap");
    const kind = kindOf(spec, node.kind, around);
    const dropped = isLocal(spec, kind, around);
    const owner = ownerOf(node, text, around?.qualifier ?? "");
    if (!dropped) {
      const place = placeOf(spec, text, trivia, node, wrapsAround(stack));
      for (const name of names(node, text)) {
        const qualifiedName = owner === "" ? name : `${owner}.${name}`;
        const key = `${kind}\0${qualifiedName}`;
        const ordinal = (ordinals.get(key) ?? 0) + 1;
        ordinals.set(key, ordinal);
        declarations.push({ kind, name, qualifiedName, ordinal, owner: owner || null, ...place });
      }
    }
    stack.push({ node, kind, dropped, qualifier: memberQualifier(node, text, owner) });
  }
  return {
    declarations,
    trivia,
    imports: imports.map((span) => ({ ...span, end: withoutLateSemicolon(spec, text, trivia, span) })),
    prologue,
    misread,
    packageName,
    faults: reading.faults,
    faultsComplete: reading.faultsComplete,
  };
}

function sortCaptures(reading: SyntaxReading, text: string) {
  const definitions = new Map<string, Definition>();
  const wraps = new Map<string, Wrap>();
  const scopes: Scope[] = [];
  const groups = new Set<string>();
  const trivia: Span[] = [];
  const imports: Span[] = [];
  const prologue: Span[] = [];
  const misread: Span[] = [];
  const bound: Capture[] = [];
  const unbound: Capture[] = [];
  let packageName: Outline["packageName"] = null;
  for (const match of reading.matches) {
    const by = (name: string) => match.find((capture) => capture.name === name);
    for (const capture of match) {
      const { start, end } = capture;
      const key = `${start}:${end}`;
      const kind = CAPTURED_KIND.exec(capture.name);
      if (kind !== null) {
        const names = match.filter((other) => other.name === "name");
        const patterns = match.filter((other) => other.name === "pattern");
        const weak = kind[2] !== undefined;
        const held = definitions.get(key);
        if (held !== undefined && held.weak === weak) {
          for (const name of names) {
            if (!held.names.some((other) => other.start === name.start)) held.names.push(name);
          }
          held.patterns.push(...patterns);
        } else if (held === undefined || held.weak) {
          definitions.set(key, {
            role: "definition",
            kind: kind[1] ?? "",
            weak,
            start,
            end,
            names,
            patterns,
            owner: by("owner"),
            trait: by("trait"),
            body: by("body"),
          });
        }
      } else if (capture.name === "bound") bound.push(capture);
      else if (capture.name === "unbound") unbound.push(capture);
      else if (capture.name === "wrap") {
        wraps.set(key, { role: "wrap", type: capture.type, start, end, group: false });
      } else if (capture.name === "group") groups.add(key);
      else if (capture.name === "scope") scopes.push({ role: "scope", start, end });
      else if (capture.name === "trivia") trivia.push({ start, end });
      else if (capture.name === "prologue") prologue.push({ start, end });
      else if (capture.name === "misread") misread.push({ start, end });
      else if (capture.name === "import") imports.push({ start, end });
      else if (capture.name === "package") packageName = { start, end, name: text.slice(start, end) };
    }
  }
  for (const key of groups) {
    const wrap = wraps.get(key);
    if (wrap !== undefined) wrap.group = true;
  }
  trivia.sort((a, b) => a.start - b.start);
  imports.sort((a, b) => a.start - b.start);
  prologue.sort((a, b) => a.start - b.start);
  bindPatterns([...definitions.values()], text, bound, unbound);
  return {
    // A pattern may bind nothing: `const {} = x`.
    definitions: [...definitions.values()].filter(
      ({ names, patterns }) => names.length > 0 || patterns.length === 0,
    ),
    wraps: [...wraps.values()],
    scopes,
    trivia,
    imports,
    prologue,
    misread,
    packageName,
  };
}

/** Gives the definitions the names that their patterns bind: each once, in the order of the text. */
function bindPatterns(
  definitions: readonly Definition[],
  text: string,
  bound: Capture[],
  unbound: Capture[],
): void {
  bound.sort((a, b) => a.start - b.start);
  unbound.sort((a, b) => a.start - b.start);
  const inside = (all: readonly Capture[], span: Span): Capture[] => {
    const found: Capture[] = [];
    for (let at = firstFrom(all, span.start); at < all.length; at++) {
      const capture = all[at] as Capture;
      if (capture.start >= span.end) break;
      found.push(capture);
    }
    return found;
  };
  for (const definition of definitions) {
    for (const pattern of definition.patterns) {
      const apart = inside(unbound, pattern);
      let read = 0;
      let end = 0;
      for (const name of inside(bound, pattern)) {
        for (; read < apart.length && (apart[read] as Capture).start <= name.start; read++) {
          end = Math.max(end, (apart[read] as Capture).end);
        }
        if (name.start >= end) definition.names.push(name);
      }
    }
    if (definition.patterns.length === 0) continue;
    definition.names.sort((a, b) => a.start - b.start);
    const once = new Map<string, Capture>();
    for (const name of definition.names) {
      const word = text.slice(name.start, name.end);
      if (!once.has(word)) once.set(word, name);
    }
    definition.names = [...once.values()];
  }
}

/** Index of the first capture that starts there or behind. */
function firstFrom(captures: readonly Capture[], start: number): number {
  let low = 0;
  let high = captures.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((captures[middle] as Capture).start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

function kindOf(spec: LanguageSpec, kind: string, around: Frame | undefined): string {
  const member = around !== undefined && spec.containers.includes(around.kind);
  return member && kind === "function" && spec.memberFunction !== undefined ? spec.memberFunction : kind;
}

function isLocal(spec: LanguageSpec, kind: string, around: Frame | undefined): boolean {
  if (around === undefined) return false;
  if (around.dropped) return true;
  if (!spec.callables.includes(around.kind)) return false;
  return !(VALUE_KINDS.has(around.kind) && (kind === "method" || kind === "field"));
}

/** The wraps directly around, innermost first. */
function wrapsAround(stack: readonly Frame[]): Wrap[] {
  const wraps: Wrap[] = [];
  for (let at = stack.length - 1; at >= 0; at--) {
    const node = stack[at]?.node;
    if (node?.role !== "wrap") break;
    wraps.push(node);
  }
  return wraps;
}

function placeOf(
  spec: LanguageSpec,
  text: string,
  trivia: readonly Span[],
  node: Definition,
  wraps: readonly Wrap[],
): Pick<Declaration, "span" | "core" | "node" | "statement" | "grouped" | "signature"> {
  const group = wraps.findIndex((wrap) => wrap.group);
  const own = group < 0 ? wraps : wraps.slice(0, group);
  const core: Span = { ...(own.at(-1) ?? node) };
  const closed = (end: number) => (spec.semicolons && text[end] === ";" ? end + 1 : end);
  if (group < 0) core.end = closed(Math.max(core.end, node.end));
  core.end = withoutLateSemicolon(spec, text, trivia, core);
  // Some grammars count the line end to the declaration.
  while (/[\r\n]/.test(text[core.end - 1] ?? "")) core.end -= 1;
  const span = { start: attachedStart(spec, text, trivia, core.start), end: core.end };
  const outermost = wraps.at(-1);
  const statement =
    group < 0 || outermost === undefined
      ? span
      : {
          start: outermost.start,
          end: withoutLateSemicolon(spec, text, trivia, { ...outermost, end: closed(outermost.end) }),
        };
  const plain = own.filter((wrap) => wrap.type !== "decorated_definition").at(-1) ?? node;
  return {
    span,
    core: { start: core.start, end: core.end },
    node: { start: node.start, end: node.end },
    statement,
    grouped: group >= 0,
    signature: signatureOf(text, { start: plain.start, end: core.end }, node.body?.start),
  };
}
