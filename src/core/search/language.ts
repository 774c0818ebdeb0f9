/**
 * Languages by file name and extension, for the `language` filter. A table, not a guess: content is never looked at, and
 * a file of no known extension has no language. Names are lower case; some have a short form.
 */

/** Extensions (after the last dot, lower case) and whole file names (lower case) of each language. */
const LANGUAGES: Readonly<Record<string, { extensions: readonly string[]; names?: readonly string[] }>> = {
  c: { extensions: ["c", "h"] },
  clojure: { extensions: ["clj", "cljs", "cljc", "edn"] },
  cmake: { extensions: ["cmake"], names: ["cmakelists.txt"] },
  cpp: { extensions: ["cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "h++", "ipp", "tpp"] },
  csharp: { extensions: ["cs", "csx"] },
  css: { extensions: ["css", "scss", "sass", "less"] },
  dart: { extensions: ["dart"] },
  dockerfile: { extensions: ["dockerfile"], names: ["dockerfile", "containerfile"] },
  elixir: { extensions: ["ex", "exs"] },
  elm: { extensions: ["elm"] },
  erlang: { extensions: ["erl", "hrl"] },
  fsharp: { extensions: ["fs", "fsi", "fsx"] },
  go: { extensions: ["go"], names: ["go.mod", "go.sum", "go.work"] },
  graphql: { extensions: ["graphql", "gql"] },
  groovy: { extensions: ["groovy", "gradle", "gvy"], names: ["jenkinsfile"] },
  haskell: { extensions: ["hs", "lhs"] },
  html: { extensions: ["html", "htm", "xhtml"] },
  java: { extensions: ["java"] },
  javascript: { extensions: ["js", "cjs", "mjs", "jsx"] },
  json: { extensions: ["json", "json5", "jsonc", "jsonl", "geojson"] },
  julia: { extensions: ["jl"] },
  kotlin: { extensions: ["kt", "kts"] },
  lua: { extensions: ["lua"] },
  make: { extensions: ["mk", "mak"], names: ["makefile", "gnumakefile"] },
  markdown: { extensions: ["md", "mdx", "markdown"] },
  nix: { extensions: ["nix"] },
  objectivec: { extensions: ["m", "mm", "h"] },
  ocaml: { extensions: ["ml", "mli"] },
  perl: { extensions: ["pl", "pm", "t"] },
  php: { extensions: ["php", "phtml"] },
  powershell: { extensions: ["ps1", "psm1", "psd1"] },
  protobuf: { extensions: ["proto"] },
  python: { extensions: ["py", "pyi", "pyw"] },
  r: { extensions: ["r", "rmd"] },
  restructuredtext: { extensions: ["rst"] },
  ruby: { extensions: ["rb", "rake", "gemspec", "ru"], names: ["gemfile", "rakefile"] },
  rust: { extensions: ["rs"] },
  scala: { extensions: ["scala", "sc", "sbt"] },
  shell: { extensions: ["sh", "bash", "zsh", "ksh", "fish"], names: [".bashrc", ".zshrc", ".profile"] },
  solidity: { extensions: ["sol"] },
  sql: { extensions: ["sql"] },
  svelte: { extensions: ["svelte"] },
  swift: { extensions: ["swift"] },
  terraform: { extensions: ["tf", "tfvars", "hcl"] },
  toml: { extensions: ["toml"], names: ["cargo.lock"] },
  typescript: { extensions: ["ts", "tsx", "cts", "mts"] },
  vue: { extensions: ["vue"] },
  xml: { extensions: ["xml", "xsd", "xsl", "xslt"], names: ["pom.xml"] },
  yaml: { extensions: ["yaml", "yml"] },
  zig: { extensions: ["zig"] },
};

const SHORT_FORMS: Readonly<Record<string, string>> = {
  "c#": "csharp",
  "c++": "cpp",
  "f#": "fsharp",
  bash: "shell",
  cs: "csharp",
  docker: "dockerfile",
  golang: "go",
  js: "javascript",
  kt: "kotlin",
  makefile: "make",
  md: "markdown",
  "objective-c": "objectivec",
  proto: "protobuf",
  py: "python",
  rb: "ruby",
  rs: "rust",
  rst: "restructuredtext",
  scss: "css",
  sh: "shell",
  tf: "terraform",
  ts: "typescript",
  yml: "yaml",
};

/** All full names, in alphabetical order. */
export const LANGUAGE_NAMES: readonly string[] = Object.keys(LANGUAGES).sort();

/** The full name for what a caller wrote, in any case; null for one that is not in the table. */
export function languageName(written: string): string | null {
  const lower = written.trim().toLowerCase();
  const full = SHORT_FORMS[lower] ?? lower;
  return Object.hasOwn(LANGUAGES, full) ? full : null;
}

/** Whether the file at this path counts as of this language. A `.h` is C, C++ and Objective-C. */
export function isOfLanguage(path: string, language: string): boolean {
  const entry = LANGUAGES[language];
  if (entry === undefined) return false;
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  return (
    (dot >= 0 && entry.extensions.includes(name.slice(dot + 1))) || (entry.names?.includes(name) ?? false)
  );
}
