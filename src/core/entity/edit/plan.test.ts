/** Whole plans: several files and languages at once, what they report, and that git applies their diff. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { MemoryHead, textsOf } from "../../../../test/support/memory-head.ts";
import { objectId } from "../../git/hash.ts";
import { mintSourceBase } from "../bases.ts";
import type { MutationPlan } from "./outcome.ts";

const SCRIPT = "#!/usr/bin/env python3\ndef f():\n    return 1\n";
const files = {
  "go.mod": "module demo\n",
  "src/run.py": { mode: "100755", bytes: new TextEncoder().encode(SCRIPT) },
  "a/store.go": "package a\r\n\r\ntype S struct{}\r\n",
  "ü b/x.ts": "export const x = 1;\nexport const y = 2;\n\nexport function gone() {}",
  "keep.rs": "fn keep() {}\n",
};
const head = new MemoryHead(files);

const everything = async (): Promise<MutationPlan> =>
  head.plan(
    await head.patch("src/run.py", "f", ["return 1", "return 2"]),
    await head.create("a/store.go", "S", "method", "S.Len", "func (S) Len() int { return 0 }"),
    await head.remove("ü b/x.ts", "gone"),
    await head.update("ü b/x.ts", "y", "export const y = 3;"),
    await head.create("ü b/x.ts", "x", "function", "fresh", "export function fresh() {}", "new_source_unit"),
    head.createInUnit(
      { language: "go", package: "cmd/tool", name: "main" },
      "function",
      "main",
      "func main() { fmt.Println() }",
      ["fmt"],
    ),
  );

test("one plan over four languages and six operations", async () => {
  const plan = await everything();
  assert.deepEqual(textsOf(plan), {
    "a/store.go": "package a\r\n\r\ntype S struct{}\r\n\r\nfunc (S) Len() int { return 0 }\r\n",
    "cmd/tool/main.go": 'package main\n\nimport (\n\t"fmt"\n)\n\nfunc main() { fmt.Println() }\n',
    "src/run.py": "#!/usr/bin/env python3\ndef f():\n    return 2\n",
    "ü b/fresh.ts": "export function fresh() {}\n",
    "ü b/x.ts": "export const x = 1;\nexport const y = 3;",
  });
  const modes = plan.files.map(({ mode, previousBlob }) => [mode, previousBlob !== null]);
  assert.deepEqual(modes, [
    ["100644", true],
    ["100644", false],
    ["100755", true],
    ["100644", false],
    ["100644", true],
  ]);
  for (const { blob, bytes } of plan.files) assert.equal(blob, objectId("blob", bytes));
});

test("entities are reported in the order of the operations, with their place after the commit", async () => {
  const plan = await everything();
  const told = plan.entities.map(({ operation, effect, entity }) => [
    operation,
    effect,
    entity.path,
    entity.qualifiedName,
    entity.startLine,
  ]);
  assert.deepEqual(told, [
    [0, "edited", "src/run.py", "f", 2],
    [1, "created", "a/store.go", "S.Len", 5],
    [2, "removed", "ü b/x.ts", "gone", 4],
    [3, "edited", "ü b/x.ts", "y", 2],
    [4, "created", "ü b/fresh.ts", "fresh", 1],
    [5, "created", "cmd/tool/main.go", "main", 7],
  ]);
});

test("bases minted from a plan serve the next edit, without a read", async () => {
  const plan = await everything();
  const next = new MemoryHead(
    Object.fromEntries(plan.files.map(({ path, mode, bytes }) => [path, { mode, bytes }])),
    head,
  );
  for (const { entity, source } of plan.entities) {
    if (source === null) continue;
    const minted = mintSourceBase({ repository: "demo", branch: "main", head: next.head }, entity, source);
    const read = await next.base(entity.path, entity.qualifiedName);
    assert.deepEqual(minted, read.base);
  }
});

test("the same request gives the same plan", async () => {
  const [one, two] = [await everything(), await everything()];
  assert.deepEqual(
    one.files.map(({ blob }) => blob),
    two.files.map(({ blob }) => blob),
  );
  assert.equal(one.diff, two.diff);
});

test("git apply makes the planned bytes and modes from the diff", async () => {
  const plan = await everything();
  const folder = mkdtempSync(join(tmpdir(), "plan-diff-"));
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    });
  try {
    git("init", "-q");
    git("config", "core.quotePath", "false");
    for (const [path, { mode, bytes }] of head.files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes, { mode: mode === "100755" ? 0o755 : 0o644 });
    }
    git("add", "-A");
    writeFileSync(join(folder, "plan.diff"), plan.diff);
    git("apply", "--index", "--whitespace=nowarn", "plan.diff");
    for (const { path, bytes } of plan.files) {
      assert.ok(readFileSync(join(folder, path)).equals(bytes), path);
    }
    const staged = git("ls-files", "-s", "-z").split("\0").filter(Boolean);
    for (const { path, mode, blob } of plan.files)
      assert.ok(staged.includes(`${mode} ${blob} 0\t${path}`), path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("syntax errors that stood there before do not block and are reported apart", async () => {
  const broken = new MemoryHead({
    "a.ts": "const x = ;\n\nexport function good() {\n  return 1;\n}\nconst y = 1 1;\n",
  });
  const unit = await broken.unit("a.ts");
  assert.ok(unit.outline.faults.length > 0);
  const good = unit.located.find(({ entity }) => entity.name === "good");
  assert.ok(good);
  const plan = await broken.plan(await broken.patch("a.ts", "good", ["return 1", "return 2"]));
  assert.equal(
    textsOf(plan)["a.ts"],
    "const x = ;\n\nexport function good() {\n  return 2;\n}\nconst y = 1 1;\n",
  );
  assert.equal(plan.earlierFaults.length, unit.outline.faults.length);
  assert.equal(plan.earlierFaults[0]?.path, "a.ts");
});

test("a repository without commits takes one file through the unit form, and nothing else", async () => {
  const empty = new MemoryHead({});
  const none = { head: null, tree: null };
  const unit = { language: "go", package: ".", name: "main" };
  const operation = empty.createInUnit(unit, "function", "main", "func main() {}");
  const create = operation.payload.EntityCreate;
  assert.ok(create);
  create.repository_base = { ...create.repository_base, head: null, tree: null };
  const made = await empty.outcome([operation], none);
  assert.equal(made.status, "planned");
  const second = structuredClone(operation);
  assert.ok(second.payload.EntityCreate);
  second.payload.EntityCreate.unit = { ...unit, package: "b" };
  const two = await empty.outcome([operation, second], none);
  assert.equal(two.status === "refused" && two.refusal.code, "repository_empty");
  const patch = await head.patch("src/run.py", "f", ["return 1", "return 2"]);
  const other = await empty.outcome([patch], none);
  assert.equal(other.status === "refused" && other.refusal.code, "repository_empty");
});

test("a diff of texts with little in common stays bounded and still applies", async () => {
  const lines = (word: string) =>
    Array.from({ length: 6_000 }, (_, index) => `  ${word}${index},\n`).join("");
  const wide = new MemoryHead({ "a.ts": `export const a = [\n${lines("x")}];\n\nexport const b = 1;\n` });
  const plan = await wide.plan(await wide.update("a.ts", "a", `export const a = [\n${lines("y")}];`));
  const hunks = plan.diff.split("\n").filter((line) => line.startsWith("@@"));
  assert.deepEqual(hunks, ["@@ -1,6004 +1,6004 @@"]);
});
