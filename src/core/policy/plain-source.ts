/**
 * Names that are plain source, prose or build files by their extension: what the default deny list does not block merely
 * for speaking of secrets. Left out on purpose: data and configuration formats, `.txt` and shell scripts, which is
 * where people keep passwords.
 */

const words = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

const EXTENSIONS = words(`
  c h cc cpp cxx hh hpp hxx m mm inl cs fs fsx vb d zig nim go rs swift dart asm s sol v sv vhd
  java kt kts scala sc groovy gradle clj cljs cljc js mjs cjs jsx ts mts cts tsx vue svelte astro css scss less html
  py pyi pyx rb php pl pm lua r jl ex exs erl hrl hs ml mli elm purs lisp el scm rkt
  proto graphql thrift tf nix bzl cmake
  md mdx rst adoc markdown org
`);

/** Build files that any source directory may hold, whatever its name. */
const BUILD_FILES = words(`
  package.json tsconfig.json go.mod go.sum cargo.toml pyproject.toml pom.xml makefile dockerfile build build.bazel
  cmakelists.txt gemfile .gitignore .gitkeep license
`);

/** `name` is the last segment of a path, in lower case. */
export function isPlainSource(name: string): boolean {
  const dot = name.lastIndexOf(".");
  return BUILD_FILES.has(name) || (dot > 0 && EXTENSIONS.has(name.slice(dot + 1)));
}
