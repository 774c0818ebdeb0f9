/** File names of tests, by ecosystem. One rule a line; the first that fits names the file. Says nothing of content. */

const BY_NAME: readonly (readonly [rule: string, name: RegExp])[] = [
  ["javascript: *.test.*, *.spec.*, *.e2e.*, *.cy.*", /\.(?:test|spec|e2e|e2e-spec|cy)\.[cm]?[jt]sx?$/],
  ["javascript: *_test.*, *-test.*, *_spec.*", /[^/](?:[_-]test|_spec)\.[cm]?[jt]sx?$/],
  ["vue, svelte: *.test.*, *.spec.*", /\.(?:test|spec)\.(?:vue|svelte)$/],
  ["python: test_*.py, *_test.py, tests.py", /^(?:test_.*|.*_test|tests)\.py$/],
  ["go: *_test.go", /_test\.go$/],
  ["rust: *_test.rs, test_*.rs", /^(?:.*_tests?|test_.*|tests)\.rs$/],
  [
    "java, kotlin, groovy, scala: *Test, *Tests, *TestCase, *IT, *Spec, *Suite, Test*",
    /^(?:Test[A-Z].*|.+(?:Tests?|TestCase|IT|Spec|Suite))\.(?:java|kt|groovy|scala)$/,
  ],
  ["clojure: *_test.clj", /_test\.clj[cs]?$/],
  ["c#, f#, visual basic: *Test, *Tests, *Should, *Specs", /(?:Tests?|Should|Specs?)\.(?:cs|fs|vb)$/],
  ["ruby: *_spec.rb, *_test.rb, test_*.rb", /^(?:.*_(?:spec|test)|test_.*)\.rb$/],
  ["php: *Test.php, *Cest.php, *.phpt", /(?:Test|Cest|Spec)\.php$|\.phpt$/],
  ["elixir: *_test.exs", /_test\.exs$/],
  ["erlang: *_SUITE.erl, *_tests.erl", /_(?:SUITE|tests?)\.erl$/],
  ["gleam: *_test.gleam", /_test\.gleam$/],
  ["dart: *_test.dart", /_test\.dart$/],
  ["swift, objective-c: *Test, *Tests", /Tests?\.(?:swift|mm?)$/],
  [
    "c, c++: *_test, *_unittest, test_*, *Test",
    /^(?:.*_(?:unit)?tests?|test_.*|.*[a-z0-9]Tests?)\.(?:c|cc|cpp|cxx|cu)$/,
  ],
  ["haskell: *Spec.hs, *Test.hs", /(?:Spec|Tests?)\.hs$/],
  ["ocaml: test_*.ml, *_test.ml", /^(?:test_.*|.*_test)\.ml$/],
  ["elm: *Test.elm, *Tests.elm", /Tests?\.elm$/],
  ["r: test-*.R", /^test[-_].*\.[Rr]$/],
  ["julia: runtests.jl", /^(?:runtests|test_.*|.*_test)\.jl$/],
  ["lua: *_spec.lua, *_test.lua", /_(?:spec|test)\.lua$/],
  ["nim: test_*.nim", /^test_.*\.nim$/],
  ["crystal: *_spec.cr", /_spec\.cr$/],
  ["powershell: *.Tests.ps1", /\.Tests\.ps1$/],
  ["shell: *.bats", /\.bats$/],
  ["gherkin: *.feature", /\.feature$/],
  ["robot framework: *.robot", /\.robot$/],
];

/** Rules that need the folder: the language's own tools take every such file for a test. */
const BY_FOLDER: readonly (readonly [rule: string, path: RegExp])[] = [
  ["javascript: any script in __tests__", /(?:^|\/)__tests__\/(?:.*\/)?[^/]+\.[cm]?[jt]sx?$/],
  ["rust: tests/*.rs", /(?:^|\/)tests\/[^/]+\.rs$/],
  ["perl: t/*.t", /(?:^|\/)x?t\/(?:.*\/)?[^/]+\.t$/],
];

/** The rule by which this path is a test file; null when none fits. */
export function testFileRule(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return (
    BY_NAME.find(([, pattern]) => pattern.test(name))?.[0] ??
    BY_FOLDER.find(([, pattern]) => pattern.test(path))?.[0] ??
    null
  );
}
