/** Imports that go above what stands first in a file: Python's `__future__`, and Rust's before an attributed `use`. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, test } from "node:test";
import { type EditCase, type Replacement, runCases } from "../../../../../test/support/edit-cases.ts";

const adding = (
  name: string,
  path: string,
  add: string,
  source: string,
  expect: Replacement[],
  form: Partial<EditCase> = {},
): EditCase => ({
  name,
  path,
  source,
  operations: (head) => [
    head.imports({ language: path.endsWith(".py") ? "python" : "rust", path }, { add: [add] }),
  ],
  expect,
  ...form,
});

const FUTURE = "from __future__ import annotations";

const python = [
  adding(
    "`__future__` above an assignment that stands above the imports",
    "a.py",
    FUTURE,
    '"""Doc."""\n\n__all__ = ("run",)\n\nimport os\n',
    [['"""Doc."""\n', `"""Doc."""\n\n${FUTURE}\n`]],
  ),
  adding(
    "`__future__` above a leading try",
    "a.py",
    FUTURE,
    "try:\n    import json\nexcept ImportError:\n    json = None\n\nimport os\n",
    [["try:", `${FUTURE}\n\ntry:`]],
  ),
  adding(
    "`__future__` behind shebang, encoding and docstring",
    "a.py",
    FUTURE,
    "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n'''Doc.'''\nX = 1\nimport os\n",
    [["'''Doc.'''\n", `'''Doc.'''\n\n${FUTURE}\n\n`]],
  ),
  adding(
    "`__future__` beside another one",
    "a.py",
    FUTURE,
    "from __future__ import division\n\nX = 1\n\nimport os\n",
    [["from __future__ import division", `from __future__ import division\n${FUTURE}`]],
  ),
  adding("`__future__` above imports that open the file", "a.py", FUTURE, '"""Doc."""\n\nimport os\n', [
    ["import os", `${FUTURE}\n\nimport os`],
  ]),
  adding(
    "others stay with the imports",
    "a.py",
    "import sys",
    '"""Doc."""\n\n__all__ = ("run",)\n\nimport os\n',
    [["import os", "import os\nimport sys"]],
  ),
];

const rust = [
  adding(
    "above a leading `use` with an attribute",
    "a.rs",
    "use std::fmt;",
    "#[cfg(unix)]\nuse std::os::unix;\n\nfn f() {}\n",
    [["#[cfg(unix)]", "use std::fmt;\n#[cfg(unix)]"]],
  ),
  adding(
    "behind the comment that opens the file, above two attributes",
    "a.rs",
    "use std::fmt;",
    "// About the file.\n#[cfg(unix)]\n// why\n#[allow(unused)]\nuse std::os::unix;\n\nfn f() {}\n",
    [["#[cfg(unix)]", "use std::fmt;\n#[cfg(unix)]"]],
  ),
  adding(
    "above an attribute with a blank line behind it",
    "a.rs",
    "use std::fmt;",
    "#[allow(dead_code)]\n\nfn f() {}\n",
    [["#[allow(dead_code)]", "use std::fmt;\n\n#[allow(dead_code)]"]],
  ),
];

const results = runCases("head of file, Python", python);
runCases("head of file, Rust", rust);

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test("head of file: CPython compiles every result", {
  skip: hasPython ? false : "no python3 on the PATH",
}, () => {
  assert.equal(results.size, python.length);
  const texts = [...results.values()].map(({ text }) => text);
  const program = "import json, sys\nfor text in json.load(sys.stdin): compile(text, 'a.py', 'exec')";
  const run = spawnSync("python3", ["-c", program], { input: JSON.stringify(texts), encoding: "utf8" });
  assert.equal(run.stderr, "");
  assert.equal(run.status, 0);
});

after(() => results.clear());
