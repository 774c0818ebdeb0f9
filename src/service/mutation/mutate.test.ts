/** `kin_mutate` over a repository in memory: receipts, plans, conflicts and refusals, literally. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHost } from "../../../test/mutation/memory-host.ts";
import { Service, WRITER } from "../../../test/mutation/service.ts";
import { sha256 } from "../../core/git/hash.ts";
import { GitpinError } from "../../errors.ts";

const STORE = `package store

// Get reads.
func Get(key string) string {
	return key
}

func Put(key string) {
	_ = Get(key)
}
`;

const APP = "def parse(text):\n    return text\n\n\ndef run():\n    return parse('x')\n";

function hosted(): MemoryHost {
  const host = new MemoryHost();
  host.push("main", { "go.mod": "module example.org/app\n", "store/store.go": STORE, "app.py": APP });
  return host;
}

const codeOf = async (work: Promise<unknown>): Promise<GitpinError> => {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof GitpinError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: "it did not throw" });
};

test("several languages, files and operations are one commit, and the receipt is complete", async () => {
  const host = hosted();
  const service = new Service(host);
  const before = host.refs.get("main");
  const result = await service.call({
    summary: "Read by prefix",
    operations: [
      {
        ...(await service.patch("store/store.go", "Get", "return key", 'return "p/" + key')),
        description: "prefix",
      },
      await service.create(
        "app.py",
        "parse",
        "function",
        "strip",
        "def strip(text):\n    return text.strip()",
      ),
      await service.remove("app.py", "run"),
    ],
  });
  const after = host.refs.get("main");
  assert.equal(result.status, "committed");
  assert.equal(result.commitSha, after);
  assert.notEqual(after, before);
  assert.equal(result.parent, before);
  assert.equal(result.treeSha, host.commits.get(after ?? "")?.tree);
  assert.deepEqual(host.commits.get(after ?? "")?.parents, [before]);
  assert.equal(result.url, `https://github.example/octo/app/commit/${after}`);
  assert.equal(result.ops_applied, 3);
  assert.deepEqual(result.modified_files, ["app.py", "store/store.go"]);
  assert.deepEqual(
    result.entities?.map(({ operation, effect, name, kind, path, lines, source_base }) => [
      operation,
      effect,
      name,
      kind,
      path,
      lines.start,
      lines.end,
      source_base?.head ?? null,
    ]),
    [
      [0, "edited", "Get", "function", "store/store.go", 3, 6, after],
      [1, "created", "strip", "function", "app.py", 5, 6, after],
      [2, "removed", "run", "function", "app.py", 5, 6, null],
    ],
  );
  assert.deepEqual(result.created_entities, [
    { entity_id: result.entities?.[1]?.id, name: "strip", kind: "function" },
  ]);
  assert.equal(result.rebased, false);
  assert.equal(result.already_applied, false);
  assert.equal(result.references, "not_checked");
  assert.equal(result.audit, "recorded");
  assert.deepEqual(result.repository_base, {
    schema: "gitpin.repository_base.v1",
    repository: "app",
    branch: "main",
    head: after,
    tree: result.treeSha,
  });
  assert.match(result.diff ?? "", /^-\treturn key$/m);
  assert.equal(
    host.text("main", "app.py"),
    "def parse(text):\n    return text\n\n\ndef strip(text):\n    return text.strip()\n",
  );
  assert.equal(
    host.commits.get(after ?? "")?.message,
    "Read by prefix\n\n- prefix\n\nRequested-by: token:0123456789abcdef",
  );
  assert.deepEqual(host.steps, ["tip main", "prepare", "advance main", "wrote main 2"]);
  assert.deepEqual(result.next, {
    tool: "pin_verify_set",
    arguments: {
      items: [
        {
          repository: "app",
          sourcePath: "store/store.go",
          sha: after,
          line: 3,
          lineEnd: 6,
          mustContain: 'return "p/" + key',
          contentSha256: sha256('// Get reads.\nfunc Get(key string) string {\n\treturn "p/" + key\n}\n'),
        },
        {
          repository: "app",
          sourcePath: "app.py",
          sha: after,
          line: 5,
          lineEnd: 6,
          mustContain: "return text.strip()",
          contentSha256: sha256("def strip(text):\n    return text.strip()\n"),
        },
      ],
    },
  });
  assert.deepEqual(
    service.audited.map(({ caller, branch, parent, commit, paths, operations, requestId, pullRequest }) => ({
      caller: caller.id,
      branch,
      parent,
      commit,
      paths,
      operations,
      requestId,
      pullRequest,
    })),
    [
      {
        caller: "token:0123456789abcdef",
        branch: "main",
        parent: before,
        commit: after,
        paths: ["app.py", "store/store.go"],
        operations: 3,
        requestId: null,
        pullRequest: null,
      },
    ],
  );
  assert.equal(service.kept.length, 1);
});

test("the bases of a receipt do for the next edit, without a read", async () => {
  const service = new Service(hosted());
  const first = await service.mutate(
    await service.patch("app.py", "parse", "return text", "return text or ''"),
  );
  const entity = first.entities?.[0];
  const second = await service.mutate({
    verb: "patch",
    target: entity?.id ?? "",
    description: "",
    payload: {
      EntitySourcePatch: {
        source_base: entity?.source_base ?? {},
        edits: [{ old_text: "text or ''", new_text: "text or None" }],
      },
    },
  });
  assert.equal(second.status, "committed");
  assert.equal(second.rebased, false);
  assert.equal(second.parent, first.commitSha);
  const third = await service.mutate({
    verb: "create",
    target: "Del",
    description: "",
    payload: {
      EntityCreate: {
        name: "Del",
        kind: "function",
        body: "func Del(key string) {}",
        repository_base: second.repository_base ?? {},
        unit: { language: "go", package: "store", name: "store" },
      },
    },
  });
  assert.equal(third.status, "committed");
});

test("a dry run shows the plan and writes nothing, claims nothing, takes no turn", async () => {
  const host = hosted();
  const service = new Service(host, {
    writing: {
      queue: {
        inTurn() {
          throw new Error("no turn is taken");
        },
      },
    },
  });
  const operation = await service.patch("app.py", "parse", "return text", "return text or ''");
  const given = { operations: [operation], dry_run: true, request_id: "r" };
  const plan = await service.call(given, "dotted");
  assert.equal(plan.status, "planned");
  assert.equal(plan.applied, false);
  assert.equal(plan.commitSha, undefined);
  assert.equal(plan.parent, host.refs.get("main"));
  assert.equal(plan.repository_base?.head, host.refs.get("main"));
  assert.equal(plan.entities?.[0]?.source_base, null);
  assert.match(plan.diff ?? "", /^\+ {4}return text or ''$/m);
  assert.deepEqual(host.steps, ["tip main"]);
  assert.equal(service.requests.objects.size, 0);
  assert.deepEqual(plan.next, {
    tool: "kin_mutate",
    arguments: { operations: [operation], request_id: "r" },
  });
  const done = await new Service(host).call(plan.next?.arguments ?? {});
  assert.equal(done.status, "committed");
  assert.equal(done.treeSha, plan.treeSha);
});

test("a conflict is the contract's data, with the present source; a patch is offered again with its base", async () => {
  const host = hosted();
  const service = new Service(host);
  const operation = await service.patch("app.py", "parse", "return text", "return 1");
  const now = host.push("main", { "app.py": APP.replace("return text", "value = text\n    return text") });
  const result = await service.mutate(operation);
  const { next, ...data } = result;
  const { base } = await service.source("app.py", "parse");
  assert.deepEqual(data, {
    product: "gitpin",
    contract: "index-free-git-head-evidence",
    kind: "mutation-result",
    repository: "app",
    branch: "main",
    status: "conflict",
    code: "source_base_conflict",
    applied: false,
    operation: 0,
    reason: "The entity's source has changed since it was read.",
    next_step: "Compare current_source with what you meant, then send the operation with its source_base.",
    current_repository_base: {
      schema: "gitpin.repository_base.v1",
      repository: "app",
      branch: "main",
      head: now,
      tree: host.commits.get(now)?.tree,
    },
    current_source: { body: "def parse(text):\n    value = text\n    return text", source_base: base },
  });
  assert.deepEqual(host.steps, ["tip main"]);
  assert.equal(next?.tool, "kin_mutate");
  assert.equal((await service.call(next?.arguments ?? {})).status, "committed");
});

test("a dry run of a removal looks for the name in any case; a commit asks for no archive", async () => {
  const host = hosted();
  const service = new Service(host);
  const operation = await service.remove("app.py", "parse");
  const plan = await service.call({ operations: [operation], dry_run: true });
  assert.ok(typeof plan.references === "object");
  assert.deepEqual(
    plan.references.lines.map(({ path, line, text }) => [path, line, text]),
    [["app.py", 2, "    return parse('x')"]],
  );
  assert.deepEqual(host.steps, ["tip main", "archive"]);
  const receipt = await service.mutate(operation);
  assert.equal(receipt.references, "not_checked");
  assert.ok(!host.steps.slice(2).includes("archive"));
});

test("who would overwrite is led to look again, never to the same call", async () => {
  const host = hosted();
  const service = new Service(host);
  const operation = await service.update("app.py", "parse", "def parse(text):\n    return 2");
  host.push("main", { "app.py": APP.replace("return text", "return 3") });
  const result = await service.mutate(operation);
  assert.equal(result.code, "source_base_conflict");
  // All that the next attempt needs is in the answer; its words are the caller's.
  assert.equal(result.next, null);
  assert.equal(result.current_source?.body, "def parse(text):\n    return 3");
});

test("a patch whose anchors do not stand any more is not offered again; one whose entity is gone leads to its file", async () => {
  const host = hosted();
  const service = new Service(host);
  const operation = await service.patch("app.py", "parse", "return text", "return 1");
  host.push("main", { "app.py": APP.replace("return text", "return 3") });
  const changed = await service.mutate(operation);
  assert.deepEqual([changed.code, changed.next], ["source_base_conflict", null]);
  assert.equal(changed.current_source?.body, "def parse(text):\n    return 3");
  host.push("main", { "app.py": "other = 1\n" });
  const gone = await service.mutate(operation);
  assert.deepEqual([gone.code, gone.current_source], ["source_base_conflict", undefined]);
  assert.deepEqual(gone.next, {
    tool: "kin_find_entities",
    arguments: { repository: "app", path: "app.py" },
  });
});

test("a unit that changed is a conflict; with the fresh base the call is made again", async () => {
  const host = hosted();
  const service = new Service(host);
  const unit = { language: "go", package: "store", name: "store" };
  const operation = service.createInUnit(unit, "function", "Del", "func Del(key string) {}");
  host.push("main", { "store/other.go": "package store\n\nvar Zero = 0\n" });
  const result = await service.mutate(operation);
  assert.equal(result.code, "repository_base_conflict");
  assert.equal(result.current_source, undefined);
  assert.equal((await service.call(result.next?.arguments ?? {})).status, "committed");
});

test("a base of an older head is carried over while its source stands, and both heads are told", async () => {
  const host = hosted();
  const service = new Service(host);
  const operation = await service.patch("app.py", "parse", "return text", "return 1");
  const from = host.refs.get("main") ?? null;
  const onto = host.push("main", { "app.py": `# moved\n\n${APP}`, "new.txt": "x" });
  const result = await service.mutate(operation);
  assert.equal(result.status, "committed");
  assert.equal(result.rebased, true);
  assert.deepEqual(result.rebased_heads, { from: [from], onto });
});

test("a refusal says which operation and what to do, and changes nothing", async () => {
  const host = hosted();
  const service = new Service(host);
  const broken = await service.update("app.py", "parse", "def parse(text:\n    return 2");
  const result = await service.mutate(await service.patch("app.py", "run", "'x'", "'y'"), broken);
  assert.equal(result.status, "refused");
  assert.equal(result.applied, false);
  assert.equal(result.code, "syntax_error");
  assert.equal(result.faults?.[0]?.path, "app.py");
  assert.deepEqual(host.steps, ["tip main"]);
  const absent = await service.mutate(await service.patch("app.py", "parse", "nowhere", "x"));
  assert.deepEqual([absent.status, absent.code, absent.operation], ["refused", "anchor_missing", 0]);
  assert.equal(absent.next?.tool, "get_entity_source");
  // Bases were good, and the text at fault is the caller's own: nothing is to be read.
  assert.equal(result.next, null);
  const taken = await service.mutate(
    await service.create("app.py", "parse", "function", "run", "def run():\n    pass"),
  );
  assert.equal(taken.code, "name_taken");
  assert.deepEqual(taken.next, {
    tool: "kin_find_entities",
    arguments: { repository: "app", query: "run" },
  });
});

test("bases of two repositories or branches, or none that was minted, are refused before anything is opened", async () => {
  const host = hosted();
  const service = new Service(host);
  const one = await service.patch("app.py", "parse", "return text", "return 1");
  const two = await service.patch("app.py", "run", "'x'", "'y'");
  const base = two.payload.EntitySourcePatch?.source_base ?? {};
  const edits = two.payload.EntitySourcePatch?.edits ?? [];
  for (const [field, value] of [
    ["branch", "other"],
    ["repository", "another"],
    ["schema", "kin.entity.source_base.v1"],
    ["extra", 1],
  ] as const) {
    const payload = { EntitySourcePatch: { source_base: { ...base, [field]: value }, edits } };
    const result = await service.mutate(one, { ...two, payload });
    assert.deepEqual([result.status, result.code, result.operation], ["refused", "invalid_base", 1], field);
    assert.deepEqual([result.repository, result.branch], [null, null]);
    assert.equal(result.next, null);
  }
  assert.deepEqual(host.steps, []);
});

test("repository bases of many commits are refused: each costs requests", async () => {
  const host = hosted();
  const service = new Service(host);
  const unit = { language: "go", package: "store", name: "store" };
  const operations = [];
  for (const name of ["A", "B", "C", "D", "E"]) {
    operations.push(service.createInUnit(unit, "function", name, `func ${name}() {}`));
    host.push("main", { [`${name}.txt`]: name });
  }
  const result = await service.mutate(...operations);
  assert.deepEqual([result.code, result.operation], ["invalid_base", null]);
  const fewer = await service.mutate(...operations.slice(0, 4));
  assert.equal(fewer.status, "committed");
  assert.equal(fewer.rebased_heads?.from.length, 4);
});

test("without the scope the tool is not there; without the parts the error is honest", async () => {
  const host = hosted();
  const operation = await new Service(host).patch("app.py", "parse", "return text", "return 1");
  const reading = new Service(host, { caller: { ...WRITER, scopes: ["pin:read", "registry:admin"] } });
  assert.equal((await codeOf(reading.mutate(operation))).code, "route_unknown");
  const unparsed = await codeOf(new Service(host, { ports: { entities: null } }).mutate(operation));
  assert.equal(unparsed.code, "entities_unavailable");
  const unwritten = await codeOf(new Service(host, { ports: { writing: null } }).mutate(operation));
  assert.deepEqual([unwritten.code, unwritten.data.rule], ["write_not_allowed", "deployment"]);
  const unknown = await codeOf(new Service(host, { entry: { name: "hidden" } }).mutate(operation));
  assert.equal(unknown.code, "repository_unknown");
  assert.deepEqual(host.steps, []);
});

test("only what the registry opens is changed: repository, team, branch, and every path", async () => {
  const host = hosted();
  const operation = await new Service(host).patch("app.py", "parse", "return text", "return 1");
  const refusedBy = async (entry: Record<string, unknown>, caller = WRITER) => {
    const error = await codeOf(new Service(host, { entry, caller }).mutate(operation));
    assert.equal(error.code, "write_not_allowed");
    assert.ok(error.nextStep.length > 20);
    return error.data.rule;
  };
  assert.equal(await refusedBy({ writable: false }), "registry: writable");
  assert.equal(await refusedBy({ writable: { branches: ["agent/*"] } }), "registry: writable.branches");
  assert.equal(await refusedBy({}, { ...WRITER, team: "blue" }), "registry: team");
  assert.deepEqual(host.steps, []);
  assert.equal(
    await refusedBy({ writable: { branches: ["main"], paths: ["store/**"] } }),
    "registry: writable.paths",
  );
  assert.equal(await refusedBy({ deny: ["app.py"] }), "registry: deny[0]");
  const both = new Service(host, { entry: { writable: { branches: ["main"], paths: ["*.py"] } } });
  const error = await codeOf(
    both.mutate(operation, await both.patch("store/store.go", "Get", "return key", "return key + key")),
  );
  assert.deepEqual([error.data.path, error.data.rule], ["store/store.go", "registry: writable.paths"]);
  assert.ok(host.steps.every((step) => step === "tip main"));
});

test("a path that policy denies is refused before it is looked up, whether it is there or not", async () => {
  const host = hosted();
  const service = new Service(host);
  const there = await service.patch("app.py", "parse", "return text", "return 1");
  const absent = structuredClone(there);
  Object.assign(absent.payload.EntitySourcePatch?.source_base ?? {}, { path: "gone.py" });
  host.push("main", { ".gitpin/wiki.yaml": "safety:\n  deny: ['*.py']\n" });
  const policies = host.blobsRead.length;
  const told = [];
  for (const operation of [there, absent]) {
    const { code, message, data } = await codeOf(service.mutate(operation));
    told.push([code, message, data.rule]);
  }
  assert.deepEqual(told[0], told[1]);
  assert.equal(told[0]?.[0], "write_not_allowed");
  const bytes = [...new Set(host.blobsRead.slice(policies))];
  assert.equal(bytes.length, 1, "the policy file alone was read");
});

test("a policy file that cannot be read closes the repository to changes", async () => {
  const host = hosted();
  const service = new Service(host);
  const operation = await service.patch("app.py", "parse", "return text", "return 1");
  host.push("main", { ".gitpin/wiki.yaml": "safety: [" });
  const error = await codeOf(service.mutate(operation));
  assert.deepEqual([error.code, error.data.rule], ["write_not_allowed", "wiki"]);
});

test("a new branch starts from the bases' branch; a pull request asks for it back", async () => {
  const host = hosted();
  const service = new Service(host, { entry: { writable: { branches: ["agent/*"] } } });
  const operation = {
    ...(await service.patch("app.py", "parse", "return text", "return 1")),
    description: "Say one",
  };
  const given = {
    operations: [operation],
    branch: "agent/one",
    create_branch: true,
    pull_request: { title: "One", draft: true },
  };
  const main = host.refs.get("main");
  const result = await service.call(given);
  assert.equal(result.status, "committed");
  assert.deepEqual([result.branch, result.parent], ["agent/one", main]);
  assert.equal(host.refs.get("main"), main);
  assert.equal(host.refs.get("agent/one"), result.commitSha);
  assert.deepEqual(result.pull_request, {
    status: "open",
    number: 1,
    url: "https://github.example/octo/app/pull/1",
    code: null,
    reason: null,
    next_step: null,
  });
  assert.deepEqual(host.pulls, [
    { title: "One", body: "- Say one", draft: true, head: "agent/one", base: "main" },
  ]);
  assert.equal(service.audited[0]?.pullRequest, 1);
  assert.equal(result.entities?.[0]?.source_base?.branch, "agent/one");
  assert.equal(result.next?.tool, "pin_prove");
  assert.deepEqual(host.steps, [
    "tip main",
    "prepare",
    "createBranch agent/one",
    "wrote agent/one 1",
    "openPullRequest agent/one to main",
  ]);

  const again = await service.call(given);
  assert.deepEqual([again.status, again.code], ["refused", "branch_exists"]);
  const rehearsal = await service.call({ ...given, dry_run: true });
  assert.deepEqual([rehearsal.status, rehearsal.code], ["refused", "branch_exists"]);
  // On from the receipt, on the new branch.
  const entity = result.entities?.[0];
  const patch = { source_base: entity?.source_base ?? {}, edits: [{ old_text: "1", new_text: "2" }] };
  const on = await service.mutate({ ...operation, payload: { EntitySourcePatch: patch } });
  assert.deepEqual([on.status, on.branch, on.parent], ["committed", "agent/one", result.commitSha]);
});

test("another branch that is there: planned on its head, conflicts are of it", async () => {
  const host = hosted();
  const service = new Service(host);
  host.push("dev", { "app.py": `# dev\n\n${APP}` }, host.refs.get("main"));
  const operation = await service.patch("app.py", "parse", "return text", "return 1");
  const result = await service.call({ operations: [operation], branch: "dev" });
  assert.deepEqual([result.status, result.branch, result.rebased], ["committed", "dev", true]);
  assert.match(host.text("dev", "app.py") ?? "", /^# dev\n\n.*return 1$/ms);
  assert.equal(host.text("main", "app.py"), APP);
  const conflict = await service.call({ operations: [operation], branch: "dev" });
  assert.equal(conflict.code, "source_base_conflict");
  assert.equal(conflict.current_repository_base?.branch, "dev");
  assert.equal(conflict.current_source?.source_base.branch, "dev");
  // Its base is of another branch than those of the call, so it is not put in their place.
  assert.deepEqual(conflict.next, {
    tool: "get_entity_source",
    arguments: { repository: "app", entity_id: operation.target, path: "app.py", ref: "dev" },
  });
});

test("what branch, create_branch and pull_request must be", async () => {
  const host = hosted();
  const service = new Service(host);
  const operations = [await service.patch("app.py", "parse", "return text", "return 1")];
  const field = async (given: Record<string, unknown>) => {
    const error = await codeOf(service.call({ operations, ...given }));
    return [error.code, error.data.field ?? error.data.branch];
  };
  assert.deepEqual(await field({ branch: "a..b" }), ["invalid_argument", "branch"]);
  assert.deepEqual(await field({ branch: "main", create_branch: true }), [
    "invalid_argument",
    "create_branch",
  ]);
  assert.deepEqual(await field({ create_branch: true }), ["invalid_argument", "create_branch"]);
  assert.deepEqual(await field({ pull_request: { title: "T" } }), ["invalid_argument", "pull_request"]);
  assert.deepEqual(host.steps, []);
  assert.deepEqual(await field({ branch: "gone" }), ["branch_missing", "gone"]);
});

test("a branch that callers may not read is no place to start from", async () => {
  const host = hosted();
  host.push("secret", { "app.py": APP.replace("return text", "return 'secret'") }, host.refs.get("main"));
  const entry = { writable: { branches: ["agent/*"] } };
  const service = new Service(host, { entry });
  const { base, id } = await service.source("app.py", "parse");
  const payload = {
    EntitySourcePatch: {
      source_base: { ...base, branch: "secret" },
      edits: [{ old_text: "x", new_text: "y" }],
    },
  };
  const reads = host.reader();
  // As the real reader: only registered refs have a tip.
  const ports = {
    open: () =>
      new Proxy(reads, { get: (target, name) => (name === "head" ? headOfMain : Reflect.get(target, name)) }),
  };
  const headOfMain = async (ref?: string) => {
    if (ref === undefined || ref === "main") return await reads.head();
    throw new GitpinError("ref_not_registered", "Not registered.", "Name another.");
  };
  const closed = new Service(host, { entry, ports });
  const operation = { verb: "patch" as const, target: id, description: "", payload };
  host.push("agent/there", { "app.py": APP }, host.refs.get("main"));
  for (const given of [
    { branch: "agent/x", create_branch: true },
    { branch: "agent/there", pull_request: { title: "Into it" } },
    { branch: "agent/there" },
    { branch: "agent/there", dry_run: true },
  ]) {
    const error = await codeOf(closed.call({ operations: [operation], ...given }));
    assert.equal(error.code, "ref_not_registered", JSON.stringify(given));
  }
  assert.deepEqual(host.steps, []);
});

test("what a call with a new branch leads to is read on the branch it starts from", async () => {
  const host = hosted();
  const service = new Service(host);
  const given = { branch: "agent/new", create_branch: true };
  const missing = await service.call({
    operations: [await service.patch("app.py", "parse", "nowhere", "x")],
    ...given,
  });
  assert.equal(missing.code, "anchor_missing");
  assert.equal(missing.next?.tool, "get_entity_source");
  assert.ok(!("ref" in (missing.next?.arguments ?? {})), "main is HEAD");
  host.push("dev", { "app.py": APP }, host.refs.get("main"));
  const { base, id } = await service.source("app.py", "parse", "dev");
  const payload = {
    EntitySourcePatch: { source_base: base, edits: [{ old_text: "nowhere", new_text: "x" }] },
  };
  const other = await service.call({
    operations: [{ verb: "patch", target: id, description: "", payload }],
    ...given,
  });
  assert.deepEqual([other.code, other.next?.arguments.ref], ["anchor_missing", "dev"]);
});

test("an empty repository gets its first file; more, or a branch, is refused with the way out", async () => {
  const host = new MemoryHost();
  const service = new Service(host);
  const unit = { language: "go", package: ".", name: "app" };
  const create = service.createInUnit(unit, "function", "Run", "func Run() {}");
  const branched = await service.call({ operations: [create], branch: "agent/x", create_branch: true });
  assert.deepEqual([branched.status, branched.code], ["refused", "repository_empty"]);
  const other = service.createInUnit(
    { language: "go", package: "b", name: "b" },
    "function",
    "B",
    "func B() {}",
  );
  const two = await service.mutate(create, other);
  assert.deepEqual([two.status, two.code], ["refused", "repository_empty"]);
  const plan = await service.call({ operations: [create], dry_run: true });
  assert.deepEqual([plan.status, plan.parent, plan.repository_base?.head], ["planned", null, null]);
  const result = await service.mutate(create);
  assert.equal(result.status, "committed");
  assert.deepEqual([result.parent, result.commitSha], [null, host.refs.get("main")]);
  assert.equal(result.treeSha, plan.treeSha);
  assert.equal(result.treeSha, host.commits.get(result.commitSha ?? "")?.tree);
  assert.equal(host.text("main", "app.go"), "package app\n\nfunc Run() {}\n");
  assert.equal(host.history("main")[0]?.message, "Create Run\n\nRequested-by: token:0123456789abcdef");
  // The base of before, when somebody was there first.
  const late = await service.mutate(create);
  assert.equal(late.code, "repository_base_conflict");
});

test("the first commit that somebody else makes first is planned again on theirs", async () => {
  const host = new MemoryHost();
  const service = new Service(host);
  const unit = { language: "go", package: "sub", name: "sub" };
  const create = service.createInUnit(unit, "function", "Run", "func Run() {}");
  host.before.firstCommit = () => void host.push("main", { "README.md": "hello\n" });
  const result = await service.mutate(create);
  assert.equal(result.status, "committed");
  assert.deepEqual(result.rebased_heads?.from, [null]);
  assert.equal(host.text("main", "README.md"), "hello\n");
  assert.equal(host.text("main", "sub/sub.go"), "package sub\n\nfunc Run() {}\n");
});

test("removed names: the new state is searched where its archive is stored, denied paths are not shown", async () => {
  const host = hosted();
  const head = host.push("main", {
    "use.py": "from app import run\n\nrun()\nrunner = 1\n",
    "secrets/prod.yaml": "run: 1\n",
  });
  host.archived.add(head);
  const service = new Service(host);
  const remove = await service.remove("app.py", "run");
  const dry = await service.call({ operations: [remove], dry_run: true });
  const expected = {
    names: ["run"],
    unsearched: [],
    totalLines: 2,
    lines: [
      { path: "use.py", line: 1, text: "from app import run", truncated: false },
      { path: "use.py", line: 3, text: "run()", truncated: false },
    ],
    complete: true,
  };
  assert.deepEqual(dry.references, { ...expected, command: null });
  const done = await service.mutate(remove);
  assert.deepEqual(done.references, {
    ...expected,
    command: `git grep -n -I -w -F -e run ${done.commitSha}`,
  });
  const edit = await service.mutate(await service.patch("app.py", "parse", "return text", "return 1"));
  assert.equal(edit.references, undefined);
});

test("several removed names are one search", async () => {
  const host = hosted();
  host.archived.add(host.push("main", { "notes.md": "parse and run, not parser\nGet\n" }));
  const service = new Service(host);
  const result = await service.mutate(
    await service.remove("app.py", "run"),
    await service.remove("app.py", "parse"),
  );
  assert.equal(result.status, "committed");
  assert.deepEqual(
    typeof result.references === "object" && [result.references.names, result.references.lines],
    [["run", "parse"], [{ path: "notes.md", line: 1, text: "parse and run, not parser", truncated: false }]],
  );
});

test("a diff that is too large is left out with the command that shows it", async () => {
  const host = new MemoryHost();
  host.push("main", { "a.py": "def f():\n    return 1\n" });
  const service = new Service(host);
  const body = `def f():\n    return [\n${`        "${"x".repeat(60)}",\n`.repeat(1_200)}    ]`;
  const update = await service.update("a.py", "f", body);
  const dry = await service.call({ operations: [update], dry_run: true });
  assert.deepEqual([dry.diff, dry.diff_omitted?.command], [null, null]);
  const result = await service.mutate(update);
  assert.equal(result.diff, null);
  assert.equal(result.diff_omitted?.command, `git show --format= ${result.commitSha}`);
});

test("syntax errors of before are told apart and do not block", async () => {
  const host = new MemoryHost();
  host.push("main", { "a.py": "def f():\n    return 1\n\n\ndef g(:\n    pass\n" });
  const service = new Service(host);
  const result = await service.mutate(await service.patch("a.py", "f", "1", "2"));
  assert.equal(result.status, "committed");
  assert.equal(result.earlier_faults?.places[0]?.line, 5);
});

test("symlinks, large files and trees that cannot be rebuilt are refused by name", async () => {
  const host = hosted();
  const service = new Service(host);
  const operation = await service.patch("app.py", "parse", "return text", "return 1");
  host.push("main", { "app.py": { mode: "120000", text: "other.py" } });
  const link = await service.mutate(operation);
  assert.deepEqual([link.status, link.code, link.operation], ["refused", "source_refused", 0]);
  host.push("main", { "app.py": "#".repeat(600_000) });
  const large = await service.mutate(operation);
  assert.deepEqual([large.status, large.code], ["refused", "source_refused"]);
  assert.match(large.reason ?? "", /app\.py/);
});

test("the executable bit stays, and odd modes of old trees become plain", async () => {
  const host = new MemoryHost();
  host.push("main", {
    "run.py": { mode: "100755", text: "def f():\n    return 1\n" },
    "old.py": { mode: "100664", text: "def g():\n    return 1\n" },
  });
  const service = new Service(host);
  const result = await service.mutate(
    await service.patch("run.py", "f", "1", "2"),
    await service.patch("old.py", "g", "1", "2"),
  );
  assert.equal(result.status, "committed");
  const files = host.snapshots.get(result.commitSha ?? "");
  assert.deepEqual([files?.get("run.py")?.mode, files?.get("old.py")?.mode], ["100755", "100644"]);
});
