/** The schema's words for languages and kinds are those of the language table: no more, no fewer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LANGUAGE_NAMES } from "../../src/core/entity/language/spec.ts";
import { LANGUAGES } from "../../src/core/entity/language/table.ts";
import { ENTITY_KINDS, ENTITY_LANGUAGES } from "../../src/schema/entities.ts";

test("languages", () => assert.deepEqual(ENTITY_LANGUAGES, LANGUAGE_NAMES));

test("kinds", () => {
  const kinds = Object.values(LANGUAGES).flatMap(({ query, memberFunction }) => [
    ...[...query.matchAll(/@d\.([a-z]+)/g)].map(([, kind = ""]) => kind),
    ...(memberFunction === undefined ? [] : [memberFunction]),
  ]);
  assert.deepEqual([...new Set(kinds)].toSorted(), [...ENTITY_KINDS]);
});
