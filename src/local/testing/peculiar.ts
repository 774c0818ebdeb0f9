// For tests: a repository of peculiar history, next to the awkward files of `test/repositories`: merges, renames,
// changed types, signatures, another encoding, names that are not UTF-8, submodules, attributes for archives.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GitRepository } from "../../../test/repositories/git.ts";

export const SUBMODULE_SHA = "1234567890123456789012345678901234567890";

export interface Peculiar {
  repository: GitRepository;
  /** Commits by what is peculiar about them. */
  root: string;
  renamed: string;
  typeChanged: string;
  merge: string;
  latin1: string;
  signed: string;
  head: string;
  /** Tip of `unrelated`: no common ancestor. */
  unrelated: string;
  /** Tip of `feature/one`, which left main after `typeChanged`. */
  feature: string;
  /** Tag object of the signed tag `signed`. */
  signedTag: string;
  remove(): void;
}

const lines = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n}\n`).join("");

export function peculiarRepository(): Peculiar {
  const keys = mkdtempSync(join(tmpdir(), "gitpin-key-"));
  const key = join(keys, "key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", key]);
  const repository = new GitRepository("peculiar");
  const { path } = repository;
  repository.git("config", "gpg.format", "ssh");
  repository.git("config", "user.signingKey", key);
  // Settings of the clone that must not show in any answer.
  repository.git("config", "diff.noprefix", "true");
  repository.git("config", "diff.external", "false");
  repository.git("config", "filter.shout.smudge", "tr a-z A-Z");

  repository.write("moved.txt", lines(40)).write("kept.txt", "kept\n").write("script.sh", "echo\n");
  repository.write("binary.dat", new Uint8Array([0, 1, 2, 3])).write("dir/inner.txt", "inner\n");
  const root = repository.commit("root\n\nwith a body\n");

  repository.git("mv", "moved.txt", "dir/renamed.txt");
  repository.write("dir/renamed.txt", lines(41));
  repository.write("binary.dat", new Uint8Array([0, 9, 9, 9]));
  chmodSync(join(path, "script.sh"), 0o755);
  const renamed = repository.commit("rename, binary, mode");

  rmSync(join(path, "kept.txt"));
  symlinkSync("dir/inner.txt", join(path, "kept.txt"));
  const typeChanged = repository.commit("a file becomes a link");

  repository.git("switch", "--quiet", "--create", "feature/one");
  repository.write("feature.txt", "feature\n");
  const feature = repository.commit("on the feature branch");
  repository.git("switch", "--quiet", "main");
  repository.write("main.txt", "main\n");
  repository.commit("on main");
  repository.git("merge", "--quiet", "--no-ff", "--message", "merge", "feature/one");
  const merge = repository.git("rev-parse", "HEAD");

  const encoded = Buffer.from("caf\u00e9\n", "latin1");
  repository.git("config", "i18n.commitEncoding", "ISO-8859-1");
  const latin1 = repository.feed(encoded, "commit-tree", `${merge}^{tree}`, "-p", merge);
  repository.git("config", "--unset", "i18n.commitEncoding");
  repository.git("reset", "--quiet", "--hard", latin1);

  repository.git("commit", "--quiet", "--allow-empty", "-S", "--message", "signed");
  const signed = repository.git("rev-parse", "HEAD");
  repository.git("tag", "--sign", "--message", "a signed tag", "signed");

  repository.write(".gitmodules", gitmodules).write(".gitattributes", attributes);
  repository.write("secret/notes.txt", "not exported\n").write("version.txt", "$Format:%H$\n");
  repository.write("loud.txt", "quiet\n").write("nested/a/b/c.txt", "deep\n");
  symlinkSync("dir", join(path, "link-to-dir"));
  symlinkSync("../../etc/passwd", join(path, "link-out"));
  symlinkSync("/etc/passwd", join(path, "link-absolute"));
  symlinkSync("../dir/inner.txt", join(path, "nested/link-up"));
  symlinkSync("nowhere", join(path, "link-dangling"));
  symlinkSync("kept.txt", join(path, "link-to-link"));
  repository.git("add", "--all");
  for (const name of ["vendor/on-github", "vendor/elsewhere", "vendor/unlisted"]) {
    repository.git("update-index", "--add", "--cacheinfo", `160000,${SUBMODULE_SHA},${name}`);
  }
  const blob = repository.feed("not utf-8\n", "hash-object", "-w", "--stdin");
  const entry = Buffer.concat([Buffer.from(`100644 ${blob}\tbad-\xff-name.txt`, "latin1"), Buffer.from([0])]);
  repository.feed(entry, "update-index", "-z", "--index-info");
  repository.git("commit", "--quiet", "--message", "links, submodules, attributes");
  const head = repository.git("rev-parse", "HEAD");

  const unrelated = repository.feed("unrelated\n", "commit-tree", `${root}^{tree}`);
  repository.git("update-ref", "refs/heads/unrelated", unrelated);
  repository.git("update-ref", "refs/remotes/origin/main", head);
  repository.git("tag", "of-a-tree", `${head}^{tree}`);
  const signedTag = repository.git("rev-parse", "refs/tags/signed");
  const remove = (): void => {
    repository.remove();
    rmSync(keys, { recursive: true });
  };
  return {
    repository,
    root,
    renamed,
    typeChanged,
    merge,
    latin1,
    signed,
    head,
    unrelated,
    feature,
    signedTag,
    remove,
  };
}

const gitmodules = `[submodule "a"]
	path = vendor/on-github
	url = https://github.com/octocat/Spoon-Knife.git
[submodule "b"]
	path = vendor/elsewhere
	url = https://example.com/other.git
`;

const attributes = `secret export-ignore
version.txt export-subst
loud.txt filter=shout
`;
