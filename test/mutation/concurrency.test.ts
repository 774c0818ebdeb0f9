/**
 * Fifty callers at once on one branch, over the real adapter, host and git. The clock moves with every commit, so that GitHub's bound
 * on what is created within a minute lets all fifty through; in the whole stack, whose clock is time itself, it would not.
 * The judge is the clone's own git.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { inProcessQueue } from "../../src/commits/queue/commit-queue.ts";
import type { Call } from "../../src/ports/call.ts";
import { newLedger } from "../../src/ports/ledger.ts";
import type { RepositoryWriter } from "../../src/ports/repository-writer.ts";
import { mutateInput, type OperationInput } from "../../src/schema/mutation.ts";
import type { MutationResult } from "../../src/schema/mutation-result.ts";
import { repositoryEntry } from "../../src/schema/registry.ts";
import { mutate } from "../../src/service/mutation/mutate.ts";
import type { ServicePorts } from "../../src/service/service-ports.ts";
import { GitRepository } from "../repositories/git.ts";
import { hosted, REPOSITORY_ID } from "../repositories/hosted.ts";
import { nodeEntityParser } from "../support/entity-parser.ts";
import { requestsInNode } from "../support/requests-in-node.ts";
import { outputOf } from "../support/small-shell.ts";
import { patchAt } from "./operations.ts";
import { REPOSITORY_ID as STACK_ID, WrittenStack } from "./written-stack.ts";

const CALLERS = 50;
/** Of three creations each: slow enough for 80 a minute. */
const COMMIT_MS = 3_000;

/** Ten functions in each of five files. */
const fileOf = (index: number) => `src/m${index % 5}.py`;
const FILES: Record<string, string> = {};
for (let index = 0; index < CALLERS; index++) {
  FILES[fileOf(index)] = `${FILES[fileOf(index)] ?? ""}def f${index}():\n    return 0\n\n\n`;
}

interface Served {
  git(...args: string[]): string;
  head: string;
  /** A call of its own, as of a caller of its own. */
  call(operation: OperationInput, requestId?: string): Promise<MutationResult>;
  /** Run before a branch is moved. */
  beforeAdvance: { run(): void };
  push(path: string, content: string): void;
}

async function serve(context: TestContext): Promise<Served> {
  const source = new GitRepository("app");
  for (const [path, content] of Object.entries(FILES)) source.write(path, content);
  const head = source.commit("first");
  const path = `${source.path}.git`;
  source.git("clone", "--bare", "--quiet", source.path, path);
  const local = await hosted(path, { writable: true });
  context.after(async () => {
    await local.host.close();
    source.remove();
    rmSync(path, { recursive: true, force: true });
  });
  const github = local.isolate({ headMaxAgeSeconds: 3_600 });
  const entry = repositoryEntry.parse({
    name: "app",
    owner: "octo",
    repo: "awkward",
    id: REPOSITORY_ID,
    writable: { branches: ["main"] },
  });
  const beforeAdvance: Served["beforeAdvance"] = { run: () => undefined };
  const slowly = (writer: RepositoryWriter): RepositoryWriter => ({
    ...writer,
    prepare: (request) => {
      local.clock.ms += COMMIT_MS;
      return writer.prepare(request);
    },
    advance: (...given) => {
      beforeAdvance.run();
      return writer.advance(...given);
    },
  });
  const ports: ServicePorts = {
    registry: {
      visible: async () => [entry],
      find: async () => entry,
      status: () => ({ source: "file", readAt: null, stale: null }),
    },
    open: (one, call) => github.open(one, call),
    webUrl: null,
    publicUrl: null,
    entities: nodeEntityParser(),
    writing: {
      open: (one, call) => slowly(github.openWriter(one, call)),
      // However slow this machine is, nobody waits too long.
      queue: inProcessQueue({ after: () => () => undefined }),
      requests: requestsInNode().ledger,
      audit: { committed: async () => undefined },
      unrecorded: () => assert.fail("the audit took it"),
      random: (below) => Math.floor(below / 2),
      wait: async () => undefined,
    },
  };
  let callers = 0;
  return {
    head,
    beforeAdvance,
    git: (...args) =>
      outputOf("git", args, {
        cwd: path,
        env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
      })
        .toString()
        .trimEnd(),
    async call(operation, request_id) {
      callers += 1;
      const call: Call = {
        caller: { id: `token:${callers}`, team: null, scopes: ["pin:read", "kin:write"] },
        spelling: "dotted",
        ledger: newLedger(),
        background: { keepAlive: () => undefined },
      };
      const given = { operations: [operation], ...(request_id === undefined ? {} : { request_id }) };
      return await mutate(ports, mutateInput.parse(given), call);
    },
    push(file, content) {
      source.git("fetch", "--quiet", path, "main");
      source.git("checkout", "--quiet", "--force", "-B", "main", "FETCH_HEAD");
      source.write(file, content).commit(`outside: ${file}`);
      source.git("push", "--quiet", path, "HEAD:main");
    },
  };
}

const edit = (
  head: string,
  index: number,
  name: string,
  texts: readonly [string, string],
  repositoryId = REPOSITORY_ID,
) =>
  patchAt(
    { repository: "app", repositoryId, head, path: fileOf(index), text: FILES[fileOf(index)] ?? "" },
    name,
    texts,
  );

/** Whether the caller's function stands in the branch as that caller left it. */
const holdsEdit = (served: Pick<Served, "git">, index: number): boolean =>
  `${served.git("show", `main:${fileOf(index)}`)}\n`.includes(`def f${index}():\n    return ${index + 1}\n`);

const all = Array.from({ length: CALLERS }, (_, index) => index);

test("fifty callers edit as many functions of the same files: all land, each exactly once", async (context) => {
  const served = await serve(context);
  const operations = await Promise.all(
    all.map((index) => edit(served.head, index, `f${index}`, ["return 0", `return ${index + 1}`])),
  );
  const results = await Promise.all(operations.map((operation) => served.call(operation)));
  assert.deepEqual([...new Set(results.map(({ status }) => status))], ["committed"]);
  const commits = served.git("rev-list", `${served.head}..main`).split("\n");
  assert.deepEqual(commits.toSorted(), results.map(({ commitSha }) => commitSha).toSorted());
  assert.equal(commits.length, CALLERS);
  for (const index of all) {
    assert.ok(holdsEdit(served, index), `f${index}`);
  }
  assert.equal(served.git("fsck", "--strict", "--no-dangling"), "");
});

test("fifty callers edit one function: one wins, the others see its text", async (context) => {
  const served = await serve(context);
  const operations = await Promise.all(
    all.map((index) => edit(served.head, 0, "f0", ["return 0", `return ${index + 1}`])),
  );
  const results = await Promise.all(operations.map((operation) => served.call(operation)));
  const [winner, ...more] = results.filter(({ status }) => status === "committed");
  assert.equal(more.length, 0);
  assert.equal(served.git("rev-list", `${served.head}..main`), winner?.commitSha);
  const body = served
    .git("show", `main:${fileOf(0)}`)
    .slice(0, "def f0():\n    return 0".length + 1)
    .trimEnd();
  const losers = results.filter(({ status }) => status === "conflict");
  assert.equal(losers.length, CALLERS - 1);
  for (const { code, applied, current_source: now, current_repository_base: base } of losers) {
    assert.deepEqual(
      [code, applied, now?.body, base?.head],
      ["source_base_conflict", false, body, winner?.commitSha],
    );
  }
});

test("pushes from outside in the middle of it lose nothing, neither theirs nor ours", async (context) => {
  const served = await serve(context);
  const some = all.slice(0, 10);
  const operations = await Promise.all(
    some.map((index) => edit(served.head, index, `f${index}`, ["return 0", `return ${index + 1}`])),
  );
  let pushed = 0;
  let moves = 0;
  served.beforeAdvance.run = () => {
    moves += 1;
    if (moves % 4 !== 1) return;
    pushed += 1;
    served.push(`outside-${pushed}.txt`, "theirs\n");
  };
  const results = await Promise.all(operations.map((operation) => served.call(operation)));
  assert.deepEqual([...new Set(results.map(({ status }) => status))], ["committed"]);
  assert.ok(pushed >= 3, String(pushed));
  assert.equal(served.git("rev-list", "--count", `${served.head}..main`), String(some.length + pushed));
  for (const index of some) {
    assert.ok(holdsEdit(served, index), `f${index}`);
  }
  for (let one = 1; one <= pushed; one++)
    assert.equal(served.git("show", `main:outside-${one}.txt`), "theirs");
  assert.equal(served.git("fsck", "--strict", "--no-dangling"), "");
});

test("through the whole stack, whose queue is a Durable Object, they land just the same", async (context) => {
  const served = await WrittenStack.start({ files: FILES });
  context.after(() => served.close());
  const head = served.head();
  // Of three creations each: GitHub takes 80 a minute.
  const some = all.slice(0, 15);
  const operations = await Promise.all(
    some.map((index) => edit(head, index, `f${index}`, ["return 0", `return ${index + 1}`], STACK_ID)),
  );
  const answers = await Promise.all(
    operations.map((operation) => served.mutate({ operations: [operation] })),
  );
  assert.deepEqual([...new Set(answers.map(({ body }) => body.status))], ["committed"]);
  const landed = answers.map(({ body }) => body.commitSha).toSorted();
  assert.deepEqual(served.git("rev-list", `${head}..main`).split("\n").toSorted(), landed);
  for (const index of some) assert.ok(holdsEdit(served, index), `f${index}`);
  served.assertSound();
});
