/** Subjects as git itself prints them. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { subjectOf } from "./subject.ts";

let folder: string;
const env = {
  PATH: process.env.PATH ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
};
const git = (args: string[], input = "") =>
  execFileSync("git", args, { cwd: folder, env, input, encoding: "utf8" });

before(() => {
  folder = mkdtempSync(join(tmpdir(), "gitpin-subject-"));
  git(["init", "--quiet"]);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("subjects equal git log --format=%s", () => {
  const tree = git(["mktree"]).trim();
  const messages = [
    "one",
    "one\n",
    "one\ntwo\n\nbody",
    "\n\n  \none\n",
    "  led by space  \n  and more  \n\nbody",
    "tab\t\n\t\nbody",
    "\u00fcml\u00e4ut \u{1f600}\n",
    "crlf\r\nnext\r\n\r\nbody\r\n",
  ];
  for (const message of messages) {
    const sha = git(["commit-tree", tree, "-F", "-"], message).trim();
    const printed = git(["log", "-1", "--format=%s", sha]).replace(/\n$/, "");
    assert.equal(subjectOf(message), printed, JSON.stringify(message));
  }
});
