/**
 * Adapter around web-tree-sitter: text in, plain captured spans out. One Parser and one Query per language and query
 * text, made at first use and kept for the isolate. Guards (measured on real trees and on hostile files): size,
 * memory growth, progress callbacks per character, error nodes. A refused file leaves the runtime usable.
 * It never asks a node for its previous sibling (linear each) and always frees the tree.
 */
import { Language, type Node, Parser, Query, type Tree } from "web-tree-sitter";
import type { LanguageName } from "../core/entity/language/spec.ts";
import { sourceRefused } from "../core/entity/source-refused.ts";
import type { Capture, ShapeWish, SyntaxReader, SyntaxReading } from "../core/entity/syntax.ts";
import { readFaults } from "./faults.ts";
import { bootRuntime, memoryBytes } from "./runtime.ts";
import { readShape } from "./shape.ts";

/** Compiled modules: imported `.wasm` in workerd, compiled from files in Node. Asked for once per language. */
export interface GrammarSource {
  runtime(): WebAssembly.Module | Promise<WebAssembly.Module>;
  grammar(language: LanguageName): WebAssembly.Module | Promise<WebAssembly.Module>;
}

/** Text longer than this (UTF-16 units) is not parsed. */
export const TEXT_UNITS = 512 * 1024;
/** Memory growth beyond this many bytes ends a parse. */
const MEMORY_BYTES = 64 * 1024 * 1024;
/** Real code takes about one callback per 150 characters, a bomb one per 10. */
const CHARACTERS_PER_CALLBACK = 15;
const WARM_UP_CALLBACKS = 1_000;

/** The runtime's input buffer holds this many UTF-16 units. */
const CHUNK_UNITS = 5_119;
/**
 * How many chunks may be read: ordinary code takes up to 35 for each of its own, a run of 1,000 comment lines in Python
 * (read to its end from each line) 5,000, an unclosed raw string in Rust (read to the end from each mark) without end.
 */
const READS = 5_000;
const READS_PER_CHUNK = 40;

/** Progress callbacks of a query: real code takes up to 0.016 for each unit. */
const QUERY_CALLBACKS = 4_000;
const QUERY_CALLBACKS_PER_UNIT = 0.1;
/** Matches in progress at once; the grammar's own ceiling is 65,536. */
const QUERY_IN_PROGRESS = 65_536;

interface Loaded {
  language: Language;
  parser: Parser;
  queries: Map<string, Query>;
}

export function createSyntaxReader(source: GrammarSource): SyntaxReader {
  const loaded = new Map<LanguageName, Promise<Loaded>>();

  const load = async (name: LanguageName): Promise<Loaded> => {
    await bootRuntime(await source.runtime());
    const language = Language.loadSync(await source.grammar(name));
    return { language, parser: new Parser().setLanguage(language), queries: new Map() };
  };

  return {
    async read(name, text, queryText, wish) {
      if (text.length > TEXT_UNITS) throw sourceRefused("too_large");
      let pending = loaded.get(name);
      if (pending === undefined) {
        pending = load(name);
        loaded.set(name, pending);
        // A failed load is asked for again by the next call.
        pending.catch(() => loaded.delete(name));
      }
      const engine = await pending;
      let query = engine.queries.get(queryText);
      if (query === undefined) {
        query = new Query(engine.language, queryText);
        engine.queries.set(queryText, query);
      }
      return readTree(engine.parser, query, text, wish);
    },
  };
}

function readTree(parser: Parser, query: Query, text: string, wish?: ShapeWish): SyntaxReading {
  const tree = parse(parser, text);
  try {
    const { faults, complete } = readFaults(tree.rootNode);
    const matches = runQuery(query, tree.rootNode, text);
    const shape = wish === undefined ? null : readShape(tree, wish.around(matches), wish.limit);
    return { matches, faults, faultsComplete: complete, shape };
  } finally {
    tree.delete();
  }
}

function parse(parser: Parser, text: string): Tree {
  const held = memoryBytes();
  const budget = 4_000 + text.length / 12;
  const readBudget = READS + (READS_PER_CHUNK * text.length) / CHUNK_UNITS;
  let callbacks = 0;
  let reads = 0;
  const read = (index: number): string => {
    reads += 1;
    // To a scanner that goes to the end of the text again and again, the text ends here.
    return reads > readBudget ? "" : text.slice(index, index + CHUNK_UNITS);
  };
  const tree = parser.parse(read, null, {
    progressCallback: ({ currentOffset }) => {
      callbacks += 1;
      if (callbacks > budget || reads > readBudget) return true;
      if (memoryBytes() > Math.max(held, MEMORY_BYTES)) return true;
      return callbacks > WARM_UP_CALLBACKS && currentOffset / 2 / callbacks < CHARACTERS_PER_CALLBACK;
    },
  });
  if (tree !== null && reads <= readBudget) return tree;
  tree?.delete();
  parser.reset();
  throw sourceRefused("parse_budget");
}

function runQuery(query: Query, root: Node, text: string): Capture[][] {
  const budget = QUERY_CALLBACKS + text.length * QUERY_CALLBACKS_PER_UNIT;
  let callbacks = 0;
  const matches = query.matches(root, {
    matchLimit: QUERY_IN_PROGRESS,
    progressCallback: () => {
      callbacks += 1;
      return callbacks > budget;
    },
  });
  if (callbacks > budget || query.didExceedMatchLimit()) throw sourceRefused("parse_budget");
  return matches.map((match) =>
    match.captures.map(({ name, node }) => ({
      name,
      type: node.type,
      start: node.startIndex,
      end: node.endIndex,
    })),
  );
}
