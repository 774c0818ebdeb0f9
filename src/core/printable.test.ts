import assert from "node:assert/strict";
import { test } from "node:test";
import { printable } from "./printable.ts";

test("what a terminal would act upon becomes U+FFFD, one for one; all else stays", () => {
  assert.equal(printable("\u001b[31mred\u0007\r\n"), "\ufffd[31mred\ufffd\ufffd\ufffd");
  assert.equal(
    printable("a\u009bb\u202ec\u2066d\u200be\u2028f\u2029g\ufeff"),
    "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg\ufffd",
  );
  // Of the planes beyond the first: a tag character, one for its two units.
  assert.equal(printable("x\u{e0041}y"), "x\ufffdy");
  assert.equal(printable("\tübung 😀 – e\u0301"), "\tübung 😀 – e\u0301");
});
