/** Java: types, methods, constructors and fields; annotations and modifiers are part of each declaration. */
import type { LanguageSpec } from "./spec.ts";

export const java: LanguageSpec = {
  name: "java",
  title: "Java",
  extensions: ["java"],
  editing: "body",
  containers: ["class", "interface", "enum", "record", "annotation"],
  namespaces: [],
  callables: ["method", "constructor", "field"],
  semicolons: false,
  blankLines: 1,
  literals: "(string_literal) @literal",
  query: `
(class_declaration name: (_) @name body: (_) @body) @d.class
(interface_declaration name: (_) @name body: (_) @body) @d.interface
(enum_declaration name: (_) @name body: (_) @body) @d.enum
(record_declaration name: (_) @name body: (_) @body) @d.record
(annotation_type_declaration name: (_) @name body: (_) @body) @d.annotation
(method_declaration name: (_) @name body: (_)? @body) @d.method
(annotation_type_element_declaration name: (_) @name) @d.method
(constructor_declaration name: (_) @name body: (_) @body) @d.constructor
(compact_constructor_declaration name: (_) @name body: (_) @body) @d.constructor
(field_declaration declarator: (variable_declarator name: (_) @name)) @d.field
[(static_initializer (block) @scope) (class_body (block) @scope)]
(program (import_declaration) @import)
[(line_comment) (block_comment)] @trivia`,
};
