/**
 * Paths that look like secrets and are never served unless the registry's `allow` lifts the rule. Judges names only,
 * never content; case does not count. Errs on the side of refusing for names that announce a secret (`.env.example`,
 * `id_rsa.pub`, Keynote's `*.key`): the contract's globs are taken literally, and one `allow` line opens them.
 *
 * Names that merely speak of secrets (`credentials*`, `secrets/`, `id_rsa*`, ...) do not block plain source and prose:
 * `credentials.ts`, `src/secrets/index.ts` and `docs/secrets-management.md` stay open, `secrets/prod.yaml` and
 * `credentials.json` do not. `.txt` and shell scripts are not excepted there: that is where people keep passwords.
 */

/** Whole names. */
const NAMES = new Set([
  ...[
    ".npmrc",
    ".netrc",
    "_netrc",
    ".pypirc",
    ".htpasswd",
    ".htdigest",
    ".git-credentials",
    ".pgpass",
    "pgpass.conf",
  ],
  ...[
    ".my.cnf",
    ".mylogin.cnf",
    ".dockercfg",
    ".dockerconfigjson",
    "kubeconfig",
    ".boto",
    ".s3cfg",
    ".passwd-s3fs",
  ],
  ...[
    ".terraformrc",
    "terraform.rc",
    ".vault-token",
    ".vault_pass",
    "vault_pass.txt",
    ".databrickscfg",
    "rclone.conf",
  ],
  ...["application_default_credentials.json", "secring.gpg", "secring.pgp", "secring.asc", "wallet.dat"],
  ...[
    ".bash_history",
    ".zsh_history",
    ".psql_history",
    ".mysql_history",
    ".python_history",
    ".node_repl_history",
  ],
]);

/** Endings of names. */
const ENDINGS = [
  ...[
    ".pem",
    ".key",
    ".p12",
    ".pfx",
    ".p8",
    ".pkcs12",
    ".jks",
    ".keystore",
    ".ppk",
    ".pvk",
    ".kdbx",
    ".kdb",
    ".ovpn",
  ],
  ...[".env", ".kubeconfig", ".agilekeychain", ".keychain", ".tfstate", ".tfvars", ".tfvars.json"],
];

/** Directories: the directory itself and everything below it. */
const DIRECTORIES = new Set([".aws", ".ssh", ".gnupg", ".kube", ".azure", ".oci", ".password-store"]);

/** Shapes that need more than a fixed beginning or end. Tried on the whole path, lower case. */
const SHAPES: readonly (readonly [rule: string, shape: RegExp])[] = [
  [".env*", /(?:^|\/)\.env[^/]*(?:\/|$)/],
  ["*.tfstate*", /\.tfstate[^/]*$/],
  [".docker/config.json", /(?:^|\/)\.docker\/config\.json$/],
  [".config/gcloud/", /(?:^|\/)\.config\/gcloud(?:\/|$)/],
  ["ssh_host_*_key", /(?:^|\/)ssh_host_[^/]*_key$/],
];

/** As SHAPES, but plain source and prose are excepted. */
const SPEAKING: readonly (readonly [rule: string, shape: RegExp])[] = [
  ["id_rsa*", /(?:^|\/)id_rsa[^/]*$/],
  ["id_dsa*", /(?:^|\/)id_dsa[^/]*$/],
  ["id_ecdsa*", /(?:^|\/)id_ecdsa[^/]*$/],
  ["id_ed25519*", /(?:^|\/)id_ed25519[^/]*$/],
  ["*_rsa", /_(?:rsa|dsa|ecdsa|ed25519)$/],
  ["credentials*", /(?:^|\/)\.?credentials[^/]*$/],
  ["credentials/", /(?:^|\/)\.?credentials\//],
  ["secrets/", /(?:^|\/)\.?secrets(?:\/|$)/],
  ["secrets.*", /(?:^|\/)\.?secrets\.[^/]*$/],
  ["service-account*.json", /(?:^|\/)[^/]*service[-_.]?account[^/]*\.json$/],
  ["client_secret*.json", /(?:^|\/)client[-_]secret[^/]*\.json$/],
];

const SOURCE_OR_PROSE = new Set([
  ...[
    "c",
    "h",
    "cc",
    "cpp",
    "cxx",
    "hh",
    "hpp",
    "hxx",
    "m",
    "mm",
    "inl",
    "cs",
    "fs",
    "fsx",
    "vb",
    "d",
    "zig",
    "nim",
  ],
  ...[
    "go",
    "rs",
    "java",
    "kt",
    "kts",
    "scala",
    "sc",
    "groovy",
    "gradle",
    "clj",
    "cljs",
    "cljc",
    "swift",
    "dart",
  ],
  ...[
    "js",
    "mjs",
    "cjs",
    "jsx",
    "ts",
    "mts",
    "cts",
    "tsx",
    "vue",
    "svelte",
    "astro",
    "css",
    "scss",
    "less",
    "html",
  ],
  ...[
    "py",
    "pyi",
    "pyx",
    "rb",
    "php",
    "pl",
    "pm",
    "lua",
    "r",
    "jl",
    "ex",
    "exs",
    "erl",
    "hrl",
    "hs",
    "ml",
    "mli",
  ],
  ...[
    "elm",
    "purs",
    "lisp",
    "el",
    "scm",
    "rkt",
    "sol",
    "v",
    "sv",
    "vhd",
    "asm",
    "s",
    "proto",
    "graphql",
    "thrift",
  ],
  ...["tf", "nix", "bzl", "cmake", "md", "mdx", "rst", "adoc", "markdown", "org"],
]);

/** Build files that any source directory may hold, whatever its name. */
const BUILD_FILES = new Set([
  ...[
    "package.json",
    "tsconfig.json",
    "go.mod",
    "go.sum",
    "cargo.toml",
    "pyproject.toml",
    "pom.xml",
    "makefile",
  ],
  ...["dockerfile", "build", "build.bazel", "cmakelists.txt", "gemfile", ".gitignore", ".gitkeep", "license"],
]);

/** A copy is as secret as the original: `server.key.bak`, `.npmrc~`. */
const COPY_ENDING = /(?:\.(?:bak|backup|old|orig|save|copy|swp|tmp)|~)$/;

/** The rule that denies the path, as a glob for people; null when none does. */
export function defaultDenyRule(path: string): string | null {
  let lower = path.toLowerCase();
  for (;;) {
    const rule = ruleOf(lower);
    if (rule !== null) return rule;
    const original = lower.replace(COPY_ENDING, "");
    if (original === lower) return null;
    lower = original;
  }
}

function ruleOf(path: string): string | null {
  const segments = path.split("/");
  const name = segments.at(-1) ?? "";
  if (NAMES.has(name)) return name;
  for (const segment of segments) if (DIRECTORIES.has(segment)) return `${segment}/`;
  for (const [rule, shape] of SHAPES) if (shape.test(path)) return rule;
  for (const ending of ENDINGS) if (name.endsWith(ending)) return `*${ending}`;
  if (isSourceOrProse(name)) return null;
  for (const [rule, shape] of SPEAKING) if (shape.test(path)) return rule;
  return null;
}

function isSourceOrProse(name: string): boolean {
  const dot = name.lastIndexOf(".");
  return BUILD_FILES.has(name) || (dot > 0 && SOURCE_OR_PROSE.has(name.slice(dot + 1)));
}
