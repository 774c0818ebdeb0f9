/** Edit cases of JavaScript: each file as it stands, operations, and the literal replacements that are to come of them. */
import type { EditCase } from "../../../../test/support/edit-cases.ts";

const APP = `#!/usr/bin/env node
"use strict";
// @ts-check

import fs, { readFileSync } from 'node:fs'
import * as path from 'node:path'
import {a, b as c} from './lib.mjs'

/**
 * The most.
 * @type {number}
 */
export const LIMIT = 10

let one = 1,
  two = 2

var old = function () {
  return "é"
}

export async function* walk(root) {
  yield root
}

function helper() {
	return \`
as is\`
}

// The store.
export class Store extends Map {
  static #count = 0
  size2 = 2;

  static {
    this.#count = 1
  }

  constructor() { super() }

  get first() { return 1 } // getter
  set first(v) {}

  static async *all() {
    yield 1
  }

  'quoted name'() {}

  handler = () => {
    return this
  }
}

const Named = class {
  run() {}
}

export default {
  name: "x",
  run() {},
}
`;

const PATH = "bin/app.mjs";
const app = (one: Omit<EditCase, "path" | "source">): EditCase => ({ path: PATH, source: APP, ...one });
const unit = { language: "javascript", path: PATH };

export const javascriptCases: readonly EditCase[] = [
  app({
    name: "patch of a generator",
    operations: async (head) => [await head.patch(PATH, "walk", ["yield root", "yield* [root]"])],
    expect: [["yield root", "yield* [root]"]],
  }),
  app({
    name: "patch of a JSDoc comment over lines",
    operations: async (head, text) => [
      await head.patch(PATH, "LIMIT", [text("most.\n * @type"), text("most.\n *\n * @type")]),
    ],
    expect: [["The most.\n", "The most.\n *\n"]],
  }),
  app({
    name: "patch of an old-style function value",
    operations: async (head) => [await head.patch(PATH, "old", ['"é"', '"\u{1F600}"'])],
    expect: [['"é"', '"\u{1F600}"']],
  }),
  app({
    name: "patch of the second declarator of a list",
    operations: async (head) => [await head.patch(PATH, "two", ["2", "3"])],
    expect: [["two = 2", "two = 3"]],
  }),
  app({
    name: "patch of a getter, a private field and a method with a quoted name",
    operations: async (head) => [
      await head.patch(PATH, "Store.first", ["return 1", "return 2"]),
      await head.patch(PATH, "Store.#count", ["0", "3"]),
      await head.patch(PATH, "Store.quoted name", ["{}", "{ return }"]),
    ],
    expect: [
      ["#count = 0", "#count = 3"],
      ["return 1 }", "return 2 }"],
      ["'quoted name'() {}", "'quoted name'() { return }"],
    ],
  }),
  app({
    name: "patch of a method of a class expression",
    operations: async (head) => [await head.patch(PATH, "Named.run", ["{}", "{ return 1 }"])],
    expect: [["  run() {}\n}", "  run() { return 1 }\n}"]],
  }),
  app({
    name: "patch of the default export",
    operations: async (head) => [await head.patch(PATH, "default", ['"x"', '"y"'])],
    expect: [['"x"', '"y"']],
  }),
  app({
    name: "update of a class with other members",
    operations: async (head, text) => [
      await head.update(PATH, "Store", text("// A store.\nexport class Store extends Map {\n  only() {}\n}")),
    ],
    expect: [
      [
        APP.slice(APP.indexOf("// The store."), APP.indexOf("\n\nconst Named")),
        "// A store.\nexport class Store extends Map {\n  only() {}\n}",
      ],
    ],
  }),
  app({
    name: "update of a function indented with tabs",
    operations: async (head, text) => [
      await head.update(
        PATH,
        "helper",
        text("function helper() {\n\tfunction local() {}\n\treturn local\n}"),
      ),
    ],
    expect: [
      [
        "function helper() {\n\treturn `\nas is`\n}",
        "function helper() {\n\tfunction local() {}\n\treturn local\n}",
      ],
    ],
  }),
  app({
    name: "update of an arrow in a class field",
    operations: async (head) => [await head.update(PATH, "Store.handler", "handler = () => this")],
    expect: [["handler = () => {\n    return this\n  }", "handler = () => this"]],
  }),
  app({
    name: "update of a static generator with its own indentation",
    operations: async (head, text) => [
      await head.update(PATH, "Store.all", text("  static async *all() {\n    yield 2\n  }")),
    ],
    expect: [["    yield 1\n", "    yield 2\n"]],
  }),
  app({
    name: "update of a constant",
    operations: async (head) => [await head.update(PATH, "LIMIT", "export const LIMIT = 11")],
    expect: [
      ["/**\n * The most.\n * @type {number}\n */\nexport const LIMIT = 10", "export const LIMIT = 11"],
    ],
  }),
  app({
    name: "create a function",
    operations: async (head) => [
      await head.create(PATH, "walk", "function", "run", "export function run() {}"),
    ],
    expect: [["  yield root\n}\n", "  yield root\n}\n\nexport function run() {}\n"]],
  }),
  app({
    name: "create a method past the comment behind its anchor",
    operations: async (head) => [
      await head.create(PATH, "Store.first", "method", "Store.next", "next() {\n  return 2\n}"),
    ],
    expect: [["return 1 } // getter\n", "return 1 } // getter\n\n  next() {\n    return 2\n  }\n\n"]],
  }),
  app({
    name: "create behind a list of declarators",
    operations: async (head) => [await head.create(PATH, "one", "const", "three", "const three = 3")],
    expect: [["  two = 2\n", "  two = 2\n\nconst three = 3\n"]],
  }),
  app({
    name: "create a class at the end",
    operations: async (head) => [await head.create(PATH, "default", "class", "End", "class End {}")],
    expect: [["  run() {},\n}", "  run() {},\n}\n\nclass End {}"]],
  }),
  app({
    name: "create a variable as var or let",
    operations: async (head) => [
      await head.create(PATH, "old", "var", "newer", "let newer = 1"),
      await head.create(PATH, "helper", "var", "older", "var older = 1"),
    ],
    expect: [
      ['  return "é"\n}\n', '  return "é"\n}\n\nlet newer = 1\n'],
      ["as is`\n}\n", "as is`\n}\n\nvar older = 1\n"],
    ],
  }),
  app({
    name: "create a file of its own, with its imports in the same call",
    operations: async (head) => [
      await head.create(PATH, "walk", "function", "fresh", "export function fresh() {}", "new_source_unit"),
      head.imports({ language: "javascript", path: "bin/fresh.mjs" }, { add: ["import os from 'node:os'"] }),
      await head.patch(PATH, "walk", ["yield root", "yield 1"]),
    ],
    expect: [["yield root", "yield 1"]],
    created: { "bin/fresh.mjs": "import os from 'node:os'\n\nexport function fresh() {}\n" },
  }),
  app({
    name: "remove a documented constant",
    operations: async (head) => [await head.remove(PATH, "LIMIT")],
    expect: [["/**\n * The most.\n * @type {number}\n */\nexport const LIMIT = 10\n\n", ""]],
  }),
  app({
    name: "remove a getter with the comment behind it",
    operations: async (head) => [await head.remove(PATH, "Store.first")],
    expect: [["  get first() { return 1 } // getter\n", ""]],
  }),
  app({
    name: "remove the first of a list over two lines",
    operations: async (head) => [await head.remove(PATH, "one")],
    expect: [["one = 1,\n  two", "two"]],
  }),
  app({
    name: "remove a field and the last member of a class",
    operations: async (head) => [
      await head.remove(PATH, "Store.size2"),
      await head.remove(PATH, "Store.handler"),
    ],
    expect: [
      ["  size2 = 2;\n", ""],
      ["\n  handler = () => {\n    return this\n  }\n", ""],
    ],
  }),
  app({
    name: "remove the default export at the end",
    operations: async (head) => [await head.remove(PATH, "default")],
    expect: [['  run() {}\n}\n\nexport default {\n  name: "x",\n  run() {},\n}', "  run() {}\n}"]],
  }),
  app({
    name: "imports: to their kind, as written",
    operations: (head) => [
      head.imports(unit, {
        add: ["import os from 'node:os'", "import { d } from './other.mjs'", "import './side.mjs'"],
      }),
    ],
    expect: [
      ["'node:path'\n", "'node:path'\nimport os from 'node:os'\n"],
      ["'./lib.mjs'\n", "'./lib.mjs'\nimport { d } from './other.mjs'\nimport './side.mjs'\n"],
    ],
  }),
  app({
    name: "imports: a default name beside names, and braces without blanks",
    operations: (head) => [
      head.imports(unit, {
        remove: [
          "import fs from 'node:fs'",
          "import { b as c } from './lib.mjs'",
          "import * as path from 'node:path'",
        ],
      }),
    ],
    expect: [
      ["import fs, { readFileSync } from 'node:fs'", "import { readFileSync } from 'node:fs'"],
      ["import * as path from 'node:path'\n", ""],
      ["{a, b as c}", "{a}"],
    ],
  }),
  {
    name: "create the first method of a class",
    path: "a.js",
    source: "class A {}\n\nclass B {\n}\n\nclass C {\n\tf() {}\n}\n",
    operations: async (head) => [
      await head.create("a.js", "A", "method", "A.g", "g() {\n\treturn 1;\n}"),
      await head.create("a.js", "B", "method", "B.g", "g() {}"),
      await head.create("a.js", "C", "method", "C.g", "g() {}"),
    ],
    expect: [
      ["class A {}", "class A {\n\tg() {\n\t\treturn 1;\n\t}\n}"],
      ["class B {\n}", "class B {\n\tg() {}\n}"],
      ["\tf() {}\n", "\tf() {}\n\n\tg() {}\n"],
    ],
  },
  {
    name: "create a default value and the names of a list",
    path: "a.js",
    source: "const a = 1;\n\nfunction b() {}\n",
    operations: async (head) => [
      await head.create("a.js", "a", "const", "c", "const c = 2,\n  d = 3;"),
      await head.create("a.js", "b", "const", "default", "export default { a, b };"),
    ],
    expect: [
      ["const a = 1;\n", "const a = 1;\n\nconst c = 2,\n  d = 3;\n"],
      ["function b() {}", "function b() {}\n\nexport default { a, b };"],
    ],
  },
  {
    name: "remove the first entity of a file",
    path: "a.js",
    source: "function a() {}\n\nfunction b() {}\n",
    operations: async (head) => [await head.remove("a.js", "a")],
    expect: [["function a() {}\n\n", ""]],
  },
  {
    name: "update, create and remove on the first line",
    path: "a.js",
    source: "const a = 1;\nconst b = 2;\n",
    operations: async (head) => [
      await head.update("a.js", "a", "const a = 3;"),
      await head.create("a.js", "a", "const", "c", "const c = 4;"),
      await head.remove("a.js", "b"),
    ],
    expect: [["const a = 1;\nconst b = 2;", "const a = 3;\nconst c = 4;"]],
  },
  {
    name: "imports: remove the first line",
    path: "a.js",
    source: 'import "x";\n\nfunction b() {}\n',
    operations: (head) => [
      head.imports({ language: "javascript", path: "a.js" }, { remove: ['import "x"'] }),
    ],
    expect: [['import "x";\n\n', ""]],
  },
  {
    name: "imports: the first, below a licence",
    path: "a.js",
    source: "// licence\n\nexport const x = 1;\n",
    operations: (head) => [
      head.imports({ language: "javascript", path: "a.js" }, { add: ['import y from "y";'] }),
    ],
    expect: [["// licence\n", '// licence\n\nimport y from "y";\n']],
  },
];
