/** `gitpin verify`: one citation in each of its ways, hosted and direct; exit codes are the contract's. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type CommandLineStack, commandLineStack, gitpin } from "./command-line.ts";

let cli: CommandLineStack;
before(async () => {
  cli = await commandLineStack();
});
after(() => cli.close());

for (const way of ["hosted", "direct"] as const) {
  const verify = (...args: string[]) => gitpin(cli[way], "verify", ...args);

  test(`${way}: parts, handle and cite of one place give one verdict`, async () => {
    const { old } = cli;
    const ways = [
      ["--repository", "notes", "--path", "README.md", "--sha", old, "--line", "3"],
      ["--handle", `gitpin:notes@${old}:README.md:3`],
      ["--cite", `notes/README.md:3 @ ${old}`],
    ];
    for (const args of ways) {
      const { code, out } = await verify(...args);
      assert.equal(out.split("  ").slice(0, 3).join("  "), `ok  unchanged  notes/README.md:3 @ ${old}`);
      assert.equal(code, 0);
    }
  });

  test(`${way}: every verdict but ok is exit 1`, async () => {
    const { old, head } = cli;
    const cases: [string[], number, RegExp][] = [
      [["--cite", `notes/moved.md:2 @ ${old}`], 0, /^ok {2}moved/],
      [["--cite", `notes/changed.md:1 @ ${old}`], 1, /^mismatch {2}changed/],
      [["--cite", `notes/gone.md @ ${old}`], 1, /^mismatch {2}gone/],
      [["--cite", `notes/gone.md @ ${head}`], 1, /^missing/],
      [["--cite", `notes/.env:1 @ ${head}`], 1, /^blocked/],
      [["--cite", `notes/README.md:3 @ ${head}`, "--must-contain", "First line"], 0, /^ok {2}head/],
      [["--cite", `notes/README.md:3 @ ${head}`, "--must-contain=Last line"], 1, /^contradicted/],
      [["--cite", `notes/README.md:3 @ ${head}`, "--content-sha256", "0".repeat(64)], 1, /^contradicted/],
    ];
    for (const [args, expected, text] of cases) {
      const { code, out } = await verify(...args);
      assert.match(out, text);
      assert.equal(code, expected, args.join(" "));
    }
  });

  test(`${way}: an absence is searched for again`, async () => {
    const handle = (query: string) => `gitpin-absence:notes@${cli.head}?q=${query}`;
    const absent = await verify("--absence", handle("haystack"));
    assert.match(
      absent.out,
      /^ok {2}head {2}notes\/ @ [0-9a-f]{40} {2}The text "haystack" \(any case\) does not occur in the \d+ files/,
    );
    assert.equal(absent.code, 0);
    const present = await verify("--absence", handle("evidence"));
    assert.match(present.out, /^contradicted/);
    assert.equal(present.code, 1);
    assert.equal((await verify("--absence", handle("x"), "--line", "3")).code, 2);
    assert.equal((await verify("--absence", "gitpin-absence:notes@main?q=x")).code, 2);
  });

  test(`${way}: what stops the check is exit 2`, async () => {
    const unknown = await verify("--cite", `other/a.md @ ${cli.head}`);
    assert.equal(unknown.code, 2);
    assert.match(unknown.error, /^gitpin: repository_unknown: /);
    assert.equal(unknown.out, "");
    const short = await verify("--repository", "notes", "--path", "README.md", "--sha", "0000000");
    assert.equal(short.code, 2);
    assert.match(short.error, /^gitpin: sha_not_resolved: /);
  });

  test(`${way}: --json is the whole report`, async () => {
    const { out, code } = await verify("--cite", `notes/README.md @ ${cli.head}`, "--json");
    const report = JSON.parse(out) as Record<string, unknown>;
    assert.equal(report.kind, "verification-report");
    assert.equal(report.commitSha, cli.head);
    assert.equal(code, 0);
  });
}

test("wrong usage is exit 2 and asks nobody", async () => {
  const { head } = cli;
  const cite = `notes/README.md @ ${head}`;
  const cases: [string[], RegExp][] = [
    [[], /exactly one way/],
    [["--repository", "notes"], /belong together/],
    [["--cite", cite, "--handle", `gitpin:notes@${head}:README.md`], /exactly one way/],
    [["--cite", cite, "--repository", "notes"], /exactly one way/],
    [["--cite", cite, "--line", "3"], /brings its lines along/],
    [["--cite", "README.md:3"], /invalid_citation/],
    [["--cite", `gitpin:notes@${head}:README.md`], /is a handle/],
    [["--handle", cite], /is a cite/],
    [["--repository", "notes", "--path", "a", "--sha", "xyz"], /7 to 40 hex digits/],
    [["--repository", "notes", "--path", "a", "--sha", head, "--line", "3-1"], /before the first/],
    [["--repository", "notes", "--path", "a", "--sha", head, "--line", "0"], /give a line as 12/],
    [["--cite", cite, "--content-sha256", "abc"], /64 hex digits/],
    [["--from-pack", "x.json", "--must-contain", "y"], /brings its lines, text and hash/],
    [["--from-pack", "/nonexistent/x.json"], /cannot be read \(ENOENT\)/],
    [["--nonsense"], /unknown option/],
  ];
  const { requests } = await cli.stack.counted(async () => {
    for (const [args, text] of cases) {
      const ran = await gitpin(cli.direct, "verify", ...args);
      assert.match(ran.error, text);
      assert.equal(ran.code, 2, args.join(" "));
    }
  });
  assert.deepEqual(requests, []);
});

test("help and version are exit 0, an unknown command is exit 2", async () => {
  assert.equal((await gitpin({}, "--help")).code, 0);
  assert.match((await gitpin({}, "--version")).out, /^\d+\.\d+\.\d+\n$/);
  assert.equal((await gitpin({}, "verify", "--help")).code, 0);
  assert.equal((await gitpin({}, "explode")).code, 2);
  assert.equal((await gitpin({})).code, 2);
});
