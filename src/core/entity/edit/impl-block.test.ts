/** `impl` blocks that are created: what is found of them afterwards, ids that stay, names that are not free. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";
import type { MutationPlan } from "./outcome.ts";

const PATH = "src/lib.rs";
const LIB = `pub struct P<T> {
    held: T,
}

impl P<u8> {
    fn new() -> Self {
        P { held: 1 }
    }
}

trait Named {
    fn name(&self) -> u8;
}

impl Named for P<u8> {
    fn name(&self) -> u8 {
        1
    }
}

fn run() {}

mod inner {
    pub struct P;

    impl P {
        fn new() {}
    }
}

impl P<u16> {
    fn new() -> Self {
        P { held: 2 }
    }
}
`;
const block = (head: string, ...methods: string[]): string =>
  `${head} {\n${methods.map((name) => `    fn ${name}(&self) {}\n`).join("\n")}}`;

const made = (plan: MutationPlan) =>
  plan.entities.map(({ effect, entity }) => `${effect} ${entity.kind} ${entity.qualifiedName}`);

async function idsOf(head: MemoryHead): Promise<string[]> {
  return (await head.unit(PATH)).located.map(({ entity }) => entity.id);
}

test("the method that was named and its block are what was created; both can be found, edited and removed", async () => {
  const head = new MemoryHead({ [PATH]: LIB });
  const body = block("impl<T> P<T>", "first", "second");
  const plan = await head.plan(await head.create(PATH, "P", "method", "P.second", body));
  assert.deepEqual(made(plan), ["created method P.second", "created impl P<T>"]);
  const next = new MemoryHead(textsOf(plan));
  const ids = plan.entities.map(({ entity }) => entity.id);
  const { located } = await next.unit(PATH);
  assert.deepEqual(
    ids.map((id) => located.find(({ entity }) => entity.id === id)?.entity.qualifiedName),
    ["P.second", "P<T>"],
  );
  const edited = await next.plan(await next.update(PATH, "P.second", "fn second(self) {}"));
  assert.match(textsOf(edited)[PATH] ?? "", /fn second\(self\) \{\}\n\}\n$/);
  assert.equal(textsOf(await next.plan(await next.remove(PATH, "P<T>")))[PATH], LIB);
  const further = await next.plan(await next.create(PATH, "P.second", "method", "P.third", "fn third() {}"));
  assert.deepEqual(made(further), ["created method P.third"]);
});

test("an inherent block more of a type, by its own name; no id that was there changes", async () => {
  for (const [anchor, name, body] of [
    ["P", "P<u8>", block("impl P<u8>", "more")],
    ["P.new", "P.new", block("impl P<u32>", "new")],
    ["P<u8>", "<P as Named>.name", block("impl Named for P<u16>", "name")],
    ["Named", "<P as Named>.name", block("impl Named for P<u16>", "name")],
    ["run", "P.new", block("impl P<u32>", "new")],
    ["inner.P", "inner.P.more", block("impl P", "more", "less")],
    ["inner.P.new", "inner.P", "impl P {}"],
  ] as const) {
    const head = new MemoryHead({ [PATH]: LIB });
    const before = await idsOf(head);
    const plan = await head.plan(await head.create(PATH, anchor, "method", name, body));
    const after = await idsOf(new MemoryHead(textsOf(plan)));
    assert.deepEqual(
      after.filter((id) => before.includes(id)),
      before,
      `${name} at ${anchor}`,
    );
    assert.ok(plan.entities.every(({ entity }) => after.includes(entity.id) && !before.includes(entity.id)));
  }
});

test("an associated constant of a block is created under its own kind", async () => {
  const head = new MemoryHead({ [PATH]: LIB });
  const body = "impl<T> P<T> {\n    const MOST: u8 = 1;\n}";
  assert.deepEqual(made(await head.plan(await head.create(PATH, "P", "const", "P.MOST", body))), [
    "created const P.MOST",
    "created impl P<T>",
  ]);
});

test("refused: what is there, what the body does not declare, and what is no block", async () => {
  const head = new MemoryHead({ [PATH]: LIB });
  const of = async (anchor: string, kind: "method" | "struct" | "type", name: string, body: string) => {
    const { code, reason, next_step } = await head.refusal(await head.create(PATH, anchor, kind, name, body));
    return [code, reason, next_step];
  };
  assert.deepEqual(await of("P", "method", "P.other", block("impl P<u8>", "other", "new")), [
    "name_taken",
    "P.new already names a method in src/lib.rs, line 6.",
    "Leave it out, choose another name, or update that entity.",
  ]);
  assert.deepEqual(await of("P", "method", "<P as Named>.name", block("impl Named for P<u8>", "name")), [
    "name_taken",
    "Named for P<u8> already names an impl in src/lib.rs, line 15.",
    "Create its methods in that block: anchor them at it, each with a body of its own.",
  ]);
  assert.deepEqual(await of("P", "method", "P.fmt", block("impl fmt::Debug for P<u8>", "fmt")), [
    "name_mismatch",
    "The body declares <P as fmt::Debug>.fmt there, not P.fmt.",
    "Send the name <P as fmt::Debug>.fmt, or a body that declares P.fmt.",
  ]);
  assert.deepEqual(await of("inner.P", "method", "P.more", block("impl P", "more")), [
    "name_mismatch",
    "The body declares inner.P.more there, not P.more.",
    "Send the name inner.P.more, or a body that declares P.more.",
  ]);
  assert.deepEqual(await of("P", "type", "Send for P<u8>", "unsafe impl Send for P<u8> {}"), [
    "kind_mismatch",
    "The body declares the Rust impl Send for P<u8>.",
    "Send the kind method.",
  ]);
  assert.deepEqual(await of("P", "struct", "Q", `pub struct Q;\n\n${block("impl Q", "new")}`), [
    "footprint_exceeded",
    "The body declares struct Q, impl Q.",
    "Send one EntityCreate for each declaration, in the same call.",
  ]);
  assert.deepEqual(await of("P", "method", "P.len", "fn len(&self) {}"), [
    "placement_refused",
    "A Rust method stands in an impl or trait; behind struct P it would be a function.",
    "Anchor it at an impl or trait or at a method of one; or send a whole block as the body: impl P { ... }.",
  ]);
});

test("two blocks of one call: the same member is created once, and one block of a trait", async () => {
  const head = new MemoryHead({ [PATH]: LIB });
  const create = (name: string, body: string) => head.create(PATH, "P", "method", name, body);
  const twice = [
    await create("P.a", block("impl P<u8>", "a")),
    await create("P.b", block("impl P<u8>", "b", "a")),
  ];
  assert.match(
    (await head.refusal(...twice)).reason,
    /^operations\[0\] and operations\[1\] both create P<u8>\.a\.$/,
  );
  const apart = [
    await create("P.a", block("impl P<u8>", "a")),
    await create("P.a", block("impl P<u16>", "a")),
  ];
  assert.deepEqual(made(await head.plan(...apart)), [
    "created method P.a",
    "created impl P<u8>",
    "created method P.a",
    "created impl P<u16>",
  ]);
  const marker = "unsafe impl Send for P<u8> {}";
  const markers = [await create("Send for P<u8>", marker), await create("Send for P<u8>", marker)];
  assert.equal((await head.refusal(...markers)).code, "name_taken");
});

test("a new file is no place for a block", async () => {
  const head = new MemoryHead({ [PATH]: LIB });
  const call = await head.create(PATH, "P", "method", "P.len", block("impl P<u8>", "len"), "new_source_unit");
  const { code, reason } = await head.refusal(call);
  assert.deepEqual(
    [code, reason],
    ["placement_refused", "A new Rust file needs a `mod` declaration elsewhere."],
  );
});
