/**
 * No edit of one Go constant changes another: what each stands for follows the language specification ("Constant
 * declarations", "Iota"), computed by hand for these groups. Refusals name the constant that would change.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";

const SOURCE = `package a

type Kind uint8

const (
	// North is up.
	North Kind = iota // 0
	South            // 1
	_
	East = iota * 10 // 30
	West = 7
)

const (
	Read, Write = 1 << iota, "w b" // 1
	Open, Shut                     // 2
)

const (
	Base  = 5
	Again // 5
	Alone = "x"
)

const (
	One = 1
	Two = 2
)

const Single = iota

func f() int {
	const (
		a = iota
		b
	)
	return a + b
}
`;
const head = new MemoryHead({ "a.go": SOURCE });

const changed: [name: string, entity: string, body: string, other: string][] = [
  ["iota becomes a number", "North", "North Kind = 5", "South"],
  ["another expression of iota", "North", "North Kind = iota + 1", "South"],
  ["the type alone", "North", "North = iota", "South"],
  ["another type", "North", "North uint16 = iota", "South"],
  ["a value that is repeated", "Base", "Base = 6", "Again"],
  ["the first of two names", "Read", 'Read, Write = 2 << iota, "w b"', "Open"],
  ["the second of two names, blanks in a string", "Write", 'Read, Write = 1 << iota, "w  b"', "Shut"],
];
for (const [name, entity, body, other] of changed) {
  test(`update, ${name}: refused, ${other} would change`, async () => {
    const { code, operation, reason } = await head.refusal(await head.update("a.go", entity, body));
    assert.equal(code, "footprint_exceeded");
    assert.equal(operation, 0);
    assert.match(reason, new RegExp(`const ${other},`));
  });
}

test("patch: the same", async () => {
  const { code, reason } = await head.refusal(await head.patch("a.go", "North", ["iota", "1 + iota"]));
  assert.equal(code, "footprint_exceeded");
  assert.match(reason, /const South,/);
});

test("a constant that gets a value of its own, or loses it, decides for those below", async () => {
  const four = new MemoryHead({ "a.go": "package a\n\nconst (\n\tA = 1\n\tB\n\tC\n\tD = 4\n\tE\n)\n" });
  assert.match((await four.refusal(await four.update("a.go", "B", "B = 2"))).reason, /const C,/);
  assert.match((await four.refusal(await four.update("a.go", "D", "D"))).reason, /const E,/);
  const plan = await four.plan(await four.update("a.go", "C", "C = 3"));
  assert.equal(textsOf(plan)["a.go"], "package a\n\nconst (\n\tA = 1\n\tB\n\tC = 3\n\tD = 4\n\tE\n)\n");
});

const free: [name: string, entity: string, body: string, line: string][] = [
  ["a doc comment", "North", "// North is not down.\n\tNorth Kind = iota", "\tNorth Kind = iota // 0"],
  ["layout and a comment inside", "North", "North  Kind = /* first */ iota", "first */ iota // 0"],
  ["one that none repeats", "West", "West = 8", "\tWest = 8\n"],
  ["one that is counted itself", "East", "East = iota * 20", "\tEast = iota * 20 // 30"],
  ["the last that repeats", "Again", "Again = 9", "\tAgain = 9 // 5"],
  ["values of their own", "One", "One = 3", "\tOne = 3\n\tTwo = 2\n"],
  ["no group", "Single", "const Single = iota + 1", "const Single = iota + 1\n"],
];
for (const [name, entity, body, line] of free) {
  test(`update, ${name}: nothing else changes`, async () => {
    const text = textsOf(await head.plan(await head.update("a.go", entity, body)))["a.go"];
    assert.ok(text?.includes(line), text);
  });
}

test("who names the others in the same call may change them all", async () => {
  const plan = await head.plan(
    await head.update("a.go", "Base", "Base = 6"),
    await head.update("a.go", "Again", "Again = 5"),
  );
  assert.ok(textsOf(plan)["a.go"]?.includes("\tBase = 6\n\tAgain = 5 // 5\n"));
  const half = await head.refusal(
    await head.update("a.go", "North", "North Kind = 1"),
    await head.update("a.go", "South", "// South is down.\n\tSouth"),
  );
  assert.match(half.reason, /const South,/);
});

test("one of two names of a constant is not removed without the other, and both are kept by an update", async () => {
  const two = new MemoryHead({ "a.go": "package a\n\nconst A, B = 1, 2\n\nconst C = 3\n" });
  for (const name of ["A", "B"]) {
    assert.equal((await two.refusal(await two.remove("a.go", name))).code, "remove_refused");
    const dropped = await two.refusal(await two.update("a.go", name, `const ${name} = 1`));
    assert.equal(dropped.code, "footprint_exceeded");
  }
  const both = await two.plan(await two.remove("a.go", "A"), await two.remove("a.go", "B"));
  assert.equal(textsOf(both)["a.go"], "package a\n\nconst C = 3\n");
});

test("what is created beside a constant of a group stands behind the group", async () => {
  for (const [kind, name, body] of [
    ["const", "New", "const New = iota"],
    ["var", "other", "var other = 1"],
  ] as const) {
    const plan = await head.plan(await head.create("a.go", "North", kind, name, body));
    const [group] = SOURCE.split("\n\nconst (\n\tRead");
    assert.ok(textsOf(plan)["a.go"]?.startsWith(`${group}\n\n${body}\n\nconst (\n\tRead`));
  }
});

test("an update that brings another spec along is refused, `_` included", async () => {
  for (const spec of ["Extra", "_", "_ = iota"]) {
    const { code } = await head.refusal(await head.update("a.go", "South", `South\n\t${spec}`));
    assert.equal(code, "footprint_exceeded", spec);
  }
});

test("a function with constants of its own is edited as it likes", async () => {
  const plan = await head.plan(await head.patch("a.go", "f", ["a = iota", "a = iota + 1"]));
  assert.ok(textsOf(plan)["a.go"]?.includes("\t\ta = iota + 1\n\t\tb\n"));
});
