/**
 * A repository of sources in every language, with everything that is easy to get wrong about them: line ends, marks, names,
 * kinds of entries, files that are none to be parsed, and paths that policy denies. Content is literal, ids are asked of git.
 */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { GitRepository } from "../repositories/git.ts";

/** Stands in every denied file, and nowhere else. */
export const SECRET_NAME = "umbraSecret";

export const SOURCES: Readonly<Record<string, string | Uint8Array>> = {
  "README.md": "# Sources\n\nfunction inProse() {}\n",
  "api/store.go":
    "package api\n\n// Store keeps things.\ntype Store struct {\n\tn int\n}\n\n// Get gets one.\nfunc (s *Store) Get() int {\n\treturn s.n\n}\n\nvar (\n\tfirst = 1\n\tsecond = 2\n)\n",
  "api/store_test.go": "package api\n\nfunc TestGet() {\n\t(&Store{}).Get()\n}\n",
  "py/shapes.py":
    '"""Shapes."""\nimport math\n\n\n@decorated\nclass Circle:\n    """Round."""\n\n    def area(self) -> float:\n        return math.pi\n\n\ndef area(shape):\n    return shape.area()\n',
  "web/view.tsx": "export function View() {\n  return <p>{area()}</p>;\n}\n",
  "web/crlf.ts": "/** Ends with CRLF. */\r\nexport class Line {\r\n  end(): void {}\r\n}\r\n",
  "web/bom.ts": "\ufeffexport const marked = 1;\nexport function after() {}\n",
  "web/no-final-newline.js": "function last() {}",
  "web/one-line.js": "function one() { return 1; } function two() { return '😀'; } const three = 3;\n",
  "web/umlaut.ts": "export function größe(): string {\n  return 'ß';\n}\n",
  "web/faulty.ts": "export function sound() {}\nexport function broken( {\n",
  "rust/lib.rs":
    "/// A point.\n#[derive(Clone)]\npub struct Point;\n\nimpl std::fmt::Display for Point {\n    fn fmt(&self) {}\n}\n\nimpl Point {\n    fn fmt(&self) {}\n}\n",
  "java/Main.java": "public class Main {\n  void run() {}\n  void run(int times) {}\n}\n",
  "c/main.c": "int main(void)\n{\n\treturn 0;\n}\n",
  "cpp/box.cpp": "namespace boxes {\nclass Box { public: int size() { return 1; } };\n}\n",
  "cs/App.cs": "namespace App { class Program { void Run() {} } }\n",
  "ruby/app.rb": "module App\n  class Job\n    def run\n    end\n  end\nend\n",
  "php/app.php": "<?php\nfunction handle() {}\n",
  "odd/ü ñ/a b.ts": "export function oddPlace() {}\n",
  "odd/[x]{y}/star*.py": "def globbed():\n    pass\n",
  "odd/..dots.go": "package odd\n\nfunc Dots() {}\n",
  "odd/quote'd.js": "function quoted() {}\n",
  "bad/latin1.c": Buffer.from("/* caf\u00e9 */\nint latin(void) { return 0; }\n", "latin1"),
  "bad/binary.ts": new Uint8Array([0x47, 0, 0x11, 10]),
  "bad/pointer.py":
    "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n",
  "bad/bomb.go": "{".repeat(200_000),
  "bad/large.js": `function far() {}\n${"// filler\n".repeat(60_000)}`,
  ".aws/keys.go": `package secrets\n\nfunc ${SECRET_NAME}() {}\n`,
  "internal/plan.py": `def ${SECRET_NAME}():\n    pass\n`,
  "hidden/plan.ts": `export function ${SECRET_NAME}() {}\n`,
  ".gitpin/wiki.yaml": "safety:\n  deny: ['hidden/**']\n",
};

export interface Sources {
  repository: GitRepository;
  first: string;
  head: string;
}

/** The second commit moves `api/store.go` down by two lines and changes nothing else of it. */
export function sourceRepository(): Sources {
  const repository = new GitRepository("sources");
  for (const [path, content] of Object.entries(SOURCES)) repository.write(path, content);
  repository.write("tool.py", "#!/usr/bin/env python\ndef tool():\n    pass\n");
  symlinkSync("tool.py", join(repository.path, "link.py"));
  repository.git("add", "--all");
  repository.git("update-index", "--chmod=+x", "tool.py");
  repository.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},vendor/lib.js`);
  repository.git("commit", "--quiet", "--message", "sources");
  const first = repository.git("rev-parse", "HEAD");
  const moved = String(SOURCES["api/store.go"]).replace("package api\n", "package api\n\nconst Zero = 0\n");
  const blob = repository.feed(moved, "hash-object", "-w", "--stdin");
  repository.git("update-index", "--cacheinfo", `100644,${blob},api/store.go`);
  repository.git("commit", "--quiet", "--message", "moves the store");
  repository.git("tag", "-a", "v1", "-m", "one", first);
  return { repository, first, head: repository.git("rev-parse", "HEAD") };
}

/** As the registry knows it; `internal/**` is denied there. */
export const SOURCES_ENTRY = {
  name: "sources",
  owner: "octo",
  repo: "sources",
  id: 7501,
  deny: ["internal/**"],
  refs: ["tags/v1"],
};
