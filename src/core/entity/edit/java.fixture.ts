/** Edit cases of Java: each file as it stands, operations, and the literal replacements that are to come of them. */
import type { EditCase } from "../../../../test/support/edit-cases.ts";

export const STORE = `/* licence */
package demo;

import java.util.List;
import java.util.Map;

/** A store. */
@Deprecated(since = "1")
public final class Store<T extends Comparable<T>> implements Getter {
    private static final int LIMIT = 10;
    private int low, high = 1;
    @Nullable
    protected Map<String, List<T>> held;

    static {
        System.out.println("é");
    }

    /** Makes one. */
    public Store() {
        this(null);
    }

    Store(Map<String, List<T>> held) {
        this.held = held;
    }

    @Override
    public String toString() {
        class Local {
            void f() {}
        }
        return "Store";
    }

    public <R> R get(String key) {
        return null;
    }

    public <R> R get(int key) {
        Runnable r = new Runnable() {
            public void run() {}
        };
        return null;
    }

\tvoid tabs() {
\t\tint x = 1;
\t}

    enum Colour {
        RED, GREEN;

        Colour next() {
            return RED;
        }
    }

    record Pair(int a, int b) {
        Pair {
            if (a > b) throw new IllegalArgumentException();
        }

        int sum() {
            return a + b;
        }
    }

    static class Inner {
        static class Deep {
            void get() {}
        }
    }
}

interface Getter {
    <R> R get(String key);

    default int two() {
        return 2;
    }
}

@interface Mark {
    String value() default "";
}
`;

export const PATH = "demo/Store.java";
const store = (one: Omit<EditCase, "path" | "source">): EditCase => ({ path: PATH, source: STORE, ...one });
const patches = (name: string, entity: string, old: string, now: string): EditCase =>
  store({
    name: `patch of ${name}`,
    operations: async (head, text) => [await head.patch(PATH, entity, [text(old), text(now)])],
    expect: [[old, now]],
  });
const updates = (name: string, entity: string, body: string, old: string, now: string): EditCase =>
  store({
    name: `update of ${name}`,
    operations: async (head, text) => [await head.update(PATH, entity, text(body))],
    expect: [[old, now]],
  });

export const javaCases: readonly EditCase[] = [
  patches(
    "a constructor with its doc comment",
    "Store.Store",
    "/** Makes one. */\n    public",
    "/** Makes it. */\n    public",
  ),
  patches("the second constructor", "Store.Store#2", "this.held = held;", "this.held = Map.copyOf(held);"),
  patches("an annotation of a class", "Store", 'since = "1"', 'since = "2"'),
  patches("a field", "Store.LIMIT", "LIMIT = 10", "LIMIT = 12"),
  patches("two fields declared together", "Store.high", "low, high = 1", "low, high = 2"),
  patches("an annotated field", "Store.held", "protected Map", "private Map"),
  patches("an overridden method with a local class", "Store.toString", 'return "Store"', 'return "store"'),
  patches(
    "the second overload, inside an anonymous class",
    "Store.get#2",
    "public void run() {}",
    "public void run() { return; }",
  ),
  patches("a method indented with tabs", "Store.tabs", "\t\tint x = 1;", "\t\tint x = 2;\n\t\tint y = 3;"),
  patches("an enum's constants", "Store.Colour", "RED, GREEN;", "RED, GREEN, BLUE;"),
  patches("a method of an enum", "Store.Colour.next", "return RED", "return GREEN"),
  patches("a compact constructor", "Store.Pair.Pair", "a > b", "a >= b"),
  patches("a method of a record", "Store.Pair.sum", "a + b", "b + a"),
  patches("a default method of an interface", "Getter.two", "return 2", "return 1 + 1"),
  patches("an element of an annotation type", "Mark.value", 'default ""', 'default "x"'),
  store({
    name: "patch of a method two classes down",
    operations: async (head) => [await head.patch(PATH, "Store.Inner.Deep.get", ["{}", "{ return; }"])],
    expect: [["void get() {}", "void get() { return; }"]],
  }),
  patches("text beyond ASCII in a class body", "Store", '"é"', '"\u{1F600}"'),
  updates(
    "a method",
    "Store.get",
    "public <R> R get(String key) {\n        return (R) held;\n    }",
    "get(String key) {\n        return null;",
    "get(String key) {\n        return (R) held;",
  ),
  updates(
    "a method with its own leading indentation",
    "Store.tabs",
    "\tvoid tabs() {\n\t}",
    "\tvoid tabs() {\n\t\tint x = 1;\n\t}",
    "\tvoid tabs() {\n\t}",
  ),
  updates(
    "a record that gains and loses members",
    "Store.Pair",
    "record Pair(int a, int b) {\n        int product() {\n            return a * b;\n        }\n    }",
    "        Pair {\n            if (a > b) throw new IllegalArgumentException();\n        }\n\n        int sum() {\n            return a + b;\n        }",
    "        int product() {\n            return a * b;\n        }",
  ),
  updates(
    "an interface",
    "Getter",
    "interface Getter {\n    <R> R get(String key);\n}\n",
    "    <R> R get(String key);\n\n    default int two() {\n        return 2;\n    }\n",
    "    <R> R get(String key);\n",
  ),
  updates(
    "an annotation type",
    "Mark",
    "@interface Mark {\n    int value();\n}",
    '    String value() default "";',
    "    int value();",
  ),
  updates(
    "an enum",
    "Store.Colour",
    "enum Colour {\n        BLUE\n    }",
    "        RED, GREEN;\n\n        Colour next() {\n            return RED;\n        }\n",
    "        BLUE\n",
  ),
  updates(
    "a field",
    "Store.LIMIT",
    "static final long LIMIT = 10L;",
    "private static final int LIMIT = 10;",
    "static final long LIMIT = 10L;",
  ),
  updates(
    "a nested class, with a class that was not there",
    "Store.Inner",
    "static class Inner {\n        static class Other {}\n    }",
    "        static class Deep {\n            void get() {}\n        }\n",
    "        static class Other {}\n",
  ),
  store({
    name: "several entities at once",
    operations: async (head) => [
      await head.patch(PATH, "Mark", ["value()", "name()"]),
      await head.patch(PATH, "Store.LIMIT", ["10", "11"]),
      await head.update(PATH, "Store.Store#2", "Store(Map<String, List<T>> held) {}"),
    ],
    expect: [
      ["LIMIT = 10", "LIMIT = 11"],
      ["held) {\n        this.held = held;\n    }", "held) {}"],
      ["String value()", "String name()"],
    ],
  }),
];
