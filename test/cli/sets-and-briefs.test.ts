/** `gitpin prove-set` and `gitpin brief`, hosted and direct; a saved set is evidence that `verify --from-pack` takes. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type CommandLineStack, commandLineStack, gitpin } from "./command-line.ts";

let cli: CommandLineStack;
before(async () => {
  cli = await commandLineStack();
});
after(() => cli.close());

type Json = Record<string, unknown>;
const item = (sourcePath: string, more: Json = {}): Json => ({ repository: "notes", sourcePath, ...more });
let files = 0;
function items(content: unknown): string {
  files += 1;
  return cli.file(`items-${files}.json`, JSON.stringify(content));
}

for (const way of ["hosted", "direct"] as const) {
  const proveSet = (content: unknown, ...more: string[]) =>
    gitpin(cli[way], "prove-set", "--from-json", items(content), ...more);

  test(`${way}: a set of good places is exit 0, and verifies as it was saved`, async () => {
    const places = [
      item("README.md", { lineStart: 3, claim: "First line" }),
      item("moved.md", { sha: cli.old }),
    ];
    const { code, out } = await proveSet(places);
    const lines = out.trimEnd().split("\n");
    assert.match(lines[0] ?? "", /^ok {2}notes\/README\.md:3 @ .* claim text found$/);
    assert.match(lines[1] ?? "", /^ok {2}notes\/moved\.md @ /);
    assert.match(lines[2] ?? "", /^ok {2}set [0-9a-f]{64}$/);
    assert.equal(code, 0);

    const saved = await proveSet({ items: places }, "--json");
    const set = cli.file("set.json", saved.out);
    const verified = await gitpin(cli[way], "verify", "--from-pack", set);
    assert.match(verified.out, /^items\[0\] {2}ok/);
    // moved.md differs at HEAD as a whole.
    assert.match(verified.out, /\nitems\[1\] {2}mismatch {2}changed/);
    assert.equal(verified.code, 1);
    const forged = { ...(JSON.parse(saved.out) as Json), evidenceSetId: "0".repeat(64) };
    const refused = await gitpin(
      cli[way],
      "verify",
      "--from-pack",
      cli.file("forged.json", JSON.stringify(forged)),
    );
    assert.match(refused.out, /evidenceSetId is not that of its packs/);
    assert.equal(refused.code, 1);
  });

  test(`${way}: an item that is missing, or a claim that is not there, is exit 1; one that failed is exit 2`, async () => {
    assert.equal((await proveSet([item("README.md"), item("nowhere.md")])).code, 1);
    const claim = await proveSet([item("README.md", { claim: "Nobody wrote this" })]);
    assert.match(claim.out, /claim text NOT found/);
    assert.equal(claim.code, 1);
    const failed = await proveSet([item("README.md"), { repository: "other", sourcePath: "a.md" }]);
    assert.match(failed.out, /^error {2}item 1 {2}repository_unknown: /m);
    assert.equal(failed.code, 2);
  });

  test(`${way}: a brief for an audience; the facts are the same for all`, async () => {
    const brief = (...args: string[]) => gitpin(cli[way], "brief", ...args);
    const ids = new Set<unknown>();
    for (const audience of ["technical", "leadership"]) {
      const { code, out } = await brief("--audience", audience, "--repository", "notes", "--json");
      const answer = JSON.parse(out) as Json;
      assert.equal(answer.kind, "EvidenceBrief");
      assert.equal(answer.audience, audience);
      ids.add(answer.evidenceSetId);
      assert.equal(code, 0);
    }
    assert.equal(ids.size, 1);
    const range = `${cli.old}..${cli.head}`;
    const text = await brief("--audience", "technical", "--repository", "notes", "--change-range", range);
    assert.ok(text.out.includes(`notes/README.md @ ${cli.head}`), text.out);
    assert.ok(text.out.includes("moved.md"), text.out);
    assert.ok(text.out.includes("docs/architecture.md"), "a gap");
    assert.equal(text.code, 0);
    const unknown = await brief("--audience", "technical", "--repository", "notes", "--repository", "other");
    assert.match(unknown.out, /other/);
    assert.equal(unknown.code, 2);
  });
}

test("wrong usage is exit 2", async () => {
  const cases: [string[], RegExp][] = [
    [["prove-set"], /--from-json/],
    [["prove-set", "--from-json", "/nonexistent"], /cannot be read/],
    [["prove-set", "--from-json", cli.file("broken.json", "[")], /is not JSON/],
    [["prove-set", "--from-json", items([])], /items/],
    [["prove-set", "--from-json", items(Array.from({ length: 9 }, () => item("a")))], /items/],
    [["prove-set", "--from-json", items([{ sourcePath: "a" }])], /items\[0\]\.repository/],
    [["prove-set", "--from-json", items(7)], /arguments/],
    [["brief", "--audience", "nobody"], /Allowed choices/],
    [["brief", "--audience", "technical", "--change-range", "main..HEAD"], /changeRange/],
  ];
  for (const [args, text] of cases) {
    const { code, error } = await gitpin(cli.hosted, ...args);
    assert.match(error, text, args.join(" "));
    assert.equal(code, 2);
  }
});
