/** `npm start`: what it prints works when pasted, and one interrupt, at any moment, leaves nothing running. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { startLocalHost } from "../../src/local/host.ts";
import { GitRepository } from "../repositories/git.ts";
import {
  freshClone,
  lineUnder,
  machineEnvironment,
  npmRun,
  serviceUrl,
  temporaryFolder,
  unpackedArchive,
} from "./npm-run.ts";

/** A machine under load takes its time; a run that hangs must not hold up all tests. */
const LIMIT = { timeout: 120_000 };
const READY = /sha256sum\n|hold none yet/;
let folder: ReturnType<typeof temporaryFolder>;
let state = "";
before(() => {
  folder = temporaryFolder();
  state = join(folder.path, "state");
});
after(() => folder.remove());

const start = (t: TestContext, args: readonly string[], options: Parameters<typeof npmRun>[2] = {}) =>
  npmRun(t, ["start", "--", "--port", "0", "--state", state, ...args], options);

test("a fresh clone serves itself, on the machine's own Node; Ctrl-C ends it all", LIMIT, async (t) => {
  t.diagnostic(
    `node ${execFileSync("node", ["--version"], { env: machineEnvironment(), encoding: "utf8" }).trim()}`,
  );
  const clone = freshClone(folder.path);
  const run = start(t, [], { cwd: clone });
  const text = await run.printed(READY);
  const head = execFileSync("git", ["rev-parse", "HEAD"], { cwd: clone, encoding: "utf8" }).trim();
  assert.ok(text.includes(`gitpin-edge/README.md:1 @ ${head}`), text);

  const verify = spawnSync("sh", ["-c", lineUnder(text, "Verify it")], {
    env: machineEnvironment(),
    encoding: "utf8",
  });
  assert.equal(verify.status, 0, verify.stderr);
  assert.match(verify.stdout, /^ok {2}head {2}gitpin-edge\/README\.md:1 @/);
  const git = spawnSync("sh", ["-c", lineUnder(text, "or with plain git")], {
    cwd: clone,
    env: machineEnvironment(),
    encoding: "utf8",
  });
  assert.equal(git.stdout.split(" ")[0], /^ {2}sha256 ([0-9a-f]{64})$/m.exec(text)?.[1]);
  const wrong = lineUnder(text, "Verify it").replace("README.md", "NOTHING.md");
  assert.equal(spawnSync("sh", ["-c", wrong], { env: machineEnvironment() }).status, 22);
  const listed = await fetch(`${serviceUrl(text)}/mcp?names=underscore`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
  assert.match(await listed.text(), /"pin_prove"/);

  run.interrupt();
  const { code } = await run.ended;
  assert.equal(code, 0);
  assert.deepEqual(run.left(), []);
});

test("SIGTERM to npm alone ends everything", LIMIT, async (t) => {
  const run = start(t, []);
  await run.printed(READY);
  run.child.kill("SIGTERM");
  await run.ended;
  assert.deepEqual(run.left(), []);
});

test("an npm that is killed takes everything along", LIMIT, async (t) => {
  const run = start(t, []);
  await run.printed(READY);
  run.child.kill("SIGKILL");
  await run.ended;
  assert.deepEqual(run.left(), []);
});

test("an interrupt while it starts ends everything", LIMIT, async (t) => {
  const run = start(t, []);
  await run.printed(/local\/start\.ts/);
  run.interrupt();
  await run.ended;
  assert.deepEqual(run.left(), []);
});

test("a port in use is said, and is exit 1", LIMIT, async (t) => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const run = npmRun(t, ["start", "--", "--port", String(port), "--state", state]);
  assert.equal((await run.ended).code, 1);
  assert.match(run.text(), new RegExp(`Port ${port} is in use\\.\nStop what listens there`));
  assert.deepEqual(run.left(), []);
  taken.close();
});

test("an empty repository and one without a README, from an unpacked archive", LIMIT, async (t) => {
  const empty = new GitRepository("empty one");
  const plain = new GitRepository("plain");
  const into = temporaryFolder();
  plain
    .write("zz.txt", "a line\n")
    .write("a.bin", Buffer.from([0, 1]))
    .commit("first");
  const run = start(t, ["--repo", empty.path, "--repo", plain.path, "--repo", `${plain.path}/.`], {
    cwd: unpackedArchive(into.path),
  });
  const text = await run.printed(READY);
  assert.match(text, /is not a git repository; only what --repo names is served\./);
  assert.match(text, /^ {2}empty-one +empty: /m);
  assert.match(text, /^ {2}plain +[0-9a-f]{40}$/m);
  assert.equal((text.match(/^ {2}plain/gm) ?? []).length, 2, "its row and its first line of evidence");
  assert.match(text, /^ {2}plain\/zz\.txt:1 @ [0-9a-f]{40}$/m);
  run.interrupt();
  await run.ended;
  assert.deepEqual(run.left(), []);
  for (const made of [empty, plain, into]) made.remove();
});

test("--github: another API host and a token from the environment; and without a token", LIMIT, async (t) => {
  const repository = new GitRepository("demo");
  repository.write("README.md", "# Demo\n").commit("first");
  const host = await startLocalHost({
    repositories: [{ owner: "octo", name: "demo", path: repository.path }],
    tokens: ["a-token"],
    requireToken: true,
  });
  const environment = { GITHUB_API_URL: host.url, GITHUB_TOKEN: "a-token" };
  const run = start(t, ["--github", "octo/demo"], { environment });
  const text = await run.printed(READY);
  assert.match(text, /^ {2}demo\/README\.md:1 @ [0-9a-f]{40}$/m);
  assert.doesNotMatch(text, /a-token/);
  run.interrupt();
  await run.ended;
  assert.deepEqual(run.left(), []);

  const without = start(t, ["--github", "octo/demo"], {
    environment: { GITHUB_API_URL: host.url, GITHUB_TOKEN: "" },
  });
  assert.match(await without.printed(READY), /^ {2}demo +(unavailable|error): /m);
  without.interrupt();
  await without.ended;
  assert.deepEqual(without.left(), []);
  await host.close();
  repository.remove();
});

test("what cannot be served is said before anything starts", LIMIT, async (t) => {
  const cases: [string[], RegExp][] = [
    [["--repo", folder.path], /is not a git repository\.\nGive --repo the top folder of a clone/],
    [["--repo", join(import.meta.dirname)], /is a folder inside the repository .*, not its top/],
    [["--repo", "/nonexistent"], /is not a folder/],
    [["--github", "nobody"], /"nobody" is not OWNER\/NAME/],
    [["--port", "x"], /--port takes a number/],
    [["--state", join(import.meta.filename, "x")], /The cache cannot be kept in/],
  ];
  for (const [args, pattern] of cases) {
    const run = start(t, args);
    assert.equal((await run.ended).code, 1);
    assert.match(run.text(), pattern);
    assert.deepEqual(run.left(), []);
  }
});

test("an unpacked archive alone has nothing to serve, and says what to do", LIMIT, async (t) => {
  const into = temporaryFolder();
  const run = start(t, [], { cwd: unpackedArchive(into.path) });
  assert.equal((await run.ended).code, 1);
  assert.match(
    run.text(),
    /is not a git repository, so there is nothing to serve\.\nName what to serve: npm start -- --repo/,
  );
  into.remove();
});

test("a reader that goes away (npm start | head) does not end the service", LIMIT, async (t) => {
  const repository = new GitRepository("demo");
  repository.write("README.md", "# Demo\n").commit("first");
  const host = await startLocalHost({
    repositories: [{ owner: "octo", name: "demo", path: repository.path }],
  });
  const run = start(t, ["--github", "octo/demo"], { environment: { GITHUB_API_URL: host.url } });
  const proven = host.nextRequest(({ path }) => path.includes("/git/blobs/"));
  await run.printed(/local\/start\.ts/);
  run.child.stdout?.destroy();
  await proven;
  run.interrupt();
  // The welcome is printed to nobody, and that is no failure.
  assert.equal((await run.ended).code, 0);
  assert.deepEqual(run.left(), []);
  await host.close();
  repository.remove();
});
