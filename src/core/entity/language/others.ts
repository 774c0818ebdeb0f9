/** Languages that are read only: C, C++, C#, Ruby, PHP. */
import type { LanguageSpec } from "./spec.ts";

const C_FUNCTION = (name: string) =>
  [
    `(function_declarator declarator: ${name} @name)`,
    `(pointer_declarator declarator: (function_declarator declarator: ${name} @name))`,
    `(pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: ${name} @name)))`,
  ]
    .map((declarator) => `(function_definition declarator: ${declarator} body: (_) @body) @d.function`)
    .join("\n");

export const c: LanguageSpec = {
  name: "c",
  title: "C",
  extensions: ["c", "h"],
  editing: "none",
  containers: ["struct", "union", "enum"],
  namespaces: [],
  callables: ["function"],
  semicolons: true,
  blankLines: 1,
  query: `
${C_FUNCTION("(identifier)")}
(struct_specifier name: (_) @name body: (_) @body) @d.struct
(union_specifier name: (_) @name body: (_) @body) @d.union
(enum_specifier name: (_) @name body: (_) @body) @d.enum
(type_definition declarator: (type_identifier) @name) @d.type
(preproc_function_def name: (_) @name) @d.macro
(preproc_def name: (_) @name) @d.macro
(comment) @trivia`,
};

export const cpp: LanguageSpec = {
  name: "cpp",
  title: "C++",
  extensions: ["cc", "cpp", "cxx", "hpp", "hh", "hxx"],
  editing: "none",
  containers: ["class", "struct", "union", "enum"],
  namespaces: ["namespace"],
  callables: ["function", "method"],
  memberFunction: "method",
  semicolons: true,
  blankLines: 1,
  query: `
${C_FUNCTION("(_)")}
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @name)) body: (_) @body) @d.function
(class_specifier name: (_) @name body: (_) @body) @d.class
(struct_specifier name: (_) @name body: (_) @body) @d.struct
(union_specifier name: (_) @name body: (_) @body) @d.union
(enum_specifier name: (_) @name body: (_) @body) @d.enum
(namespace_definition name: (_) @name body: (_) @body) @d.namespace
(alias_declaration name: (_) @name) @d.type
(type_definition declarator: (type_identifier) @name) @d.type
(preproc_function_def name: (_) @name) @d.macro
(preproc_def name: (_) @name) @d.macro
[(function_definition body: (compound_statement) @scope) (lambda_expression body: (_) @scope)]
(template_declaration) @wrap
(comment) @trivia`,
};

export const csharp: LanguageSpec = {
  name: "csharp",
  title: "C#",
  extensions: ["cs"],
  editing: "none",
  containers: ["class", "interface", "struct", "record", "enum"],
  namespaces: ["namespace"],
  callables: ["method", "constructor", "property"],
  semicolons: false,
  blankLines: 1,
  query: `
(class_declaration name: (_) @name body: (_)? @body) @d.class
(interface_declaration name: (_) @name body: (_)? @body) @d.interface
(struct_declaration name: (_) @name body: (_)? @body) @d.struct
(record_declaration name: (_) @name body: (_)? @body) @d.record
(enum_declaration name: (_) @name body: (_)? @body) @d.enum
(delegate_declaration name: (_) @name) @d.delegate
(method_declaration name: (_) @name body: (_)? @body) @d.method
(constructor_declaration name: (_) @name body: (_)? @body) @d.constructor
(property_declaration name: (_) @name) @d.property
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @d.field
(namespace_declaration name: (_) @name body: (_) @body) @d.namespace
(comment) @trivia`,
};

export const ruby: LanguageSpec = {
  name: "ruby",
  title: "Ruby",
  extensions: ["rb", "rake"],
  editing: "none",
  containers: ["class"],
  namespaces: ["module"],
  callables: ["def"],
  semicolons: false,
  blankLines: 1,
  detached: /^#(!|.*(coding|frozen_string_literal)\s*:)/,
  query: `
(method name: (_) @name body: (_)? @body) @d.def
(singleton_method name: (_) @name body: (_)? @body) @d.def
(class name: (_) @name body: (_)? @body) @d.class
(module name: (_) @name body: (_)? @body) @d.module
(comment) @trivia`,
};

export const php: LanguageSpec = {
  name: "php",
  title: "PHP",
  extensions: ["php"],
  editing: "none",
  containers: ["class", "interface", "trait", "enum"],
  namespaces: [],
  callables: ["function", "method"],
  semicolons: false,
  blankLines: 1,
  query: `
(function_definition name: (_) @name body: (_) @body) @d.function
(class_declaration name: (_) @name body: (_) @body) @d.class
(interface_declaration name: (_) @name body: (_) @body) @d.interface
(trait_declaration name: (_) @name body: (_) @body) @d.trait
(enum_declaration name: (_) @name body: (_) @body) @d.enum
(method_declaration name: (_) @name body: (_)? @body) @d.method
(const_element (name) @name) @d.const
(anonymous_function body: (_) @scope)
(comment) @trivia`,
};
