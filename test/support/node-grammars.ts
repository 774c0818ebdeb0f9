/**
 * Grammars for tests in Node: compiled from the packages in node_modules. Reads files, nothing else.
 * workerd takes `src/parsing/bundled-grammars.ts` instead, where the same files are imported as modules.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { LanguageName } from "../../src/core/entity/language/spec.ts";
import type { GrammarSource } from "../../src/parsing/syntax-reader.ts";

const FILES: Record<LanguageName, string> = {
  go: "@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm",
  python: "@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm",
  typescript: "@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm",
  tsx: "@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm",
  javascript: "@vscode/tree-sitter-wasm/wasm/tree-sitter-javascript.wasm",
  rust: "@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm",
  java: "@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm",
  c: "tree-sitter-c/tree-sitter-c.wasm",
  cpp: "@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm",
  csharp: "@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm",
  ruby: "@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm",
  php: "@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm",
};

const { resolve } = createRequire(import.meta.url);

async function compile(file: string): Promise<WebAssembly.Module> {
  // The types of workerd, which this project is checked with, forbid to construct a module: Node allows it.
  const Compiled = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
  return new Compiled(await readFile(resolve(file)));
}

export const nodeGrammars: GrammarSource = {
  runtime: () => compile("web-tree-sitter/web-tree-sitter.wasm"),
  grammar: (language) => compile(FILES[language]),
};
