/**
 * Proof that an edit of a Go constant changes no other one. In a `const ( ... )` group a spec without a value repeats type
 * and value of the one above, and `iota` counts specs: what is written at one constant decides the value of others.
 * Compared is what each stands for before and after, so comments, layout and unrelated values may change.
 * Specification: The Go Programming Language Specification, "Constant declarations" and "Iota".
 */
import type { Span } from "../declaration.ts";
import type { SourceUnit } from "../entity.ts";
import type { Capture, SyntaxReader } from "../syntax.ts";
import type { Step } from "./footprint.ts";
import { refused } from "./outcome.ts";

const QUERY = `
(source_file (const_declaration) @group)
(source_file (const_declaration (const_spec) @spec))
(source_file (const_declaration (const_spec (identifier) @name)))
(source_file (const_declaration (const_spec type: (_) @type)))
(source_file (const_declaration (const_spec value: (expression_list) @value)))
(source_file (const_declaration (const_spec value: (expression_list (_) @expression))))
(iota) @iota
[(interpreted_string_literal) (raw_string_literal) (rune_literal)] @literal
(comment) @comment`;

interface Constant {
  at: number;
  /** Type and values as its spec has them; empty where it has none. */
  written: string;
  /** Type and value that it has, with its place in the group where that counts. */
  meaning: string;
}

/** Throws `footprint_exceeded` for a constant that is written as before and would stand for something else. */
export async function assertConstantsKept(
  reader: SyntaxReader,
  before: SourceUnit,
  after: SourceUnit,
  steps: readonly Step[],
): Promise<void> {
  const inGroup = before.located.some(
    ({ declaration: { kind, grouped, statement } }) =>
      kind === "const" &&
      grouped &&
      steps.some(({ start, end }) => start < statement.end && end > statement.start),
  );
  if (before.spec.name !== "go" || !inGroup) return;
  const now = await constants(reader, after);
  for (const [name, { at, written, meaning }] of await constants(reader, before)) {
    const found = now.get(name);
    if (found === undefined || found.written !== written || found.meaning === meaning) continue;
    const cause = steps.filter(({ start }) => start <= at).sort((a, b) => b.start - a.start)[0] ?? steps[0];
    throw refused(
      "footprint_exceeded",
      cause?.operation ?? null,
      `The edit would change const ${name}, which it does not address: it repeats the value above it, or takes it from its place in the group.`,
      `Give ${name} a value of its own first, or update it in the same call.`,
    );
  }
}

/** By name; of `_` there is no value to be asked for. */
async function constants(reader: SyntaxReader, unit: SourceUnit): Promise<Map<string, Constant>> {
  const { text } = unit.source;
  const captures = (await reader.read("go", text, QUERY)).matches.flat();
  const of = (name: string): Capture[] =>
    captures.filter((capture) => capture.name === name).sort((a, b) => a.start - b.start);
  const [specs, names, types, values, counts] = [of("spec"), of("name"), of("type"), of("value"), of("iota")];
  const expressions = of("expression").filter(({ type }) => type !== "comment");
  const tokens = tokensOf(text, of("literal"), of("comment"));
  const found = new Map<string, Constant>();
  for (const group of of("group")) {
    let repeated: { type: string; list: Value[] } = { type: "", list: [] };
    for (const [place, spec] of inside(specs, group).entries()) {
      const own = inside(values, spec)[0];
      const type = inside(types, spec)[0];
      if (own !== undefined) {
        const list = inside(expressions, own).map(
          (span): Value => ({ tokens: tokens(span), counted: inside(counts, span).length > 0 }),
        );
        repeated = { type: type === undefined ? "" : tokens(type), list };
      }
      const written = own === undefined ? "" : `${repeated.type}\0${tokens(own)}`;
      for (const [index, { start, end }] of inside(names, spec).entries()) {
        const word = text.slice(start, end);
        if (word === "_") continue;
        const value = repeated.list[index];
        const meaning = `${repeated.type}\0${value?.tokens ?? ""}\0${value?.counted ? place : ""}`;
        found.set(word, { at: spec.start, written, meaning });
      }
    }
  }
  return found;
}

interface Value {
  tokens: string;
  /** It holds `iota`. */
  counted: boolean;
}

/** Of sorted spans those in another one. */
function inside<S extends Span>(spans: readonly S[], around: Span): S[] {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as S).start < around.start) low = middle + 1;
    else high = middle;
  }
  const found: S[] = [];
  for (let at = low; at < spans.length && (spans[at] as S).start < around.end; at++)
    found.push(spans[at] as S);
  return found;
}

/** The text of a span without comments and without blanks that part nothing; literals as they are. */
function tokensOf(text: string, literals: readonly Span[], comments: readonly Span[]) {
  const code = (start: number, end: number): string =>
    text
      .slice(start, end)
      .replace(/\s+/g, " ")
      .replace(/ ?([^\p{L}\p{Nd}_ ]) ?/gu, "$1");
  return (span: Span): string => {
    const kept = new Set(inside(literals, span));
    const others = [...kept, ...inside(comments, span)].sort((a, b) => a.start - b.start);
    let read = span.start;
    let made = "";
    for (const other of others) {
      made += code(read, other.start).trim();
      made += kept.has(other) ? text.slice(other.start, other.end) : " ";
      read = other.end;
    }
    return (made + code(read, span.end)).trim();
  };
}
