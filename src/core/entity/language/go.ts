/** Go: specs of `type`, `const`, `var`; in a group each spec is an entity by itself. */
import type { LanguageSpec } from "./spec.ts";

export const go: LanguageSpec = {
  name: "go",
  title: "Go",
  extensions: ["go"],
  editing: "full",
  containers: ["struct", "interface"],
  namespaces: [],
  callables: ["function", "method", "const", "var"],
  semicolons: false,
  blankLines: 1,
  detached: /^\/\/(go:build|\s*\+build)\b/,
  // Directives of the compiler (cmd/compile, "Compiler Directives") but those of a file or of no declaration.
  binds: /^\/\/go:(?!build\b|generate\b|linkname\b|debug\b|cgo_)/,
  literals: "(raw_string_literal) @literal",
  query: `
(function_declaration name: (identifier) @name body: (_)? @body) @d.function
(method_declaration receiver: (parameter_list) @owner name: (field_identifier) @name body: (_)? @body) @d.method
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @d.struct
(type_spec name: (type_identifier) @name type: (interface_type)) @d.interface
(type_spec name: (type_identifier) @name type: (_)) @d.type.weak
(type_alias name: (type_identifier) @name) @d.type
(source_file (const_declaration (const_spec (identifier) @name) @d.const))
(source_file (var_declaration (var_spec name: (identifier) @name) @d.var))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @d.var)))
(source_file (type_declaration) @wrap)
(source_file (const_declaration) @wrap)
(source_file (var_declaration) @wrap)
(type_declaration "(") @group
(const_declaration "(") @group
(var_declaration (var_spec_list)) @group
(source_file (import_declaration) @import)
(source_file (package_clause (package_identifier) @package))
(comment) @trivia`,
};
