import assert from "node:assert/strict";
import { test } from "node:test";
import { readLfsPointer } from "./lfs-pointer.ts";

const OID = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
const VERSION = "version https://git-lfs.github.com/spec/v1\n";
const POINTER = `${VERSION}oid sha256:${OID}\nsize 12345\n`;
const read = (text: string) => readLfsPointer(new TextEncoder().encode(text));

test("a pointer is read", () => {
  assert.deepEqual(read(POINTER), { oid: OID, size: 12345 });
  assert.deepEqual(read(`version https://hawser.github.com/spec/v1\noid sha256:${OID}\nsize 0\n`), {
    oid: OID,
    size: 0,
  });
  assert.deepEqual(read(`${VERSION}ext-0-foo sha256:${OID}\noid sha256:${OID}\nsize 1\n`), {
    oid: OID,
    size: 1,
  });
});

test("what only looks like one is not", () => {
  const others = [
    "",
    "version 1\n",
    VERSION,
    POINTER.slice(0, -1),
    ` ${POINTER}`,
    POINTER.replaceAll("\n", "\r\n"),
    POINTER.replace("spec/v1", "spec/v2"),
    POINTER.replace(OID, OID.toUpperCase()),
    POINTER.replace("sha256:", "md5:"),
    POINTER.replace("12345", "-1"),
    `${VERSION}size 12345\noid sha256:${OID}\n`,
    `${POINTER}size 12345\n`,
    `${POINTER}A document that shows a pointer.\n`,
    `${POINTER}z ${"a".repeat(1024)}\n`,
  ];
  for (const text of others) assert.equal(read(text), null, JSON.stringify(text.slice(0, 200)));
});
