/** Edit cases of TypeScript: each file as it stands, operations, and the literal replacements that are to come of them. */
import type { EditCase } from "../../../../test/support/edit-cases.ts";

const APP = `#!/usr/bin/env node
/* licence */

import { readFile, type Stats } from "node:fs/promises";
import z from "zod";
import type { Config } from "../config.ts";
import {
  first,
  second,
} from "./names.ts";

export const LIMIT = 10;
const one = 1, two = { a: "é" }, three = 3;
let later: string | undefined;
const { left, right } = { left: 1, right: 2 };

/** Adds. */
export const add = (a: number, b: number): number => a + b;

/** A store. */
@sealed
export class Store<T extends object> extends Base implements Iface {
  static #count = 0;
  readonly held: Map<string, T> = new Map();
  @input() handler = () => this.held;

  constructor(private readonly name: string) {
    super();
  }

  /** Gets. */
  get(key: string): T;
  get(key: number): T;
  get(key: unknown): T {
    return this.held.get(\`
\${key}\`) as T;
  }

  get size(): number {
    return this.held.size;
  }
  set size(_value: number) {}

  @logged()
  async *[Symbol.asyncIterator]() {}

  abstractLike?(): void;
} // Store

export function pick(a: string): string;
export function pick(a: number): number;
export function pick(a: unknown): unknown {
  return a;
}

export type Pair<T> = [T, T];

export enum Colour {
  Red = "red",
}

export interface Getter {
  get(): string;
}

namespace Inner {
	export const depth = 1;
	export function deep(): number {
		return depth;
	}
}

declare global {
  interface Window {
    store: Store<object>;
  }
}

declare module "other" {
  export function other(): void;
}

export abstract class Base {
  abstract run(): void;
}

export default function main() {
  return pick(1);
}
`;

const VIEW = `"use client";

export default () => <b>hi</b>;

export function View({ name }: { name: string }) {
  return (
    <div className="a">
      {name}
    </div>
  );
}
`;

const PATH = "src/app.ts";
const app = (one: Omit<EditCase, "path" | "source">): EditCase => ({ path: PATH, source: APP, ...one });
const view = (one: Omit<EditCase, "path" | "source">): EditCase => ({
  path: "view.tsx",
  source: VIEW,
  ...one,
});
const unit = { language: "typescript", path: PATH };

export const typescriptCases: readonly EditCase[] = [
  app({
    name: "patch of an arrow function",
    operations: async (head) => [await head.patch(PATH, "add", ["a + b", "b + a"])],
    expect: [["=> a + b", "=> b + a"]],
  }),
  app({
    name: "patch of the implementation of an overloaded method",
    operations: async (head) => [await head.patch(PATH, "Store.get#3", ["as T", "as never"])],
    expect: [["`) as T", "`) as never"]],
  }),
  app({
    name: "patch of the first overload with its doc comment",
    operations: async (head, text) => [
      await head.patch(PATH, "Store.get#1", [
        text("/** Gets. */\n  get(key: string)"),
        text("/** Gives. */\n  get(name: string)"),
      ]),
    ],
    expect: [["/** Gets. */\n  get(key: string)", "/** Gives. */\n  get(name: string)"]],
  }),
  app({
    name: "patch of a private field, a decorated field and a setter",
    operations: async (head) => [
      await head.patch(PATH, "Store.#count", ["0", "1"]),
      await head.patch(PATH, "Store.handler", ["@input()", "@input(2)"]),
      await head.patch(PATH, "Store.size#2", ["{}", "{ void _value; }"]),
    ],
    expect: [
      ["#count = 0", "#count = 1"],
      ["@input()", "@input(2)"],
      ["set size(_value: number) {}", "set size(_value: number) { void _value; }"],
    ],
  }),
  app({
    name: "patch of one of several declarators",
    operations: async (head) => [await head.patch(PATH, "two", ['"é"', '"\u{1F600}"'])],
    expect: [['"é"', '"\u{1F600}"']],
  }),
  app({
    name: "patch of a class decorator",
    operations: async (head) => [await head.patch(PATH, "Store", ["@sealed", "@frozen"])],
    expect: [["@sealed", "@frozen"]],
  }),
  app({
    name: "patch indented with tabs in a namespace",
    operations: async (head, text) => [
      await head.patch(PATH, "Inner.deep", [text("{\n\t\treturn"), text("{\n\t\tvoid 0;\n\t\treturn")]),
    ],
    expect: [["\t\treturn depth", "\t\tvoid 0;\n\t\treturn depth"]],
  }),
  app({
    name: "update of an interface with other members",
    operations: async (head, text) => [
      await head.update(PATH, "Getter", text("export interface Getter {\n  has(): boolean;\n}\n")),
    ],
    expect: [["  get(): string;", "  has(): boolean;"]],
  }),
  app({
    name: "update of a class with other members",
    operations: async (head, text) => [
      await head.update(
        PATH,
        "Base",
        text("export abstract class Base {\n  abstract go(): void;\n\n  stop() {}\n}"),
      ),
    ],
    expect: [["  abstract run(): void;", "  abstract go(): void;\n\n  stop() {}"]],
  }),
  app({
    name: "update of a computed method",
    operations: async (head, text) => [
      await head.update(
        PATH,
        "Store.[Symbol.asyncIterator]",
        text("@logged()\n  async *[Symbol.asyncIterator]() {\n    yield 1;\n  }"),
      ),
    ],
    expect: [["async *[Symbol.asyncIterator]() {}", "async *[Symbol.asyncIterator]() {\n    yield 1;\n  }"]],
  }),
  app({
    name: "update of the default export",
    operations: async (head, text) => [
      await head.update(PATH, "main", text("export default function main() {\n  return 0;\n}")),
    ],
    expect: [["  return pick(1);", "  return 0;"]],
  }),
  app({
    name: "update of an enum, a type and an ambient function",
    operations: async (head, text) => [
      await head.update(PATH, "Colour", text('export enum Colour {\n  Blue = "blue",\n}')),
      await head.update(PATH, "Pair", "export type Pair<T> = readonly [T, T];"),
      await head.update(PATH, "other.other", "export function other(): string;"),
    ],
    expect: [
      ["= [T, T]", "= readonly [T, T]"],
      ['  Red = "red",', '  Blue = "blue",'],
      ["export function other(): void;", "export function other(): string;"],
    ],
  }),
  app({
    name: "update of an interface in declare global is not the whole block",
    operations: async (head, text) => [
      await head.update(PATH, "Window", text("interface Window {\n    store: number;\n  }")),
    ],
    expect: [["    store: Store<object>;", "    store: number;"]],
  }),
  view({
    name: "TSX: patch of an element",
    operations: async (head) => [await head.patch("view.tsx", "View", ['className="a"', 'className="b"'])],
    expect: [['className="a"', 'className="b"']],
  }),
  view({
    name: "TSX: update of an anonymous default export",
    operations: async (head) => [await head.update("view.tsx", "default", "export default () => <i>ho</i>;")],
    expect: [["<b>hi</b>", "<i>ho</i>"]],
  }),
  view({
    name: "TSX: create and import below a directive",
    operations: async (head) => [
      await head.create(
        "view.tsx",
        "View",
        "function",
        "Other",
        "export function Other() {\n  return <View name={`\nx`} />;\n}",
      ),
      head.imports({ language: "tsx", path: "view.tsx" }, { add: ['import React from "react";'] }),
    ],
    expect: [
      ['"use client";\n', '"use client";\n\nimport React from "react";\n'],
      ["  );\n}", "  );\n}\n\nexport function Other() {\n  return <View name={`\nx`} />;\n}"],
    ],
  }),
  app({
    name: "create a function behind overloads",
    operations: async (head) => [
      await head.create(PATH, "pick#3", "function", "drop", "export function drop() {}"),
    ],
    expect: [["  return a;\n}\n", "  return a;\n}\n\nexport function drop() {}\n"]],
  }),
  app({
    name: "create a method flush left; a template's lines stay",
    operations: async (head) => [
      await head.create(
        PATH,
        "Store.constructor",
        "method",
        "Store.text",
        "@logged()\ntext() {\n  return `\nas is`;\n}",
      ),
    ],
    expect: [
      ["    super();\n  }\n", "    super();\n  }\n\n  @logged()\n  text() {\n    return `\nas is`;\n  }\n"],
    ],
  }),
  app({
    name: "create a method behind the last member",
    operations: async (head) => [
      await head.create(PATH, "Store.abstractLike", "method", "Store.end", "end() {}"),
    ],
    expect: [["  abstractLike?(): void;\n", "  abstractLike?(): void;\n\n  end() {}\n"]],
  }),
  app({
    name: "create a class, past the comment behind its anchor",
    operations: async (head) => [await head.create(PATH, "Store", "class", "Other", "class Other {}")],
    expect: [["} // Store\n", "} // Store\n\nclass Other {}\n"]],
  }),
  app({
    name: "create constants and types beside their kind",
    operations: async (head) => [
      await head.create(PATH, "LIMIT", "const", "LEAST", "export const LEAST = 1;"),
      await head.create(PATH, "Pair", "type", "Triple", "export type Triple<T> = [T, T, T];"),
      await head.create(PATH, "Inner.depth", "const", "Inner.width", "export const width = 2;"),
    ],
    expect: [
      ["export const LIMIT = 10;\n", "export const LIMIT = 10;\nexport const LEAST = 1;\n"],
      [
        "export type Pair<T> = [T, T];\n",
        "export type Pair<T> = [T, T];\nexport type Triple<T> = [T, T, T];\n",
      ],
      ["\texport const depth = 1;\n", "\texport const depth = 1;\n\texport const width = 2;\n"],
    ],
  }),
  app({
    name: "create all names of a pattern, overloads, and a getter with its setter",
    operations: async (head) => [
      await head.create(PATH, "LIMIT", "const", "high", "export const { low, high } = { low: 1, high: 2 };"),
      await head.create(
        PATH,
        "Store",
        "method",
        "Store.last",
        "get last(): number {\n  return 1;\n}\nset last(_value: number) {}",
      ),
      await head.create(
        PATH,
        "pick#3",
        "function",
        "drop",
        "function drop(a: string): void;\nfunction drop(a: number): void;\nfunction drop(_a: unknown): void {}",
      ),
    ],
    expect: [
      [
        "export const LIMIT = 10;\n",
        "export const LIMIT = 10;\nexport const { low, high } = { low: 1, high: 2 };\n",
      ],
      [
        "  abstractLike?(): void;\n",
        "  abstractLike?(): void;\n\n  get last(): number {\n    return 1;\n  }\n  set last(_value: number) {}\n",
      ],
      [
        "export function pick(a: unknown): unknown {\n  return a;\n}\n",
        "export function pick(a: unknown): unknown {\n  return a;\n}\n\nfunction drop(a: string): void;\nfunction drop(a: number): void;\nfunction drop(_a: unknown): void {}\n",
      ],
    ],
  }),
  app({
    name: "create an interface in a file of its own",
    operations: async (head) => [
      await head.create(
        PATH,
        "Getter",
        "interface",
        "Setter",
        "export interface Setter {\n  set(): void;\n}",
        "new_source_unit",
      ),
      await head.patch(PATH, "LIMIT", ["10", "11"]),
    ],
    expect: [["LIMIT = 10", "LIMIT = 11"]],
    created: { "src/Setter.ts": "export interface Setter {\n  set(): void;\n}\n" },
  }),
  app({
    name: "remove a method with decorator, and an accessor",
    operations: async (head) => [
      await head.remove(PATH, "Store.[Symbol.asyncIterator]"),
      await head.remove(PATH, "Store.size#2"),
    ],
    expect: [["  set size(_value: number) {}\n\n  @logged()\n  async *[Symbol.asyncIterator]() {}\n", ""]],
  }),
  app({
    name: "remove declarators of a list, first and last",
    operations: async (head) => [await head.remove(PATH, "one"), await head.remove(PATH, "three")],
    expect: [
      ["one = 1, ", ""],
      [", three = 3", ""],
    ],
  }),
  app({
    name: "remove a class with doc comment, decorator and the comment behind it",
    operations: async (head) => [await head.remove(PATH, "Base")],
    expect: [["export abstract class Base {\n  abstract run(): void;\n}\n\n", ""]],
  }),
  app({
    name: "remove the first and the last entity",
    operations: async (head) => [await head.remove(PATH, "LIMIT"), await head.remove(PATH, "main")],
    expect: [
      ["export const LIMIT = 10;\n", ""],
      [
        "  abstract run(): void;\n}\n\nexport default function main() {\n  return pick(1);\n}",
        "  abstract run(): void;\n}",
      ],
    ],
  }),
  app({
    name: "imports: behind the last of their kind",
    operations: (head) => [
      head.imports(unit, {
        add: [
          'import { join } from "node:path";',
          "import type { Hono } from 'hono';",
          'import "./setup.ts";',
          'import up from "../up.ts";',
        ],
      }),
    ],
    expect: [
      ['"node:fs/promises";\n', '"node:fs/promises";\nimport { join } from "node:path";\n'],
      ['import z from "zod";\n', "import z from \"zod\";\nimport type { Hono } from 'hono';\n"],
      ['"../config.ts";\n', '"../config.ts";\nimport up from "../up.ts";\n'],
      ['"./names.ts";\n', '"./names.ts";\nimport "./setup.ts";\n'],
    ],
  }),
  app({
    name: "imports: only what is missing; type and value are not the same",
    operations: (head) => [
      head.imports(unit, {
        add: [
          'import { readFile, writeFile } from "node:fs/promises";',
          'import { Config } from "../config.ts";',
        ],
      }),
    ],
    expect: [
      ['"node:fs/promises";\n', '"node:fs/promises";\nimport { writeFile } from "node:fs/promises";\n'],
      [
        'import type { Config } from "../config.ts";\n',
        'import type { Config } from "../config.ts";\nimport { Config } from "../config.ts";\n',
      ],
    ],
  }),
  app({
    name: "imports: remove names and statements",
    operations: (head) => [
      head.imports(unit, {
        remove: [
          'import { type Stats } from "node:fs/promises";',
          'import { first } from "./names.ts";',
          'import z from "zod";',
        ],
      }),
    ],
    expect: [
      ["{ readFile, type Stats }", "{ readFile }"],
      ['import z from "zod";\n', ""],
      ["  first,\n  second,", "  second,"],
    ],
  }),
];
