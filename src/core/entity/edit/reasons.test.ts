/** What a refusal says of the call: the right name, kind, unit or place to send, and of a fault the caller's own line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead } from "../../../../test/support/memory-head.ts";
import type { OperationInput } from "../../../schema/mutation.ts";

const head = new MemoryHead({
  "go.mod": "module example.com/shop\n",
  "go/shop.go":
    "package shop\n\nconst (\n\tMin = 1\n\tMax = 9\n)\n\ntype Cart struct{}\n\nfunc (c *Cart) Add() {}\n",
  "gopkg.in/yaml/yaml.go": "package yaml\n",
  "price.py": "class Price:\n    def euros(self):\n        return 1\n\n\ndef secret():\n    return 1\n",
  "price.ts": "export class Price {\n  euros() {}\n}\n\nexport function secret() {}\n",
  "price.rs": "struct Price;\n",
});
const empty = new MemoryHead({});
const shop = { language: "go", package: "go", name: "shop" };

type Build = () => Promise<OperationInput> | OperationInput;
const says: [string, Build, code: string, reason: RegExp, nextStep: RegExp][] = [
  [
    "a Python method with its bare name, beside another",
    () => head.create("price.py", "Price.euros", "method", "cheap", "def cheap(self):\n    return 1"),
    "name_mismatch",
    /^The body declares Price\.cheap there, not cheap\.$/,
    /^Send the name Price\.cheap, /,
  ],
  [
    "a Python method with its bare name, in its class",
    () => head.create("price.py", "Price", "method", "cheap", "def cheap(self):\n    return 1"),
    "name_mismatch",
    /^The body declares Price\.cheap there, not cheap\.$/,
    /^Send the name Price\.cheap, /,
  ],
  [
    "a TypeScript method with its bare name",
    () => head.create("price.ts", "Price.euros", "method", "cheap", "cheap() {}"),
    "name_mismatch",
    /^The body declares Price\.cheap there, not cheap\.$/,
    /^Send the name Price\.cheap, /,
  ],
  [
    "a Go method with its bare name",
    () => head.create("go/shop.go", "Cart", "method", "Clear", "// Clear.\nfunc (c *Cart) Clear() {}"),
    "name_mismatch",
    /"Clear" is not\.$/,
    /^Name it Cart\.Clear\.$/,
  ],
  [
    "a Go method named as it is printed",
    () => head.createInUnit(shop, "method", "(*Cart).Clear", "func (Cart) Clear() {}"),
    "name_mismatch",
    /"\(\*Cart\)\.Clear" is not\.$/,
    /^Name it Cart\.Clear\.$/,
  ],
  [
    "a Go method of a generic type",
    () => head.createInUnit(shop, "method", "Get", "func (s *Set[K, V]) Get() {}"),
    "name_mismatch",
    /"Get" is not\.$/,
    /^Name it Set\.Get\.$/,
  ],
  [
    "a Go receiver that is not there",
    () => head.createInUnit(shop, "method", "Bag.Add", "func (b Bag) Add() {}"),
    "receiver_missing",
    /receiver type Bag,/,
    /^Create the type Bag in the same call/,
  ],
  [
    "a Go method sent as a function",
    () => head.create("go/shop.go", "Cart", "function", "Cart.Clear", "func (c *Cart) Clear() {}"),
    "kind_mismatch",
    /^The body declares the Go method Cart\.Clear\.$/,
    /^Send the kind method\.$/,
  ],
  [
    "a TypeScript enum sent as a class",
    () => head.create("price.ts", "secret", "class", "E", "enum E { A }"),
    "kind_mismatch",
    /enum E\.$/,
    /^Send the kind type\.$/,
  ],
  [
    "a Rust trait sent as a struct",
    () => head.create("price.rs", "Price", "struct", "T", "trait T {}"),
    "kind_mismatch",
    /trait T\.$/,
    /^Send the kind interface\.$/,
  ],
  [
    "a kind that Python has not",
    () => head.create("price.py", "secret", "interface", "I", "class I:\n    pass"),
    "kind_mismatch",
    /^Python has no interface to create\.$/,
    /one of function, method, class, type, const, var\.$/,
  ],
  [
    "a member of a Go group",
    () => head.create("go/shop.go", "Min", "const", "Mid", "// Mid is between.\nMid = 5"),
    "kind_mismatch",
    /does not begin with const/,
    /: const Mid = \.\.\.; .* behind the group\.$/,
  ],
  [
    "a member of a Go group, in a unit",
    () => head.createInUnit(shop, "var", "mid", "mid = 5"),
    "kind_mismatch",
    /does not begin with var/,
    /: var mid = \.\.\.; /,
  ],
  [
    "a Python file as a unit to create in, in an empty repository",
    () => empty.createInUnit({ language: "python", path: "a.py" }, "function", "f", "def f():\n    pass"),
    "unit_invalid",
    /^A unit to create in is a Go package, not one of "python"\.$/,
    /source_base and placement.*committed with git\.$/,
  ],
  [
    "a Go file as a unit to create in",
    () => head.createInUnit({ language: "go", path: "go/shop.go" }, "function", "F", "func F() {}"),
    "unit_invalid",
    /^unit\./,
    /^Address a Go package as .*, not a file\.$/,
  ],
  [
    "a Python package as a unit of imports",
    () => head.imports({ language: "python", package: "a", name: "a" }, { add: ["import os"] }),
    "unit_invalid",
    /^unit\.language/,
    /^Address a file as \{language:"python", path:.*or a Go package as /,
  ],
  [
    "an unknown language of imports",
    () => head.imports({ language: "java", path: "A.java" }, { add: ["import a.B;"] }),
    "unit_invalid",
    /^unit\.language/,
    /^Address a file as /,
  ],
  [
    "imports of the file of a package that is not there",
    () => head.imports({ ...shop, name: "shop", package: "other" }, { add: ["fmt"] }),
    "unit_missing",
    /^other\/shop\.go is not there\.$/,
    /\{language:"go", path\}/,
  ],
  [
    "a package as an import path",
    () => head.createInUnit({ ...shop, package: "example.com/shop/go" }, "function", "F", "func F() {}"),
    "unit_invalid",
    /"example\.com\/shop\/go" reads like an import path/,
    /^Give the directory below go\.mod/,
  ],
  [
    "a package as an import path, in an empty repository",
    () => empty.createInUnit({ ...shop, package: "github.com/a/b" }, "function", "F", "func F() {}"),
    "unit_invalid",
    /reads like an import path/,
    /^Give the directory below go\.mod/,
  ],
];
for (const [name, build, code, reason, nextStep] of says) {
  test(`says what to send: ${name}`, async () => {
    const refusal = await (name.includes("empty repository")
      ? empty.outcome([await build()], { head: null, tree: null })
      : head.outcome([await build()]));
    assert.equal(refusal.status, "refused", JSON.stringify(refusal));
    if (refusal.status !== "refused") return;
    assert.equal(refusal.refusal.code, code);
    assert.match(refusal.refusal.reason, reason);
    assert.match(refusal.refusal.next_step, nextStep);
  });
}

test("what is said to work does", async () => {
  const calls: Build[] = [
    () => head.create("price.py", "Price.euros", "method", "Price.cheap", "def cheap(self):\n    return 1"),
    () => head.create("go/shop.go", "Cart", "method", "Cart.Clear", "func (c *Cart) Clear() {}"),
    () => head.create("go/shop.go", "Min", "const", "Mid", "const Mid = 5"),
    () => head.create("price.ts", "secret", "type", "E", "enum E { A }"),
    () => head.create("price.rs", "Price", "interface", "T", "trait T {}"),
    // A directory whose name has a dot, and one that no host could have.
    () =>
      head.createInUnit({ ...shop, package: "gopkg.in/yaml", name: "yaml" }, "function", "F", "func F() {}"),
    () => head.createInUnit({ ...shop, package: "v1.2", name: "v" }, "function", "F", "func F() {}"),
  ];
  for (const build of calls) assert.equal((await head.plan(await build())).files.length, 1);
});

test("a fault shows the line as it was sent, cut to one short piece, and no text that stood there before", async () => {
  const long = await head.refusal(
    await head.patch("price.ts", "secret", ["{}", `{ ${"a();".repeat(60)} let = ; ${"b();".repeat(60)} }`]),
  );
  const problem = long.faults?.[0]?.problem ?? "";
  assert.match(problem, /^unreadable text, in ".*let = ; .*"$/);
  assert.ok(problem.length < 140, problem);
  const before = await head.refusal(await head.patch("price.ts", "Price.euros", ["{}", "{ ("]));
  assert.equal(before.code, "syntax_error");
  for (const { problem: said } of before.faults ?? []) assert.doesNotMatch(said, /secret|class Price/);
});
