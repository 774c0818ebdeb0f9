/** Which of a host's words are quoted: whole sentences on record, and nothing that stands beside them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { knownWords } from "./known-words.ts";

const told = (text: string) => {
  const { said, ways } = knownWords(text);
  return [said, [...ways]];
};

const SENTENCES: [sentence: string, way: string][] = [
  ["Changes must be made through a pull request.", "propose"],
  ["Changes must be made through the merge queue", "propose"],
  ["At least 1 approving review is required by reviewers with write access.", "propose"],
  ["At least 2 approving reviews are required by reviewers with write access.", "propose"],
  ["2 of 2 required status checks are expected.", "propose"],
  ['Required status check "ci/build (node 24)" is expected.', "propose"],
  ["You're not authorized to push to this branch.", "propose"],
  ["Cannot update this protected branch", "propose"],
  ["Cannot update this protected ref.", "propose"],
  ["Cannot force-push to this branch", "propose"],
  ["This branch must not contain merge commits.", "propose"],
  ["Commits must have verified signatures.", "sign"],
  ["Commits must have valid signatures.", "sign"],
  ["Cannot change this locked branch", "unlock"],
  ["Cannot create ref due to creations being restricted.", "name"],
];

for (const [sentence, way] of SENTENCES) {
  test(`${sentence}: quoted as it is, alone and among others`, () => {
    assert.deepEqual(told(sentence), [sentence, [way]]);
    const around = `GH013: Repository rule violations found for refs/heads/main.\n\n- ${sentence}\nremote: error: Visit https://x/y`;
    assert.deepEqual(told(around), [sentence, [way]]);
  });
}

test("several, on one line or many, each once", () => {
  assert.deepEqual(
    told(
      "Repository rule violations found\n\nChanges must be made through a pull request. 4 of 4 required status checks are expected.\n- Changes must be made through a pull request.\n",
    ),
    ["Changes must be made through a pull request. 4 of 4 required status checks are expected.", ["propose"]],
  );
});

test("what is not on record is not quoted: names, addresses, tokens, hidden characters, longer sentences", () => {
  for (const text of [
    "",
    "A new rule of a new kind",
    "Waiting on code owner review from octo/secret-team.",
    "Changes must be made through a pull request by ghs_16C7e42F292c6912E7710c838347Ae178B4a.",
    "Changes must be made\u202e through a pull request.",
    'Required status check "ghp_16C7e42F292c6912E7710c838347Ae178B4a1" is expected!',
    `Required status check "${"x".repeat(41)}" is expected.`,
    'Required status check "a\u0007b" is expected.',
  ]) {
    assert.deepEqual(told(text), [null, []], text);
  }
});

test("whatever a host says, what is quoted is printable, one line and no longer than 300 characters", () => {
  const piece = fc.oneof(fc.constantFrom(...SENTENCES.map(([sentence]) => sentence)), fc.string());
  const glue = fc.constantFrom("\n", " ", "\n- ");
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, glue), { maxLength: 30 }), (pieces) => {
      const { said } = knownWords(pieces.flat().join(""));
      assert.ok(said === null || (said.length <= 300 && /^[\x20-\x7e]+$/.test(said)), String(said));
    }),
  );
});
