import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { defaultDenyRule } from "./default-deny.ts";

test("what the contract lists is denied", () => {
  const denied: [string, string][] = [
    [".env", ".env*"],
    ["app/.env.production", ".env*"],
    [".env.local/values.yaml", ".env*"],
    [".envrc", ".env*"],
    ["certs/server.pem", "*.pem"],
    ["server.key", "*.key"],
    ["a.p12", "*.p12"],
    ["a.pfx", "*.pfx"],
    ["id_rsa", "id_rsa*"],
    ["keys/id_rsa.pub", "id_rsa*"],
    ["id_rsa_backup", "id_rsa*"],
    ["credentials", "credentials*"],
    ["config/credentials.json", "credentials*"],
    ["config/credentials.yml.enc", "credentials*"],
    ["secrets/prod.yaml", "secrets/"],
    ["k8s/secrets/db/password", "secrets/"],
    ["k8s/secrets", "secrets/"],
    [".npmrc", ".npmrc"],
    ["home/.netrc", ".netrc"],
    [".aws/config", ".aws/"],
    [".aws", ".aws/"],
    ["infra/terraform.tfstate", "*.tfstate*"],
    ["infra/terraform.tfstate.backup", "*.tfstate*"],
  ];
  for (const [path, rule] of denied) assert.equal(defaultDenyRule(path), rule, path);
});

test("what else people keep secrets in is denied", () => {
  const denied = [
    ...[".env.example", "prod.env", "id_ed25519", "id_ecdsa_sk", "id_dsa", "deploy_rsa", "_netrc", ".pypirc"],
    ...[
      ".htpasswd",
      ".git-credentials",
      ".ssh/config",
      ".gnupg/pubring.kbx",
      ".kube/config",
      ".docker/config.json",
    ],
    ...["a.kdbx", "office.ovpn", "a.jks", "a.keystore", "prod.tfvars", "prod.auto.tfvars.json", ".pgpass"],
    ...["gcp-service-account.json", "my_service_account_key.json", "client_secret_123.json", "secrets.yml"],
    ...["credentials.txt", "credentials.sh", ".config/gcloud/x", "secrets/deploy.sh", "secrets/notes.txt"],
    ...[".vault-token", "etc/ssh/ssh_host_ed25519_key", ".aws/README.md", ".ssh/keys.go"],
  ];
  for (const path of denied) assert.notEqual(defaultDenyRule(path), null, path);
});

test("plain source and prose are not blocked", () => {
  const open = [
    ...[
      "src/tokenizer.ts",
      "keys.go",
      "docs/secrets-management.md",
      "src/secrets/index.ts",
      "secrets/README.md",
    ],
    ...["credentials.ts", "credentials_test.go", "docs/credentials.md", "src/credentials/provider.py"],
    ...["src/id_rsa.rs", "id_rsa_parser.c", "monkey.ts", "keyboard.json", "public.keys.ts", "src/env.ts"],
    ...["environment.yml", "src/environments/prod.ts", "tokens.json", "password.ts", "pem.go", "docs/pem.md"],
    ...["packages/credentials/package.json", "secrets/go.mod", "secrets.tf", "aws/client.ts", "ssh/main.go"],
    ...[
      "src/keystore.ts",
      "docs/.npmrc.md",
      "rsa.py",
      "service-account.md",
      "Dockerfile",
      "",
      "docker/config.json",
    ],
  ];
  for (const path of open) assert.equal(defaultDenyRule(path), null, path);
});

test("case, copies and odd characters do not open a path", () => {
  for (const path of [
    ...[".ENV", "ID_RSA", "Secrets/Prod.YAML", "A.PEM", ".Aws/credentials", "\u212Aeys/server.\u212AEY"],
    ...[
      "server.key.bak",
      ".npmrc~",
      "id_rsa.old.orig",
      "a.pem.swp",
      ".id_rsa.swp",
      ".env\uFFFD",
      "\uFFFD.pem",
      ".env ",
      ".env.",
    ],
    ...["secrets/line\nfeed.yaml", "a\n.pem", "x/.ssh/\n/y"],
  ]) {
    assert.notEqual(defaultDenyRule(path), null, JSON.stringify(path));
  }
});

test("a trailing dot or space makes another name, as it does to git", () => {
  assert.equal(defaultDenyRule("server.pem."), null);
  assert.equal(defaultDenyRule("server.pem "), null);
});

test("where a path stands, and in which case, never opens a denied name", () => {
  const names = fc.constantFrom(
    ".env",
    "server.pem",
    "id_rsa",
    "credentials.json",
    ".npmrc",
    "x.tfstate",
    ".aws",
  );
  const folder = fc.string({
    unit: fc.constantFrom("a", ".", "-", "é", "\n", "S"),
    minLength: 1,
    maxLength: 5,
  });
  const flips = fc.array(fc.boolean(), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(names, fc.array(folder, { maxLength: 3 }), flips, (name, folders, flip) => {
      const cased = [...name].map((letter, index) => (flip[index] ? letter.toUpperCase() : letter)).join("");
      assert.notEqual(defaultDenyRule([...folders, cased].join("/")), null);
    }),
  );
});
