import assert from "node:assert/strict";
import { test } from "node:test";
import { json } from "./answer.ts";
import { conditional, matches, weakEtag } from "./conditional.ts";

test("an ETag is the SHA-256 of Accept, Authorization and Cookie, each if present, and the body", () => {
  const body = Buffer.from("{}");
  // printf 'application/json:Bearer x:{}' | sha256sum
  assert.equal(
    weakEtag({ accept: "application/json", authorization: "Bearer x" }, body),
    'W/"8a11a803581f767b945cad735b856b26a641c711e0a795c848221a1009bdd74d"',
  );
});

test("comparison is weak, takes lists and *", () => {
  assert.ok(matches('"a"', 'W/"a"'));
  assert.ok(matches('W/"b", W/"a"', '"a"'));
  assert.ok(matches("*", '"a"'));
  assert.ok(!matches('"b"', '"a"'));
});

test("304 has no body and no content type but keeps the rest", () => {
  const answer = json({ a: 1 }, { etag: '"x"', "last-modified": "then" });
  assert.deepEqual(conditional(answer, { "if-none-match": 'W/"x"' }), {
    status: 304,
    headers: { etag: '"x"', "last-modified": "then" },
    body: null,
  });
});

test("errors and uncacheable answers get no ETag", () => {
  assert.equal(conditional(json({}, {}, 404), {}).headers.etag, undefined);
  assert.equal(conditional(json({}, { "cache-control": "no-cache" }), {}).headers.etag, undefined);
});
