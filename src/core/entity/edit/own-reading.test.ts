/** New text that Python, Java, a shell or rustc would read otherwise than the grammar does. What they do is in their references. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";

const PY = "def f():\n    return 1\n\n\nclass C:\n    def m(self):\n        return 2\n";
const head = new MemoryHead({
  "a.py": PY,
  "a.rs": "fn f() {}\n\nfn g() {}\n",
  "a.js": "function f() {}\n",
  "b.py": "# one\rx = 1\n\n\ndef f():\n    # a\rb = 2\n    return 1\n",
});

test("Python: a carriage return alone ends a line, so new text may hold none", async () => {
  for (const operation of [
    await head.update("a.py", "f", "def f():\n    return 1  # note\rimport os"),
    await head.update("a.py", "C.m", 'def m(self):\n        return "a\rb"'),
    await head.patch("a.py", "f", ["return 1", "return 1  # note\rimport os"]),
    await head.create("a.py", "f", "function", "g", "def g():\n    return 1  # note\rimport os"),
  ]) {
    const { code, reason } = await head.refusal(operation);
    assert.equal(code, "footprint_exceeded");
    assert.match(reason, /carriage return/);
  }
  const kept = textsOf(await head.plan(await head.patch("b.py", "f", ["return 1", "return 2"])));
  assert.equal(kept["b.py"], "# one\rx = 1\n\n\ndef f():\n    # a\rb = 2\n    return 2\n");
  const escaped = textsOf(await head.plan(await head.patch("a.py", "f", ["return 1", 'return "\\r"'])));
  assert.equal(escaped["a.py"], PY.replace("return 1", 'return "\\r"'));
});

test("a comment about the whole file is not brought in by an edit of its first declaration", async () => {
  for (const [path, body] of [
    ["a.py", "# -*- coding: latin-1 -*-\ndef f():\n    return 1"],
    ["a.py", "# of f\n# vim: set fileencoding=latin-1 :\ndef f():\n    return 1"],
    ["a.py", "#!/bin/sh\ndef f():\n    return 1"],
    ["a.js", "#!/bin/sh\nfunction f() {}"],
    ["a.rs", "//! About the crate.\nfn f() {}"],
  ] as const) {
    const { code, reason } = await head.refusal(await head.update(path, "f", body));
    assert.equal(code, "footprint_exceeded", body);
    assert.match(reason, /about the whole file/);
  }
});

test("other comments there, and such words further down, are free", async () => {
  for (const [path, entity, body] of [
    ["a.py", "f", "# encodes\n# line two\n# coding: none\ndef f():\n    return 1"],
    ["a.rs", "f", "/// About f.\nfn f() {}"],
    ["a.rs", "g", "// ! g\nfn g() {}"],
    ["a.js", "f", "// about f\nfunction f() {}"],
  ] as const) {
    await head.plan(await head.update(path, entity, body));
  }
});

test("Java: an escape that ends a line, a string or a comment is no part of either", async () => {
  const source = 'class A {\n    int a() { return 1; }\n    String s = "\\u0022.length() + \\u0022";\n}\n';
  const java = new MemoryHead({ "A.java": source });
  for (const body of [
    "int a() { return 1; } // \\u000a int evil;",
    "int a() { return 1; } // \\uuu000D int evil;",
    "int a() { return 1; } /* \\u002a\\u002F int evil; /* */",
    'int a() { String s = "\\u0022 + evil() + \\u0022"; return 1; }',
    'int a() { String s = "\\\\\\u005c"; return 1; }',
  ]) {
    const { code, reason } = await java.refusal(await java.update("A.java", "A.a", body));
    assert.equal(code, "footprint_exceeded", body);
    assert.match(reason, /Unicode escape/);
  }
  const free = 'int a() { String s = "\\u001b[0m \\u00e9 \\\\u000a \\n"; return 1; }';
  const plan = await java.plan(await java.update("A.java", "A.a", free));
  assert.equal(
    textsOf(plan)["A.java"],
    source.replace("int a() { return 1; }", () => free),
  );
  await java.plan(await java.patch("A.java", "A.s", ["length", "hashCode"]));
});

test("an attribute or directive at the end of new text would be about what follows, or about nothing", async () => {
  const follows = new MemoryHead({
    "a.rs": "fn a() {}\n\nuse x::y;\n\nfn z() {}\n",
    "a.go": "package a\n\nfunc F() {}\n\nvar x = 1\n",
  });
  for (const operation of [
    await follows.update("a.rs", "a", "fn a() {}\n#[cfg(test)]"),
    await follows.update("a.rs", "z", "fn z() {}\n/// Of none."),
    await follows.create("a.rs", "a", "function", "b", "fn b() {}\n#[cfg(test)]"),
    await follows.create("a.rs", "z", "function", "b", "fn b() {}\n/// Of none."),
    await follows.create("a.go", "x", "function", "G", "func G() {}\n\n//go:noinline"),
  ]) {
    const { code, reason } = await follows.refusal(operation);
    assert.equal(code, "footprint_exceeded");
    assert.match(reason, /ends with ".*about what follows/);
  }
  await follows.plan(
    await follows.update("a.rs", "a", "#[inline]\nfn a() {\n    #[cfg(test)]\n    b();\n} // a"),
  );
  const group = "//go:embed x\nvar (\n\tp string\n\t//go:embed y\n\tq string\n)";
  await follows.plan(await follows.create("a.go", "F", "var", "p", group));
});

const BOM = "\uFEFF";

test("new text does not begin with a byte order mark, in any language and place", async () => {
  const files = new MemoryHead({
    "a.py": PY,
    "a.go": "package a\n\nfunc f() int { return 1 }\n",
    "a.rs": "fn f() {}\n",
    "a.ts": "function f() { return 1; }\n",
    "A.java": "class A {\n  int f() { return 1; }\n}\n",
  });
  for (const operation of [
    await files.update("a.py", "f", `${BOM}def f():\n    return 2`),
    await files.update("a.py", "C.m", `${BOM}def m(self):\n        return 3`),
    await files.patch("a.py", "f", ["def f", `${BOM}def f`]),
    await files.create("a.py", "f", "function", "g", `\n${BOM}def g():\n    return 2`),
    await files.create("a.py", "C", "method", "C.n", `${BOM}def n(self):\n    return 2`),
    await files.create("a.py", "f", "function", "g", `${BOM}def g():\n    return 2`, "new_source_unit"),
    await files.update("a.go", "f", `${BOM}func f() int { return 2 }`),
    await files.update("a.rs", "f", `${BOM}fn f() { g() }`),
    await files.update("a.ts", "f", `${BOM}function f() { return 2; }`),
    await files.update("A.java", "A.f", `${BOM}int f() { return 2; }`),
  ]) {
    const { code, reason } = await files.refusal(operation);
    assert.equal(code, "footprint_exceeded");
    assert.match(reason, /byte order mark/);
  }
});

test("inside, a byte order mark is a blank of JavaScript, text in strings, and nothing that Go takes", async () => {
  const files = new MemoryHead({
    "a.py": `${BOM}${PY}`,
    "a.go": "package a\n\nfunc f() int { return 1 }\n",
    "a.ts": "function f() { return 1; }\n",
  });
  const planned = async (path: string, name: string, old: string, now: string) =>
    textsOf(await files.plan(await files.patch(path, name, [old, now])))[path];
  assert.equal(
    await planned("a.ts", "f", "return 1", `return${BOM} 1`),
    `function f() { return${BOM} 1; }\n`,
  );
  assert.equal(
    await planned("a.py", "f", "return 1", `return "${BOM}"  # ${BOM}`),
    `${BOM}${PY.replace("return 1", `return "${BOM}"  # ${BOM}`)}`,
  );
  assert.match(
    (await files.refusal(await files.patch("a.go", "f", ["return 1", `return len("${BOM}")`]))).reason,
    /which Go refuses/,
  );
});

test("Python: a comment on the first lines tells of the whole file after a removal only if it did before", async () => {
  for (const [source, name, told] of [
    ["#!/usr/bin/env python\nX = 1\n# -*- coding: latin-1 -*-\nY = 'é'\n", "X", /the encoding latin-1/],
    ["X = 1\n\n# coding: cp1252\nY = 'é'\n", "X", /the encoding cp1252/],
    ["X = 1\n#!/bin/sh\nY = 2\n", "X", /a shell #!\/bin\/sh/],
  ] as const) {
    const files = new MemoryHead({ "a.py": source });
    const { code, reason } = await files.refusal(await files.remove("a.py", name));
    assert.equal(code, "footprint_exceeded");
    assert.match(reason, told);
  }
  for (const [source, now] of [
    [
      "#!/usr/bin/env python\nX = 1\n# -*- coding: UTF_8 -*-\nY = 'é'\n",
      "# -*- coding: UTF_8 -*-\nY = 'é'\n",
    ],
    ["# coding: ascii\nX = 1\n# coding: latin-1\nY = 2\n", "# coding: latin-1\nY = 2\n"],
    ["X = 1\nZ = 1\n# coding: latin-1\nY = 2\n", "Z = 1\n# coding: latin-1\nY = 2\n"],
  ] as const) {
    const files = new MemoryHead({ "a.py": source });
    const text = textsOf(await files.plan(await files.remove("a.py", "X")))["a.py"] ?? "";
    assert.ok(text.endsWith(now), text);
  }
});
