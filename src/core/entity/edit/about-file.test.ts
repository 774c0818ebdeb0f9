/** TypeScript and JavaScript: comments about the file at its head belong to no declaration and keep their effect. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";

const HEADERS = [
  '/// <reference types="node" />',
  "// @ts-check",
  "// @ts-nocheck",
  "/** @jsx h */",
  "/** @jsxImportSource preact */",
  "/* eslint-env node */",
  "/* eslint-disable no-var */",
  "/* global x, y */",
  "/*\n * Copyright 2026 The Authors\n */",
  "/**\n * Small things.\n * @license MIT\n */",
  "// SPDX-License-Identifier: MIT",
  "/** @packageDocumentation */",
];
for (const header of HEADERS) {
  const source = `${header}\nexport const a = 1;\n\nexport const b = 2;\n`;

  test(`imports stand below ${JSON.stringify(header)}`, async () => {
    const head = new MemoryHead({ "a.ts": source });
    const plan = await head.plan(
      head.imports({ language: "typescript", path: "a.ts" }, { add: ["import x from 'x';"] }),
    );
    assert.equal(
      textsOf(plan)["a.ts"],
      `${header}\n\nimport x from 'x';\n\nexport const a = 1;\n\nexport const b = 2;\n`,
    );
  });

  test(`removed and updated without ${JSON.stringify(header)}`, async () => {
    const head = new MemoryHead({ "a.ts": source });
    const removed = textsOf(await head.plan(await head.remove("a.ts", "a")))["a.ts"];
    assert.equal(removed, `${header}\n\nexport const b = 2;\n`);
    const updated = textsOf(await head.plan(await head.update("a.ts", "a", "export const a = 3;")))["a.ts"];
    assert.equal(updated, `${header}\nexport const a = 3;\n\nexport const b = 2;\n`);
  });

  test(`not brought in by an update: ${JSON.stringify(header)}`, async () => {
    const head = new MemoryHead({ "a.ts": "export const a = 1;\n" });
    const { code } = await head.refusal(await head.update("a.ts", "a", `${header}\nexport const a = 1;`));
    assert.equal(code, "footprint_exceeded");
  });
}

test("below a long header neither", async () => {
  const head = new MemoryHead({ "a.ts": "/*\n *\n *\n */\n\nexport const a = 1;\n" });
  const { code } = await head.refusal(await head.update("a.ts", "a", "// @ts-nocheck\nexport const a = 1;"));
  assert.equal(code, "footprint_exceeded");
});

test("a removal does not move such a comment above all code", async () => {
  const head = new MemoryHead({ "a.ts": "const a = 1;\n\n// @ts-nocheck\n\nconst b = 2;\n" });
  assert.equal((await head.refusal(await head.remove("a.ts", "a"))).code, "footprint_exceeded");
});

test("doc comments that only sound alike belong to their declaration", async () => {
  for (const doc of [
    "/** Global state. */",
    "// eslint-disable-next-line",
    "// @ts-ignore",
    "// the license key",
    "/** @jsdoc */",
  ]) {
    const { located } = await new MemoryHead({ "a.ts": `${doc}\nconst a = 1;\n` }).unit("a.ts");
    assert.equal(located[0]?.entity.startLine, 1, doc);
  }
});
