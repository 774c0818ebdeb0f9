/** JavaScript, TypeScript and TSX: one query in parts, because their grammars share their node names. */
import type { LanguageSpec } from "./spec.ts";

const FUNCTION_VALUE = "[(arrow_function) (function_expression) (generator_function)]";

const BOUND_NAMES = ["name: (identifier) @name", "name: [(object_pattern) (array_pattern)] @pattern"];

/** At every depth; defaults and computed keys hold names that are their own business. */
const PATTERN_NAMES = `
(object_pattern (shorthand_property_identifier_pattern) @bound)
(object_assignment_pattern left: (shorthand_property_identifier_pattern) @bound)
(pair_pattern value: (identifier) @bound)
(array_pattern (identifier) @bound)
(rest_pattern (identifier) @bound)
(assignment_pattern left: (identifier) @bound)
(object_assignment_pattern right: (_) @unbound)
(assignment_pattern right: (_) @unbound)
(computed_property_name) @unbound`;

/** Bindings are entities at the top of a file or namespace only: below a function they are its own business. */
const bindings = (places: readonly string[]): string =>
  places
    .flatMap((place) => [
      ...["const", "let"].flatMap((word) =>
        BOUND_NAMES.map(
          (name) =>
            `(${place} (lexical_declaration kind: "${word}" (variable_declarator ${name}) @d.${word}))`,
        ),
      ),
      `(${place} (variable_declaration (variable_declarator name: (identifier) @name) @d.var))`,
      `(${place} [(lexical_declaration) (variable_declaration)] @wrap)`,
      `(${place} [(lexical_declaration ",") (variable_declaration ",")] @group)`,
    ])
    .map((pattern) => (pattern.includes("statement_block") ? `${pattern})` : pattern))
    .join("\n");

/** Bodies of functions without a name of their own, and blocks: what they declare nobody outside can name. */
const SCOPES = `
[(arrow_function (statement_block) @scope) (function_expression (statement_block) @scope)]
[(generator_function (statement_block) @scope) (method_definition (statement_block) @scope)]
(class_static_block (statement_block) @scope)
[(if_statement (statement_block) @scope) (else_clause (statement_block) @scope)]
[(for_statement (statement_block) @scope) (for_in_statement (statement_block) @scope)]
[(while_statement (statement_block) @scope) (do_statement (statement_block) @scope)]
[(try_statement (statement_block) @scope) (catch_clause (statement_block) @scope)]
[(finally_clause (statement_block) @scope) (labeled_statement (statement_block) @scope)]
[(program (statement_block) @scope) (with_statement (statement_block) @scope) (switch_body) @scope]`;

const COMMON = `${SCOPES}
(function_declaration name: (_) @name body: (_) @body) @d.function
(generator_function_declaration name: (_) @name body: (_) @body) @d.function
(class_declaration name: (_) @name body: (_) @body) @d.class
(class_body (method_definition name: (_) @name body: (_) @body) @d.method)
(export_statement "default" @name value: (function_expression body: (_) @body) @d.function)
(export_statement "default" @name value: (arrow_function body: (_) @body) @d.function)
(export_statement "default" @name value: (class body: (_) @body) @d.class)
(export_statement "default" @name value: [(object) (call_expression) (identifier) (array) (string) (number) (new_expression)] @d.default)
${bindings(["program", "export_statement"])}
${PATTERN_NAMES}
(export_statement) @wrap
(program (import_statement) @import)
(program (expression_statement (string)) @prologue)
[(comment) (decorator) (hash_bang_line)] @trivia
(call_expression function: (arrow_function)) @misread
(subscript_expression object: (arrow_function)) @misread
(member_expression object: (arrow_function)) @misread
(binary_expression left: (arrow_function)) @misread
(ternary_expression condition: (arrow_function)) @misread`;

const TYPED = `
(function_signature name: (_) @name) @d.function
(abstract_class_declaration name: (_) @name body: (_) @body) @d.class
(class_body (method_signature name: (_) @name) @d.method)
(class_body (abstract_method_signature name: (_) @name) @d.method)
(class_body (public_field_definition name: (_) @name value: ${FUNCTION_VALUE}) @d.method)
(class_body (public_field_definition name: (_) @name) @d.field.weak)
(interface_declaration name: (_) @name body: (_) @body) @d.interface
(type_alias_declaration name: (_) @name) @d.type
(enum_declaration name: (_) @name body: (_) @body) @d.enum
(internal_module name: (_) @name body: (_) @body) @d.namespace
(module name: (_) @name body: (_)? @body) @d.module
(expression_statement (internal_module)) @wrap
(ambient_declaration (declaration)) @wrap
${bindings(["ambient_declaration", "internal_module (statement_block"])}`;

const UNTYPED = `
(class_body (field_definition property: (_) @name value: ${FUNCTION_VALUE}) @d.method)
(class_body (field_definition property: (_) @name) @d.field.weak)`;

/** Comments about the file: directives of TypeScript, JSX and ESLint, and notices of rights. */
const ABOUT_FILE = [
  "///[ \\t]*<",
  "/[/*]+!?[\\s*]*@(?:ts-(?:no)?check|jsx\\w*|file|fileoverview|flow|jest-environment|license|packageDocumentation|preserve)\\b",
  "/\\*\\s*(?:eslint-(?:env|disable|enable)(?!-)|globals?|exported)\\s",
  "/[/*]+!?[\\s*]*(?:Copyright|\\(c\\)|©|SPDX-|Licensed under)",
  "/\\*(?:(?!\\*/)[^])*@license\\b",
];

const shared = {
  editing: "full",
  containers: ["class", "interface", "enum"],
  namespaces: ["namespace", "module"],
  callables: ["function", "method", "const", "let", "var", "field", "default"],
  semicolons: true,
  blankLines: 1,
  detached: new RegExp(`^(?:${ABOUT_FILE.join("|")})`),
  binds: /^@/,
  literals: "(template_string) @literal",
} as const;

export const javascript: LanguageSpec = {
  ...shared,
  name: "javascript",
  title: "JavaScript",
  extensions: ["js", "mjs", "cjs", "jsx"],
  query: COMMON + UNTYPED,
};

export const typescript: LanguageSpec = {
  ...shared,
  name: "typescript",
  title: "TypeScript",
  extensions: ["ts", "mts", "cts"],
  query: COMMON + TYPED,
};

export const tsx: LanguageSpec = { ...typescript, name: "tsx", title: "TSX", extensions: ["tsx"] };
