/** Lines that Python refuses for their indentation, in each way that a logical line can begin and go on. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { MemoryHead, reader, textsOf } from "../../../../test/support/memory-head.ts";
import { indentationFaults } from "./python-indentation.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;

async function faultsOf(text: string): Promise<[line: number, type: string][]> {
  const { matches } = await reader.read("python", text, "[(string) (comment)] @opaque");
  return indentationFaults(text, matches.flat()).map(({ start, type }) => [
    text.slice(0, start).split("\n").length,
    type,
  ]);
}

const sound: [string, string][] = [
  ["blocks in blocks", "class A:\n  def f(self):\n    if x:\n      pass\n  y = 1\nz = 2\n"],
  ["brackets", "f(\n      1,\n  {2: [\n3]},\n)\nx = 1\n"],
  ["a colon in brackets ends nothing", "x = a[1:\n  2]\ny = 1\n"],
  ["a long string", 'def f():\n    """One.\n  Two:\n        """\n    return 1\n'],
  ["brackets in strings and comments", 'x = "("  # (\ny = f"{x}("\nz = 1\n'],
  ["a backslash", "x = 1 + \\\n        2\ny = 1\n"],
  ["comments at any depth", "def f():\n        # deep\n    x = 1\n# flush\n    return x\n"],
  ["a comment behind the colon", "if x:  # why:\n    pass\n"],
  ["a tab is eight", "if x:\n\tif y:\n\t    pass\n        z = 1\n"],
  ["CRLF, BOM, form feed", "\uFEFFif x:\r\n    pass\r\n\fy = 1\r\n"],
  ["no line end", "if x:\n    pass"],
];
for (const [name, text] of sound) {
  test(`nothing is wrong: ${name}`, async () => assert.deepEqual(await faultsOf(text), []));
}

const wrong: [string, string, [number, string][]][] = [
  ["deeper for nothing", "x = 1\n  y = 2\n", [[2, "unexpected indentation"]]],
  ["deeper after a one-line block", "if x: y = 1\n    z = 2\n", [[2, "unexpected indentation"]]],
  ["deeper after a lambda in brackets", "f(lambda:\n 1)\n  y = 2\n", [[3, "unexpected indentation"]]],
  ["between two depths", "if x:\n    y = 1\n  z = 2\n", [[3, "indentation of no line above"]]],
  [
    "a definition deeper than its decorator",
    "@d\n  def f():\n    pass\n",
    [[2, "indentation other than that of the decorator above"]],
  ],
  [
    "a definition less deep than its decorator",
    "class A:\n    @d\ndef f():\n    pass\n",
    [[3, "indentation other than that of the decorator above"]],
  ],
];
for (const [name, text, faults] of wrong) {
  test(`refused by Python: ${name}`, async () => assert.deepEqual(await faultsOf(text), faults));
}

const SOURCE = "class A:\n    @d\n    def f(self):\n        x = 1\n        return x\n";

test("an edit that Python could not read is refused, at the line that stands wrong", async () => {
  const head = new MemoryHead({ "a.py": SOURCE });
  const body = "@d\n    def f(self):\n        x = 1\n            y = 2\n        return x\n";
  const { code, faults } = await head.refusal(await head.update("a.py", "A.f", body));
  assert.equal(code, "syntax_error");
  assert.deepEqual(faults, [
    { path: "a.py", line: 5, column: 13, problem: 'unexpected indentation, in "y = 2"' },
  ]);
});

test("a decorator that stands deeper than its definition is not what is shown first", async () => {
  const head = new MemoryHead({ "a.py": SOURCE });
  const body = "@d\n  def f(self):\n      return 1\n";
  const { faults } = await head.refusal(await head.update("a.py", "A.f", body));
  assert.equal(faults?.[0]?.line, 3);
  assert.match(faults?.[0]?.problem ?? "", /^indentation other than .*, in "def f\(self\):"$/);
});

test("what stood wrong before does not block", async () => {
  const head = new MemoryHead({ "a.py": `${SOURCE}\nx = 1\n  y = 2\n` });
  const plan = await head.plan(await head.patch("a.py", "A.f", ["x = 1", "x = 2"]));
  assert.deepEqual(plan.earlierFaults, [
    { path: "a.py", line: 8, column: 3, problem: "unexpected indentation" },
  ]);
});

test("characters that the grammar takes for blanks and Python refuses are faults, each told once", async () => {
  const head = new MemoryHead({ "a.py": "def f():\n    return 1\n" });
  for (const character of ["\uFEFF", "\u200B", "\u2060", "\u200D", "\u00AD", "\u00A0", "\u3000", "\u0001"]) {
    const body = `def f():\n    return ${character}2`;
    const { code } = await head.refusal(await head.update("a.py", "f", body));
    assert.equal(code, "syntax_error", JSON.stringify(character));
    if (hasPython) assert.equal(compiles(body), false, JSON.stringify(character));
    const quoted = `def f():\n    return "${character}"  # ${character}`;
    await head.plan(await head.update("a.py", "f", quoted));
    if (hasPython) assert.equal(compiles(quoted), true, JSON.stringify(character));
  }
  for (const blank of ["\t", "\f", "  "]) {
    const body = `def f():\n    return${blank}2`;
    await head.plan(await head.update("a.py", "f", body));
    if (hasPython) assert.equal(compiles(body), true);
  }
});

test("the byte order mark of a file is none of its faults, and earlier invisible characters stay", async () => {
  const source = "\uFEFFx = 1\u200B\n\n\ndef f():\n    return 1\n";
  const head = new MemoryHead({ "a.py": source });
  const plan = await head.plan(await head.patch("a.py", "f", ["return 1", "return 2"]));
  assert.equal(textsOf(plan)["a.py"], source.replace("return 1", "return 2"));
});

function compiles(text: string): boolean {
  const program = "import sys\ncompile(sys.stdin.buffer.read(), 'a.py', 'exec')";
  return spawnSync("python3", ["-c", program], { input: text }).status === 0;
}
