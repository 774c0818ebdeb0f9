/**
 * Line ends of what callers send, byte by byte: text written with LF alone gets the CRLF of the entity it goes into, all
 * other text is literal, and what is not edited keeps what it has. The judge of whole files is `git ls-files --eol`.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";
import type { OperationInput } from "../../../schema/mutation.ts";

const CRLF = "package a\r\n\r\nvar x = 1\r\n\r\nfunc F() int {\r\n\treturn 1\r\n}\r\n\r\nfunc G() {}\r\n";
const LF = CRLF.replaceAll("\r\n", "\n");
/** `F` is CRLF, `G` has no line end, `H` is LF, `M` has both. */
const MIXED =
  "package a\n\nfunc F() int {\r\n\treturn 1\r\n}\r\n\nfunc G() {}\n\nfunc H() {\n\tG()\n}\n\nfunc M() {\r\n\tG()\n}\n";

const edited = async (
  text: string,
  make: (head: MemoryHead) => Promise<OperationInput>,
  path = "a.go",
): Promise<string> => {
  const head = new MemoryHead({ [path]: text });
  return textsOf(await head.plan(await make(head)))[path] ?? "";
};
const swap = (text: string, old: string, now: string): string => {
  assert.equal(text.split(old).length, 2, old);
  return text.replace(old, () => now);
};

const F = "func F() int {\r\n\treturn 1\r\n}";
const updates: [name: string, file: string, entity: string, body: string, old: string, now: string][] = [
  [
    "LF into CRLF",
    CRLF,
    "F",
    "func F() int {\n\tG()\n\treturn 2\n}\n",
    F,
    "func F() int {\r\n\tG()\r\n\treturn 2\r\n}",
  ],
  [
    "CRLF into CRLF",
    CRLF,
    "F",
    "func F() int {\r\n\treturn 2\r\n}\r\n",
    F,
    "func F() int {\r\n\treturn 2\r\n}",
  ],
  [
    "both into CRLF: literal",
    CRLF,
    "F",
    "func F() int {\r\n\tG()\n\treturn 2\n}",
    F,
    "func F() int {\r\n\tG()\n\treturn 2\n}",
  ],
  [
    "lines into one line of a CRLF file",
    CRLF,
    "G",
    "func G() {\n\tF()\n}",
    "func G() {}",
    "func G() {\r\n\tF()\r\n}",
  ],
  [
    "a doc comment for one line of a CRLF file",
    CRLF,
    "x",
    "// x is.\nvar x = 1",
    "var x = 1",
    "// x is.\r\nvar x = 1",
  ],
  ["CRLF into LF: literal", LF, "G", "func G() {\r\n\tF()\r\n}", "func G() {}", "func G() {\r\n\tF()\r\n}"],
  ["LF into LF", LF, "G", "func G() {\n\tF()\n}", "func G() {}", "func G() {\n\tF()\n}"],
  [
    "LF into an entity of CRLF in a mixed file",
    MIXED,
    "F",
    "func F() int {\n\treturn 2\n}",
    F,
    "func F() int {\r\n\treturn 2\r\n}",
  ],
  [
    "LF into an entity of LF in a mixed file",
    MIXED,
    "H",
    "func H() {\n\tF()\n}",
    "func H() {\n\tG()\n}",
    "func H() {\n\tF()\n}",
  ],
  [
    "LF into a mixed entity: literal",
    MIXED,
    "M",
    "func M() {\n\tF()\n}",
    "func M() {\r\n\tG()\n}",
    "func M() {\n\tF()\n}",
  ],
  [
    "LF into one line of a mixed file: literal",
    MIXED,
    "G",
    "func G() {\n\tF()\n}",
    "func G() {}",
    "func G() {\n\tF()\n}",
  ],
];
for (const [name, file, entity, body, old, now] of updates) {
  test(`update, ${name}`, async () => {
    assert.equal(
      JSON.stringify(await edited(file, (head) => head.update("a.go", entity, body))),
      JSON.stringify(swap(file, old, now)),
    );
  });
}

test("update: the body as it was read, with LF alone, changes nothing", async () => {
  const head = new MemoryHead({ "a.go": CRLF });
  const { code } = await head.refusal(await head.update("a.go", "F", "func F() int {\n\treturn 1\n}"));
  assert.equal(code, "no_change");
});

test("a CR alone, in a string, is no line end and stays", async () => {
  const source = "export const a = `one\rtwo`;\r\nexport function f() {\r\n  return `x\ry`;\r\n}\r\n";
  assert.equal(
    await edited(
      source,
      (head) => head.update("a.ts", "f", "export function f() {\n  return `x\ry\nz`;\n}"),
      "a.ts",
    ),
    "export const a = `one\rtwo`;\r\nexport function f() {\r\n  return `x\ry\r\nz`;\r\n}\r\n",
  );
  assert.equal(
    await edited(source, (head) => head.patch("a.ts", "f", ["x\ry", "x\ry\nz"]), "a.ts"),
    "export const a = `one\rtwo`;\r\nexport function f() {\r\n  return `x\ry\r\nz`;\r\n}\r\n",
  );
});

const patches: [
  name: string,
  file: string,
  entity: string,
  edit: [string, string],
  old: string,
  now: string,
][] = [
  ["LF into CRLF", CRLF, "F", ["return 1", "G()\n\treturn 2"], "return 1", "G()\r\n\treturn 2"],
  ["CRLF into CRLF", CRLF, "F", ["{\r\n\t", "{\r\n\tG()\r\n\t"], "int {\r\n\t", "int {\r\n\tG()\r\n\t"],
  [
    "an anchor with CRLF, new text with LF",
    CRLF,
    "F",
    ["{\r\n\t", "{\n\tG()\n\t"],
    "int {\r\n\t",
    "int {\r\n\tG()\r\n\t",
  ],
  [
    "both: literal",
    CRLF,
    "F",
    ["return 1", "G()\r\n\tG()\n\treturn 2"],
    "return 1",
    "G()\r\n\tG()\n\treturn 2",
  ],
  [
    "an anchor from the LF of a CRLF on",
    CRLF,
    "F",
    ["\n\treturn 1", "\n\tG()\n\treturn 2"],
    "\r\n\treturn 1",
    "\r\n\tG()\r\n\treturn 2",
  ],
  [
    "an anchor up to the CR of a CRLF",
    CRLF,
    "F",
    ["return 1\r", "G()\n\treturn 2\r"],
    "return 1\r",
    "G()\r\n\treturn 2\r",
  ],
  ["a line of its own goes whole", CRLF, "F", ["\r\n\treturn 1", ""], "\r\n\treturn 1", ""],
  ["CRLF into LF: literal", LF, "F", ["return 1", "G()\r\n\treturn 2"], "return 1", "G()\r\n\treturn 2"],
  [
    "LF into an entity of CRLF in a mixed file",
    MIXED,
    "F",
    ["return 1", "G()\n\treturn 2"],
    "return 1",
    "G()\r\n\treturn 2",
  ],
  ["LF into a mixed entity: literal", MIXED, "M", ["{\r\n\t", "{\n\t"], "func M() {\r\n\t", "func M() {\n\t"],
];
for (const [name, file, entity, edit, old, now] of patches) {
  test(`patch, ${name}`, async () => {
    assert.equal(
      JSON.stringify(await edited(file, (head) => head.patch("a.go", entity, edit))),
      JSON.stringify(swap(file, old, now)),
    );
  });
}

test("patch: old text is matched literally; with other line ends the next step says so", async () => {
  const stepOf = async (text: string, entity: string, old: string): Promise<string> => {
    const head = new MemoryHead({ "a.go": text });
    const { code, next_step } = await head.refusal(await head.patch("a.go", entity, [old, "x"]));
    assert.equal(code, "anchor_missing");
    return next_step;
  };
  const copy = "Copy old_text exactly from the body that get_entity_source returned.";
  assert.equal(
    await stepOf(CRLF, "F", "{\n\treturn 1\n}"),
    "It is there with other line ends: the lines of this entity end with CRLF. Write \\r\\n in old_text.",
  );
  assert.equal(
    await stepOf(LF, "F", "{\r\n\treturn 1\r\n}"),
    "It is there with other line ends: the lines of this entity end with LF. Write \\n in old_text.",
  );
  assert.equal(
    await stepOf(MIXED, "M", "{\n\tG()\n}"),
    `It is there with other line ends: this entity has both LF and CRLF. ${copy}`,
  );
  assert.equal(await stepOf(CRLF, "F", "{\n\treturn 3\n}"), copy);
  assert.equal(await stepOf(CRLF, "F", "return 3"), copy);
});

test("patch: half a line end is not left behind", async () => {
  const head = new MemoryHead({ "a.go": CRLF });
  for (const edit of [
    ["\n\treturn 1", ""],
    ["\n\treturn 1", "\treturn 2"],
    ["return 1\r", "return 2"],
  ] as [string, string][]) {
    const { code, reason, next_step } = await head.refusal(await head.patch("a.go", "F", edit));
    assert.equal(code, "anchor_missing", JSON.stringify(edit));
    assert.match(reason, /inside a line end, CRLF/);
    assert.equal(next_step, "Take the whole \\r\\n into old_text, or leave it out.");
  }
});

test("git sees one kind of line end after edits of every kind written with LF", async () => {
  const head = new MemoryHead({ "a.go": CRLF });
  const plan = await head.plan(
    await head.update("a.go", "F", "// F is.\nfunc F() int {\n\treturn 2\n}\n"),
    await head.patch("a.go", "x", ["1", "1 +\n\t2"]),
    await head.create("a.go", "G", "function", "H", "func H() {\n\tG()\n}"),
    head.imports({ language: "go", path: "a.go" }, { add: ["fmt"] }),
  );
  const folder = mkdtempSync(join(tmpdir(), "line-ends-"));
  try {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, env, encoding: "utf8" });
    git("init", "-q");
    writeFileSync(join(folder, "a.go"), plan.files[0]?.bytes as Uint8Array);
    git("add", "a.go");
    assert.match(git("ls-files", "--eol"), /^i\/crlf +w\/crlf /);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
