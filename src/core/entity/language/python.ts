/** Python: functions, classes, methods, module-level names and type aliases. Stub files are Python too. */
import type { LanguageSpec } from "./spec.ts";

export const python: LanguageSpec = {
  name: "python",
  title: "Python",
  extensions: ["py", "pyi"],
  editing: "full",
  containers: ["class"],
  namespaces: [],
  callables: ["function", "method"],
  memberFunction: "method",
  semicolons: false,
  blankLines: 2,
  detached: /^#(!|.*coding[:=]\s*[-\w.]+)/,
  literals: "(string) @literal",
  blocks: "(block) @block",
  query: `
(function_definition name: (identifier) @name body: (_) @body) @d.function
(class_definition name: (identifier) @name body: (_) @body) @d.class
(module (expression_statement (assignment left: (identifier) @name) @d.var))
(module (expression_statement (assignment left: [(pattern_list) (tuple_pattern) (list_pattern)] @pattern) @d.var))
(module (expression_statement (assignment right: (assignment) @pattern) @d.var))
(assignment right: (assignment left: (identifier) @bound))
(pattern_list (identifier) @bound)
(tuple_pattern (identifier) @bound)
(list_pattern (identifier) @bound)
(list_splat_pattern (identifier) @bound)
[(lambda) (for_in_clause)] @unbound
(module (type_alias_statement left: (type (identifier) @name)) @d.type)
(module (type_alias_statement left: (type (generic_type (identifier) @name))) @d.type)
(decorated_definition) @wrap
(module [(import_statement) (import_from_statement) (future_import_statement)] @import)
(module (expression_statement (string)) @prologue)
(comment) @trivia`,
};
