/** Edit cases of Python: each file as it stands, operations, and the literal replacements that are to come of them. */
import type { EditCase } from "../../../../test/support/edit-cases.ts";

const APP = `#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""An app."""

from __future__ import annotations

import os
import sys as system
from typing import (
    Any,
    Iterable,
)

import numpy as np

from . import local

LIMIT = 10
NAME: str = "é"
low = high = 0


# about load
@cached(size=1)
@logged
def load(path: str, *, mode="r") -> Any:
    """Loads.

    With words.
    """
    def inner():
        return path

    return inner()


type Pair[T] = tuple[T, T]


class Store(dict):
    """A store."""

    size = 3

    def __init__(self):
        self.held = {}

    @property
    def count(self):
        return len(self.held)

    @count.setter
    def count(self, value):
        raise ValueError(value)

    class Inner:
        async def get(self):
            return """
text at the margin
"""

    def last(self): return 1  # one line


class Single:
    def only(self):
        pass


def tabs():
	if True:
		return 1


async def main():
    return os, np
`;

const PATH = "pkg/app.py";
const app = (one: Omit<EditCase, "path" | "source">): EditCase => ({ path: PATH, source: APP, ...one });
const unit = { language: "python", path: PATH };

export const pythonCases: readonly EditCase[] = [
  app({
    name: "patch inside a decorated function",
    operations: async (head) => [await head.patch(PATH, "load", ['mode="r"', 'mode="rb"'])],
    expect: [['mode="r"', 'mode="rb"']],
  }),
  app({
    name: "patch of a decorator and the comment above",
    operations: async (head) => [
      await head.patch(PATH, "load", ["size=1", "size=2"], ["# about load", "# about loading"]),
    ],
    expect: [
      ["# about load\n", "# about loading\n"],
      ["size=1", "size=2"],
    ],
  }),
  app({
    name: "patch over two lines of a docstring",
    operations: async (head, text) => [
      await head.patch(PATH, "load", [text("Loads.\n\n    With"), text("Loads.\n\n    In")]),
    ],
    expect: [["    With words", "    In words"]],
  }),
  app({
    name: "patch of the second of two methods of one name",
    operations: async (head) => [await head.patch(PATH, "Store.count#2", ["ValueError", "TypeError"])],
    expect: [["ValueError", "TypeError"]],
  }),
  app({
    name: "patch of a method of a nested class",
    operations: async (head) => [await head.patch(PATH, "Store.Inner.get", ["at the margin", "at the edge"])],
    expect: [["text at the margin", "text at the edge"]],
  }),
  app({
    name: "patch of a function indented with tabs",
    operations: async (head) => [await head.patch(PATH, "tabs", ["return 1", "return 2"])],
    expect: [["\t\treturn 1", "\t\treturn 2"]],
  }),
  app({
    name: "patch of a module variable behind text beyond ASCII",
    operations: async (head) => [await head.patch(PATH, "NAME", ['"é"', '"\u{1F600}"'])],
    expect: [['"é"', '"\u{1F600}"']],
  }),
  app({
    name: "update of a method as it is read: first line bare",
    operations: async (head, text) => [
      await head.update(
        PATH,
        "Store.__init__",
        text("def __init__(self, size=1):\n        self.held = dict()\n"),
      ),
    ],
    expect: [
      [
        "def __init__(self):\n        self.held = {}",
        "def __init__(self, size=1):\n        self.held = dict()",
      ],
    ],
  }),
  app({
    name: "update of a method with its own leading indentation",
    operations: async (head, text) => [
      await head.update(PATH, "Store.__init__", text("    def __init__(self):\n        pass")),
    ],
    expect: [["        self.held = {}", "        pass"]],
  }),
  app({
    name: "update of a class that gains and loses members",
    operations: async (head, text) => [
      await head.update(
        PATH,
        "Single",
        text("class Single:\n    def one(self):\n        pass\n\n    def two(self):\n        pass"),
      ),
    ],
    expect: [
      [
        "    def only(self):\n        pass\n",
        "    def one(self):\n        pass\n\n    def two(self):\n        pass\n",
      ],
    ],
  }),
  app({
    name: "update of a function with other local functions",
    operations: async (head, text) => [
      await head.update(
        PATH,
        "main",
        text("async def main():\n    def helper():\n        return 1\n\n    return helper()"),
      ),
    ],
    expect: [["    return os, np", "    def helper():\n        return 1\n\n    return helper()"]],
  }),
  app({
    name: "update of a type alias",
    operations: async (head) => [await head.update(PATH, "Pair", "type Pair[T] = list[T]")],
    expect: [["type Pair[T] = tuple[T, T]", "type Pair[T] = list[T]"]],
  }),
  app({
    name: "create a function: two blank lines around",
    operations: async (head) => [
      await head.create(PATH, "load", "function", "save", "def save(path):\n    return path"),
    ],
    expect: [["    return inner()\n", "    return inner()\n\n\ndef save(path):\n    return path\n"]],
  }),
  app({
    name: "create a class at the end",
    operations: async (head) => [await head.create(PATH, "main", "class", "End", "class End:\n    pass\n")],
    expect: [["    return os, np", "    return os, np\n\n\nclass End:\n    pass"]],
  }),
  app({
    name: "create a method from a flush-left body; a string's lines stay",
    operations: async (head) => [
      await head.create(
        PATH,
        "Store.__init__",
        "method",
        "Store.text",
        'def text(self):\n    return """\nas it is\n"""',
      ),
    ],
    expect: [
      [
        "        self.held = {}\n",
        '        self.held = {}\n\n    def text(self):\n        return """\nas it is\n"""\n',
      ],
    ],
  }),
  app({
    name: "create a decorated method from a body in the form it would be read",
    operations: async (head) => [
      await head.create(
        PATH,
        "Store.__init__",
        "method",
        "Store.of",
        "@classmethod\n    def of(cls):\n        return cls()",
      ),
    ],
    expect: [
      [
        "        self.held = {}\n",
        "        self.held = {}\n\n    @classmethod\n    def of(cls):\n        return cls()\n",
      ],
    ],
  }),
  app({
    name: "create a method behind the last one of a class, past its comment",
    operations: async (head) => [
      await head.create(PATH, "Store.last", "method", "Store.z", "    def z(self):\n        return 0"),
    ],
    expect: [["return 1  # one line\n", "return 1  # one line\n\n    def z(self):\n        return 0\n"]],
  }),
  app({
    name: "create a method at its class: the last member",
    operations: async (head) => [
      await head.create(PATH, "Single", "method", "Single.more", "def more(self):\n    return 2"),
      await head.create(PATH, "Store.Inner", "method", "Store.Inner.put", "def put(self):\n    pass"),
    ],
    expect: [
      ['text at the margin\n"""\n', 'text at the margin\n"""\n\n        def put(self):\n            pass\n'],
      [
        "    def only(self):\n        pass\n",
        "    def only(self):\n        pass\n\n    def more(self):\n        return 2\n",
      ],
    ],
  }),
  app({
    name: "create what declares one name several times or several names once, and a class at its class",
    operations: async (head) => [
      await head.create(PATH, "LIMIT", "var", "left", "left, right = 1, 2"),
      await head.create(
        PATH,
        "Single",
        "method",
        "Single.size",
        "@property\ndef size(self):\n    return 1\n\n@size.setter\ndef size(self, value):\n    pass",
      ),
      await head.create(PATH, "Single", "class", "Single.Part", "class Part:\n    pass"),
    ],
    expect: [
      ["LIMIT = 10\n", "LIMIT = 10\nleft, right = 1, 2\n"],
      [
        "    def only(self):\n        pass\n",
        "    def only(self):\n        pass\n\n    @property\n    def size(self):\n        return 1\n\n    @size.setter\n    def size(self, value):\n        pass\n\n    class Part:\n        pass\n",
      ],
    ],
  }),
  app({
    name: "create a constant beside a constant",
    operations: async (head) => [await head.create(PATH, "LIMIT", "const", "OTHER", "OTHER = 11")],
    expect: [["LIMIT = 10\n", "LIMIT = 10\nOTHER = 11\n"]],
  }),
  app({
    name: "create a function behind a variable: two blank lines above and below",
    operations: async (head) => [await head.create(PATH, "NAME", "function", "f", "def f():\n    pass")],
    expect: [['NAME: str = "é"\n', 'NAME: str = "é"\n\n\ndef f():\n    pass\n\n\n']],
  }),
  app({
    name: "create a file of its own",
    operations: async (head) => [
      await head.create(PATH, "load", "class", "Fresh", "class Fresh:\n    pass", "new_source_unit"),
      await head.patch(PATH, "LIMIT", ["10", "11"]),
    ],
    expect: [["LIMIT = 10", "LIMIT = 11"]],
    created: { "pkg/Fresh.py": "class Fresh:\n    pass\n" },
  }),
  app({
    name: "remove a decorated function with its comment",
    operations: async (head) => [await head.remove(PATH, "load")],
    expect: [
      [
        '# about load\n@cached(size=1)\n@logged\ndef load(path: str, *, mode="r") -> Any:\n    """Loads.\n\n    With words.\n    """\n    def inner():\n        return path\n\n    return inner()\n\n\n',
        "",
      ],
    ],
  }),
  app({
    name: "remove one method of a property",
    operations: async (head) => [await head.remove(PATH, "Store.count#2")],
    expect: [["    @count.setter\n    def count(self, value):\n        raise ValueError(value)\n\n", ""]],
  }),
  app({
    name: "remove the last method of a class, with its comment",
    operations: async (head) => [await head.remove(PATH, "Store.last")],
    expect: [["\n    def last(self): return 1  # one line\n", ""]],
  }),
  app({
    name: "remove a nested class, a variable and the last function of the file",
    operations: async (head) => [
      await head.remove(PATH, "main"),
      await head.remove(PATH, "LIMIT"),
      await head.remove(PATH, "Store.Inner"),
    ],
    expect: [
      ["LIMIT = 10\n", ""],
      [
        '    class Inner:\n        async def get(self):\n            return """\ntext at the margin\n"""\n\n',
        "",
      ],
      ["\t\treturn 1\n\n\nasync def main():\n    return os, np", "\t\treturn 1"],
    ],
  }),
  app({
    name: "remove two neighbouring classes",
    operations: async (head) => [await head.remove(PATH, "Single"), await head.remove(PATH, "tabs")],
    expect: [
      [
        "class Single:\n    def only(self):\n        pass\n\n\ndef tabs():\n\tif True:\n\t\treturn 1\n\n\n",
        "",
      ],
    ],
  }),
  app({
    name: "imports: each to its section and place",
    operations: (head) => [
      head.imports(unit, {
        add: [
          "import re",
          "from collections import deque",
          "import attrs",
          "from .other import thing",
          "from __future__ import division",
        ],
      }),
    ],
    expect: [
      [
        "from __future__ import annotations\n",
        "from __future__ import annotations\nfrom __future__ import division\n",
      ],
      ["import os\n", "import os\nimport re\n"],
      ["import sys as system\n", "import sys as system\nfrom collections import deque\n"],
      ["import numpy as np\n", "import attrs\nimport numpy as np\n"],
      ["from . import local\n", "from . import local\nfrom .other import thing\n"],
    ],
  }),
  app({
    name: "imports: only the names that are missing",
    operations: (head) => [head.imports(unit, { add: ["from typing import Any, Self"] })],
    expect: [["    Iterable,\n)\n", "    Iterable,\n)\nfrom typing import Self\n"]],
  }),
  app({
    name: "imports: remove a name of a list, a statement, and a section",
    operations: (head) => [
      head.imports(unit, {
        remove: ["from typing import Any", "import sys as system", "import numpy as np"],
      }),
    ],
    expect: [
      ["import sys as system\n", ""],
      ["    Any,\n    Iterable,", "    Iterable,"],
      ["import numpy as np\n\n", ""],
    ],
  }),
  {
    name: "imports: the first of a file with a docstring",
    path: "a.py",
    source: '"""Doc."""\n\n\ndef f():\n    pass\n',
    operations: (head) => [head.imports({ language: "python", path: "a.py" }, { add: ["import os"] })],
    expect: [['"""Doc."""\n', '"""Doc."""\n\nimport os\n']],
  },
  {
    name: "imports: the first of a file without anything above",
    path: "a.py",
    source: "def f():\n    pass\n",
    operations: (head) => [head.imports({ language: "python", path: "a.py" }, { add: ["import os"] })],
    expect: [["def f():", "import os\n\n\ndef f():"]],
  },
  {
    name: "imports: below shebang and licence, a new section below another",
    path: "a.py",
    source: "#!/usr/bin/python\n# (c) somebody\n\nimport json\nx = 1\n",
    operations: (head) => [head.imports({ language: "python", path: "a.py" }, { add: ["import zope"] })],
    expect: [["import json\n", "import json\n\nimport zope\n\n"]],
  },
];
