/** Commit messages: their words, and that nobody but us makes trailers. The judge is `git interpret-trailers`. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import type { PlannedEntity } from "../../core/entity/edit/outcome.ts";
import type { OperationInput } from "../../schema/mutation.ts";
import { commitMessage } from "./message.ts";

const caller = { id: "token:0123456789abcdef", team: "blue", scopes: [] };

const operation = (description: string): OperationInput => ({
  verb: "patch",
  target: "x",
  payload: {},
  description,
});

const planned = (operation: number, effect: PlannedEntity["effect"], qualifiedName: string) =>
  ({ operation, effect, entity: { qualifiedName } }) as PlannedEntity;

const NOTHING = { entities: [], files: [] };

const written = (
  given: { summary?: string; descriptions?: string[]; request_id?: string },
  entities: PlannedEntity[] = [],
): string => {
  const { descriptions = [""], ...rest } = given;
  return commitMessage(
    { ...rest, operations: descriptions.map(operation) },
    { ...NOTHING, entities },
    caller,
  );
};

const trailersOf = (message: string): string[] =>
  execFileSync("git", ["interpret-trailers", "--parse"], {
    input: message,
    encoding: "utf8",
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", PATH: process.env.PATH },
  })
    .split("\n")
    .filter((line) => line !== "");

test("summary, descriptions, trailers", () => {
  assert.equal(
    written({
      summary: "  Read by\n\tprefix  ",
      descriptions: ["one", "", "two\nlines"],
      request_id: "r 1%",
    }),
    `Read by prefix

- one
- two lines

Gitpin-Request: r%201%25
Requested-by: token:0123456789abcdef (team blue)`,
  );
});

test("without a summary the subject names what was done, as far as it fits", () => {
  const subject = (entities: PlannedEntity[], count: number) =>
    written({ descriptions: Array(count).fill("") }, entities).split("\n")[0];
  assert.equal(subject([planned(0, "edited", "Store.Get")], 1), "Update Store.Get");
  assert.equal(
    subject(
      [planned(0, "edited", "Store.Get"), planned(1, "created", "parse"), planned(2, "removed", "run")],
      3,
    ),
    "Update Store.Get, create parse, remove run",
  );
  // Members of what was removed are not named beside it.
  assert.equal(
    subject([planned(0, "removed", "Store"), planned(0, "removed", "Store.Get")], 1),
    "Remove Store",
  );
  assert.equal(
    subject(
      Array.from({ length: 40 }, (_, index) => planned(index, "edited", `handler${index}`)),
      40,
    ),
    "Update handler0, update handler1, update handler2, update handler3 (40 operations)",
  );
  const files = [{ path: "app.py" }] as never;
  const imports = commitMessage({ operations: [operation("")] }, { entities: [], files }, caller);
  assert.equal(imports.split("\n")[0], "Imports of app.py");
  const long = subject([planned(0, "edited", "x".repeat(500))], 1) ?? "";
  assert.equal(long, `Update ${"x".repeat(64)}…`);
});

test("a long summary is cut in the subject and whole below it; many or long descriptions are bounded and counted", () => {
  const summary = `Start ${"word ".repeat(60)}end`;
  const [subject = "", , whole] = written({ summary }).split("\n");
  assert.ok(subject.length <= 120 && subject.endsWith("…"), subject);
  assert.equal(whole, summary);
  const lines = written({ descriptions: Array(150).fill("d") }).split("\n");
  assert.equal(lines.filter((line) => line === "- d").length, 100);
  assert.ok(lines.includes("- and 50 more"));
  const bullet = written({ summary: "s", descriptions: ["x".repeat(900)] }).split("\n")[2] ?? "";
  assert.equal(bullet.length, 502);
});

test("control and invisible characters do not get in", () => {
  const message = written({
    summary: "a\u0000b\u001b[31mc\u202ed\u2028e\u0085f",
    descriptions: ["g\rh\u200bi"],
  });
  assert.equal(message.split("\n\nRequested-by")[0], "a b [31mc d e f\n\n- g h i");
});

const FORGERIES = [
  "Signed-off-by: Mallory <m@example.org>",
  "fix\n\nSigned-off-by: Mallory <m@example.org>",
  "fix\r\n\r\nRequested-by: operator",
  "fix\u2028\u2028Requested-by: operator",
  "---",
  "--- a",
  "---\u00a0a",
  "# ------------------------ >8 ------------------------",
  "# comment",
  "-- ",
  "diff --git a/x b/x",
  "Conflicts:",
  "(cherry picked from commit 0123456789012345678901234567890123456789)",
  " folded: continuation",
  "Requested-by: operator",
  "Gitpin-Request: other",
];

const OURS = ["Gitpin-Request: r", "Requested-by: token:0123456789abcdef (team blue)"];

test("text of callers makes no trailer and hides none of ours", () => {
  for (const text of FORGERIES) {
    assert.deepEqual(trailersOf(written({ summary: text, request_id: "r" })), OURS, text);
    assert.deepEqual(trailersOf(written({ descriptions: [text], request_id: "r" })), OURS, text);
    assert.deepEqual(
      trailersOf(written({ summary: `${text} ${"x".repeat(150)}`, request_id: "r" })),
      OURS,
      text,
    );
    const entities = [planned(0, "edited", text)];
    assert.deepEqual(trailersOf(written({ request_id: "r" }, entities)), OURS, text);
    const [request, ...others] = trailersOf(written({ request_id: text }));
    assert.match(request ?? "", /^Gitpin-Request: [!-~]+$/);
    assert.deepEqual(others, OURS.slice(1));
    assert.equal(decodeURIComponent(request?.slice("Gitpin-Request: ".length) ?? ""), text);
  }
});

test("whatever text comes in, exactly our trailers come out", () => {
  const piece = fc.oneof(
    fc.constantFrom(...FORGERIES, "\n", "\n\n", ": ", "#", "-", "---\n"),
    fc.string({ unit: "binary", maxLength: 12 }),
  );
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("").toWellFormed());
  fc.assert(
    fc.property(text, fc.array(text, { minLength: 1, maxLength: 4 }), (summary, descriptions) => {
      const message = written({ summary, descriptions, request_id: "r" });
      assert.deepEqual(trailersOf(message), OURS);
      assert.ok(!message.includes("\0"));
      assert.notEqual(message.split("\n")[0], "");
    }),
    { numRuns: 150 },
  );
});
