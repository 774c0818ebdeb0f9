/** The search against `git grep -n -I` itself: equal sets of (path, line), and the same first columns. */
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { awkwardRepository } from "../../../test/repositories/awkward.ts";
import { GitRepository } from "../../../test/repositories/git.ts";
import { runProgram } from "../../../test/support/small-shell.ts";
import { CommitArchive } from "../archive/commit-archive.ts";
import { gunzip } from "../archive/gunzip.ts";
import { TAR_LIMITS } from "../archive/tar.ts";
import { parseQuery, type SearchOptions } from "./query.ts";
import { runSearch } from "./search-run.ts";
import { WorkBudget } from "./work-budget.ts";

const repositories: GitRepository[] = [];
after(() => {
  for (const repository of repositories) repository.remove();
});

interface Subject {
  repository: GitRepository;
  commit: string;
  archive: Buffer;
}

function subject(repository: GitRepository, commit: string): Subject {
  if (!repositories.includes(repository)) repositories.push(repository);
  return {
    repository,
    commit,
    archive: repository.bytes("archive", "--format=tar.gz", "--prefix=top/", commit),
  };
}

function newRepository(): GitRepository {
  const repository = new GitRepository();
  repositories.push(repository);
  return repository;
}

type Line = `${string}:${number}:${number}`;

/** Every hit on one page; paging has its own test. */
async function ours(
  { commit, archive }: Subject,
  options: SearchOptions,
  heldBytes = 1 << 23,
): Promise<Line[]> {
  const source = new Blob([new Uint8Array(archive)]).stream();
  const limits = { ...TAR_LIMITS, heldBytes };
  const files = new CommitArchive(gunzip(source).next, { commit, hash: false, limits }).files();
  const query = { ...parseQuery(options), maxResults: 1_000_000 };
  const work = new WorkBudget(async () => undefined);
  const outcome = await runSearch(files, query, { commit, denied: () => false, work });
  assert.equal(outcome.complete, true, JSON.stringify(outcome.skipped));
  assert.equal(outcome.totals.matchingLines, outcome.hits.length);
  return outcome.hits.map((hit): Line => `${hit.path}:${hit.line}:${hit.column}`);
}

function flagsOf(options: SearchOptions): string[] {
  const flags = [options.mode === "regex" ? "-P" : "-F"];
  if (options.caseSensitive !== true) flags.push("-i");
  if (options.wholeWord === true) flags.push("-w");
  return flags;
}

function theirs({ repository, commit }: Subject, options: SearchOptions): Line[] {
  const texts = [options.query, ...(options.alternatives ?? [])].flatMap((text) => ["-e", text]);
  const { stdout, stderr, status } = runProgram(
    "git",
    ["grep", "-z", "-n", "--column", "-I", "--full-name", ...flagsOf(options), ...texts, commit],
    {
      cwd: repository.path,
      env: {
        PATH: process.env.PATH,
        LC_ALL: "C.UTF-8",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
      },
    },
  );
  assert(status === 0 || status === 1, stderr.toString());
  const lines: Line[] = [];
  const record = new RegExp(`(?:^|\\n)${commit}:([^\\0]+)\\0(\\d+)\\0(\\d+)\\0`, "g");
  for (const [, path = "", line, column] of stdout.toString("latin1").matchAll(record)) {
    lines.push(`${Buffer.from(path, "latin1").toString("utf8")}:${Number(line)}:${Number(column)}`);
  }
  return lines;
}

async function same(of: Subject, options: SearchOptions, heldBytes?: number): Promise<number> {
  const found = await ours(of, options, heldBytes);
  assert.deepEqual(found, theirs(of, options), JSON.stringify(options));
  return found.length;
}

/** Case variants of one to three bytes, word characters and others, line ends, and bytes that are no UTF-8. */
const PIECES = [
  ..."aAbBkK\u212asS\u017feEéÉßẞİıΣσς_-. \t\r19",
  "foo",
  "Foo",
  "foobar",
  "foo_foo foo",
  "\n",
  "\n",
  "\n\n",
].map((piece) => Buffer.from(piece, "utf8"));
const BROKEN = [[0xff], [0xe2, 0x84], [0xc3], [0xa9], [0xf0, 0x9f]].map((bytes) => Buffer.from(bytes));

const content = (pieces: Buffer[]): fc.Arbitrary<Buffer> =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => Buffer.concat(parts));

/** A commit with these files; nothing else of the repository counts. */
function commitFiles(repository: GitRepository, files: readonly Buffer[]): Subject {
  repository.git("rm", "-r", "-q", "--cached", "--ignore-unmatch", ".");
  for (const [i, bytes] of files.entries()) repository.write(`f${i}`, bytes);
  repository.git("add", ...files.map((_, i) => `f${i}`));
  return subject(repository, repository.git("commit-tree", repository.git("write-tree"), "-m", "generated"));
}

test("generated files, literal queries: every combination of -i and -w, any encoding", async () => {
  const repository = newRepository();
  const query = fc
    .array(fc.constantFrom(..."aAbkK\u212asſeéÉßẞσΣ_-. 1", "foo", "Foo"), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(""));
  const files = fc.array(content([...PIECES, ...BROKEN]), { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(files, fc.array(query, { minLength: 3, maxLength: 3 }), async (generated, queries) => {
      const of = commitFiles(repository, generated);
      for (const text of queries) {
        for (const caseSensitive of [true, false]) {
          for (const wholeWord of [true, false]) await same(of, { query: text, caseSensitive, wholeWord });
        }
      }
    }),
    { numRuns: 12 },
  );
});

test("generated names, several at once: as git grep -F -e <one> -e <other>", async () => {
  const repository = newRepository();
  const pieces = [..."$$_ .(\n\n", "a", "a", "get", "getAll", "é"].map((piece) => Buffer.from(piece));
  const name = fc
    .array(fc.constantFrom("a", "b", "$", "_", "get", "All", "é"), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join(""));
  const names = fc.uniqueArray(name, { minLength: 2, maxLength: 5 });
  const files = fc.array(content(pieces), { minLength: 8, maxLength: 8 });
  let found = 0;
  await fc.assert(
    fc.asyncProperty(files, fc.array(names, { minLength: 4, maxLength: 4 }), async (generated, each) => {
      const of = commitFiles(repository, generated);
      for (const [query = "", ...alternatives] of each) {
        for (const wholeWord of [true, false]) {
          found += await same(of, { query, alternatives, wholeWord, caseSensitive: true });
        }
      }
    }),
    { numRuns: 12 },
  );
  assert.ok(found > 100, `${found}`);
});

test("whole words of an expression are those of git grep -P, where -E takes the longest alternative", async () => {
  const repository = newRepository();
  const of = commitFiles(repository, [Buffer.from("getAll();\nget();\nget_getAll\n")]);
  const options: SearchOptions = { query: "get|getAll", mode: "regex", wholeWord: true, caseSensitive: true };
  assert.equal(await same(of, options), 1);
  const extended = repository.git("grep", "-n", "-w", "-E", "-e", "get|getAll", of.commit);
  assert.equal(extended, `${of.commit}:f0:1:getAll();\n${of.commit}:f0:2:get();`);
});

/** Patterns that mean the same to PCRE and RE2, on ASCII text. */
const pattern = fc.letrec<{ any: string; atom: string; sequence: string }>((tie) => ({
  atom: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("a", "b", "B", "foo", "k", "s", "_", "-", "\\.", " ", "1") },
    {
      weight: 3,
      arbitrary: fc.constantFrom(".", "[ab]", "[^a]", "\\d", "\\w", "\\W", "[a-f_]", "\\s", "[[:alpha:]]"),
    },
    { weight: 2, arbitrary: fc.constantFrom("^", "$", "\\b", "\\B") },
    { weight: 2, arbitrary: tie("any").map((inner) => `(?:${inner})`) },
    { weight: 1, arbitrary: tie("any").map((inner) => `(${inner})`) },
  ),
  sequence: fc
    .array(fc.tuple(tie("atom"), fc.constantFrom("", "", "", "", "*", "+", "?", "{2}", "{1,2}", "*?")), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) =>
      parts
        .map(([atom, repeat]) => (/^(?:\^|\$|\\[bB])$/.test(atom) ? atom : repeated(atom, repeat)))
        .join(""),
    ),
  any: fc.array(tie("sequence"), { minLength: 1, maxLength: 2 }).map((parts) => parts.join("|")),
})).any;

const repeated = (atom: string, repeat: string): string =>
  repeat !== "" && atom === "foo" ? `(?:foo)${repeat}` : atom + repeat;

/** With `-P` git reports a line behind the last one where an expression matches the empty text at a file's end. */
function exists(place: string, files: readonly Buffer[]): boolean {
  const [, file = "", line = ""] = /^f(\d+):(\d+)$/.exec(place) ?? [];
  const text = files[Number(file)]?.toString("latin1") ?? "";
  return Number(line) <= text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

test("generated files, regular expressions: as git grep -P where the dialects agree", async () => {
  const repository = newRepository();
  const ascii = PIECES.filter((piece) => piece.every((byte) => byte < 0x80));
  const files = fc.array(content(ascii), { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      files,
      fc.array(pattern, { minLength: 6, maxLength: 6 }),
      async (generated, patterns) => {
        const of = commitFiles(repository, generated);
        for (const query of patterns) {
          for (const caseSensitive of [true, false]) {
            for (const wholeWord of [true, false]) {
              const options: SearchOptions = { query, mode: "regex", caseSensitive, wholeWord };
              // Columns are left out: an empty match has none here.
              const places = (lines: Line[]): string[] => lines.map((line) => line.replace(/:\d+$/, ""));
              const expected = places(theirs(of, options)).filter((place) => exists(place, generated));
              assert.deepEqual(places(await ours(of, options)), expected, JSON.stringify(options));
            }
          }
        }
      },
    ),
    { numRuns: 12 },
  );
});

test("the awkward repository: names, line ends, encodings, late NUL, symlinks, submodule", async () => {
  const { repository, head } = awkwardRepository();
  const of = subject(repository, head);
  for (const query of [
    "e",
    "line",
    "\r",
    "three",
    "au lait",
    "ß",
    "SECRET",
    "0123",
    "a",
    "src/app.ts",
    "version",
  ]) {
    for (const wholeWord of [false, true]) await same(of, { query, wholeWord });
    await same(of, { query, caseSensitive: true });
  }
  assert.equal(await same(of, { query: "after" }), 1, "the line behind a NUL after byte 8000");
  for (const query of ["^#", "[a-z]+\\r?$", "^$", "x{50}", "\\bline\\b", "plain"]) {
    await same(of, { query, mode: "regex", caseSensitive: true });
  }
  // A byte that is no UTF-8 is one character to us and none to PCRE.
  assert.deepEqual(await ours(of, { query: "caf. au", mode: "regex" }), ["latin1.txt:1:1"]);
});

test("real trees: libraries of this project's own dependencies", async () => {
  const repository = newRepository();
  for (const name of ["hono", "picomatch", "commander"]) {
    cpSync(join(import.meta.dirname, "../../../node_modules", name), join(repository.path, name), {
      recursive: true,
    });
  }
  repository.git("add", "--all", "--force");
  const of = subject(
    repository,
    repository.git("commit-tree", repository.git("write-tree"), "-m", "libraries"),
  );
  const literals = ["export default", "typeof", "Object", "?.", "K", "ß", "=> {", "z.string()", "// @ts-"];
  for (const query of literals) {
    await same(of, { query, caseSensitive: true });
    await same(of, { query });
    await same(of, { query, wholeWord: true });
  }
  const patterns = [
    "return (null|true);",
    "^\\s*import .* from",
    "\\bget[A-Z]\\w+\\(",
    "[0-9]{4}-[0-9]{2}",
    "x{3,}",
    "(?:a|b)+c$",
  ];
  for (const query of patterns) {
    await same(of, { query, mode: "regex", caseSensitive: true });
    await same(of, { query, mode: "regex", caseSensitive: true, wholeWord: true });
  }
  await same(of, { query: "typeof", caseSensitive: true }, 1000);
  await same(of, { query: "^export (?:type|interface) [A-Z]", mode: "regex", caseSensitive: true }, 1000);
});
