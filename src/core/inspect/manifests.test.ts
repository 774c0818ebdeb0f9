import assert from "node:assert/strict";
import { test } from "node:test";
import { manifest } from "../../schema/inspection.ts";
import { findManifests, MANIFEST_BYTES, readManifest, unreadManifest } from "./manifests.ts";

const read = (path: string, text: string | Uint8Array) => {
  const row = readManifest(path, typeof text === "string" ? new TextEncoder().encode(text) : text);
  assert.notEqual(row, null, path);
  return manifest.parse(row);
};
/** name, version, `origin name = command` of each script, workspaces, reason. */
const told = (path: string, text: string) => {
  const row = read(path, text);
  return [
    row.name,
    row.version,
    row.scripts.map((script) => `${script.origin} ${script.name} = ${script.command}`),
    row.workspaces,
    row.reason,
  ];
};

test("every ecosystem is known by its file names", () => {
  const expected: [string, string][] = [
    ["package.json", "npm"],
    ["pnpm-workspace.yaml", "npm"],
    ["lerna.json", "npm"],
    ["nx.json", "npm"],
    ["turbo.json", "npm"],
    ["rush.json", "npm"],
    ["bunfig.toml", "bun"],
    ["deno.json", "deno"],
    ["deno.jsonc", "deno"],
    ["jsr.json", "jsr"],
    ["bower.json", "bower"],
    ["wrangler.toml", "cloudflare-workers"],
    ["wrangler.jsonc", "cloudflare-workers"],
    ["pyproject.toml", "python"],
    ["setup.py", "python"],
    ["setup.cfg", "python"],
    ["requirements.txt", "python"],
    ["requirements-dev.txt", "python"],
    ["requirements.in", "python"],
    ["Pipfile", "python"],
    ["environment.yml", "conda"],
    ["pixi.toml", "conda"],
    ["Cargo.toml", "rust"],
    ["go.mod", "go"],
    ["go.work", "go"],
    ["build.zig", "zig"],
    ["build.zig.zon", "zig"],
    ["tool.nimble", "nim"],
    ["shard.yml", "crystal"],
    ["CMakeLists.txt", "cmake"],
    ["meson.build", "meson"],
    ["MODULE.bazel", "bazel"],
    ["conanfile.py", "conan"],
    ["conanfile.txt", "conan"],
    ["vcpkg.json", "vcpkg"],
    ["Makefile", "make"],
    ["GNUmakefile", "make"],
    ["justfile", "just"],
    ["Taskfile.yml", "task"],
    ["pom.xml", "maven"],
    ["build.gradle", "gradle"],
    ["build.gradle.kts", "gradle"],
    ["settings.gradle", "gradle"],
    ["build.sbt", "sbt"],
    ["project.clj", "clojure"],
    ["deps.edn", "clojure"],
    ["build.xml", "ant"],
    ["Orders.csproj", "dotnet"],
    ["Orders.fsproj", "dotnet"],
    ["Orders.sln", "dotnet"],
    ["Gemfile", "ruby"],
    ["orders.gemspec", "ruby"],
    ["composer.json", "php"],
    ["cpanfile", "perl"],
    ["orders-1.0-1.rockspec", "lua"],
    ["DESCRIPTION", "r"],
    ["Project.toml", "julia"],
    ["orders.cabal", "haskell"],
    ["stack.yaml", "haskell"],
    ["dune-project", "ocaml"],
    ["orders.opam", "ocaml"],
    ["elm.json", "elm"],
    ["mix.exs", "elixir"],
    ["rebar.config", "erlang"],
    ["gleam.toml", "gleam"],
    ["Package.swift", "swift"],
    ["Podfile", "cocoapods"],
    ["Cartfile", "carthage"],
    ["pubspec.yaml", "dart"],
    ["Dockerfile", "container"],
    ["Dockerfile.web", "container"],
    ["flake.nix", "nix"],
    ["Chart.yaml", "helm"],
  ];
  for (const [name, ecosystem] of expected) {
    assert.deepEqual(findManifests([`a/b/${name}`]).found, [{ path: `a/b/${name}`, ecosystem }], name);
  }
  for (const name of [
    "package.json.md",
    "my-package.json",
    "cargo.toml",
    "requirements.md",
    "package-lock.json",
  ]) {
    assert.deepEqual(findManifests([name]).found, [], name);
  }
});

test("those nearest the root come first; vendored folders are counted, not dropped in silence", () => {
  assert.deepEqual(
    findManifests([
      "a/b/package.json",
      "b/package.json",
      "node_modules/x/package.json",
      "node_modules/x/node_modules/y/package.json",
      "node_modules/x/index.js",
      "php/vendor/z/composer.json",
      "go.mod",
      "a-b/package.json",
    ]),
    {
      found: [
        { path: "go.mod", ecosystem: "go" },
        { path: "a-b/package.json", ecosystem: "npm" },
        { path: "b/package.json", ecosystem: "npm" },
        { path: "a/b/package.json", ecosystem: "npm" },
      ],
      excluded: [
        { folder: "node_modules", files: 2 },
        { folder: "php/vendor", files: 1 },
      ],
    },
  );
  assert.deepEqual(findManifests(["vendor/package.json", "vendors/package.json"]), {
    found: [{ path: "vendors/package.json", ecosystem: "npm" }],
    excluded: [{ folder: "vendor", files: 1 }],
  });
});

test("npm: names, versions, scripts and workspaces", () => {
  assert.deepEqual(
    told(
      "package.json",
      '\ufeff{"name":"@a/b","version":"1.2.3","scripts":{"test":"node --test","x":1},"workspaces":["packages/*"]}',
    ),
    ["@a/b", "1.2.3", ["scripts test = node --test", "scripts x = null"], ["packages/*"], null],
  );
  assert.deepEqual(told("package.json", '{"private":true,"workspaces":{"packages":["a"]}}'), [
    null,
    null,
    [],
    ["a"],
    "no name is stated; no version is stated",
  ]);
  assert.deepEqual(told("package.json", "{name:1}"), [null, null, [], null, "it is not valid JSON"]);
  assert.deepEqual(told("package.json", '{"name":5,"version":""}'), [
    null,
    null,
    [],
    null,
    "the name is not a plain text; no version is stated",
  ]);
  assert.deepEqual(told("package.json", "[]").slice(0, 2), [null, null]);
});

test("keys that every object inherits state nothing", () => {
  assert.equal(read("package.json", '{"__proto__":{"name":"evil"}}').name, null);
  assert.deepEqual(read("package.json", '{"scripts":{"__proto__":"x","constructor":"y"}}').scripts, [
    { name: "__proto__", command: "x", origin: "scripts" },
    { name: "constructor", command: "y", origin: "scripts" },
  ]);
  assert.equal(read("Cargo.toml", '[__proto__]\nname = "evil"\n').name, null);
  assert.equal(({} as { name?: string }).name, undefined);
});

test("JSON with comments where the tool reads it, and nowhere else", () => {
  const text = '// c\n{"name": "w", /* c */ "tasks": {"t": "a // b", "u": {"command": "c",},},}';
  assert.deepEqual(told("deno.jsonc", text), [
    "w",
    null,
    ["tasks t = a // b", "tasks u = c"],
    null,
    "no version is stated",
  ]);
  assert.equal(read("wrangler.jsonc", text).name, "w");
  assert.equal(read("package.json", text).reason, "it is not valid JSON");
});

test("pnpm, lerna and rush state packages", () => {
  assert.deepEqual(told("pnpm-workspace.yaml", "packages:\n  - 'packages/*'\n")[3], ["packages/*"]);
  assert.deepEqual(told("lerna.json", '{"version":"1.0.0","packages":["p/*"]}'), [
    null,
    "1.0.0",
    [],
    ["p/*"],
    "the format states no name",
  ]);
  assert.deepEqual(told("rush.json", '{"projects":[{"packageName":"a","projectFolder":"apps/a"}]} // x')[3], [
    "apps/a",
  ]);
});

test("python", () => {
  assert.deepEqual(
    told(
      "pyproject.toml",
      '[project]\nname = "orders"\nversion = "1.0"\n[project.scripts]\norders = "orders:main"\n[tool.pdm.scripts]\ntest = {cmd = "pytest"}\nall = {composite = ["a"]}\n[tool.hatch.envs.ci.scripts]\ncov = ["a", "b"]\n',
    ),
    [
      "orders",
      "1.0",
      [
        "project.scripts orders = orders:main",
        "tool.pdm.scripts test = pytest",
        "tool.pdm.scripts all = null",
        "tool.hatch.envs.ci.scripts cov = a\nb",
      ],
      null,
      null,
    ],
  );
  assert.deepEqual(told("pyproject.toml", '[project]\nname = "orders"\ndynamic = ["version"]\n'), [
    "orders",
    null,
    [],
    null,
    "the version is dynamic: the build works it out",
  ]);
  assert.deepEqual(told("pyproject.toml", '[tool.poetry]\nname = "p"\nversion = "2"\n').slice(0, 2), [
    "p",
    "2",
  ]);
  assert.equal(read("pyproject.toml", "[project\n").reason, "it is not valid TOML");
  assert.deepEqual(
    told("setup.cfg", "[x]\nname = no\n[metadata]\nname = orders\nversion = attr: orders.V\n"),
    ["orders", null, [], null, "the version stands elsewhere (attr:), and nothing is run to get it"],
  );
  assert.equal(
    read("setup.py", "setup(name='x')").reason,
    "it is a program (Python), and programs are not run",
  );
  assert.equal(read("requirements.txt", "a==1\n").reason, "the format states neither name nor version");
  assert.deepEqual(told("Pipfile", '[scripts]\ntest = "pytest"\n')[2], ["scripts test = pytest"]);
  assert.equal(read("environment.yml", "name: lab\n").name, "lab");
});

test("rust and go", () => {
  assert.deepEqual(told("Cargo.toml", '[package]\nname = "a"\nversion.workspace = true\n'), [
    "a",
    null,
    [],
    null,
    "the version is inherited from the workspace",
  ]);
  assert.deepEqual(told("Cargo.toml", '[workspace]\nmembers = ["a", "b"]\n'), [
    null,
    null,
    [],
    ["a", "b"],
    "it has no [package]: neither name nor version is stated",
  ]);
  assert.equal(read("go.mod", "// c\nmodule example.com/a // c\n\ngo 1.24\n").name, "example.com/a");
  assert.equal(read("go.mod", 'module "example.com/b"\r\n').name, "example.com/b");
  assert.equal(read("go.mod", "module (\n\texample.com/c\n)\n").name, "example.com/c");
  assert.equal(read("go.mod", "go 1.24\n").name, null);
  assert.deepEqual(read("go.work", "go 1.24\nuse ./one\nuse (\n\t./two\n\t./three // c\n)\n").workspaces, [
    "./one",
    "./two",
    "./three",
  ]);
});

test("versions in YAML stay as they are written", () => {
  assert.deepEqual(told("pubspec.yaml", "name: app\nversion: 1.10\n").slice(0, 2), ["app", "1.10"]);
  assert.deepEqual(told("Chart.yaml", "name: app\nversion: 0x10\n").slice(0, 2), ["app", "0x10"]);
  assert.equal(read("pubspec.yaml", "name: [\n").reason, "it is not valid YAML");
});

test("line formats", () => {
  assert.deepEqual(told("a.cabal", "cabal-version: 3.0\nName:   a\nversion: 0.1\n").slice(0, 2), [
    "a",
    "0.1",
  ]);
  assert.deepEqual(told("DESCRIPTION", "Package: a\nVersion: 0.1\n").slice(0, 2), ["a", "0.1"]);
  assert.equal(
    read("DESCRIPTION", "A text.\n").reason,
    "it has no `Package:` field, so it is not a description of an R package",
  );
});

test("composer, vcpkg, elm, Julia, Gleam", () => {
  assert.deepEqual(told("composer.json", '{"name":"a/b","scripts":{"test":["@lint","phpunit"]}}'), [
    "a/b",
    null,
    ["scripts test = @lint\nphpunit"],
    null,
    "no version is stated",
  ]);
  assert.equal(read("vcpkg.json", '{"name":"a","version-date":"2026-01-01"}').version, "2026-01-01");
  assert.equal(read("elm.json", '{"type":"package","name":"a/b","version":"1.0.0"}').name, "a/b");
  assert.equal(read("Project.toml", 'name = "A"\nversion = "0.1.0"\n').version, "0.1.0");
  assert.equal(read("gleam.toml", 'name = "a"\nversion = "0.1.0"\n').name, "a");
});

test("a Makefile's targets with literal names, without assignments, recipes or definitions", () => {
  const text = [
    "VAR := a",
    "OTHER ::= b",
    ".PHONY: test",
    "test lint: build",
    "\tgo: test",
    "$(BIN): x",
    "build::",
    "define block",
    "inside: x",
    "endef",
    "LIST = a \\",
    "fake: b",
    "dist/app.js: src",
    "path: VAR = x",
  ].join("\n");
  assert.deepEqual(
    read("Makefile", text).scripts.map((script) => script.name),
    ["test", "lint", "build", "dist/app.js", "path"],
  );
});

test("what cannot be read says why", () => {
  assert.equal(read("package.json", new Uint8Array([0x7b, 0xff])).reason, "it is not valid UTF-8");
  assert.equal(
    read("package.json", new Uint8Array(MANIFEST_BYTES + 1)).reason,
    "it is larger than 524288 bytes",
  );
  assert.equal(read("pom.xml", "<project/>").reason, "XML is not read");
  assert.deepEqual(unreadManifest("package.json", "npm", "policy forbids it"), {
    path: "package.json",
    ecosystem: "npm",
    name: null,
    version: null,
    scripts: [],
    scriptsOmitted: 0,
    workspaces: null,
    workspacesOmitted: 0,
    reason: "policy forbids it",
  });
  assert.equal(readManifest("README.md", new Uint8Array()), null);
});

test("bounds of a row are told", () => {
  const scripts = Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`s${n}`, "x"]));
  const row = read(
    "package.json",
    JSON.stringify({ name: "n".repeat(501), scripts: { ...scripts, s0: "y".repeat(2001) } }),
  );
  assert.equal(row.scripts.length, 100);
  assert.equal(row.scriptsOmitted, 30);
  assert.deepEqual(row.scripts[0], { name: "s0", command: null, origin: "scripts" });
  assert.equal(row.reason, "the name is longer than 500 characters; no version is stated");
});

test("hostile files are refused, not followed", () => {
  const bomb = `a: &a [x,x]\n${Array.from({ length: 20 }, (_, n) => `k${n}: &b${n} [${n === 0 ? "*a,*a" : `*b${n - 1},*b${n - 1}`}]`).join("\n")}\n`;
  assert.equal(read("pubspec.yaml", bomb).reason, "it is not valid YAML");
  for (const [path, deep] of [
    ["package.json", "[".repeat(200_000)],
    ["deno.jsonc", `${"[".repeat(100_000)}/*`],
    ["Cargo.toml", `a = ${"[".repeat(100_000)}`],
    ["pubspec.yaml", "[".repeat(20_000)],
  ] as const) {
    assert.match(read(path, deep).reason ?? "", /^it is not valid /, path);
  }
});
