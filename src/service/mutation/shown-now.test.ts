/** A repeated call gets its receipt without what registry or wiki policy have closed since, whether settled or recovered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryHost } from "../../../test/mutation/memory-host.ts";
import { Service } from "../../../test/mutation/service.ts";
import { GitpinError } from "../../errors.ts";
import type { MutateInput } from "../../schema/mutation.ts";
import type { MutationResult } from "../../schema/mutation-result.ts";

const FILES = {
  "app.py": "def parse(text):\n    return SECRET\n\n\ndef old():\n    return parse('x')\n",
  "core.py": "def keep():\n    return 1\n",
  "use.py": "from app import old\n",
};
const deny = (path: string) => `safety:\n  deny:\n    - ${path}\n`;
const POLICY_CLOSES =
  "The registry or the repository's own policy closes some of these paths to this caller by now.";

interface Committed {
  host: MemoryHost;
  service: Service;
  given: Partial<MutateInput>;
  first: MutationResult;
}

/** Edits `parse`, removes `old` and creates in core.py; references to `old` are searched. */
async function committed(): Promise<Committed> {
  const host = new MemoryHost();
  host.archived.add(host.push("main", FILES));
  const service = new Service(host);
  const given = {
    operations: [
      await service.patch("app.py", "parse", "SECRET", "SECRET + 1"),
      await service.remove("app.py", "old"),
      await service.patch("core.py", "keep", "1", "2"),
    ],
    request_id: "r",
  };
  const first = await service.call(given);
  assert.equal(first.status, "committed", JSON.stringify(first));
  assert.match(JSON.stringify(first.next), /return SECRET \+ 1/);
  assert.ok(typeof first.references === "object" && first.references.totalLines === 1);
  return { host, service, given, first };
}

const facts = ({ already_applied, commitSha, diff, references, earlier_faults, next }: MutationResult) => ({
  already_applied,
  commitSha,
  diff,
  references,
  earlier_faults,
  next,
});
const withheld = ({ commitSha }: MutationResult) => ({
  already_applied: true,
  commitSha,
  diff: null,
  references: undefined,
  earlier_faults: undefined,
  next: null,
});

test("what nobody has closed is shown whole", async () => {
  const { host, service, given, first } = await committed();
  host.push("main", { ".gitpin/wiki.yaml": deny("elsewhere.py") });
  assert.deepEqual(await service.call(given), { ...first, already_applied: true });
});

test("a path that the wiki policy of HEAD denies by now: its name stays, what it holds does not", async () => {
  const { host, service, given, first } = await committed();
  host.push("main", { ".gitpin/wiki.yaml": deny("app.py") });
  const again = await service.call(given);
  assert.deepEqual(facts(again), withheld(first));
  assert.deepEqual(again.diff_omitted, { reason: POLICY_CLOSES, command: null });
  // As a comparison or a listing shows it: the name of the path, and nothing of it.
  assert.deepEqual(again.modified_files, ["app.py", "core.py"]);
  assert.deepEqual(
    again.entities?.map(({ path, name }) => `${path} ${name}`),
    ["core.py keep"],
  );
  assert.equal(again.entities_omitted, 2);
  assert.doesNotMatch(JSON.stringify(again), /SECRET|parse|\bold\b/);
});

test("a path that was only shown among the references is one of them", async () => {
  const { host, service, given, first } = await committed();
  host.push("main", { "docs/wiki.yaml": deny("use.py") });
  const again = await service.call(given);
  assert.deepEqual(facts(again), withheld(first));
  assert.deepEqual(again.entities, first.entities);
  assert.doesNotMatch(JSON.stringify(again), /use\.py/);
});

test("the rules of HEAD bind what was committed to another branch", async () => {
  const host = new MemoryHost();
  host.push("main", FILES);
  const service = new Service(host);
  const operations = [await service.patch("app.py", "parse", "SECRET", "SECRET + 1")];
  const given = { operations, branch: "agent/x", create_branch: true, request_id: "r" };
  const first = await service.call(given);
  host.push("main", { ".gitpin/wiki.yaml": deny("app.py") });
  assert.deepEqual(facts(await service.call(given)), withheld(first));
});

test("a policy file that cannot be read shows nothing, names neither", async () => {
  const { host, service, given, first } = await committed();
  host.push("main", { ".gitpin/wiki.yaml": "safety: [" });
  const again = await service.call(given);
  assert.deepEqual(facts(again), withheld(first));
  assert.match(
    again.diff_omitted?.reason ?? "",
    /^The commit landed\. \.gitpin\/wiki\.yaml at HEAD cannot be read/,
  );
  assert.doesNotMatch(JSON.stringify(again), /SECRET|parse|app\.py|core\.py/);
});

test("a policy that cannot be asked for withholds the content, and the call does not fail", async () => {
  const { host, service, given, first } = await committed();
  const unreachable = new Service(host, {
    ports: {
      open: () => ({
        ...host.reader(),
        head: async () => {
          throw new GitpinError("upstream_timeout", "GitHub took too long.", "Try again.");
        },
      }),
    },
    writing: { requests: service.requests.ledger },
  });
  const again = await unreachable.call(given);
  assert.deepEqual(facts(again), withheld(first));
  assert.equal(
    again.diff_omitted?.reason,
    "The commit landed; what of it may be shown could not be asked now (upstream_timeout: GitHub took too long.).",
  );
  assert.doesNotMatch(JSON.stringify(again), /SECRET|app\.py/);
  // It was withheld, not forgotten.
  assert.equal((await service.call(given)).diff, first.diff);
});

test("a receipt that is recovered from what was announced is shown by the same rules", async () => {
  const host = new MemoryHost();
  host.push("main", FILES);
  const service = new Service(host);
  const given = {
    operations: [await service.patch("app.py", "parse", "SECRET", "SECRET + 1")],
    request_id: "r",
  };
  // The branch moved, and the answer was lost.
  host.after.advance = () => {
    host.after = {};
    throw new GitpinError("write_unknown", "Not told.", "Look.");
  };
  await assert.rejects(service.call(given), { code: "write_unknown" });
  const commitSha = host.refs.get("main");
  host.push("main", { ".gitpin/wiki.yaml": deny("app.py") });
  service.requests.clock.ms += 121_000;
  const again = await service.call(given);
  assert.deepEqual([again.already_applied, again.commitSha, again.diff], [true, commitSha, null]);
  assert.doesNotMatch(JSON.stringify(again), /SECRET|parse/);
  host.push("main", { ".gitpin/wiki.yaml": null });
  assert.match((await service.call(given)).diff ?? "", /\+ {4}return SECRET \+ 1/);
});

test("what the registry denies by now, or opens to no changes, is not shown", async () => {
  for (const entry of [{ deny: ["app.py"] }, { writable: { branches: ["**"], paths: ["core.py"] } }]) {
    const { host, service, given, first } = await committed();
    const later = new Service(host, { entry, writing: { requests: service.requests.ledger } });
    assert.deepEqual(facts(await later.call(given)), withheld(first));
  }
});
