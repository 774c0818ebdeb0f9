import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { GitpinError } from "../../errors.ts";
import { TAR_LIMITS, TarReader } from "./tar.ts";

function readerOf(tar: Uint8Array, chunk = 700): TarReader {
  let at = 0;
  return new TarReader(async () => {
    if (at >= tar.length) return null;
    at += chunk;
    return tar.subarray(at - chunk, at);
  });
}

async function entries(reader: TarReader): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let entry = await reader.next(); entry !== null; entry = await reader.next()) {
    const { kind, rawPath, target, bytes } = entry;
    all.push([kind, rawPath, target ?? (bytes === null ? null : Buffer.from(bytes).toString())]);
  }
  return all;
}

const LONG = `${"long/".repeat(50)}name`;

for (const format of ["gnu", "posix", "ustar"]) {
  test(`reads what GNU tar writes as ${format}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "gitpin-tar-"));
    try {
      writeFileSync(join(folder, "plain"), "text\n");
      writeFileSync(join(folder, "empty"), "");
      symlinkSync("to/there", join(folder, "link"));
      // ustar cannot hold the long ones.
      const long = format !== "ustar";
      if (long) {
        mkdirSync(join(folder, LONG, ".."), { recursive: true });
        writeFileSync(join(folder, LONG), "deep\n");
        symlinkSync("t".repeat(200), join(folder, "long-link"));
      }
      const names = long ? ["plain", "empty", "link", LONG, "long-link"] : ["plain", "empty", "link"];
      const tar = execFileSync("tar", ["-c", `--format=${format}`, "-C", folder, ...names]);
      const expected = [
        ["file", "plain", "text\n"],
        ["file", "empty", ""],
        ["symlink", "link", "to/there"],
        ["file", LONG, "deep\n"],
        ["symlink", "long-link", "t".repeat(200)],
      ];
      for (const chunk of [1, 700, 100_000]) {
        assert.deepEqual(await entries(readerOf(tar, chunk)), expected.slice(0, names.length));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

/** A header with a right checksum. */
function header(name: string, size: string | Uint8Array, type = "0"): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0, "latin1");
  block.write("0000644\0", 100);
  Buffer.from(size as string).copy(block, 124);
  block.write("        ", 148);
  block.write(type, 156);
  block.write("ustar\x0000", 257, "latin1");
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

const END = Buffer.alloc(1024);
const base256 = (size: bigint): Uint8Array => {
  const field = Buffer.alloc(12);
  field.writeBigUInt64BE(size, 4);
  field[0] = 0x80;
  return field;
};
const pax = (record: string): Buffer[] => {
  const body = Buffer.alloc(512);
  body.write(record, "latin1");
  return [header("pax", record.length.toString(8).padStart(11, "0"), "x"), body];
};
const file = (name: string): Buffer[] => [
  header(name, "00000000003\0"),
  Buffer.from("abc".padEnd(512, "\0")),
];

async function faultOf(...blocks: Uint8Array[]): Promise<string> {
  try {
    await entries(readerOf(Buffer.concat(blocks)));
    return "none";
  } catch (error) {
    assert(error instanceof GitpinError, String(error));
    return `${error.code}: ${error.data.fault ?? error.data.limit}`;
  }
}

test("base-256 sizes, pax sizes, and records that hold any byte", async () => {
  const body = Buffer.from("abc".padEnd(512, "\0"));
  const tar = Buffer.concat([
    ...[header("base", base256(3n)), body],
    ...pax("9 size=3\n"),
    ...[header("sized", "00000000000\0"), body],
    ...pax("14 path=a\n\xe9=b\n"),
    ...[header("renamed", "00000000003\0"), body],
    END,
  ]);
  assert.deepEqual(await entries(readerOf(tar)), [
    ["file", "base", "abc"],
    ["file", "sized", "abc"],
    ["file", "a\n\u00e9=b", "abc"],
  ]);
});

test("absurd numbers and damaged records are refused", async () => {
  const cases: [string, Uint8Array[]][] = [
    ["upstream_corrupt: a header's size is absurd", [header("x", base256(2n ** 63n)), END]],
    ["archive_too_large: unpacked bytes", [header("x", base256(2n ** 50n)), END]],
    ["upstream_corrupt: a header's size is no octal number", [header("x", "0000000000z\0"), END]],
    ["upstream_corrupt: a pax record does not parse", [...pax("99 path=a\n"), ...file("x"), END]],
    ["upstream_corrupt: a pax record does not parse", [...pax("x"), ...file("x"), END]],
    [
      "upstream_corrupt: a pax size is no number",
      [...pax("11 size=-1\n".replace("11", "11")), ...file("x"), END],
    ],
    ["upstream_corrupt: a path holds a NUL byte", [...pax("12 path=a\0b\n"), ...file("x"), END]],
    ["archive_too_large: bytes of one name record", [header("x", "00010000000\0", "x"), END]],
    ["upstream_corrupt: it ends without its end marker", [...file("x")]],
    ["upstream_corrupt: it ends without its end marker", [...file("x"), Buffer.alloc(512)]],
    ["upstream_corrupt: it ends inside a file", [header("x", "00000002000\0"), Buffer.alloc(512)]],
    [
      "upstream_corrupt: it ends inside a name record",
      [header("x", "00000002000\0", "L"), Buffer.alloc(512)],
    ],
    ["none", [...file("x"), END, Buffer.from("ignored behind the end")]],
  ];
  for (const [expected, blocks] of cases) assert.equal(await faultOf(...blocks), expected);
});

test("the bounds are in force by default", () => {
  assert.deepEqual(TAR_LIMITS, { heldBytes: 8_388_608, entries: 500_000, totalBytes: 2_147_483_648 });
});
