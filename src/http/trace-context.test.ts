/** W3C Trace Context, section 3.2: which `traceparent` is valid, and what goes on from it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readTrace, traceparentOf } from "./trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const span = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(0xab);
const onward = (header: string | null): string | null => {
  const trace = readTrace(header, span);
  return trace === null ? null : traceparentOf(trace);
};

test("the trace goes on, under a span of ours", () => {
  assert.equal(onward(`00-${TRACE}-${PARENT}-01`), `00-${TRACE}-abababababababab-01`);
  assert.equal(onward(`00-${TRACE}-${PARENT}-00`), `00-${TRACE}-abababababababab-00`);
});

test("of the flags, those that are defined go on", () => {
  assert.equal(onward(`00-${TRACE}-${PARENT}-ff`), `00-${TRACE}-abababababababab-03`);
});

test("a later version is read as far as version 00 goes, and written as 00", () => {
  assert.equal(onward(`cc-${TRACE}-${PARENT}-01`), `00-${TRACE}-abababababababab-01`);
  assert.equal(onward(`cc-${TRACE}-${PARENT}-01-what-the-future`), `00-${TRACE}-abababababababab-01`);
});

test("what is invalid counts as none", () => {
  for (const header of [
    null,
    "",
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    `cc-${TRACE}-${PARENT}-01more`,
    `00-${"0".repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-1`,
    `00-${TRACE}-${PARENT}`,
    ` 00-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01\n`,
  ]) {
    assert.equal(onward(header), null, String(header));
  }
});

test("no span has the id of zeros", () => {
  assert.equal(
    readTrace(`00-${TRACE}-${PARENT}-01`, (bytes) => new Uint8Array(bytes))?.spanId,
    "0000000000000001",
  );
});
