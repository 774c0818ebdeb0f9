import assert from "node:assert/strict";
import { test } from "node:test";
import { containsText } from "./contains-text.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

test("the text is compared byte by byte", () => {
  const slice = utf8("Grüße\r\nzweite Zeile\n");
  assert.equal(containsText(slice, "Grüße"), true);
  assert.equal(containsText(slice, "üße\r\nzwei"), true);
  assert.equal(containsText(slice, "üße\nzwei"), false);
  assert.equal(containsText(slice, "grüße"), false);
  assert.equal(containsText(slice, "Gru\u0308ße"), false);
  assert.equal(containsText(slice.subarray(8), "Grüße"), false);
});

test("it is found in bytes that are not UTF-8, and ill-formed text nowhere", () => {
  assert.equal(containsText(Uint8Array.of(0xff, 0x61, 0x62, 0xfe), "ab"), true);
  assert.equal(containsText(utf8("\uFFFD"), "\uD800"), false);
  assert.equal(containsText(utf8("\uFFFD"), "\uFFFD"), true);
});
