/**
 * Paths that look like secrets and are never served unless the registry's `allow` lifts the rule. Judges names only,
 * never content; case does not count. Errs on the side of refusing for names that announce a secret (`.env.example`,
 * `id_rsa.pub`, Keynote's `*.key`): the contract's globs are taken literally, and one `allow` line opens them.
 *
 * Names that merely speak of secrets (`credentials*`, `secrets/`, `id_rsa*`, ...) do not block plain source and prose:
 * `credentials.ts`, `src/secrets/index.ts` and `docs/secrets-management.md` stay open, `secrets/prod.yaml` and
 * `credentials.json` do not. Plain tables rather than the glob library: they are asked for every path of a repository.
 */
import { isPlainSource } from "./plain-source.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Whole names. */
const NAMES = new Set(
  words(`
    .npmrc .netrc _netrc .pypirc .htpasswd .htdigest .git-credentials .pgpass pgpass.conf .my.cnf .mylogin.cnf
    .dockercfg .dockerconfigjson kubeconfig .boto .s3cfg .passwd-s3fs .terraformrc terraform.rc .databrickscfg
    rclone.conf .vault-token .vault_pass vault_pass.txt application_default_credentials.json wallet.dat
    secring.gpg secring.pgp secring.asc .bash_history .zsh_history .psql_history .mysql_history .python_history
    .node_repl_history
  `),
);

/** Endings of names. */
const ENDINGS = words(`
  .pem .key .p12 .pfx .p8 .pkcs12 .jks .keystore .ppk .pvk .kdbx .kdb .ovpn .env .kubeconfig .agilekeychain .keychain
  .tfvars .tfvars.json
`);

/** Directories, one segment or two: the directory itself and everything below it. */
const DIRECTORIES = new Set(words(".aws .ssh .gnupg .kube .azure .oci .password-store .config/gcloud"));

type Shapes = readonly (readonly [rule: string, shape: RegExp])[];

/** Shapes of one segment, directory or file. */
const SEGMENTS: Shapes = [[".env*", /^\.env/]];

/** Shapes of a name that need more than a fixed ending. */
const SHAPES: Shapes = [
  ["*.tfstate*", /\.tfstate/],
  ["ssh_host_*_key", /^ssh_host_.*_key$/s],
];

/** Segments and names that only speak of secrets: plain source and prose are excepted. */
const SPEAKING_DIRECTORIES: Shapes = [
  ["secrets/", /^\.?secrets$/],
  ["credentials/", /^\.?credentials$/],
];
const SPEAKING_NAMES: Shapes = [
  ["id_rsa*", /^\.?id_rsa/],
  ["id_dsa*", /^\.?id_dsa/],
  ["id_ecdsa*", /^\.?id_ecdsa/],
  ["id_ed25519*", /^\.?id_ed25519/],
  ["credentials*", /^\.?credentials/],
  ["secrets.*", /^\.?secrets\./],
  ["*_rsa", /_(?:rsa|dsa|ecdsa|ed25519)$/],
  ["service-account*.json", /service[-_.]?account.*\.json$/s],
  ["client_secret*.json", /^client[-_]secret.*\.json$/s],
];

/** A copy is as secret as the original: `server.key.bak`, `.npmrc~`. */
const COPY_ENDING = /(?:\.(?:bak|backup|old|orig|save|copy|swp|tmp)|~)$/;

/** The rule that denies the path, as a glob for people; null when none does. */
export function defaultDenyRule(path: string): string | null {
  const segments = path.toLowerCase().split("/");
  const rule = ruleOf(segments);
  if (rule !== null) return rule;
  const name = segments.at(-1) ?? "";
  const original = originalOf(name);
  return original === name ? null : ruleOf([...segments.slice(0, -1), original]);
}

/** Lower-case segments of a path. */
function ruleOf(segments: readonly string[]): string | null {
  const name = segments.at(-1) ?? "";
  if (NAMES.has(name)) return name;
  let parent = "";
  for (const segment of segments) {
    if (DIRECTORIES.has(segment)) return `${segment}/`;
    if (DIRECTORIES.has(`${parent}/${segment}`)) return `${parent}/${segment}/`;
    const rule = firstShape(SEGMENTS, segment);
    if (rule !== null) return rule;
    parent = segment;
  }
  if (name === "config.json" && segments.at(-2) === ".docker") return ".docker/config.json";
  for (const ending of ENDINGS) if (name.endsWith(ending)) return `*${ending}`;
  return firstShape(SHAPES, name) ?? (isPlainSource(name) ? null : speakingRule(segments, name));
}

function speakingRule(segments: readonly string[], name: string): string | null {
  const rule = firstShape(SPEAKING_NAMES, name);
  if (rule !== null) return rule;
  for (const segment of segments) {
    const directory = firstShape(SPEAKING_DIRECTORIES, segment);
    if (directory !== null) return directory;
  }
  return null;
}

function firstShape(shapes: Shapes, text: string): string | null {
  for (const [rule, shape] of shapes) if (shape.test(text)) return rule;
  return null;
}

function originalOf(name: string): string {
  let original = name;
  while (COPY_ENDING.test(original)) original = original.replace(COPY_ENDING, "");
  return original;
}
