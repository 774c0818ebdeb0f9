import assert from "node:assert/strict";
import { test } from "node:test";
import { isBinary } from "./binary.ts";

const withNulAt = (offset: number) => {
  const bytes = new Uint8Array(9000).fill(0x61);
  bytes[offset] = 0;
  return bytes;
};

test("a NUL counts in the first 8000 bytes only", () => {
  assert.equal(isBinary(withNulAt(0)), true);
  assert.equal(isBinary(withNulAt(7999)), true);
  assert.equal(isBinary(withNulAt(8000)), false);
  assert.equal(isBinary(new Uint8Array()), false);
  assert.equal(isBinary(Uint8Array.of(0xff, 0xfe, 0x80)), false);
});
