import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { sha256 } from "../git/hash.ts";
import { countLines, sliceLines } from "../git/lines.ts";
import { anyPath, NASTY_PATHS } from "./nasty-paths.fixture.ts";
import { parseCitation } from "./parse.ts";
import { type VerifyTarget, verifyCommands } from "./verify-commands.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const BLOB = "89abcdef0123456789abcdef0123456789abcdef";
const target = (sourcePath: string, line: number | null = null, lineEnd = line): VerifyTarget => ({
  place: { repository: "app", sourcePath, sha: SHA, line, lineEnd },
  kind: "file",
  blobSha: BLOB,
  publicUrl: "https://pin.example",
  needsToken: false,
});

test("commands are printed as the contract writes them", () => {
  assert.deepEqual(verifyCommands(target("src/main.ts", 3, 7)), {
    gitShow: `git show ${SHA}:src/main.ts | tail -n +3 | head -n 5`,
    sha256: `git show ${SHA}:src/main.ts | tail -n +3 | head -n 5 | sha256sum`,
    gitpinCli: `gitpin verify --handle gitpin:app@${SHA}:src/main.ts:3-7`,
    curl: `curl -fsS 'https://pin.example/v1/verify?handle=gitpin%3Aapp%40${SHA}%3Asrc%2Fmain.ts%3A3-7'`,
  });
  assert.equal(verifyCommands(target("a b")).sha256, `git show '${SHA}:a b' | sha256sum`);
});

test("what was asked of the bytes is asked again", () => {
  const asked = { ...target("a"), needsToken: true, mustContain: "it's -x", contentSha256: "0".repeat(64) };
  const { gitpinCli, curl } = verifyCommands(asked);
  assert.equal(
    gitpinCli,
    `gitpin verify --handle gitpin:app@${SHA}:a --must-contain='it'\\''s -x' --content-sha256=${"0".repeat(64)}`,
  );
  assert.equal(
    curl,
    `curl -fsS -H "Authorization: Bearer $GITPIN_TOKEN" 'https://pin.example/v1/verify?handle=gitpin%3Aapp%40${SHA}%3Aa&mustContain=it'\\''s%20-x&contentSha256=${"0".repeat(64)}'`,
  );
  assert.equal(
    verifyCommands({ ...target("a"), publicUrl: null }).curl,
    `curl -fsS "$GITPIN_URL"'/v1/verify?handle=gitpin%3Aapp%40${SHA}%3Aa'`,
  );
});

test("directories, submodules and names that are not UTF-8 get a command that works for them", () => {
  const show = (change: Partial<VerifyTarget>, path = "lib") =>
    verifyCommands({ ...target(path), ...change }).gitShow;
  assert.equal(show({ kind: "directory" }), `git ls-tree ${SHA}:lib`);
  assert.equal(show({ kind: "directory" }, ""), `git ls-tree ${SHA}`);
  assert.equal(show({ kind: "submodule" }), `git --literal-pathspecs ls-tree --full-tree ${SHA} -- lib`);
  assert.equal(show({}, "caf\uFFFD"), `git cat-file blob ${BLOB}`);
  assert.equal(show({ blobSha: null }, "caf\uFFFD"), `git show '${SHA}:caf\uFFFD'`);
});

/** One commit that holds every path in `files`, and a submodule beside each of `submodules`. */
class Clone {
  readonly folder = mkdtempSync(join(tmpdir(), "gitpin-commands-"));
  readonly environment = {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@example.com",
    GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@example.com",
    GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
  };

  constructor() {
    this.git(["init", "-q"]);
    this.git(["config", "core.protectNTFS", "false"]);
    this.git(["config", "core.protectHFS", "false"]);
  }

  git(args: string[], input: string | Uint8Array = ""): string {
    return execFileSync("git", args, { cwd: this.folder, env: this.environment, input }).toString().trim();
  }

  sh(command: string): Uint8Array {
    const printed = execFileSync("sh", ["-c", command], {
      cwd: this.folder,
      env: this.environment,
      stdio: "pipe",
    });
    return new Uint8Array(printed);
  }

  blob(bytes: Uint8Array): string {
    return this.git(["hash-object", "-w", "--stdin"], bytes);
  }

  commit(entries: { mode: string; id: string; path: string }[]): string {
    this.git(["read-tree", "--empty"]);
    const index = entries.map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`).join("");
    this.git(["update-index", "-z", "--index-info"], index);
    return this.git(["commit-tree", this.git(["write-tree"]), "-m", "paths"]);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

let clone: Clone;
before(() => {
  clone = new Clone();
});
after(() => clone.remove());

const FILE = Uint8Array.from(Buffer.from("one\r\ntwo\0\xff\n\nfour \\ %s\nfive, unterminated", "latin1"));

test("every printed git command, run by sh in a clone, prints exactly the cited bytes", () => {
  const generated = fc.sample(anyPath, { numRuns: 40, seed: 20_260_101 });
  const paths = independent([...NASTY_PATHS, ...generated]);
  assert.ok(paths.length > 60);
  const id = clone.blob(FILE);
  const sha = clone.commit(paths.map((path) => ({ mode: "100644", id, path })));
  const total = countLines(FILE);
  for (const [index, sourcePath] of paths.entries()) {
    const line = index % 4 === 0 ? null : 1 + (index % total);
    const lineEnd = line === null ? null : Math.min(total, line + (index % 3));
    const { gitShow, sha256: hash } = verifyCommands({
      ...target(sourcePath),
      place: { repository: "app", sourcePath, sha, line, lineEnd },
      blobSha: id,
    });
    const slice = line === null || lineEnd === null ? FILE : sliceLines(FILE, line, lineEnd);
    assert.ok(slice !== null);
    assert.deepEqual(clone.sh(gitShow), new Uint8Array(slice), gitShow);
    assert.equal(Buffer.from(clone.sh(hash)).toString(), `${sha256(slice)}  -\n`, hash);
  }
});

test("ls-tree names the submodule and the directory's entries, whatever their names", () => {
  const commit = "1".repeat(40);
  const id = clone.blob(FILE);
  const names = independent(NASTY_PATHS).filter((path) => !path.includes("/"));
  const entries = names.flatMap((name) => [
    { mode: "160000", id: commit, path: `sub/${name}` },
    { mode: "100644", id, path: `dir/${name}/file` },
    { mode: "160000", id: commit, path: name },
  ]);
  const sha = clone.commit(entries);
  const show = (sourcePath: string, kind: "submodule" | "directory") => {
    const command = verifyCommands({
      ...target(sourcePath),
      place: { repository: "app", sourcePath, sha, line: null, lineEnd: null },
      kind,
    }).gitShow;
    return Buffer.from(clone.sh(command)).toString();
  };
  for (const name of names) {
    assert.match(show(name, "submodule"), new RegExp(`^160000 commit ${commit}\t.*\n$`), name);
    assert.match(show(`sub/${name}`, "submodule"), new RegExp(`^160000 commit ${commit}\t.*\n$`), name);
    assert.equal(show(`dir/${name}`, "directory"), `100644 blob ${id}\tfile\n`, name);
  }
});

test("sh hands gitpin and curl exactly the handle and text, for every path", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.oneof(fc.constantFrom(...NASTY_PATHS), anyPath), anyPath), {
        minLength: 1,
        maxLength: 10,
      }),
      (list) => {
        const commands = list.flatMap(([sourcePath, mustContain]) => {
          const { gitpinCli, curl } = verifyCommands({ ...target(sourcePath, 2), mustContain });
          return [gitpinCli, curl];
        });
        // Stand-ins that print their arguments, NUL-ended, in the place of the real programs.
        const script = `gitpin() { printf '%s\\0' "$@"; }\ncurl() { printf '%s\\0' "$@"; }\n${commands.join("\n")}`;
        const words = Buffer.from(clone.sh(script)).toString().split("\0");
        for (const [index, [sourcePath, mustContain]] of list.entries()) {
          const [verify, option, handle, contains, flags, url] = words.slice(index * 6, index * 6 + 6);
          assert.deepEqual([verify, option, flags], ["verify", "--handle", "-fsS"]);
          assert.equal(parseCitation(handle ?? "").sourcePath, sourcePath);
          assert.equal(contains, `--must-contain=${mustContain}`);
          const query = new URL(url ?? "").searchParams;
          assert.equal(query.get("handle"), handle);
          assert.equal(query.get("mustContain"), mustContain);
        }
      },
    ),
    { numRuns: 25 },
  );
});

/** Without paths that are a folder of another: no tree holds both. */
function independent(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)];
  return unique.filter((path) => !unique.some((other) => other.startsWith(`${path}/`)));
}
