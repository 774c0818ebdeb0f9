/** Names: exact or in part, and that the words searched for stand in every file that declares what is looked for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { reader } from "../../../test/support/memory-head.ts";
import { readSourceUnit } from "./entity.ts";
import { holdsWord, nameQuery, wordsOfName } from "./name-query.ts";

const entity = (qualifiedName: string, name = qualifiedName.slice(qualifiedName.lastIndexOf(".") + 1)) => ({
  name,
  qualifiedName,
});

test("exact is the whole name or qualified name, with its case; part is any part, in any case", () => {
  const match = nameQuery("Get");
  assert.equal(match(entity("Get")), "exact");
  assert.equal(match(entity("Store.Get")), "exact");
  assert.equal(match(entity("Store.get")), "part");
  assert.equal(match(entity("budgetOf")), "part");
  assert.equal(match(entity("Set")), null);
  assert.equal(nameQuery("Store.Get")(entity("Store.Get")), "exact");
  assert.equal(nameQuery("e.g")(entity("Store.Get")), "part");
  assert.equal(nameQuery("GRÖßE")(entity("größe")), "part");
  assert.equal(nameQuery("[a-z]")(entity("a")), null);
});

test("words: the longest first, each once; what joins names stands in no file", () => {
  assert.deepEqual(wordsOfName("Store.Get"), ["Store", "Get"]);
  assert.deepEqual(wordsOfName("<Point as std::fmt::Display>.fmt"), ["Display", "Point", "std", "fmt"]);
  assert.deepEqual(wordsOfName("$x.$x"), ["$x"]);
  for (const none of ["as", "A", "s", "<=>", "[ ]", "."]) assert.deepEqual(wordsOfName(none), [], none);
});

test("a whole word has its case and no word beside it", () => {
  const bytes = Buffer.from("target get_all Get(x)\nné\n");
  for (const [word, whole, part] of [
    ["Get", true, true],
    ["get", false, true],
    ["GET", false, true],
    ["x", true, true],
    ["n", true, true],
    ["none", false, false],
  ] as const) {
    assert.deepEqual([holdsWord(word, "whole")(bytes), holdsWord(word, "part")(bytes)], [whole, part], word);
  }
  assert.equal(holdsWord("Get", "whole")(bytes.subarray(0, 15)), false);
});

const FILES: Readonly<Record<string, string>> = {
  "a.go":
    "package a\ntype Store[K any] struct{}\nfunc (s *Store[K]) Get() {}\nfunc (*Store[_]) set() {}\nvar x, Y = 1, 2\n",
  "a.py": "class A:\n    class B:\n        def c(self): pass\n@d\ndef größe(): pass\n",
  "a.ts":
    'namespace N.M { export const a = 1 }\nclass K { "quoted name"() {}\n [Symbol.iterator]() {}\n #p() {}\n static get v() { return 1 } }\nexport default function () {}\n',
  "a.rs":
    "struct P;\nimpl<T> From<Vec<T>> for P { fn from(_: Vec<T>) -> P { P } }\nmod as_is { fn r#match() {} }\nmacro_rules! m { () => {} }\n",
  "a.java": "class A<T> { A() {} void run(int x) {} interface I { void go(); } }\n",
  "a.cpp": "struct Q { int operator()(int) { return 1; } ~Q() {} };\nint Q :: far() { return 2; }\n",
  "a.rb": "class A\n  def b?; end\n  def c=(x); end\n  def self.d; end\n  def <=>(o); end\nend\n",
};

test("every word of every name, whole or in part, stands in the file that declares it", async () => {
  const encoder = new TextEncoder();
  const declared: { name: string; bytes: Uint8Array }[] = [];
  for (const [path, text] of Object.entries(FILES)) {
    const bytes = encoder.encode(text);
    const unit = await readSourceUnit(reader, 1, path, bytes);
    for (const { entity: found } of unit.located) {
      declared.push({ name: found.qualifiedName, bytes }, { name: found.name, bytes });
    }
  }
  assert.ok(declared.length > 60, `${declared.length} names`);
  for (const { name, bytes } of declared) {
    for (const word of wordsOfName(name)) assert.ok(holdsWord(word, "whole")(bytes), `${word} of ${name}`);
  }
  fc.assert(
    fc.property(
      fc.constantFrom(...declared),
      fc.nat(),
      fc.nat(),
      fc.boolean(),
      (one, from, length, upper) => {
        const characters = [...one.name];
        const start = from % characters.length;
        const part = characters.slice(start, start + 1 + (length % characters.length)).join("");
        // No character of these names has another number of characters in the other case but one.
        const asked = upper ? part.replace(/[^ß]/gu, (character) => character.toUpperCase()) : part;
        assert.notEqual(nameQuery(asked)(entity(one.name)), null);
        for (const word of wordsOfName(asked)) {
          assert.ok(holdsWord(word, "part")(one.bytes), `${word} of ${asked} of ${one.name}`);
        }
      },
    ),
  );
});
