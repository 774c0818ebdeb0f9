import assert from "node:assert/strict";
import { test } from "node:test";
import { testFileRule } from "./test-files.ts";
import { isTestScript, testLayout } from "./test-layout.ts";

test("the layout of a mixed repository", () => {
  const layout = testLayout(
    [
      "src/orders.ts",
      "src/orders.test.ts",
      "src/__tests__/cart.tsx",
      "tests/test_api.py",
      "tests/fixtures/order.json",
      "tests/unit/tests/deep.txt",
      "tests/conftest.py",
      "app/src/androidTest/java/CartTest.kt",
      "Orders.UnitTests/CartTests.cs",
      "latest/notes.md",
      "contest/a.ts",
      "vitest.config.ts",
      "node_modules/x/x.test.js",
      "README.md",
    ],
    [
      {
        path: "package.json",
        scripts: [
          { name: "test", command: "node --test", origin: "scripts" },
          { name: "build", command: "tsc", origin: "scripts" },
          { name: "test:e2e", command: null, origin: "scripts" },
        ],
      },
    ],
  );
  assert.deepEqual(layout, {
    folders: [
      { path: "Orders.UnitTests", files: 1 },
      { path: "app/src/androidTest", files: 1 },
      { path: "src/__tests__", files: 1 },
      { path: "tests", files: 4 },
    ],
    files: [
      { path: "Orders.UnitTests/CartTests.cs", rule: "c#, f#, visual basic: *Test, *Tests, *Should, *Specs" },
      {
        path: "app/src/androidTest/java/CartTest.kt",
        rule: "java, kotlin, groovy, scala: *Test, *Tests, *TestCase, *IT, *Spec, *Suite, Test*",
      },
      { path: "src/__tests__/cart.tsx", rule: "javascript: any script in __tests__" },
      { path: "src/orders.test.ts", rule: "javascript: *.test.*, *.spec.*, *.e2e.*, *.cy.*" },
      { path: "tests/test_api.py", rule: "python: test_*.py, *_test.py, tests.py" },
    ],
    configurations: [
      { path: "tests/conftest.py", runner: "pytest" },
      { path: "vitest.config.ts", runner: "vitest" },
    ],
    scripts: [
      { manifest: "package.json", name: "test", command: "node --test", origin: "scripts" },
      { manifest: "package.json", name: "test:e2e", command: null, origin: "scripts" },
    ],
    excluded: [{ folder: "node_modules", files: 1 }],
  });
});

test("test files of each ecosystem, and files that only look a little like them", () => {
  const tests = [
    "a.test.js",
    "a.spec.tsx",
    "a.cy.ts",
    "a_test.ts",
    "app.e2e-spec.ts",
    "__tests__/x/a.mjs",
    "test_a.py",
    "a_test.py",
    "a_test.go",
    "tests/a.rs",
    "src/a_test.rs",
    "ATest.java",
    "AIT.java",
    "TestA.kt",
    "ASpec.scala",
    "a_test.clj",
    "ATests.cs",
    "a_spec.rb",
    "test_a.rb",
    "ATest.php",
    "a.phpt",
    "a_test.exs",
    "a_SUITE.erl",
    "a_test.dart",
    "ATests.swift",
    "a_unittest.cc",
    "a_test.c",
    "ASpec.hs",
    "test_a.ml",
    "test-a.R",
    "runtests.jl",
    "a_spec.lua",
    "a_spec.cr",
    "A.Tests.ps1",
    "a.bats",
    "a.feature",
    "t/a.t",
    "a_test.gleam",
  ];
  for (const path of tests) assert.notEqual(testFileRule(path), null, path);
  const others = [
    "test.ts",
    "contest.py",
    "latest.go",
    "attest.rb",
    "protest.c",
    "src/tests/common/a.rs",
    "Testament.java",
    "spec.md",
    "test.txt",
    "a.test.snap",
    "a.test.json",
    "tests/a.py",
    "manifest.rs",
    "greatest.ml",
    "t/a.txt",
  ];
  for (const path of others) assert.equal(testFileRule(path), null, path);
});

test("test scripts by the words of their names", () => {
  for (const name of [
    "test",
    "test:unit",
    "unit-test",
    "pretest",
    "e2e",
    "Test.All",
    "ci/test",
    "run_tests",
  ]) {
    assert.equal(isTestScript(name), true, name);
  }
  for (const name of ["build", "latest", "attest", "testdata", "", "inspect"]) {
    assert.equal(isTestScript(name), false, name);
  }
});
