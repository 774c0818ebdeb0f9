/** Over generated histories: what is claimed to lie between two commits is what ancestry says, or nothing is claimed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { commitsBetween } from "./commits-between.ts";

interface Node {
  sha: string;
  parents: string[];
}

/** Commit i has up to three parents among those before it. */
const history = fc
  .array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 2, maxLength: 14 })
  .map((choices) =>
    choices.map(
      (picked, i): Node => ({
        sha: `c${i}`,
        parents: i === 0 ? [] : [...new Set(picked.map((n) => `c${n % i}`))],
      }),
    ),
  );

function ancestors(nodes: readonly Node[], from: string): Set<string> {
  const seen = new Set<string>();
  const open = [from];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    if (seen.has(sha)) continue;
    seen.add(sha);
    open.push(...(nodes.find((node) => node.sha === sha)?.parents ?? []));
  }
  return seen;
}

test("exact or null, whatever part of the log is shown, in whatever order", () => {
  const asked = fc.record({ nodes: history, a: fc.nat(), b: fc.nat(), shown: fc.nat(), skew: fc.nat() });
  let exact = 0;
  fc.assert(
    fc.property(asked, ({ nodes, a, b, shown, skew }) => {
      const base = `c${a % nodes.length}`;
      const head = `c${b % nodes.length}`;
      const [ofBase, ofHead] = [ancestors(nodes, base), ancestors(nodes, head)];
      const common = nodes.filter(({ sha }) => ofBase.has(sha) && ofHead.has(sha));
      const mergeBase = common.at(-1)?.sha;
      if (mergeBase === undefined) return;
      const between = [...ofHead].filter((sha) => !ofBase.has(sha));
      const log = nodes.filter(({ sha }) => ofHead.has(sha)).reverse();
      // Skewed clocks: some commit stands too early in the log.
      const early = log.splice(skew % log.length, 1);
      const whole = [...log.slice(0, 1), ...early, ...log.slice(1)];
      const seen = [
        ...nodes.filter(({ sha }) => sha === head),
        ...whole.filter(({ sha }) => sha !== head),
      ].slice(0, 1 + (shown % nodes.length));
      const found = commitsBetween(seen, { base, mergeBase, count: between.length });
      if (found === null) return;
      exact += 1;
      assert.deepEqual(found.map(({ sha }) => sha).sort(), between.sort());
    }),
    { numRuns: 2000 },
  );
  assert.ok(exact > 500, `only ${exact} were exact`);
});

test("a straight line needs no more than its own commits", () => {
  const log = [
    { sha: "d", parents: ["c"] },
    { sha: "c", parents: ["b"] },
  ];
  assert.deepEqual(commitsBetween(log, { base: "b", mergeBase: "b", count: 2 }), log);
  assert.equal(commitsBetween(log, { base: "a", mergeBase: "a", count: 3 }), null);
  assert.deepEqual(commitsBetween([], { base: "a", mergeBase: "a", count: 0 }), []);
});
