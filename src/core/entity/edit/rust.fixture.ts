/** Edit cases of Rust: each file as it stands, operations, and the literal replacements that are to come of them. */
import type { EditCase } from "../../../../test/support/edit-cases.ts";

const LIB = `//! A crate.
#![allow(dead_code)]

use std::collections::HashMap;
use std::fmt::{self, Display};

use serde::Serialize;

use crate::other::Thing;

/// The most.
pub const LIMIT: u8 = 10;
static NAME: &str = "é";
type Pair<T> = (T, T);

/// A store.
#[derive(Debug, Clone)]
#[allow(unused)]
pub struct Store<T: Clone> {
    held: HashMap<String, T>,
}

impl<T: Clone> Store<T> {
    /// Makes one.
    pub fn new() -> Self {
        Store {
            held: HashMap::new(),
        }
    } // new

    #[inline]
    pub(crate) fn get(&self, key: &str) -> Option<T> {
        fn inner() {}
        self.held.get(key).cloned()
    }
}

impl<T: Clone> Display for Store<T> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, r#"
as is
"#)
    }
}

impl<T: Clone> Drop for Store<T> {
    fn drop(&mut self) {}
}

pub trait Getter {
    type Out;
    fn get(&self) -> Self::Out;
    fn twice(&self) -> (Self::Out, Self::Out) {
        (self.get(), self.get())
    }
}

enum Colour {
    Red,
    Green(u8),
}

macro_rules! pair {
    ($x:expr) => {
        ($x, $x)
    };
}

mod inner {
    pub fn deep() {}

    pub fn deeper() {}
}

async fn run<'a>(x: &'a str) -> &'a str {
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_works() {}
}
`;

const PATH = "src/lib.rs";
const lib = (one: Omit<EditCase, "path" | "source">): EditCase => ({ path: PATH, source: LIB, ...one });
const unit = { language: "rust", path: PATH };

export const rustCases: readonly EditCase[] = [
  lib({
    name: "patch of a method of an impl",
    operations: async (head) => [await head.patch(PATH, "Store.get", [".cloned()", ".map(Clone::clone)"])],
    expect: [[".cloned()", ".map(Clone::clone)"]],
  }),
  lib({
    name: "patch of a method of a trait's impl",
    operations: async (head) => [await head.patch(PATH, "<Store as Drop>.drop", ["{}", "{ pair!(1); }"])],
    expect: [["fn drop(&mut self) {}", "fn drop(&mut self) { pair!(1); }"]],
  }),
  lib({
    name: "patch of an attribute",
    operations: async (head) => [await head.patch(PATH, "Store", ["Debug, Clone", "Debug"])],
    expect: [["Debug, Clone", "Debug"]],
  }),
  lib({
    name: "patch of a doc comment and code at once",
    operations: async (head) => [await head.patch(PATH, "LIMIT", ["The most", "At most"], ["10", "12"])],
    expect: [
      ["The most", "At most"],
      ["u8 = 10", "u8 = 12"],
    ],
  }),
  lib({
    name: "patch over lines",
    operations: async (head, text) => [
      await head.patch(PATH, "Store.new", [
        text("Store {\n            held"),
        text("Self {\n            held"),
      ]),
    ],
    expect: [["        Store {\n", "        Self {\n"]],
  }),
  lib({
    name: "patch of a macro",
    operations: async (head) => [await head.patch(PATH, "pair", ["($x, $x)", "[$x, $x]"])],
    expect: [["        ($x, $x)", "        [$x, $x]"]],
  }),
  lib({
    name: "patch of a static beyond ASCII",
    operations: async (head) => [await head.patch(PATH, "NAME", ['"é"', '"è\u{1F600}"'])],
    expect: [['"é"', '"è\u{1F600}"']],
  }),
  lib({
    name: "update of a struct",
    operations: async (head) => [await head.update(PATH, "Store", "pub struct Store<T: Clone>(Vec<T>);")],
    expect: [
      [
        "/// A store.\n#[derive(Debug, Clone)]\n#[allow(unused)]\npub struct Store<T: Clone> {\n    held: HashMap<String, T>,\n}",
        "pub struct Store<T: Clone>(Vec<T>);",
      ],
    ],
  }),
  lib({
    name: "update of an impl that gains and loses methods",
    operations: async (head, text) => [
      await head.update(
        PATH,
        "Drop for Store<T>",
        text("impl<T: Clone> Drop for Store<T> {\n    fn drop(&mut self) {\n        ()\n    }\n}"),
      ),
    ],
    expect: [["    fn drop(&mut self) {}\n", "    fn drop(&mut self) {\n        ()\n    }\n"]],
  }),
  lib({
    name: "update of an enum",
    operations: async (head, text) => [
      await head.update(PATH, "Colour", text("enum Colour {\n    Red,\n    Blue,\n}\n")),
    ],
    expect: [["    Green(u8),", "    Blue,"]],
  }),
  lib({
    name: "update of a trait with other members",
    operations: async (head, text) => [
      await head.update(PATH, "Getter", text("pub trait Getter {\n    fn take(self);\n}")),
    ],
    expect: [
      [
        "    type Out;\n    fn get(&self) -> Self::Out;\n    fn twice(&self) -> (Self::Out, Self::Out) {\n        (self.get(), self.get())\n    }\n",
        "    fn take(self);\n",
      ],
    ],
  }),
  lib({
    name: "update of a method with its own leading indentation",
    operations: async (head, text) => [
      await head.update(PATH, "inner.deep", text("    pub fn deep() {\n        ()\n    }")),
    ],
    expect: [["    pub fn deep() {}", "    pub fn deep() {\n        ()\n    }"]],
  }),
  lib({
    name: "update of a function with lifetimes",
    operations: async (head, text) => [
      await head.update(
        PATH,
        "run",
        text("async fn run<'a>(x: &'a str) -> &'a str {\n    fn local() {}\n    x\n}"),
      ),
    ],
    expect: [["-> &'a str {\n    x\n", "-> &'a str {\n    fn local() {}\n    x\n"]],
  }),
  lib({
    name: "create a function",
    operations: async (head) => [await head.create(PATH, "run", "function", "stop", "fn stop() {}")],
    expect: [["    x\n}\n", "    x\n}\n\nfn stop() {}\n"]],
  }),
  lib({
    name: "create a method flush left, past the comment behind its anchor",
    operations: async (head) => [
      await head.create(
        PATH,
        "Store.new",
        "method",
        "Store.len",
        "/// Counts.\npub fn len(&self) -> usize {\n    self.held.len()\n}",
      ),
    ],
    expect: [
      [
        "    } // new\n",
        "    } // new\n\n    /// Counts.\n    pub fn len(&self) -> usize {\n        self.held.len()\n    }\n",
      ],
    ],
  }),
  lib({
    name: "create a method behind the last of its impl",
    operations: async (head) => [
      await head.create(PATH, "Store.get", "method", "Store.put", "    fn put(&mut self) {}"),
    ],
    expect: [["cloned()\n    }\n", "cloned()\n    }\n\n    fn put(&mut self) {}\n"]],
  }),
  lib({
    name: "create a struct with attributes, and an enum as a type",
    operations: async (head) => [
      await head.create(PATH, "Store", "struct", "Fresh", "#[derive(Debug)]\nstruct Fresh;"),
      await head.create(PATH, "Colour", "type", "Size", "enum Size {\n    Small,\n}"),
    ],
    expect: [
      [
        "    held: HashMap<String, T>,\n}\n",
        "    held: HashMap<String, T>,\n}\n\n#[derive(Debug)]\nstruct Fresh;\n",
      ],
      ["    Green(u8),\n}\n", "    Green(u8),\n}\n\nenum Size {\n    Small,\n}\n"],
    ],
  }),
  lib({
    name: "create a method at its impl and at its trait: the last member",
    operations: async (head) => [
      await head.create(PATH, "Store<T>", "method", "Store.end", "fn end(self) {}"),
      await head.create(PATH, "Getter", "method", "Getter.more", "fn more(&self);"),
    ],
    expect: [
      [".cloned()\n    }\n", ".cloned()\n    }\n\n    fn end(self) {}\n"],
      [
        "        (self.get(), self.get())\n    }\n",
        "        (self.get(), self.get())\n    }\n\n    fn more(&self);\n",
      ],
    ],
  }),
  lib({
    name: "create the first impl of an enum, with the first of its methods named",
    operations: async (head, text) => [
      await head.create(
        PATH,
        "Colour",
        "method",
        "Colour.name",
        text(
          "#[allow(unused)]\nimpl Colour {\n    const COUNT: u8 = 2;\n\n    fn name(&self) -> u8 {\n        Self::COUNT\n    }\n\n    fn end(self) {}\n}",
        ),
      ),
    ],
    expect: [
      [
        "    Green(u8),\n}\n",
        "    Green(u8),\n}\n\n#[allow(unused)]\nimpl Colour {\n    const COUNT: u8 = 2;\n\n    fn name(&self) -> u8 {\n        Self::COUNT\n    }\n\n    fn end(self) {}\n}\n",
      ],
    ],
  }),
  lib({
    name: "create impls behind the last of their type, whatever of it is the anchor",
    operations: async (head) => [
      await head.create(
        PATH,
        "Store",
        "method",
        "Store.len",
        "impl<T> Store<T>\nwhere\n    T: Clone,\n{\n    fn len(&self) -> usize {\n        self.held.len()\n    }\n}",
      ),
      await head.create(
        PATH,
        "Store.get",
        "method",
        "<Store as Default>.default",
        "impl<T: Clone> Default for Store<T> {\n    fn default() -> Self {\n        Self::new()\n    }\n}",
      ),
      await head.create(
        PATH,
        "Display for Store<T>",
        "method",
        "<&'a Store as IntoIterator>.into_iter",
        "impl<'a, T: Clone> IntoIterator for &'a Store<T> {\n    type Item = u8;\n    type IntoIter = std::vec::IntoIter<u8>;\n    fn into_iter(self) -> Self::IntoIter {\n        Vec::new().into_iter()\n    }\n}",
      ),
    ],
    expect: [
      [
        "    fn drop(&mut self) {}\n}\n",
        "    fn drop(&mut self) {}\n}\n\nimpl<T> Store<T>\nwhere\n    T: Clone,\n{\n    fn len(&self) -> usize {\n        self.held.len()\n    }\n}\n\nimpl<T: Clone> Default for Store<T> {\n    fn default() -> Self {\n        Self::new()\n    }\n}\n\nimpl<'a, T: Clone> IntoIterator for &'a Store<T> {\n    type Item = u8;\n    type IntoIter = std::vec::IntoIter<u8>;\n    fn into_iter(self) -> Self::IntoIter {\n        Vec::new().into_iter()\n    }\n}\n",
      ],
    ],
  }),
  lib({
    name: "create impls without methods, and a struct with its impl in one call",
    operations: async (head) => [
      await head.create(
        PATH,
        "Colour",
        "method",
        "Send for Colour",
        "// SAFETY: plain data.\nunsafe impl Send for Colour {}",
      ),
      await head.create(
        PATH,
        "Colour",
        "method",
        "Getter for Colour",
        "impl Getter for Colour {\n    type Out = u8;\n    fn get(&self) -> u8 {\n        1\n    }\n}",
      ),
      await head.create(PATH, "Pair", "struct", "Unit", "struct Unit;"),
      await head.create(
        PATH,
        "Pair",
        "method",
        "Unit.new",
        "impl Unit {\n    fn new() -> Self {\n        Unit\n    }\n}",
      ),
    ],
    expect: [
      [
        "type Pair<T> = (T, T);\n",
        "type Pair<T> = (T, T);\n\nstruct Unit;\n\nimpl Unit {\n    fn new() -> Self {\n        Unit\n    }\n}\n",
      ],
      [
        "    Green(u8),\n}\n",
        "    Green(u8),\n}\n\n// SAFETY: plain data.\nunsafe impl Send for Colour {}\n\nimpl Getter for Colour {\n    type Out = u8;\n    fn get(&self) -> u8 {\n        1\n    }\n}\n",
      ],
    ],
  }),
  lib({
    name: "create an impl in a module: it names its members with the module, and is indented",
    operations: async (head) => [
      await head.create(PATH, "inner.deep", "struct", "inner.Low", "pub struct Low;"),
      await head.create(
        PATH,
        "inner.deep",
        "method",
        "inner.Low.go",
        "impl Low {\n    pub fn go(&self) {}\n}",
      ),
    ],
    expect: [
      [
        "    pub fn deep() {}\n",
        "    pub fn deep() {}\n\n    pub struct Low;\n\n    impl Low {\n        pub fn go(&self) {}\n    }\n",
      ],
    ],
  }),
  lib({
    name: "remove an impl and create another of the same methods",
    operations: async (head) => [
      await head.remove(PATH, "Drop for Store<T>"),
      await head.create(
        PATH,
        "Store",
        "method",
        "<Store as Drop>.drop",
        "impl<T: Clone> Drop for Store<T> {\n    fn drop(&mut self) {\n        self.held.clear();\n    }\n}",
      ),
    ],
    expect: [
      ["    fn drop(&mut self) {}\n", "    fn drop(&mut self) {\n        self.held.clear();\n    }\n"],
    ],
  }),
  lib({
    name: "create a constant and a type at an impl and at a trait: the last member",
    operations: async (head) => [
      await head.create(PATH, "Store<T>", "const", "Store.MOST", "const MOST: u8 = 1;"),
      await head.create(PATH, "Getter", "type", "Getter.Other", "type Other;"),
      await head.create(PATH, "Getter", "type", "Alias", "type Alias = u8;"),
    ],
    expect: [
      [".cloned()\n    }\n", ".cloned()\n    }\n\n    const MOST: u8 = 1;\n"],
      [
        "        (self.get(), self.get())\n    }\n}\n",
        "        (self.get(), self.get())\n    }\n\n    type Other;\n}\n\ntype Alias = u8;\n",
      ],
    ],
  }),
  lib({
    name: "create a constant below a module",
    operations: async (head) => [
      await head.create(PATH, "inner.deep", "const", "inner.DEPTH", "pub const DEPTH: u8 = 1;"),
    ],
    expect: [["    pub fn deep() {}\n", "    pub fn deep() {}\n\n    pub const DEPTH: u8 = 1;\n"]],
  }),
  lib({
    name: "create an alias beside an alias",
    operations: async (head) => [
      await head.create(PATH, "Pair", "type", "Triple", "type Triple<T> = (T, T, T);"),
    ],
    expect: [["type Pair<T> = (T, T);\n", "type Pair<T> = (T, T);\ntype Triple<T> = (T, T, T);\n"]],
  }),
  lib({
    name: "create at the end of the file",
    operations: async (head) => [await head.create(PATH, "tests", "function", "end", "fn end() {}")],
    expect: [["    fn it_works() {}\n}", "    fn it_works() {}\n}\n\nfn end() {}"]],
  }),
  lib({
    name: "remove a struct with docs and attributes",
    operations: async (head) => [await head.remove(PATH, "Store")],
    expect: [
      [
        "/// A store.\n#[derive(Debug, Clone)]\n#[allow(unused)]\npub struct Store<T: Clone> {\n    held: HashMap<String, T>,\n}\n\n",
        "",
      ],
    ],
  }),
  lib({
    name: "remove the first method of an impl",
    operations: async (head) => [await head.remove(PATH, "Store.new")],
    expect: [
      [
        "    /// Makes one.\n    pub fn new() -> Self {\n        Store {\n            held: HashMap::new(),\n        }\n    } // new\n\n",
        "",
      ],
    ],
  }),
  lib({
    name: "remove the last method of a trait",
    operations: async (head) => [await head.remove(PATH, "Getter.twice")],
    expect: [
      ["    fn twice(&self) -> (Self::Out, Self::Out) {\n        (self.get(), self.get())\n    }\n", ""],
    ],
  }),
  lib({
    name: "remove an impl, a constant and a macro",
    operations: async (head) => [
      await head.remove(PATH, "pair"),
      await head.remove(PATH, "Drop for Store<T>"),
      await head.remove(PATH, "NAME"),
    ],
    expect: [
      ['static NAME: &str = "é";\n', ""],
      ["impl<T: Clone> Drop for Store<T> {\n    fn drop(&mut self) {}\n}\n\n", ""],
      ["macro_rules! pair {\n    ($x:expr) => {\n        ($x, $x)\n    };\n}\n\n", ""],
    ],
  }),
  lib({
    name: "remove the last item of the file",
    operations: async (head) => [await head.remove(PATH, "tests")],
    expect: [
      [
        "    x\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn it_works() {}\n}",
        "    x\n}",
      ],
    ],
  }),
  lib({
    name: "imports: into the group of their kind, sorted as rustfmt does",
    operations: (head) => [
      head.imports(unit, {
        add: [
          "use std::env;",
          "use anyhow::Result;",
          "use crate::a;",
          "use std::fmt::Display;",
          "use std::io::{self, Read};",
        ],
      }),
    ],
    expect: [
      ["use std::collections::HashMap;\n", "use std::collections::HashMap;\nuse std::env;\n"],
      ["use std::fmt::{self, Display};\n", "use std::fmt::{self, Display};\nuse std::io::{self, Read};\n"],
      ["use serde::Serialize;\n", "use anyhow::Result;\nuse serde::Serialize;\n"],
      ["use crate::other::Thing;\n", "use crate::a;\nuse crate::other::Thing;\n"],
    ],
  }),
  lib({
    name: "imports: remove a name of a list, and a statement with its group",
    operations: (head) => [
      head.imports(unit, { remove: ["use std::fmt::Display;", "use serde::Serialize;"] }),
    ],
    expect: [
      ["use std::fmt::{self, Display};", "use std::fmt;"],
      ["use serde::Serialize;\n\n", ""],
    ],
  }),
  {
    name: "imports: the first of a file, below inner attributes",
    path: "main.rs",
    source: "//! Doc.\n#![warn(missing_docs)]\n\nfn main() {}\n",
    operations: (head) => [head.imports({ language: "rust", path: "main.rs" }, { add: ["use std::io;"] })],
    expect: [["#![warn(missing_docs)]\n", "#![warn(missing_docs)]\n\nuse std::io;\n"]],
  },
  {
    name: "imports: a new group behind the last",
    path: "main.rs",
    source: "use std::io;\nfn main() {}\n",
    operations: (head) => [
      head.imports({ language: "rust", path: "main.rs" }, { add: ["pub use crate::a::{b, C};"] }),
    ],
    expect: [["use std::io;\n", "use std::io;\n\npub use crate::a::{b, C};\n\n"]],
  },
];
