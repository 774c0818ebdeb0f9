/** `npm run deploy` refuses what is no deployment: examples, placeholders, secrets in the open; and says what to do. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "smol-toml";
import { checkDeployment } from "../../scripts/deploy/checks.ts";
import { checkEntities } from "../../scripts/deploy/entities-check.ts";
import { checkLive } from "../../scripts/deploy/live-check.ts";
import { textOf } from "../docs/pages.ts";

const root = join(import.meta.dirname, "../..");
const shipped = readFileSync(join(root, "wrangler.toml"), "utf8");
const registry = { version: 1, repositories: [{ name: "app", owner: "octo", repo: "app" }] };

/** The shipped file with what an operator must set. */
const ready = shipped
  .replace('PUBLIC_URL = "https://gitpin.example"', 'PUBLIC_URL = "https://gitpin.acme.dev"')
  .replace(/id = "0{31}1"/, 'id = "0f2ac74b498b48028cb68387c421e279"');

const faultsOf = (text: string, environment: string | null = null, repositories: unknown = registry) =>
  checkDeployment(parse(text), environment, repositories).faults;

test("the shipped file is refused for its examples, and for nothing else", () => {
  assert.deepEqual(faultsOf(shipped), [
    "PUBLIC_URL is still the example https://gitpin.example. Set it to where callers will reach the service.",
    "The KV namespace's id 00000000000000000000000000000001 is a placeholder. Run: npx wrangler kv namespace create OBJECTS, and set the id that it prints.",
  ]);
});

test("with these two set it may be deployed", () => {
  assert.deepEqual(checkDeployment(parse(ready), null, registry), {
    faults: [],
    notes: [],
    publicUrl: "https://gitpin.acme.dev",
  });
});

const WRONG: Record<string, [string | RegExp, string, RegExp]> = {
  "no PUBLIC_URL": [/PUBLIC_URL = .*/, "", /^PUBLIC_URL is not set/],
  "one that is no URL": ["https://gitpin.acme.dev", "gitpin", /^PUBLIC_URL is not set/],
  "one without TLS": ["https://gitpin.acme.dev", "http://gitpin.acme.dev", /in the open/],
  "one of this machine": ["https://gitpin.acme.dev", "http://127.0.0.1:8787", /only this machine/],
  "everything for everybody": [
    "[vars]",
    '[vars]\nANONYMOUS_ACCESS = "all"',
    /ANONYMOUS_ACCESS: all is for a service that only this machine/,
  ],
  "a setting out of bounds": ["[vars]", "[vars]\nHEAD_MAX_AGE = -1", /HEAD_MAX_AGE/],
  "a secret in the file": [
    "[vars]",
    '[vars]\nGITHUB_TOKEN = "ghp_1"',
    /GITHUB_TOKEN stands in \[vars\].*wrangler secret put GITHUB_TOKEN/,
  ],
  "no KV namespace": ['binding = "OBJECTS"', 'binding = "OTHER"', /no KV namespace bound as OBJECTS/],
  "another class": ['class_name = "NewsObject"', 'class_name = "Other"', /NewsObject is not bound as NEWS/],
  "a class that no migration makes": [
    'new_sqlite_classes = ["BudgetObject", "NewsObject"]',
    'new_sqlite_classes = ["BudgetObject"]',
    /No migration makes the class NewsObject/,
  ],
  "no rate limit": ['name = "TOKEN_LIMIT"', 'name = "OTHER"', /no rate limit TOKEN_LIMIT/],
};
for (const [what, [from, to, fault]] of Object.entries(WRONG)) {
  test(`${what} is a fault, the only one`, () => {
    const changed = ready.replace(from, to);
    assert.notEqual(changed, ready);
    const faults = faultsOf(changed);
    assert.equal(faults.length, 1, faults.join("\n"));
    assert.match(faults[0] ?? "", fault);
  });
}

test("no fault repeats a secret", () => {
  const faults = faultsOf(ready.replace("[vars]", '[vars]\nADMIN_TOKEN = "short-secret"'));
  assert.equal(faults.length, 2);
  assert.doesNotMatch(faults.join("\n"), /short-secret/);
});

test("an App needs no key here: it is a secret", () => {
  assert.deepEqual(faultsOf(ready.replace("[vars]", '[vars]\nGITHUB_APP_ID = "12345"')), []);
});

test("a registry that does not hold is a fault; an empty one is a note, unless it is live", () => {
  assert.match(
    faultsOf(ready, null, { version: 1, repositories: [{ name: "a" }] })[0] ?? "",
    /repositories\.0/,
  );
  const empty = { version: 1, repositories: [] };
  assert.deepEqual(faultsOf(ready, null, empty), []);
  assert.equal(checkDeployment(parse(ready), null, empty).notes.length, 1);
  const teams = ready.replace("[vars]", '[vars]\nTEAMS = \'{"blue": {"owners": ["blue-inc"]}}\'');
  assert.deepEqual(checkDeployment(parse(teams), null, empty), {
    faults: [],
    notes: [],
    publicUrl: "https://gitpin.acme.dev",
  });
});

test("an environment inherits neither variables nor bindings, as wrangler has it", () => {
  const bare = `${ready}\n[env.staging]\n`;
  assert.deepEqual(
    faultsOf(bare, "staging").map((fault) => fault.split(/[.,]/)[0]),
    [
      "PUBLIC_URL is not set",
      "There is no KV namespace bound as OBJECTS with an id",
      "The Durable Object class RegistryObject is not bound as LIVE_REGISTRY",
      "The Durable Object class BudgetObject is not bound as BUDGETS",
      "The Durable Object class NewsObject is not bound as NEWS",
      "The Durable Object class BranchQueueObject is not bound as BRANCH_QUEUES",
      "The Durable Object class RequestLedgerObject is not bound as REQUESTS",
      "There is no rate limit ADDRESS_LIMIT",
      "There is no rate limit TOKEN_LIMIT",
    ],
  );
  assert.deepEqual(faultsOf(ready, "staging"), [
    "wrangler.toml has no [env.staging] (there is: none). Add it, or leave --env out.",
  ]);
});

test("the guide's environment may be deployed once its examples are set", () => {
  const [, block = ""] =
    /```toml\n(\[env\.staging\.vars\]\n.*?)```/s.exec(textOf("docs/how-to/deploy.md")) ?? [];
  assert.equal(faultsOf(`${ready}\n${block}`, "staging").length, 2);
  const set = block
    .replace("https://gitpin-staging.example", "https://gitpin-staging.acme.dev")
    .replace(/id = "0+2"/, 'id = "0f2ac74b498b48028cb68387c421e278"');
  assert.deepEqual(faultsOf(`${ready}\n${set}`, "staging"), []);
  assert.equal(entitiesOf(`${ready}\n${set}`, "staging").name, "gitpin-edge-entities-staging");
});

const second = readFileSync(join(root, "wrangler.entities.toml"), "utf8");
const entitiesOf = (main: string, environment: string | null = null, entities = second) =>
  checkEntities(parse(main), parse(entities), environment);

test("the Worker that parses source goes by the name that the other one is bound to", () => {
  const as = (name: string) => ({ faults: [], notes: [], name });
  assert.deepEqual(entitiesOf(ready), as("gitpin-edge-entities"));
  const staging =
    '[[env.staging.services]]\nbinding = "ENTITIES"\nservice = "gitpin-edge-entities-staging"\n';
  assert.deepEqual(entitiesOf(`${ready}\n${staging}`, "staging"), as("gitpin-edge-entities-staging"));
});

test("another name is refused: it could be that of any Worker of the account", () => {
  const { faults } = entitiesOf(ready.replace('service = "gitpin-edge-entities"', 'service = "shop"'));
  assert.deepEqual(faults, [
    "ENTITIES is bound to the service shop. Bind it to gitpin-edge-entities: that is what is deployed.",
  ]);
  const shared = '[[env.staging.services]]\nbinding = "ENTITIES"\nservice = "gitpin-edge-entities"\n';
  assert.equal(entitiesOf(`${ready}\n${shared}`, "staging").faults.length, 1);
});

test("without the binding it is not deployed, which is said", () => {
  const { faults, notes, name } = entitiesOf(`${ready}\n[env.staging]\n`, "staging");
  assert.deepEqual([faults, name], [[], null]);
  assert.match(notes[0] ?? "", /^ENTITIES is not bound/);
});

for (const [what, from, to, fault] of [
  ["an address of its own", "workers_dev = false", "workers_dev = true", /workers_dev/],
  ["a variable", "[observability]", '[vars]\nTOKEN = "x"\n[observability]', /sets vars\. Take it out/],
  [
    "another runtime",
    /compatibility_date = "[^"]+"/,
    'compatibility_date = "2026-01-01"',
    /compatibility_date/,
  ],
] as const) {
  test(`the Worker that parses source: ${what} is a fault`, () => {
    const changed = second.replace(from, to);
    assert.notEqual(changed, second);
    const { faults } = entitiesOf(ready, null, changed);
    assert.equal(faults.length, 1);
    assert.match(faults[0] ?? "", fault);
  });
}

test("both are deployed, the one that the other calls first", () => {
  const folder = mkdtempSync(join(tmpdir(), "gitpin-deploy-"));
  try {
    const config = join(folder, "wrangler.toml");
    const wrangler = join(folder, "wrangler");
    writeFileSync(config, ready);
    const runs = (script: string) => {
      writeFileSync(wrangler, `#!/bin/sh\n${script}\n`);
      chmodSync(wrangler, 0o755);
      const { status, stdout } = spawnSync(
        process.execPath,
        ["scripts/deploy.ts", "--dry-run", "--config", config],
        { cwd: root, encoding: "utf8", env: { ...process.env, PATH: `${folder}:${process.env.PATH}` } },
      );
      return {
        status,
        ran: stdout.replaceAll(root, "ROOT").replaceAll(folder, "FOLDER").trimEnd().split("\n"),
      };
    };
    const first =
      "deploy --minify --config ROOT/wrangler.entities.toml --name gitpin-edge-entities --dry-run";
    assert.deepEqual(runs('echo "$@"'), {
      status: 0,
      ran: [first, "deploy --minify --config FOLDER/wrangler.toml --dry-run"],
    });
    assert.deepEqual(runs('echo "$@"; exit 1'), { status: 1, ran: [first] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the command stops before wrangler is run", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/deploy.ts", "--dry-run"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, PATH: "/nowhere" },
  });
  assert.equal(status, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /^(note: .*\n)?Not deployed:\n- PUBLIC_URL is still the example/);
});

/** A deployment that answers `/healthz` in turn, and `/readyz`. */
function deployment(healths: (Response | Error)[], ready: Response) {
  let asked = 0;
  let paused = 0;
  const fake: typeof fetch = async (input) => {
    if (String(input).endsWith("/readyz")) return ready;
    const answer = healths[Math.min(asked++, healths.length - 1)];
    if (answer instanceof Error || answer === undefined) throw answer;
    return answer.clone();
  };
  const pause = async () => void paused++;
  return {
    check: () => checkLive("https://gitpin.acme.dev", { fetch: fake, version: "2.0.0", pause, tries: 4 }),
    paused: () => paused,
  };
}
const version = (name: string) => Response.json({ status: "ok", version: name });

test("after the upload: waits until the new version answers, then asks whether it is ready", async () => {
  const spread = deployment(
    [new Error("no route"), version("1.0.0"), version("2.0.0")],
    new Response("ready\n"),
  );
  assert.deepEqual(await spread.check(), { status: "ready" });
  assert.equal(spread.paused(), 2);
  const hungry = deployment([version("2.0.0")], new Response("not ready: budget spent\n", { status: 503 }));
  assert.deepEqual(await hungry.check(), { status: "not_ready", reason: "not ready: budget spent" });
});

test("after the upload: gives up with what answered last", async () => {
  const old = deployment([version("1.0.0")], new Response("ready\n"));
  assert.deepEqual(await old.check(), { status: "not_live", reason: "version 1.0.0 answers" });
  assert.equal(old.paused(), 3);
  const other = deployment([new Response("<html>", { status: 522 })], new Response(""));
  assert.deepEqual(await other.check(), { status: "not_live", reason: "/healthz answers 522" });
});
