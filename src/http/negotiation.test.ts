/** `Accept` headers as RFC 9110 reads them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { prefer } from "./negotiation.ts";

const OFFER = ["application/json", "text/plain"] as const;

const cases: [accept: string | null, type: string | null][] = [
  [null, "application/json"],
  ["", "application/json"],
  ["*/*", "application/json"],
  ["text/plain", "text/plain"],
  ["TEXT/PLAIN", "text/plain"],
  ["text/*", "text/plain"],
  ["text/html, */*;q=0.1", "application/json"],
  ["application/json;q=0.4, text/plain;q=0.5", "text/plain"],
  ["text/plain;q=0.5, application/json;q=0.5", "application/json"],
  ["text/plain; charset=utf-8; q=1", "text/plain"],
  // The most specific range decides, not the one that says most.
  ["*/*;q=1, application/json;q=0.1, text/plain;q=0.2", "text/plain"],
  ["*/*, application/json;q=0", "text/plain"],
  ["text/*;q=0, */*", "application/json"],
  ["image/png", null],
  ["application/json;q=0", null],
  ["*/*;q=0", null],
  // Malformed ranges admit nothing.
  ["json", null],
  ["application/json;q=2", null],
  ["application/json;q=", null],
  ["application/json;q=x, text/plain", "text/plain"],
];

for (const [accept, type] of cases) {
  test(`${accept} -> ${type}`, () => assert.equal(prefer(accept, OFFER), type));
}

test("no header throws, and only what is offered is chosen", () => {
  fc.assert(
    fc.property(fc.string(), (accept) => {
      const type = prefer(accept, OFFER);
      assert.ok(type === null || OFFER.includes(type));
    }),
  );
});
