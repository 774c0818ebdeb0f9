/**
 * Grammars for workerd: the bundler turns each `.wasm` import into a compiled module. Node cannot load this file.
 * (`tree-sitter-c` is a package of its own: the collection of the others has no C.)
 */

import csharp from "@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm";
import cpp from "@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm";
import go from "@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm";
import java from "@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm";
import javascript from "@vscode/tree-sitter-wasm/wasm/tree-sitter-javascript.wasm";
import php from "@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm";
import python from "@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm";
import ruby from "@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm";
import rust from "@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm";
import tsx from "@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm";
import typescript from "@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm";
import c from "tree-sitter-c/tree-sitter-c.wasm";
import runtime from "web-tree-sitter/web-tree-sitter.wasm";
import type { LanguageName } from "../core/entity/language/spec.ts";
import type { GrammarSource } from "./syntax-reader.ts";

const GRAMMARS: Record<LanguageName, WebAssembly.Module> = {
  go,
  python,
  typescript,
  tsx,
  javascript,
  rust,
  java,
  c,
  cpp,
  csharp,
  ruby,
  php,
};

export const bundledGrammars: GrammarSource = {
  runtime: () => runtime,
  grammar: (language) => GRAMMARS[language],
};
