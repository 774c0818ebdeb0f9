/** The whole stack against `git grep`: local host, Worker, REST and MCP, over generated and real trees. */
import assert from "node:assert/strict";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";
import { everyHit, gitGrep, type Question } from "./git-grep.ts";

const modules = join(import.meta.dirname, "../../node_modules");
const SEED = 20_261_130;

interface Subject {
  name: string;
  repository: GitRepository;
  commit: string;
}

let stack: Stack;
const subjects: Subject[] = [];
const generated: Subject[] = [];

function realTree(name: string): Subject {
  const repository = new GitRepository(name);
  cpSync(join(modules, name), repository.path, { recursive: true });
  repository.git("add", "--all", "--force");
  return { name, repository, commit: repository.commit(name) };
}

/** Texts of any encoding, word characters and others, case variants, line ends, empty files, a late NUL. */
const PIECES = [
  ..."aAbBkKsSéÉß_-. \t\r19",
  "foo",
  "Foo",
  "foobar",
  "foo_foo foo",
  "\n",
  "\n",
  "\n",
  "\xff",
].map((piece) => Buffer.from(piece, piece === "\xff" ? "latin1" : "utf8"));

function generatedTree(name: string, seed: number): Subject {
  const repository = new GitRepository(name);
  const files = fc.sample(fc.array(fc.constantFrom(...PIECES), { maxLength: 200 }), { numRuns: 40, seed });
  for (const [i, parts] of files.entries()) {
    const late = i === 7 ? [Buffer.alloc(8100, "x\n"), Buffer.from("\0foo\n")] : [];
    repository.write(`d${i % 4}/f${i}.txt`, Buffer.concat([...late, ...parts]));
  }
  return { name, repository, commit: repository.commit(name) };
}

before(async () => {
  subjects.push(realTree("hono"), realTree("picomatch"), realTree("commander"));
  generated.push(generatedTree("generated-a", SEED), generatedTree("generated-b", SEED + 1));
  const all = [...subjects, ...generated];
  stack = await startStack({
    host: {
      repositories: all.map(({ name, repository }, i) => ({
        owner: "o",
        name,
        path: repository.path,
        id: i + 1,
      })),
    },
    registry: all.map(({ name }, i) => ({ name, owner: "o", repo: name, id: i + 1 })),
    vars: { HEAD_MAX_AGE: "3600" },
  });
});

after(async () => {
  await stack?.close();
  for (const { repository } of [...subjects, ...generated]) repository.remove();
});

const escaped = (text: string): string => text.replace(/[^A-Za-z0-9_ ]/g, "\\$&");

/** Queries from what stands in the tree: pieces of its lines, and expressions around its words. */
function questions({ repository, commit }: Subject, count: number, seed: number): Question[] {
  const paths = repository.git("ls-tree", "-r", "--name-only", commit).split("\n");
  const texts = paths
    .map((path) => readFileSync(join(repository.path, path), "utf8"))
    .filter((text) => !text.includes("\0") && !text.includes("\ufffd"));
  const lines = texts.flatMap((text) => text.split("\n")).filter((line) => line.trim().length > 5);
  const words = [...new Set(lines.join("\n").match(/[A-Za-z]{4,12}/g) ?? ["foo"])];
  const literal = fc
    .tuple(fc.constantFrom(...lines), fc.nat(200), fc.integer({ min: 4, max: 14 }))
    .map(([line, at, length]): Question => {
      const start = at % Math.max(1, line.length - length);
      return { query: line.slice(start, start + length).toWellFormed() };
    });
  const word = fc.constantFrom(...words);
  const regex = fc
    .oneof(
      fc.tuple(word, word).map(([one, other]) => `${one}|${other}`),
      word.map((one) => `^\\s*${one}`),
      word.map((one) => `\\b${one}\\w*\\(`),
      word.map((one) => `${one}[^a-z]+$`),
      word.map((one) => `[A-Z][a-z]+${one.slice(1)}`),
      literal.map(({ query }) => `.${escaped(query.replace(/[^\x20-\x7e]/g, "x"))}?`),
      word.map((one) => `(?:${one.slice(0, 2)}){1,2}${one.slice(2)}`),
    )
    .map((query): Question => ({ query, mode: "regex" }));
  const flags = fc.record({ caseSensitive: fc.boolean(), wholeWord: fc.boolean() });
  const question = fc.tuple(fc.oneof(literal, regex), flags).map(([one, more]) => ({ ...one, ...more }));
  // git folds letters beyond ASCII by its locale's rules; the unit tests hold ours against theirs.
  return fc
    .sample(question, { numRuns: count, seed })
    .filter(({ query, caseSensitive }) => caseSensitive === true || /^[\x20-\x7e\t]+$/.test(query));
}

let compared = 0;
let matched = 0;

async function compare(of: Subject, question: Question, over: "rest" | "mcp"): Promise<void> {
  const theirs = gitGrep(of.repository, of.commit, question);
  const ours = await everyHit(stack, { repository: of.name, sha: of.commit }, question, over);
  assert.deepEqual(ours, theirs, `${of.name} ${JSON.stringify(question)}`);
  compared++;
  if (theirs.length > 0) matched++;
}

test("three real trees, 50 random queries each", { timeout: 120_000 }, async () => {
  for (const [i, of] of subjects.entries()) {
    const asked = questions(of, 50, SEED + i);
    for (const [j, question] of asked.entries()) await compare(of, question, j % 2 === 0 ? "rest" : "mcp");
  }
});

test("generated trees: literal queries, every combination of -i and -w", { timeout: 60_000 }, async () => {
  for (const of of generated) {
    for (const query of ["foo", "a", "k", "S", "-.", "é", "ß", "19", "foo_foo", "o f", "zzz"]) {
      for (const caseSensitive of [true, false]) {
        for (const wholeWord of [true, false]) await compare(of, { query, caseSensitive, wholeWord }, "rest");
      }
    }
  }
});

test("at least 200 queries were compared, and most of them found something", () => {
  assert.ok(compared >= 200, `${compared} queries`);
  assert.ok(matched >= compared / 2, `${matched} of ${compared} matched`);
});
