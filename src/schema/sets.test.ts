/** Bounds of the inputs, and that every result schema can be told to clients as JSON Schema. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { GitpinError } from "../errors.ts";
import { analyzeInput, coverage, evidenceBrief } from "./brief.ts";
import { compareInput, comparison } from "./comparison.ts";
import { docInput, evidenceDoc } from "./doc.ts";
import { errorReport } from "./error-report.ts";
import { evidenceSet, proveSetInput } from "./evidence-set.ts";
import { inspectInput, inspection } from "./inspection.ts";
import { verificationSetReport, verifySetInput } from "./verification-set.ts";

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

test("a set takes one to eight items", () => {
  const prove = { repository: "orders", sourcePath: "README.md" };
  const verify = { ...prove, sha: "0123abc" };
  for (const [count, right] of [
    [0, false],
    [1, true],
    [8, true],
    [9, false],
  ] as const) {
    assert.equal(accepts(proveSetInput, { items: Array(count).fill(prove) }), right);
    assert.equal(accepts(verifySetInput, { items: Array(count).fill(verify) }), right);
  }
});

test("commit ids take 7 to 40 hex digits and no ref name", () => {
  const compare = (base: string) => accepts(compareInput, { repository: "orders", base, head: "0123abc" });
  assert.deepEqual(["0123abc", "A".repeat(40), "012345", "a".repeat(41), "main"].map(compare), [
    true,
    true,
    false,
    false,
    false,
  ]);
  const range = (changeRange: string) => accepts(analyzeInput, { operation: "brief", changeRange });
  assert.deepEqual(["0123abc..0123abd", "0123abc...0123abd", "main..0123abd", "0123abc"].map(range), [
    true,
    false,
    false,
    false,
  ]);
});

test("inspect shows 1 to 50 rows; a document is named by a path", () => {
  const inspect = (limit: number) =>
    accepts(inspectInput, { repository: "orders", operation: "commits", limit });
  assert.deepEqual([0, 1, 50, 51, 1.5].map(inspect), [false, true, true, false, false]);
  assert.equal(accepts(inspectInput, { repository: "orders", operation: "delete" }), false);
  assert.equal(accepts(docInput, { repository: "orders" }), false);
  assert.equal(accepts(docInput, { repository: "orders", sourcePath: "README.md" }), true);
});

test("an error report passes its schema as it is", () => {
  const report = new GitpinError("upstream_rate_limited", "m", "n", { resetAt: "t", list: ["a"] }).report();
  assert.deepEqual(errorReport.parse(report), report);
  assert.equal(accepts(errorReport, { ...report, code: "made_up" }), false);
});

test("every schema has a JSON Schema of one object", () => {
  const inputs = [proveSetInput, verifySetInput, compareInput, docInput, inspectInput, analyzeInput];
  const results = [
    evidenceSet,
    verificationSetReport,
    comparison,
    evidenceDoc,
    inspection,
    evidenceBrief,
    coverage,
  ];
  for (const schema of inputs) assert.equal(z.toJSONSchema(schema, { io: "input" }).type, "object");
  for (const schema of results) assert.equal(z.toJSONSchema(schema).type, "object");
});
