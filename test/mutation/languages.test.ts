/** In every language that is edited: find, read, mutate, verify, by MCP and by curl; git shows the same change. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import type { EntitiesFound, EntitySource } from "../../src/schema/entities.ts";
import type { MutationResult } from "../../src/schema/mutation-result.ts";
import type { VerificationReport } from "../../src/schema/verification.ts";
import { CLIENTS, type Session } from "../mcp-sessions.ts";
import { WrittenStack } from "./written-stack.ts";

const run = promisify(execFile);

/** Path, its text, what is edited in it, and the declaration it is edited to. */
const CASES: Record<string, { path: string; text: string; name: string; from: string; to: string }> = {
  Go: {
    path: "store/store.go",
    text: "package store\n\n// Get reads.\nfunc Get() int {\n\treturn 1\n}\n",
    name: "Get",
    from: "return 1",
    to: "return 2",
  },
  Python: {
    path: "app.py",
    text: "class A:\n    def get(self):\n        return 1\n",
    name: "A.get",
    from: "return 1",
    to: "return 2",
  },
  Rust: {
    path: "src/lib.rs",
    text: "/// Reads.\npub fn get() -> u8 {\n    1\n}\n",
    name: "get",
    from: "    1",
    to: "    2",
  },
  TypeScript: {
    path: "web/a.ts",
    text: "export function get(): number {\n  return 1;\n}\n",
    name: "get",
    from: "return 1",
    to: "return 2",
  },
  TSX: { path: "web/b.tsx", text: "export const B = () => <p>one</p>;\n", name: "B", from: "one", to: "two" },
  JavaScript: {
    path: "web/c.js",
    text: "export class C {\n  get() {\n    return 1;\n  }\n}\n",
    name: "C.get",
    from: "return 1",
    to: "return 2",
  },
  Java: {
    path: "J.java",
    text: "class J {\n  int get() {\n    return 1;\n  }\n}\n",
    name: "J.get",
    from: "return 1",
    to: "return 2",
  },
};

let served: WrittenStack;
let session: Session;

before(async () => {
  served = await WrittenStack.start({
    files: {
      "go.mod": "module example.org/app\n",
      ...Object.fromEntries(Object.values(CASES).map(({ path, text }) => [path, text])),
    },
  });
  const connect = CLIENTS["client 2.4 speaking 2026-07-28"];
  assert.ok(connect);
  session = await connect(`${served.stack.worker.url}/mcp`);
  // From now on the client checks every answer against the tool's published schema.
  await session.client.listTools();
});

after(async () => {
  await session.client.close();
  await served.close();
});

async function byMcp<T>(tool: string, given: Record<string, unknown>): Promise<T> {
  const result = await session.call(tool, given);
  assert.notEqual(result.isError, true, JSON.stringify(result.content));
  return result.structuredContent as T;
}

/** Exactly what a person would type. */
async function byCurl<T>(path: string, given: Record<string, unknown>): Promise<T> {
  const { stdout } = await run("curl", [
    "--silent",
    "--show-error",
    "--fail-with-body",
    "--json",
    JSON.stringify(given),
    `${served.stack.worker.url}${path}`,
  ]);
  return JSON.parse(stdout) as T;
}

function assertCommitted(result: MutationResult, path: string, from: string, to: string): void {
  const commit = result.commitSha ?? "";
  assert.equal(served.head(), commit);
  assert.equal(served.git("rev-parse", `${commit}^{tree}`), result.treeSha);
  assert.equal(served.git("rev-parse", `${commit}^`), result.parent);
  assert.match(
    served.git("show", "--stat", "--format=", commit),
    new RegExp(`^ ${path} \\| 2 \\+-\\n 1 file changed`),
  );
  const changed = served
    .git("diff", "--unified=0", `${commit}^`, commit)
    .split("\n")
    .filter((line) => /^[-+](?![-+])/.test(line));
  assert.equal(changed.length, 2);
  assert.ok(changed[0]?.startsWith("-") && changed[0].includes(from.trim()), changed[0]);
  assert.ok(changed[1]?.startsWith("+") && changed[1].includes(to.trim()), changed[1]);
  served.assertSound();
}

for (const [language, { path, name, from, to }] of Object.entries(CASES)) {
  test(`${language}: find, read, mutate, verify`, async () => {
    const found = await byMcp<EntitiesFound>("kin_find_entities", { repository: "app", query: name, path });
    const [entity] = found.entities;
    assert.equal(entity?.qualified_name, name);
    const source = await byMcp<EntitySource>("get_entity_source", {
      repository: "app",
      entity_id: entity?.id,
      path,
    });
    const there = await byMcp<MutationResult>("kin_mutate", {
      summary: `Change ${name}`,
      operations: [served.patchOf(source, from, to)],
    });
    assert.equal(there.status, "committed");
    assertCommitted(there, path, from, to);
    assert.equal(there.next?.tool, "pin.verify");
    const proof = await byMcp<VerificationReport>("pin.verify", there.next?.arguments ?? {});
    assert.deepEqual([proof.status, proof.claimVerdict], ["ok", "supported"]);

    // And back by curl, from what the receipt handed out, without a read.
    const [edited] = there.entities ?? [];
    const back = await byCurl<MutationResult>("/v1/kin/mutate", {
      operations: [
        {
          verb: "patch",
          target: edited?.id,
          description: `Back to ${from.trim()}`,
          payload: {
            EntitySourcePatch: {
              source_base: edited?.source_base,
              edits: [{ old_text: to, new_text: from }],
            },
          },
        },
      ],
    });
    assert.equal(back.status, "committed");
    assertCommitted(back, path, to, from);
    assert.equal(back.next?.tool, "pin.verify");
    const again = await byCurl<VerificationReport>("/v1/verify", back.next?.arguments ?? {});
    assert.equal(again.status, "ok");
    assert.match(served.git("log", "-1", "--format=%B"), new RegExp(`^Update ${name}\\n\\n- Back to `));
  });
}

test("curl's exit status is the gate: 22 for a conflict and for a refusal, whose data come along", async () => {
  const source = await served.source("app.py", "A.get");
  const good = served.patchOf(source, "return 1", "return 3");
  await byCurl("/v1/kin/mutate", { operations: [good] });
  for (const [operation, status] of [
    [good, "conflict"],
    [served.patchOf(await served.source("app.py", "A.get"), "nowhere", "x"), "refused"],
  ] as const) {
    const failed = await byCurl("/v1/kin/mutate", { operations: [operation] }).catch(
      (error: unknown) => error,
    );
    const { code, stdout } = failed as { code: number; stdout: string };
    assert.equal(code, 22);
    assert.equal((JSON.parse(stdout) as MutationResult).status, status);
  }
});

test("as text for people, with a diff that git apply takes", async () => {
  const source = await served.source("app.py", "A.get");
  const response = await fetch(`${served.stack.worker.url}/v1/kin/mutate`, {
    method: "POST",
    headers: { accept: "text/plain", "content-type": "application/json" },
    body: JSON.stringify({ operations: [served.patchOf(source, "return 3", "return 4")] }),
  });
  const text = await response.text();
  const parent = served.head();
  const [first, ...lines] = text.split("\n");
  assert.equal(first, `committed ${parent} on main of app: 1 file, 1 operation`);
  assert.ok(lines.includes(`edited  app/app.py:2-3 @ ${parent}  method A.get  ${source.id}`), text);
  const next = lines.find((line) => line.startsWith("next: pin.verify "))?.slice("next: pin.verify ".length);
  const report = await byCurl<VerificationReport>("/v1/verify", JSON.parse(next ?? "{}"));
  assert.equal(report.status, "ok");
  const diff = text.slice(text.indexOf("diff --git"));
  assert.equal(
    diff,
    `${served.git("diff", "--full-index", `${parent}^`, parent).replace(/^index .*\n/m, "")}\n`,
  );
});
