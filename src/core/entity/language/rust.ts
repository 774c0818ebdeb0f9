/** Rust: items, and the functions of `impl` and `trait` blocks as methods; an `impl` block is an entity too. */
import type { LanguageSpec } from "./spec.ts";

export const rust: LanguageSpec = {
  name: "rust",
  title: "Rust",
  extensions: ["rs"],
  editing: "full",
  containers: ["struct", "enum", "union", "trait", "impl"],
  namespaces: ["mod"],
  callables: ["function", "method", "macro", "const", "static"],
  memberFunction: "method",
  semicolons: false,
  blankLines: 1,
  detached: /^(\/\/!|\/\*!)/,
  // Attributes and outer doc comments, which are attributes too.
  binds: /^(#\[|\/\/\/(?!\/)|\/\*\*(?![*/]))/,
  literals: "[(string_literal) (raw_string_literal)] @literal",
  query: `
(function_item name: (_) @name body: (_) @body) @d.function
(function_signature_item name: (_) @name) @d.function
(struct_item name: (_) @name body: (_)? @body) @d.struct
(enum_item name: (_) @name body: (_) @body) @d.enum
(union_item name: (_) @name body: (_) @body) @d.union
(trait_item name: (_) @name body: (_) @body) @d.trait
(impl_item trait: (_)? @trait type: (_) @owner body: (_)? @body) @d.impl
(mod_item name: (_) @name body: (_)? @body) @d.mod
(const_item name: (_) @name) @d.const
(static_item name: (_) @name) @d.static
(type_item name: (_) @name) @d.type
(associated_type name: (_) @name) @d.type
(macro_definition name: (_) @name) @d.macro
(source_file (use_declaration) @import)
(source_file [(inner_attribute_item) (extern_crate_declaration)] @prologue)
[(line_comment) (block_comment) (attribute_item)] @trivia`,
};
