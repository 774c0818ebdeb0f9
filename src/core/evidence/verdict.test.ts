import assert from "node:assert/strict";
import { test } from "node:test";
import { selectSlice } from "./slice.ts";
import { type Cited, judge, type Question, type Standing } from "./verdict.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const cite = (file: string, start?: number, end?: number): Cited => {
  const slice = selectSlice(utf8(file), start === undefined ? null : { start, end });
  return slice.kind === "slice" ? slice : { kind: "missing", reason: slice.reason };
};
const headFile = (file: string): Standing => ({ kind: "blob", bytes: utf8(file) });
const FILE = "alpha\nbeta\ngamma\n";

/** The fields that a verdict turns on, in one line. */
function verdict(cited: Cited, atHead: Standing, question: Question = {}): string {
  const { status, claimVerdict, freshness, headContentMatches, movedTo } = judge(cited, question, atHead);
  const to = movedTo === null ? "" : ` to ${movedTo.start}-${movedTo.end}`;
  return `${status} ${claimVerdict} ${freshness} ${headContentMatches}${to}`;
}

test("where the cited lines stand at HEAD", () => {
  const beta = cite(FILE, 2);
  assert.equal(verdict(beta, { kind: "same-commit" }), "ok null head true");
  assert.equal(verdict(beta, { kind: "same-object" }), "ok null unchanged true");
  assert.equal(verdict(beta, headFile("ALPHA\nbeta\nGAMMA\n")), "ok null unchanged true");
  assert.equal(verdict(beta, headFile("alpha\nbeta\nbeta\n")), "ok null unchanged true");
  assert.equal(verdict(beta, headFile("new\nalpha\nbeta\ngamma\n")), "ok null moved false to 3-3");
  assert.equal(verdict(beta, headFile("beta\nalpha\nbeta2\nbeta\n")), "mismatch null changed false");
  assert.equal(verdict(beta, headFile("alpha\nBETA\ngamma\n")), "mismatch null changed false");
  assert.equal(verdict(beta, headFile("")), "mismatch null changed false");
  assert.equal(verdict(beta, { kind: "other-object" }), "mismatch null changed false");
  assert.equal(verdict(beta, { kind: "gone" }), "mismatch null gone false");
});

test("a range moves as one", () => {
  assert.equal(verdict(cite(FILE, 1, 2), headFile("x\nx\nalpha\nbeta\n")), "ok null moved false to 3-4");
  assert.equal(verdict(cite(FILE, 1, 2), headFile("x\nalpha\nx\nbeta\n")), "mismatch null changed false");
});

test("a whole file is unchanged or changed, never moved", () => {
  assert.equal(verdict(cite(FILE), headFile(FILE)), "ok null unchanged true");
  assert.equal(verdict(cite(FILE), headFile(`${FILE}delta\n`)), "mismatch null changed false");
  assert.equal(verdict(cite(FILE), headFile(`zero\n${FILE}`)), "mismatch null changed false");
  assert.equal(verdict(cite(FILE, 1, 3), headFile(`${FILE}delta\n`)), "ok null unchanged true");
});

test("an empty file is evidence of an empty file", () => {
  const empty = cite("");
  assert.equal(verdict(empty, { kind: "same-object" }), "ok null unchanged true");
  assert.equal(verdict(empty, headFile("a\n")), "mismatch null changed false");
  assert.equal(
    verdict(empty, { kind: "same-commit" }, { mustContain: "a" }),
    "contradicted contradicted head true",
  );
  assert.equal(
    judge(empty, {}, { kind: "same-commit" }).contentSha256,
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
});

test("text is looked for in the cited lines, else in the whole file", () => {
  const at: Standing = { kind: "same-commit" };
  assert.equal(verdict(cite(FILE, 2), at, { mustContain: "beta" }), "ok supported head true");
  assert.equal(verdict(cite(FILE, 2), at, { mustContain: "alpha" }), "contradicted contradicted head true");
  assert.equal(verdict(cite(FILE), at, { mustContain: "alpha\nbeta" }), "ok supported head true");
  assert.equal(verdict(cite(FILE), at, { mustContain: "Alpha" }), "contradicted contradicted head true");
});

test("a hash that differs contradicts, without speaking of the text", () => {
  const at: Standing = { kind: "same-commit" };
  const sha = "f6cbb98bf3c9c9558ab9d1de1e5eea1adb7ba1a28d9c5b07dba28a1b7c0e5e0a";
  const right = judge(cite(FILE, 2), {}, at).contentSha256 ?? "";
  assert.equal(right, "f2c82decdd7181cf98945929a62598db7e6b477e11f6e0eb0ae97020eff151ad");
  assert.equal(verdict(cite(FILE, 2), at, { contentSha256: right.toUpperCase() }), "ok null head true");
  assert.equal(verdict(cite(FILE, 2), at, { contentSha256: sha }), "contradicted null head true");
  assert.equal(
    verdict(cite(FILE, 2), at, { contentSha256: sha, mustContain: "beta" }),
    "contradicted supported head true",
  );
});

test("the worse verdict wins: blocked, missing, contradicted, mismatch, ok", () => {
  const gone: Standing = { kind: "gone" };
  const asked: Question = { mustContain: "nowhere", contentSha256: "0".repeat(64) };
  assert.equal(verdict({ kind: "blocked", reason: "no" }, gone, asked), "blocked unproven null null");
  assert.equal(verdict(cite(FILE, 9), gone, asked), "missing unproven null null");
  assert.equal(verdict(cite(FILE, 9), gone), "missing null null null");
  assert.equal(verdict(cite(FILE, 2), gone, asked), "contradicted contradicted gone false");
  assert.equal(verdict(cite(FILE, 2), gone, { mustContain: "beta" }), "mismatch supported gone false");
});

test("a blocked or missing citation tells nothing of the bytes", () => {
  assert.deepEqual(
    judge({ kind: "blocked", reason: "Policy." }, { mustContain: "x" }, { kind: "same-object" }),
    {
      status: "blocked",
      reason: "Policy.",
      claimVerdict: "unproven",
      freshness: null,
      headContentMatches: null,
      movedTo: null,
      contentSha256: null,
    },
  );
});

test("a directory or submodule is compared by its id and holds no text", () => {
  const tree: Cited = { kind: "object", what: "directory", id: "a".repeat(40) };
  assert.equal(verdict(tree, { kind: "same-object" }), "ok null unchanged true");
  assert.equal(verdict(tree, { kind: "other-object" }), "mismatch null changed false");
  assert.equal(
    verdict(tree, { kind: "same-commit" }, { mustContain: "x" }),
    "contradicted contradicted head true",
  );
  assert.equal(
    verdict(tree, { kind: "same-commit" }, { contentSha256: "0".repeat(64) }),
    "contradicted null head true",
  );
});

test("reasons are sentences, and never quote the bytes or the text asked for", () => {
  const fields = judge(cite("secret text\n", 1), { mustContain: "other secret" }, { kind: "gone" });
  assert.equal(fields.reason, "The text asked for does not stand in the cited bytes at this commit.");
  const movedFields = judge(cite(FILE, 2), {}, headFile("x\nx\nbeta\n"));
  assert.equal(movedFields.reason, "The cited bytes stand at this commit; at HEAD they stand in line 3.");
});
