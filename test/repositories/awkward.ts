/**
 * A repository of everything that is easy to get wrong: names, line ends, encodings, kinds of entries, refs.
 * The literal content stands here, so that tests can expect it; ids are asked of git.
 */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { GitRepository } from "./git.ts";

/** Paths with their content at `main`; every one is a plain file. */
export const AWKWARD_FILES: Readonly<Record<string, string | Uint8Array>> = {
  "README.md": "# Awkward\n\nLine three.\n",
  "src/app.ts": "export const answer = 42;\n\nexport function f(): number {\n  return answer;\n}\n",
  "crlf.txt": "one\r\ntwo\r\nthree\r\n",
  "mixed.txt": "one\ntwo\r\nthree\rstill three\n",
  "bom.txt": "\ufeffwith a mark\nsecond\n",
  "no-final-newline.txt": "first\nlast without newline",
  "only-newlines.txt": "\n\n\n",
  "empty.txt": "",
  "latin1.txt": Buffer.from("caf\u00e9 au lait\nplain\n", "latin1"),
  "bin.dat": new Uint8Array([0, 1, 2, 255, 10, 0, 13, 10, 7]),
  "late-nul.dat": `${"x".repeat(9000)}\n\0\nafter\n`,
  "separators.txt": "a\u2028b\u2029c\u0085d\n\u000be\u000cf\n",
  "emoji/\u{1f600}.txt": "grin\n",
  "\u00fcml\u00e4ut/stra\u00dfe.md": "# Stra\u00dfe\n",
  "decomposed/e\u0301.txt": "e plus accent\n",
  "with space/a b.txt": "space\n",
  "colon:name.txt": "colon\n",
  "hash#name.txt": "hash\n",
  "percent%41.txt": "percent\n",
  "at@sign.txt": "at\n",
  "line:3/x:7.txt": "looks like a line number\n",
  "quote'and\"double.txt": "quotes\n",
  "$(dollar)`tick`.txt": "shell\n",
  "back\\slash.txt": "backslash\n",
  "star*quest?.txt": "glob\n",
  "-dash.txt": "dash\n",
  "tab\there.txt": "tab\n",
  "new\nline.txt": "newline in name\n",
  "trailing.": "dot\n",
  "trailing ": "space\n",
  "...": "dots\n",
  "semi;amp&.txt": "semi\n",
  "[brackets]{braces}.txt": "brackets\n",
  "model.bin":
    "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n",
  ".env": "SECRET=hunter2-never-served\n",
  "config/server.pem": "-----BEGIN hunter2-never-served-----\n",
};

export const SECRET_WORD = "hunter2-never-served";

export interface Awkward {
  repository: GitRepository;
  /** First commit, before the files were there. */
  first: string;
  /** Tip of `main`. */
  head: string;
  /** A commit on main in which src/app.ts stood two lines higher. */
  before: string;
  /** Was on main and was force-pushed away: no ref leads to it. */
  lost: string;
  /** Tip of `release/1.x`, not on main. */
  release: string;
}

export function awkwardRepository(): Awkward {
  const repository = new GitRepository("awkward");
  const first = repository.commit("first: nothing yet");
  for (const [path, content] of Object.entries(AWKWARD_FILES)) repository.write(path, content);
  repository.write("big.txt", `${"0123456789abcdef".repeat(64)}\n`.repeat(5120));
  repository.write("gone-later.txt", "here for one commit\n");
  repository.write("run.sh", "#!/bin/sh\necho hi\n");
  symlinkSync("src/app.ts", join(repository.path, "link-file"));
  symlinkSync("../../outside", join(repository.path, "link-escape"));
  symlinkSync("src", join(repository.path, "link-dir"));
  repository.git("add", "--all");
  repository.git("update-index", "--chmod=+x", "run.sh");
  repository.git("update-index", "--add", "--cacheinfo", `160000,${first},vendor/lib`);
  const before = repository.git(
    "commit-tree",
    repository.git("write-tree"),
    "-p",
    first,
    "-m",
    "all the files",
  );
  repository.git("update-ref", "refs/heads/main", before);

  repository.git("branch", "release/1.x");
  repository.git("tag", "-a", "v1.0.0", "-m", "annotated", before);
  repository.git("tag", "-a", "nested", "-m", "a tag of a tag", "v1.0.0");
  repository.git("tag", "light", first);

  const lost = commitTree(
    repository,
    before,
    { "src/app.ts": "export const answer = 666; // lost\n" },
    "lost",
  );
  const moved = `// a new first line\n// and another\n${String(AWKWARD_FILES["src/app.ts"])}`;
  const second = commitTree(
    repository,
    before,
    { "src/app.ts": moved, "gone-later.txt": null },
    "moves and removes",
  );
  const head = commitTree(
    repository,
    second,
    { "README.md": "# Awkward\n\nLine three, changed.\n" },
    "changes README",
  );
  repository.git("update-ref", "refs/heads/main", head);
  const release = commitTree(repository, before, { "RELEASE.md": "1.x only\n" }, "release");
  repository.git("update-ref", "refs/heads/release/1.x", release);
  // The traps of names: a branch that looks like a short SHA, and a branch and a tag of one name.
  repository.git("branch", before.slice(0, 7), first);
  repository.git("branch", "same-name", head);
  repository.git("tag", "same-name", first);
  return { repository, first, head, before, lost, release };
}

/** A commit on top of `parent` with some files replaced (null: removed), without touching the work tree. */
export function commitTree(
  repository: GitRepository,
  parent: string,
  files: Readonly<Record<string, string | Uint8Array | null>>,
  message: string,
): string {
  repository.git("read-tree", parent);
  for (const [path, content] of Object.entries(files)) {
    if (content === null) {
      repository.git("rm", "--cached", "--quiet", "--", path);
    } else {
      const blob = repository.feed(content, "hash-object", "-w", "--stdin");
      repository.git("update-index", "--add", "--cacheinfo", `100644,${blob},${path}`);
    }
  }
  return repository.git("commit-tree", repository.git("write-tree"), "-p", parent, "-m", message);
}
