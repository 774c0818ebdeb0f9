/** Edit cases of Go: each file as it stands, operations, and the literal replacements that are to come of them. */
import type { EditCase } from "../../../../test/support/edit-cases.ts";

const STORE = `// Package store keeps values.
package store

import (
	"fmt"
	"sync"
)

// Limit is the most values kept.
const Limit = 10

const (
	// Red is first.
	Red = "red" // warm
	Green = "green"
	Blue = "blue"
)

const (
	North = iota
	South
	East
)

var a, b = 1, 2

// Store keeps values of one kind.
type Store[K comparable, V any] struct {
	mu   sync.Mutex
	held map[K]V
}

type (
	// Getter gets.
	Getter interface{ Get(string) string }
	Names  []string
)

var _ fmt.Stringer = (*Names)(nil)

// Get returns what is kept under k.
//
//go:noinline
func (s *Store[K, V]) Get(k K) V {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held[k]
} // Get

func (n *Names) String() string { return fmt.Sprint(*n) }

func init() {}

func init() { _ = Limit }

func Map[T, U any](in []T, f func(T) U) []U {
	out := make([]U, 0, len(in))
	for _, v := range in {
		out = append(out, f(v))
	}
	return out
}

// last words
func last() string {
	return \`a
	b\`
}
`;

const PATH = "store/store.go";
const store = (one: Omit<EditCase, "path" | "source">): EditCase => ({ path: PATH, source: STORE, ...one });

export const goCases: readonly EditCase[] = [
  store({
    name: "patch of a generic function",
    operations: async (head) => [await head.patch(PATH, "Map", ["f(v)", "f(v) /* mapped */"])],
    expect: [["append(out, f(v))", "append(out, f(v) /* mapped */)"]],
  }),
  store({
    name: "patch with several anchors, one of them over two lines",
    operations: async (head, text) => [
      await head.patch(
        PATH,
        "Store.Get",
        [text("s.mu.Lock()\n\tdefer s.mu.Unlock()"), text("s.mu.Lock()\n\tdefer s.mu.Unlock() // always")],
        ["Get returns what is kept", "Get gives what is kept"],
      ),
    ],
    expect: [
      ["Get returns what is kept", "Get gives what is kept"],
      ["defer s.mu.Unlock()", "defer s.mu.Unlock() // always"],
    ],
  }),
  store({
    name: "patch that deletes text",
    operations: async (head) => [await head.patch(PATH, "Limit", [" is the most values kept", ""])],
    expect: [["// Limit is the most values kept.", "// Limit."]],
  }),
  store({
    name: "patch with adjacent anchors",
    operations: async (head) => [
      await head.patch(PATH, "Blue", ["Blue ", "Blue  "], ['= "blue"', '= "navy"']),
    ],
    expect: [['Blue = "blue"', 'Blue  = "navy"']],
  }),
  store({
    name: "patch of the second init",
    operations: async (head) => [await head.patch(PATH, "init#2", ["_ = Limit", "_ = a"])],
    expect: [["{ _ = Limit }", "{ _ = a }"]],
  }),
  store({
    name: "patch of a raw string over two lines",
    operations: async (head, text) => [await head.patch(PATH, "last", [text("a\n\tb"), text("a\n\tc")])],
    expect: [["`a\n\tb`", "`a\n\tc`"]],
  }),
  store({
    name: "update of a spec in a group is the spec alone",
    operations: async (head, text) => [
      await head.update(
        PATH,
        "Getter",
        text("// Getter gets and has.\n\tGetter interface{ Get(string) (string, bool) }"),
      ),
    ],
    expect: [
      [
        "// Getter gets.\n\tGetter interface{ Get(string) string }",
        "// Getter gets and has.\n\tGetter interface{ Get(string) (string, bool) }",
      ],
    ],
  }),
  store({
    name: "update with its own leading indentation",
    operations: async (head, text) => [await head.update(PATH, "Names", text("\tNames  []int"))],
    expect: [["Names  []string", "Names  []int"]],
  }),
  store({
    name: "update of a struct that gains and loses fields, final line ends ignored",
    operations: async (head, text) => [
      await head.update(
        PATH,
        "Store",
        text("type Store[K comparable, V any] struct {\n\theld sync.Map\n}\n\n"),
      ),
    ],
    expect: [
      [
        "// Store keeps values of one kind.\ntype Store[K comparable, V any] struct {\n\tmu   sync.Mutex\n\theld map[K]V\n}",
        "type Store[K comparable, V any] struct {\n\theld sync.Map\n}",
      ],
    ],
  }),
  store({
    name: "update of one of two names in one var",
    operations: async (head) => [await head.update(PATH, "b", "var a, b = 2, 3")],
    expect: [["var a, b = 1, 2", "var a, b = 2, 3"]],
  }),
  store({
    name: "update of a blank assertion",
    operations: async (head) => [await head.update(PATH, "_", "var _ fmt.Stringer = Names(nil)")],
    expect: [["var _ fmt.Stringer = (*Names)(nil)", "var _ fmt.Stringer = Names(nil)"]],
  }),
  store({
    name: "update with text beyond the basic plane",
    operations: async (head, text) => [
      await head.update(PATH, "Limit", text("// Limit \u{1F600} é.\nconst Limit = 11")),
    ],
    expect: [
      ["// Limit is the most values kept.\nconst Limit = 10", "// Limit \u{1F600} é.\nconst Limit = 11"],
    ],
  }),
  store({
    name: "create a function behind another",
    operations: async (head) => [
      await head.create(PATH, "Map", "function", "Zero", "func Zero[T any]() (z T) {\n\treturn\n}"),
    ],
    expect: [["\treturn out\n}\n", "\treturn out\n}\n\nfunc Zero[T any]() (z T) {\n\treturn\n}\n"]],
  }),
  store({
    name: "create two variables of one call's results",
    operations: async (head) => [
      await head.create(PATH, "Map", "var", "out", "var out, err = fmt.Println()"),
    ],
    expect: [["\treturn out\n}\n", "\treturn out\n}\n\nvar out, err = fmt.Println()\n"]],
  }),
  store({
    name: "create at the end of the file",
    operations: async (head) => [await head.create(PATH, "last", "function", "end", "\n\nfunc end() {}\n\n")],
    expect: [["\tb`\n}", "\tb`\n}\n\nfunc end() {}"]],
  }),
  store({
    name: "create a method: behind its receiver's last method, wherever the anchor is",
    operations: async (head) => [
      await head.create(
        PATH,
        "last",
        "method",
        "Store.Len",
        "// Len counts.\nfunc (s *Store[K, V]) Len() int { return len(s.held) }",
      ),
    ],
    expect: [
      ["} // Get\n", "} // Get\n\n// Len counts.\nfunc (s *Store[K, V]) Len() int { return len(s.held) }\n"],
    ],
  }),
  store({
    name: "create a first method: behind its type, past the group it stands in",
    operations: async (head) => [
      await head.create(PATH, "init", "method", "Names.Len", "func (n Names) Len() int { return len(n) }"),
    ],
    expect: [
      [
        "func (n *Names) String() string { return fmt.Sprint(*n) }\n",
        "func (n *Names) String() string { return fmt.Sprint(*n) }\n\nfunc (n Names) Len() int { return len(n) }\n",
      ],
    ],
  }),
  store({
    name: "create a type beside a spec goes behind its group",
    operations: async (head) => [
      await head.create(PATH, "Names", "struct", "Pair", "type Pair struct{ A, B int }"),
    ],
    expect: [["Names  []string\n)\n", "Names  []string\n)\n\ntype Pair struct{ A, B int }\n"]],
  }),
  store({
    name: "create a group of constants, named by the first",
    operations: async (head) => [
      await head.create(PATH, "Limit", "const", "Small", "const (\n\tSmall = 1\n\tLarge = 2\n)"),
    ],
    expect: [["const Limit = 10\n", "const Limit = 10\n\nconst (\n\tSmall = 1\n\tLarge = 2\n)\n"]],
  }),
  store({
    name: "two creations behind one anchor keep their order",
    operations: async (head) => [
      await head.create(PATH, "Limit", "const", "First", "const First = 1"),
      await head.create(PATH, "Limit", "interface", "Second", "type Second interface{}"),
    ],
    expect: [["const Limit = 10\n", "const Limit = 10\n\nconst First = 1\n\ntype Second interface{}\n"]],
  }),
  store({
    name: "create a file of its own",
    operations: async (head) => [
      await head.create(PATH, "Map", "function", "filter", "func filter() {}", "new_source_unit"),
      await head.patch(PATH, "Limit", ["10", "12"]),
    ],
    expect: [["const Limit = 10", "const Limit = 12"]],
    created: { "store/filter.go": "package store\n\nfunc filter() {}\n" },
  }),
  store({
    name: "remove a function with its doc comment",
    operations: async (head) => [await head.remove(PATH, "last")],
    expect: [
      ["\treturn out\n}\n\n// last words\nfunc last() string {\n\treturn `a\n\tb`\n}", "\treturn out\n}"],
    ],
  }),
  store({
    name: "remove a method with the comment behind it",
    operations: async (head) => [await head.remove(PATH, "Store.Get")],
    expect: [
      [
        "// Get returns what is kept under k.\n//\n//go:noinline\nfunc (s *Store[K, V]) Get(k K) V {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\treturn s.held[k]\n} // Get\n\n",
        "",
      ],
    ],
  }),
  store({
    name: "remove the first spec of a group with its comments",
    operations: async (head) => [await head.remove(PATH, "Red")],
    expect: [['\t// Red is first.\n\tRed = "red" // warm\n', ""]],
  }),
  store({
    name: "remove the last of an iota group",
    operations: async (head) => [await head.remove(PATH, "East")],
    expect: [["\tEast\n", ""]],
  }),
  store({
    name: "remove two names with the declaration they share, and all that count from one constant",
    operations: async (head) => [
      await head.remove(PATH, "a"),
      await head.remove(PATH, "South"),
      await head.remove(PATH, "b"),
      await head.remove(PATH, "East"),
    ],
    expect: [
      ["\tSouth\n\tEast\n", ""],
      ["var a, b = 1, 2\n\n", ""],
    ],
  }),
  store({
    name: "remove two neighbours and a type",
    operations: async (head) => [
      await head.remove(PATH, "init#1"),
      await head.remove(PATH, "init#2"),
      await head.remove(PATH, "Limit"),
    ],
    expect: [
      ["// Limit is the most values kept.\nconst Limit = 10\n\n", ""],
      ["func init() {}\n\nfunc init() { _ = Limit }\n\n", ""],
    ],
  }),
  store({
    name: "remove and create in its place",
    operations: async (head) => [
      await head.remove(PATH, "Map"),
      await head.create(PATH, "Map", "function", "Each", "func Each() {}"),
    ],
    expect: [
      [
        "func Map[T, U any](in []T, f func(T) U) []U {\n\tout := make([]U, 0, len(in))\n\tfor _, v := range in {\n\t\tout = append(out, f(v))\n\t}\n\treturn out\n}",
        "func Each() {}",
      ],
    ],
  }),
  store({
    name: "imports: one block, standard library first",
    operations: (head) => [
      head.imports(
        { language: "go", path: PATH },
        { add: ["example.com/z", 'log "example.com/log"', "errors"], remove: ["fmt"] },
      ),
    ],
    expect: [
      [
        'import (\n\t"fmt"\n\t"sync"\n)',
        'import (\n\t"errors"\n\t"sync"\n\n\tlog "example.com/log"\n\t"example.com/z"\n)',
      ],
    ],
  }),
  store({
    name: "imports: all removed, the block goes",
    operations: (head) => [head.imports({ language: "go", path: PATH }, { remove: ["fmt", "sync"] })],
    expect: [['package store\n\nimport (\n\t"fmt"\n\t"sync"\n)\n', "package store\n"]],
  }),
  store({
    name: "imports addressed by package, with an edit of the same file",
    operations: async (head) => [
      await head.patch(PATH, "Limit", ["= 10", "= 20"]),
      head.imports({ language: "go", package: "store", name: "store" }, { add: ["os"] }),
    ],
    expect: [
      ['\t"fmt"\n\t"sync"', '\t"fmt"\n\t"os"\n\t"sync"'],
      ["const Limit = 10", "const Limit = 20"],
    ],
  }),
  {
    name: "imports: the first of a file",
    path: "main.go",
    source: "package main // here\nfunc main() {}\n",
    operations: (head) => [head.imports({ language: "go", path: "main.go" }, { add: ["fmt"] })],
    expect: [["package main // here\n", 'package main // here\n\nimport (\n\t"fmt"\n)\n\n']],
  },
  {
    name: "imports: mixed styles become one block",
    path: "main.go",
    source: 'package main\n\nimport "os"\nimport m "math"\n\nfunc main() { m.Abs(1); os.Exit(0) }\n',
    operations: (head) => [head.imports({ language: "go", path: "main.go" }, { add: ['import "fmt"'] })],
    expect: [['import "os"\nimport m "math"', 'import (\n\t"fmt"\n\tm "math"\n\t"os"\n)']],
  },
  store({
    name: "unit: a function is appended, a method stands with its type",
    operations: (head) => {
      const unit = { language: "go", package: "store", name: "store", role: "source" };
      return [
        head.createInUnit(unit, "function", "Open", "func Open() {}"),
        head.createInUnit(unit, "method", "Store.Len", "func (s *Store[K, V]) Len() int { return 0 }", [
          "os",
        ]),
      ];
    },
    expect: [
      ['\t"fmt"\n\t"sync"', '\t"fmt"\n\t"os"\n\t"sync"'],
      ["} // Get\n", "} // Get\n\nfunc (s *Store[K, V]) Len() int { return 0 }\n"],
      ["\tb`\n}", "\tb`\n}\n\nfunc Open() {}"],
    ],
    endsWithLineEnd: true,
  }),
];
