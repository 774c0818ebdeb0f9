/** The parser inside workerd, bundled as it is deployed: every grammar loads from its module, refusals stay refusals. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createTestHarness } from "wrangler";

// Nothing of this test leaves the machine.
process.env.CLOUDFLARE_CF_FETCH_ENABLED = "false";
process.env.WRANGLER_SEND_METRICS = "false";
process.env.WRANGLER_WRITE_LOGS = "false";

const server = createTestHarness({
  workers: [
    {
      config: {
        name: "parsing-probe",
        main: join(import.meta.dirname, "../../test/support/parsing-worker.ts"),
        compatibility_date: "2026-11-17",
        compatibility_flags: ["nodejs_compat"],
      },
    },
  ],
});

before(() => server.listen());
after(() => server.close());

const SOURCES: [string, string, string[]][] = [
  ["a.go", "package a\n\nfunc F() {}\n", ["function F"]],
  ["a.py", "def f():\n    pass\n", ["function f"]],
  ["a.ts", "export interface I {}\n", ["interface I"]],
  ["a.tsx", "export const V = () => <b/>;\n", ["const V"]],
  ["a.js", "class A { f() {} }\n", ["class A", "method A.f"]],
  ["a.rs", "struct S;\n", ["struct S"]],
  ["A.java", "class A {}\n", ["class A"]],
  ["a.c", "int f(void) { return 1; }\n", ["function f"]],
  ["a.cpp", "namespace n { class C {}; }\n", ["namespace n", "class n.C"]],
  ["a.cs", "class C { void M() {} }\n", ["class C", "method C.M"]],
  ["a.rb", "class C\n  def m; end\nend\n", ["class C", "def C.m"]],
  ["a.php", "<?php\nfunction f() {}\n", ["function f"]],
];

const read = (path: string, text: string) =>
  server.fetch(`/${encodeURIComponent(path)}`, { method: "POST", body: text });

test("workerd reads all twelve languages", { timeout: 120_000 }, async () => {
  for (const [path, text, entities] of SOURCES) {
    const response = await read(path, text);
    assert.deepEqual(await response.json(), entities, path);
  }
});

test("workerd refuses a bomb and reads on", { timeout: 120_000 }, async () => {
  const bomb = await read("a.go", "{".repeat(200_000));
  const report = (await bomb.json()) as { code: string };
  assert.equal(report.code, "source_refused");
  const next = await read("a.go", "package a\n\nfunc G() {}\n");
  assert.deepEqual(await next.json(), ["function G"]);
});
