/**
 * A declaration as the syntax shows it, before it has an identity. Positions are UTF-16 units, end exclusive.
 */
import type { SyntaxFault } from "./syntax.ts";

export interface Span {
  start: number;
  end: number;
}

export interface Declaration {
  /** The language's own word: function, method, class, struct, impl, const, ... */
  kind: string;
  name: string;
  /** `Owner.Member`; the name alone at the top of a file. */
  qualifiedName: string;
  /** 1-based place among declarations of the same kind and qualified name in the file. */
  ordinal: number;
  signature: string;
  /** Doc comment, attributes, decorators, modifiers and the declaration: what a reader gets and an edit replaces. */
  span: Span;
  /** The declaration without what stands above it. */
  core: Span;
  /** The declaring node alone: without `export`, decorators, or the keyword of a Go spec. */
  node: Span;
  /** The whole statement it stands in: a Go group, a list of declarators; else `span`. */
  statement: Span;
  /** Whether it is one of several in one statement (a spec in a Go group, a declarator in a list). */
  grouped: boolean;
  /** Qualified name of the declaration around it, or null at the top. */
  owner: string | null;
}

export interface Outline {
  declarations: Declaration[];
  /** Comments, attributes and decorators in the order of the text. */
  trivia: Span[];
  /** Import statements at the top of the file. */
  imports: Span[];
  /** Statements that stay above imports: docstring, directives, inner attributes. */
  prologue: Span[];
  /** Expressions that the grammar makes of what are two statements in the language (JavaScript, after an arrow function). */
  misread: Span[];
  /** Name in Go's package clause, with its place; null in other languages. */
  packageName: (Span & { name: string }) | null;
  faults: SyntaxFault[];
  faultsComplete: boolean;
}

/** Whether `inner` lies in `outer`, the same span included. */
export const within = (inner: Span, outer: Span): boolean =>
  inner.start >= outer.start && inner.end <= outer.end;
