/**
 * What the entity core needs of a parser: plain captured spans, never a live tree. `src/parsing` implements it.
 * All positions are UTF-16 units of the text handed in, 0-based, end exclusive.
 */
import type { Span } from "./declaration.ts";
import type { LanguageName } from "./language/spec.ts";

/** One node that a query captured. */
export interface Capture {
  /** Capture name without `@`, e.g. `d.function`, `name`. */
  name: string;
  /** Node type of the grammar, e.g. `function_declaration`. */
  type: string;
  start: number;
  end: number;
}

/** A place the grammar cannot read. `missing`: a token it expected there (zero width); `error`: text it skipped. */
export interface SyntaxFault {
  kind: "error" | "missing";
  /** The missing token's type, or `ERROR`. */
  type: string;
  start: number;
  end: number;
}

/** A node of the tree, named or not (`(`), in the order of the text, owners before what they hold. */
export interface ShapeNode {
  /** Node type of the grammar. */
  type: string;
  /** 0 for what the file holds directly. */
  depth: number;
  start: number;
  end: number;
  /** How many nodes it holds, at every depth. */
  descendants: number;
  /** Whether the nodes that it holds directly are listed behind it. */
  open: boolean;
}

/** Which part of the tree is to be listed. */
export interface ShapeWish {
  /** A node is opened when one of these overlaps it; an empty one, when it lies inside. Told once the captures are there. */
  around(matches: readonly Capture[][]): Span[];
  /** Nodes at most: the shape of a file that would list more is null. */
  limit: number;
}

export interface SyntaxReading {
  /** Captures of each match, in the order of the text. */
  matches: Capture[][];
  /** Outermost faults in the order of the text. */
  faults: SyntaxFault[];
  /** False when the file has more faults than are listed; such a file can be read but not edited. */
  faultsComplete: boolean;
  /** The tree around what was wished; null when nothing was, or when it holds more nodes than its limit. */
  shape: ShapeNode[] | null;
}

export interface SyntaxReader {
  /**
   * Parses `text` and runs `query` (tree-sitter's query language) over it. Work and memory are bounded.
   * Throws `source_refused` with `data.reason` `parse_budget`, `too_many_errors` or `too_large`.
   */
  read(language: LanguageName, text: string, query: string, wish?: ShapeWish): Promise<SyntaxReading>;
}
