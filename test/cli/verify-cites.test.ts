/** `gitpin verify-cites`: the gate over notes, its formats, and `--fix`. */
import assert from "node:assert/strict";
import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { type CommandLineStack, commandLineStack, gitpin } from "./command-line.ts";

let cli: CommandLineStack;
before(async () => {
  cli = await commandLineStack();
});
after(() => cli.close());

const check = (...args: string[]) => gitpin(cli.hosted, "verify-cites", ...args);

for (const way of ["hosted", "direct"] as const) {
  test(`${way}: each citation with its line, in both forms, and the sum`, async () => {
    const { old, head } = cli;
    const file = cli.file(
      `${way}.md`,
      [
        `Read \`notes/README.md:3 @ ${old}\`, then (gitpin:notes@${old}:moved.md:2).`,
        "",
        `| a | notes/changed.md:1 @ ${old} |`,
        `| b | notes/README.md:3 @ ${old} |`,
        `gitpin:notes@${old.slice(0, 8)}:README.md is too short; notes/gone.md @ ${head} never was.`,
        "",
      ].join("\n"),
    );
    const { result, requests } = await cli.stack.counted(() =>
      gitpin(cli[way], "verify-cites", "--file", file),
    );
    const lines = result.out.trimEnd().split("\n");
    assert.deepEqual(
      lines.map((line) => line.replace(file, "F").split("  ").slice(0, 3).join("  ")),
      [
        `F:1:7  ok unchanged  notes/README.md:3 @ ${old}`,
        `F:1:76  ok moved  gitpin:notes@${old}:moved.md:2`,
        `F:3:7  mismatch changed  notes/changed.md:1 @ ${old}`,
        `F:4:7  ok unchanged  notes/README.md:3 @ ${old}`,
        `F:5:1  malformed  gitpin:notes@${old.slice(0, 8)}:README.md`,
        `F:5:47  missing  notes/gone.md @ ${head}`,
        "6 citations: 3 ok (1 moved), 2 not ok, 1 malformed",
      ],
    );
    assert.match(lines[1] ?? "", new RegExp(`now gitpin:notes@${head}:moved\\.md:3$`));
    assert.equal(result.code, 1);
    assert.ok(requests.length < 20, requests.join("\n"));
  });
}

test("all ok is exit 0; notes without citations ask nobody", async () => {
  const fine = cli.file("fine.md", `See notes/README.md:3 @ ${cli.head}.\n`);
  assert.equal((await check("--file", fine)).code, 0);
  const none = cli.file("none.md", "Nothing is cited here: repo/path:line @ fullSha.\n");
  const ran = await gitpin({}, "verify-cites", "--file", none);
  assert.equal(ran.out, "0 citations: 0 ok\n");
  assert.equal(ran.code, 0);
});

test("several files; one that cannot be read stops the check", async () => {
  const one = cli.file("one.md", `notes/README.md @ ${cli.head}\n`);
  const two = cli.file("two.md", `notes/nowhere.md @ ${cli.head}\n`);
  const both = await check("--file", one, "--file", two, "--file", one);
  assert.match(both.out, /one\.md:1:1 {2}ok head/);
  assert.match(both.out, /two\.md:1:1 {2}missing/);
  assert.match(both.out, /\n2 citations: 1 ok, 1 not ok\n$/);
  assert.equal(both.code, 1);
  const gone = await check("--file", one, "--file", "/nonexistent/x.md");
  assert.equal(gone.code, 2);
  assert.match(gone.error, /x\.md cannot be read \(ENOENT\)/);
  assert.equal((await check()).code, 2);
});

test("a citation that cannot be checked does not hide the others, and is exit 2", async () => {
  const file = cli.file("mixed.md", `other/a.md @ ${cli.head}\nnotes/README.md @ ${cli.head}\n`);
  const { out, code } = await check("--file", file);
  assert.match(out, /mixed\.md:1:1 {2}error .*repository_unknown/);
  assert.match(out, /mixed\.md:2:1 {2}ok head/);
  assert.match(out, /2 citations: 1 ok, 1 not checked/);
  assert.equal(code, 2);
});

test("--format json", async () => {
  const file = cli.file("json.md", `notes/moved.md:2 @ ${cli.old} and gitpin:notes@abc1234:x\n`);
  const { out, code } = await check("--file", file, "--format", "json");
  const report = JSON.parse(out) as {
    summary: unknown;
    files: { file: string; citations: Record<string, unknown>[] }[];
  };
  assert.deepEqual(report.summary, { citations: 2, ok: 1, moved: 1, notOk: 0, malformed: 1, unchecked: 0 });
  const [moved, malformed] = report.files[0]?.citations ?? [];
  assert.deepEqual(
    [moved?.line, moved?.column, moved?.verdict, moved?.movedTo],
    [1, 1, "ok", `notes/moved.md:3 @ ${cli.head}`],
  );
  assert.deepEqual([malformed?.verdict, malformed?.report], ["malformed", null]);
  assert.equal(code, 1);
});

test("--format github: annotations, and nothing of the notes becomes a command", async () => {
  const { old } = cli;
  const file = cli.file(
    "a,b:c%.md",
    `notes/README.md @ ${old}\nnotes/moved.md:2 @ ${old}\n\nnotes/x%0A%3A%3Aset-env.md @ ${old}\n`,
  );
  const { out, code } = await check("--file", file, "--format", "github");
  const name = file.replace("a,b:c%.md", "a%2Cb%3Ac%25.md");
  const lines = out.trimEnd().split("\n");
  assert.equal(lines.length, 3);
  assert.ok(
    lines[0]?.startsWith(`::notice file=${name},line=2,col=1,title=citation moved::notes/moved.md:2 @ `),
  );
  assert.ok(
    lines[1]?.startsWith(
      `::error file=${name},line=4,col=1,title=citation missing::notes/x%250A%253A%253Aset-env.md @ ${old}: `,
    ),
    lines[1],
  );
  assert.equal(lines[2], "3 citations: 2 ok (1 moved), 1 not ok");
  assert.equal(code, 1);
});

test("--fix rewrites what moved and keeps every other byte, the mode and a symbolic link", async () => {
  const { old, head } = cli;
  const notes = (cited: string[]) =>
    `\ufeffA: ${cited[0]}\r\n\tB \`${cited[1]}\`; same ${cited[0]}, tail \u{1F600}\r\nchanged notes/changed.md:1 @ ${old}`;
  const before = notes([`notes/moved.md:2 @ ${old}`, `gitpin:notes@${old}:moved.md:1-2`]);
  const path = cli.file("fix.md", before);
  chmodSync(path, 0o640);
  const link = `${path}.link.md`;
  symlinkSync(path, link);
  const { out, code } = await check("--file", link, "--fix");
  assert.equal(
    readFileSync(path, "utf8"),
    notes([`notes/moved.md:3 @ ${head}`, `gitpin:notes@${head}:moved.md:2-3`]),
  );
  assert.equal(statSync(path).mode & 0o777, 0o640);
  assert.match(out, /\nfixed .*fix\.md\.link\.md\n4 citations: 3 ok \(3 moved\), 1 not ok\n$/);
  assert.equal(code, 1);
  const again = await check("--file", path, "--fix");
  assert.doesNotMatch(again.out, /fixed/);
});

test("--fix refuses standard input and text that is not UTF-8", async () => {
  assert.equal((await check("--file", "-", "--fix")).code, 2);
  const latin = cli.file("latin.md", "");
  writeFileSync(latin, Buffer.from([0x6e, 0xf6, 0x74, 0x65]));
  const ran = await check("--file", latin);
  assert.match(ran.error, /is not UTF-8/);
  assert.equal(ran.code, 2);
});

test("some hundred citations, equal ones asked once", async () => {
  const cited = Array.from(
    { length: 300 },
    (_, index) => `- notes/moved.md:${(index % 4) + 1} @ ${cli.head}`,
  );
  const file = cli.file("many.md", `${cited.join("\n")}\n`);
  const logged = cli.stack.worker.logs.length;
  const { out, code } = await check("--file", file);
  assert.match(out, /300 citations: 300 ok\n$/);
  assert.equal(code, 0);
  const lines = await cli.stack.worker.logged(logged + 4);
  assert.equal(lines.length - logged, 4);
});
