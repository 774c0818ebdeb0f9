/** `gitpin verify --from-pack`: saved packs, sets and reports are checked against themselves and asked for again. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type CommandLineStack, commandLineStack, gitpin, type Ran } from "./command-line.ts";

let cli: CommandLineStack;
before(async () => {
  cli = await commandLineStack();
});
after(() => cli.close());

type Json = Record<string, unknown>;
const prove = async (query: Record<string, string | number>): Promise<Json> =>
  (await cli.stack.get("/v1/prove", { repository: "notes", ...query })).body;
const fromPack = (content: unknown, ...more: string[]): Promise<Ran> =>
  gitpin(cli.hosted, "verify", "--from-pack", cli.file("saved.json", JSON.stringify(content)), ...more);

test("a pack is ok as it was saved, also long after and also cut", async () => {
  const packs = [
    await prove({ sourcePath: "README.md", lineStart: 3, claim: "line of evidence" }),
    await prove({ sourcePath: "README.md" }),
    await prove({ sourcePath: "with space.md", sha: cli.old }),
    await prove({ sourcePath: "moved.md", lineStart: 2, sha: cli.old }),
    await prove({ sourcePath: "moved.md", maxBytes: 5 }),
  ];
  for (const pack of packs) {
    const { code, out } = await fromPack(pack);
    assert.match(out, /^ok /);
    assert.equal(code, 0);
  }
});

test("a pack that was changed by hand is not ok", async () => {
  const pack = await prove({ sourcePath: "README.md", lineStart: 3, claim: "line of evidence" });
  const citation = pack.citation as Json;
  const cases: [Json, RegExp][] = [
    [{ ...pack, content: "Another line.\n" }, /^contradicted .*its own contentSha256/],
    [{ ...pack, contentSha256: "0".repeat(64) }, /^contradicted .*its own contentSha256/],
    [{ ...pack, content: null, contentSha256: "0".repeat(64) }, /^contradicted /],
    [{ ...pack, claim: "some other text" }, /^contradicted /],
    [{ ...pack, sourcePath: "moved.md" }, /name different places/],
    [{ ...pack, citation: { ...citation, line: 1 } }, /name different places/],
    [{ ...pack, range: { start: 2, end: 2 } }, /name different places/],
    [{ ...pack, blobSha: "0".repeat(40) }, /blobSha is not the file's/],
    [{ ...pack, totalLines: 999 }, /totalLines is not the file's|name different places/],
    [{ ...pack, citation: { ...citation, cite: `notes/moved.md:3 @ ${cli.head}` } }, /name different places/],
    [{ ...pack, citation: { ...citation, handle: "gitpin:nonsense" } }, /name different places/],
  ];
  for (const [changed, text] of cases) {
    const { code, out } = await fromPack(changed);
    assert.match(out, text);
    assert.equal(code, 1);
  }
});

test("packs that were missing or blocked stay that", async () => {
  const missing = await fromPack(await prove({ sourcePath: "nowhere.md" }));
  assert.match(missing.out, /^missing /);
  assert.equal(missing.code, 1);
  const blocked = await fromPack(await prove({ sourcePath: ".env" }));
  assert.match(blocked.out, /^blocked /);
  assert.equal(blocked.code, 1);
});

test("an array of packs: each with its place in the file, and a sum", async () => {
  const good = await prove({ sourcePath: "README.md" });
  const bad = await prove({ sourcePath: "changed.md", lineStart: 1, sha: cli.old });
  const { code, out } = await fromPack([good, bad]);
  assert.equal(code, 1);
  const lines = out.trimEnd().split("\n");
  assert.match(lines[0] ?? "", /^\[0\] {2}ok {2}head {2}notes\/README\.md @/);
  assert.match(lines[1] ?? "", /^\[1\] {2}mismatch {2}changed {2}notes\/changed\.md:1 @/);
  assert.equal(lines[2], "1 of 2 ok");
  const json = JSON.parse((await fromPack([good, bad], "--json")).out) as Json[];
  assert.deepEqual(
    json.map(({ where, fault, report }) => [where, fault, (report as Json).status]),
    [
      ["[0]", null, "ok"],
      ["[1]", null, "mismatch"],
    ],
  );
});

test("a report, and the arguments of a verification, are evidence as well", async () => {
  const { old } = cli;
  const report = (await cli.stack.get("/v1/verify", { cite: `notes/README.md:3 @ ${old}` })).body;
  assert.equal((await fromPack(report)).code, 0);
  const text = { cite: `notes/README.md:3 @ ${old}`, mustContain: "nothing of this" };
  const contradicted = (await cli.stack.get("/v1/verify", text)).body;
  const again = await fromPack(contradicted);
  assert.match(again.out, /^contradicted .*does not hold the text it asked for/);
  assert.equal(again.code, 1);
  const items = [{ repository: "notes", sourcePath: "README.md", sha: old, line: 3, mustContain: "First" }];
  assert.equal((await fromPack({ items })).code, 0);
  assert.equal((await fromPack({ items: [{ ...items[0], mustContain: "Last" }] })).code, 1);
});

test("what is no evidence stops the check, naming the place", async () => {
  const pack = await prove({ sourcePath: "README.md" });
  const cases: [unknown, RegExp][] = [
    [{}, /not saved evidence: items:/],
    [[], /the array is empty/],
    [[pack, { kind: "catalog" }], /at \[1\]: kind "catalog" is not evidence/],
    [{ ...pack, contentSha256: 7 }, /contentSha256/],
    [{ items: [] }, /items/],
    ["text", /not saved evidence/],
  ];
  for (const [content, text] of cases) {
    const { code, error } = await fromPack(content);
    assert.match(error, text);
    assert.equal(code, 2);
  }
  const broken = await gitpin(cli.hosted, "verify", "--from-pack", cli.file("broken.json", "{"));
  assert.match(broken.error, /broken\.json is not JSON/);
  assert.equal(broken.code, 2);
});
