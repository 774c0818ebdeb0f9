/** Bodies: bounded before they are read to the end, and errors that never repeat them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { GitpinError } from "../errors.ts";
import { isJson, nestingOf, parseJson, readBytes } from "./body.ts";

const LIMITS = { bytes: 100, depth: 3 };

const request = (
  body: BodyInit | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
): Request =>
  new Request("http://x/", {
    method: "POST",
    body: body as BodyInit,
    headers,
    duplex: "half",
  } as RequestInit);

test("an announced length over the bound is refused without reading", async () => {
  const unread = new ReadableStream<Uint8Array>(
    {
      pull: () => assert.fail("the body was read"),
    },
    { highWaterMark: 0 },
  );
  await assert.rejects(readBytes(request(unread, { "content-length": "101" }), LIMITS), {
    code: "body_too_large",
  });
});

test("a stream is left as soon as it passes the bound", async () => {
  let pulled = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(40));
      },
      cancel: () => {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  await assert.rejects(readBytes(request(endless), LIMITS), { code: "body_too_large" });
  assert.equal(pulled, 3);
  assert.equal(cancelled, true);
});

test("bytes arrive whole, whatever the chunks", async () => {
  const chunks = [[1, 2], [], [3]].map((bytes) => Uint8Array.from(bytes));
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  assert.deepEqual(await readBytes(request(stream), LIMITS), Uint8Array.from([1, 2, 3]));
});

test("a compressed body is refused by its header, not read as something else", async () => {
  const stream = () => new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
  await assert.rejects(readBytes(request(stream(), { "content-encoding": "gzip" }), LIMITS), {
    code: "media_type_unsupported",
  });
  assert.equal(
    (await readBytes(request(stream(), { "content-encoding": "identity" }), LIMITS)).byteLength,
    0,
  );
});

test("nesting is that of the parsed value", () => {
  const depth = (value: unknown): number => {
    if (typeof value !== "object" || value === null) return 0;
    return 1 + Math.max(0, ...Object.values(value).map(depth));
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => assert.equal(nestingOf(JSON.stringify(value)), depth(value))),
  );
});

test("brackets in strings do not nest", () => {
  assert.equal(nestingOf('["[[[[\\"[[[["]'), 1);
});

test("what cannot be parsed says why, without the text", () => {
  for (const text of ["{secret", '{"secret": }', '"secret', "[[[[1]]]]"]) {
    assert.throws(
      () => parseJson(new TextEncoder().encode(text), LIMITS),
      (error: unknown) => {
        assert.ok(error instanceof GitpinError);
        assert.equal(error.data.field, "body");
        assert.doesNotMatch(error.message, /secret/);
        return true;
      },
    );
  }
});

test("media types", () => {
  for (const type of [
    "application/json",
    "Application/JSON; charset=UTF-8",
    'application/json;charset="utf-8"',
  ]) {
    assert.equal(isJson(type), true, type);
  }
  for (const type of [null, "", "text/json", "application/jsonp", "application/json; charset=utf-16"]) {
    assert.equal(isJson(type), false, String(type));
  }
});
