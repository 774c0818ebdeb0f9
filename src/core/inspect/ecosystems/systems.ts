/** Compiled systems languages: Rust, Go, Zig, Nim, Crystal, C and C++ and the build tools they share. */

import { parseJson } from "../formats/json.ts";
import { linesOf } from "../formats/lines.ts";
import { stringsOf, valueAt } from "../formats/parsed.ts";
import { parseToml } from "../formats/toml.ts";
import { parseYaml } from "../formats/yaml.ts";
import {
  facts,
  from,
  type ManifestFacts,
  type ManifestRule,
  nameless,
  nothing,
  program,
  type Stated,
  stated,
  unread,
} from "../manifest-form.ts";

const cargo = (value: unknown): ManifestFacts => {
  const workspaces = stringsOf(valueAt(value, "workspace", "members"));
  if (valueAt(value, "package") === undefined) {
    return { ...nothing("it has no [package]: neither name nor version is stated"), workspaces };
  }
  const version = valueAt(value, "package", "version");
  const read: Stated =
    valueAt(version, "workspace") === true
      ? { why: "the version is inherited from the workspace" }
      : stated(version, "version");
  return facts(stated(valueAt(value, "package", "name"), "name"), read, { workspaces });
};

/** The words of a `go.mod` or `go.work` directive, in its one-line and its block form; comments left out. */
function goDirective(text: string, directive: string): string[] {
  const words: string[] = [];
  let block = false;
  for (const line of linesOf(text)) {
    const code = line.replace(/\/\/.*$/, "").trim();
    const [first = "", second = ""] = code.split(/\s+/);
    if (block) {
      if (first === ")") block = false;
      else if (first !== "") words.push(first);
    } else if (code === `${directive} (` || code === `${directive}(`) block = true;
    else if (first === directive && second !== "") words.push(second);
  }
  return words.map((word) => word.replace(/^["`](.*)["`]$/, "$1"));
}

const goMod = (text: string): ManifestFacts =>
  facts(stated(goDirective(text, "module")[0], "module path"), {
    why: "the format states no version: tags do",
  });

const goWork = (text: string): ManifestFacts => ({ ...nameless(), workspaces: goDirective(text, "use") });

/** vcpkg names its version by how it is to be compared. */
const VCPKG_VERSIONS = ["version", "version-semver", "version-date", "version-string"];

const vcpkg = (value: unknown): ManifestFacts =>
  facts(
    stated(valueAt(value, "name"), "name"),
    stated(
      VCPKG_VERSIONS.map((key) => valueAt(value, key)).find((one) => one !== undefined),
      "version",
    ),
  );

export const systems: readonly ManifestRule[] = [
  { ecosystem: "rust", names: ["Cargo.toml"], read: from(parseToml, cargo) },
  { ecosystem: "go", names: ["go.mod"], read: goMod },
  { ecosystem: "go", names: ["go.work"], read: goWork },
  { ecosystem: "zig", names: ["build.zig"], read: program("Zig") },
  { ecosystem: "zig", names: ["build.zig.zon"], read: unread("Zig object notation") },
  { ecosystem: "nim", pattern: /\.nimble$/, read: program("NimScript") },
  {
    ecosystem: "crystal",
    names: ["shard.yml"],
    read: from(parseYaml, (value) =>
      facts(stated(valueAt(value, "name"), "name"), stated(valueAt(value, "version"), "version")),
    ),
  },
  { ecosystem: "cmake", names: ["CMakeLists.txt"], read: program("CMake") },
  { ecosystem: "meson", names: ["meson.build"], read: program("Meson") },
  {
    ecosystem: "bazel",
    names: ["MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel"],
    read: program("Starlark"),
  },
  { ecosystem: "conan", names: ["conanfile.py"], read: program("Python") },
  { ecosystem: "conan", names: ["conanfile.txt"], read: nameless },
  { ecosystem: "vcpkg", names: ["vcpkg.json"], read: from(parseJson, vcpkg) },
];
