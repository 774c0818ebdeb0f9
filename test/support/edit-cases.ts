/**
 * For tests: edit cases with a hand-written expectation, each run on four forms of its file (LF, CRLF, BOM, no final
 * line end) and compared byte by byte. The expectation is the file with literal replacements.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OperationInput } from "../../src/schema/mutation.ts";
import { MemoryHead, textsOf } from "./memory-head.ts";

/** `old` occurs exactly once in the file as it stands before the case. */
export type Replacement = [old: string, now: string];

export interface EditCase {
  name: string;
  path: string;
  source: string;
  /** `text` puts literal text of the file (patch anchors, update bodies) into the form under test. */
  operations(head: MemoryHead, text: (lf: string) => string): Promise<OperationInput[]> | OperationInput[];
  expect: Replacement[];
  /** Other files of the repository. */
  beside?: Record<string, string>;
  /** New files the case makes. */
  created?: Record<string, string>;
  /** Set where the file must end in a line end whatever it ended in. */
  endsWithLineEnd?: true;
}

interface Form {
  name: string;
  of(text: string): string;
  literal(text: string): string;
}

const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
const same = (text: string): string => text;

const FORMS: Form[] = [
  { name: "LF", of: same, literal: same },
  { name: "CRLF", of: crlf, literal: crlf },
  { name: "BOM", of: (text) => `\uFEFF${text}`, literal: same },
  { name: "no final line end", of: (text) => text.replace(/\n$/, ""), literal: same },
];

export function expected(source: string, replacements: readonly Replacement[]): string {
  let result = "";
  let rest = source;
  for (const [old, now] of replacements) {
    assert.equal(
      source.split(old).length,
      2,
      `not exactly once in the case's source: ${JSON.stringify(old)}`,
    );
    const at = rest.indexOf(old);
    assert.notEqual(at, -1, `replacements are not in the order of the file: ${JSON.stringify(old)}`);
    result += rest.slice(0, at) + now;
    rest = rest.slice(at + old.length);
  }
  return result + rest;
}

/** Registers every case; returns the LF results, so that the language's own tool can judge them. */
export function runCases(
  language: string,
  cases: readonly EditCase[],
): Map<string, { path: string; text: string }> {
  const results = new Map<string, { path: string; text: string }>();
  for (const one of cases) {
    test(`${language}: ${one.name}`, async () => {
      for (const form of FORMS) {
        const head = new MemoryHead({ ...one.beside, [one.path]: form.of(one.source) });
        const plan = await head.plan(...(await one.operations(head, form.literal)));
        const texts = textsOf(plan);
        let wanted = form.of(expected(one.source, one.expect));
        if (one.endsWithLineEnd && !wanted.endsWith("\n")) wanted += "\n";
        const created = Object.entries(one.created ?? {}).map(([path, text]): [string, string] => [
          path,
          form.name === "CRLF" ? crlf(text) : text,
        ]);
        const all = { [one.path]: wanted, ...Object.fromEntries(created) };
        assert.deepEqual(Object.keys(texts).sort(), Object.keys(all).sort(), form.name);
        for (const [path, text] of Object.entries(all)) {
          assert.equal(JSON.stringify(texts[path]), JSON.stringify(text), `${form.name} ${path}`);
        }
        if (form.name === "LF") {
          for (const [path, text] of Object.entries(texts)) {
            results.set(`${one.name} ${path}`, { path, text });
          }
        }
      }
    });
  }
  return results;
}
