/** New text that Python, a shell or rustc would read otherwise than the grammar does. What they do is in their references. */
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
