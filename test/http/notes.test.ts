/** `POST /v1/verify-cites`: curl alone as a gate, with its bounds. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { CitationsReport } from "../../src/schema/citations-report.ts";
import { type Service, startService } from "./service.ts";

let service: Service;
let cite: (path: string, sha?: string) => string;
before(async () => {
  service = await startService({ file: true });
  cite = (path, sha = service.example.first) => `example/${path} @ ${sha}`;
});
after(() => service.close());

async function check(
  notes: string | Uint8Array,
  accept = "application/json",
  type: string | null = "text/markdown",
) {
  const response = await service.ask("/v1/verify-cites", {
    method: "POST",
    headers: { accept, ...(type === null ? {} : { "content-type": type }) },
    body: typeof notes === "string" ? notes : new Blob([new Uint8Array(notes)]),
  });
  const text = await response.text();
  return { status: response.status, type: response.headers.get("content-type"), text };
}
const report = ({ text }: { text: string }) => JSON.parse(text) as CitationsReport;

test("all hold: 200, also where the lines moved, in both forms", async () => {
  const notes = `See ${cite("README.md:3")}.\n\nAnd \`gitpin:example@${service.example.first}:src/greet.ts:1-3\`.\n`;
  const answer = await check(notes);
  assert.equal(answer.status, 200, answer.text);
  const { status, summary, citations } = report(answer);
  assert.equal(status, "ok");
  assert.deepEqual(summary, {
    citations: 2,
    ok: 2,
    moved: 1,
    notOk: 0,
    malformed: 0,
    unchecked: 0,
    beyondLimit: 0,
  });
  assert.deepEqual(
    citations.map(({ line, column, verdict, movedTo }) => ({ line, column, verdict, movedTo })),
    [
      { line: 1, column: 5, verdict: "ok", movedTo: null },
      {
        line: 3,
        column: 6,
        verdict: "ok",
        movedTo: `gitpin:example@${service.example.head}:src/greet.ts:2-4`,
      },
    ],
  );
});

test("no citation at all: 200, and it says so", async () => {
  const answer = await check("Nothing here.\n", "text/plain");
  assert.equal(answer.status, 200);
  assert.equal(answer.text, "ok  0 citations: 0 ok\n");
});

test("one that does not hold, is malformed or cannot be checked: 409, and each says why", async () => {
  const notes = [
    cite("README.md:99"),
    `example/README.md:3 @ ${service.example.first.slice(0, 10)}`,
    `nothing/README.md:3 @ ${service.example.first}`,
    cite(".env:1"),
    cite("README.md:1"),
  ].join("\n\n");
  const answer = await check(notes);
  assert.equal(answer.status, 409);
  const { status, summary, citations } = report(answer);
  assert.equal(status, "incomplete");
  assert.deepEqual(
    citations.map(({ verdict }) => verdict),
    ["missing", "malformed", "error", "blocked", "ok"],
  );
  assert.equal(citations[2]?.error?.code, "repository_unknown");
  assert.deepEqual(summary, {
    citations: 5,
    ok: 1,
    moved: 0,
    notOk: 2,
    malformed: 1,
    unchecked: 1,
    beyondLimit: 0,
  });
  assert.equal(report(await check(cite("README.md:99"))).status, "not-ok");
});

test("two hundred are checked; what is beyond is counted, and the whole fails", async () => {
  const many = (count: number) => Array.from({ length: count }, () => cite("README.md:1")).join("\n\n");
  const before_ = service.asked();
  const enough = await check(many(200));
  assert.equal(enough.status, 200, enough.text.slice(0, 300));
  assert.ok(service.asked() - before_ < 20, "equal citations are asked once");
  const answer = await check(many(201));
  assert.equal(answer.status, 409);
  const { status, summary, citations } = report(answer);
  assert.equal(status, "incomplete");
  assert.equal(summary.beyondLimit, 1);
  assert.equal(summary.citations, 201);
  assert.equal(citations.length, 200);
  assert.match(
    (await check(many(201), "text/plain")).text,
    /incomplete {2}201 citations: 200 ok, 1 beyond the first 200, not checked/,
  );
});

test("one mebibyte is read, one byte more is refused", async () => {
  assert.equal((await check("x".repeat(1_048_576))).status, 200);
  const answer = await check("x".repeat(1_048_577));
  assert.equal(answer.status, 413);
  assert.match(answer.text, /body_too_large/);
});

test("other bodies are refused, each for its reason", async () => {
  for (const [body, type, code] of [
    ['{"notes":""}', "application/json", "media_type_unsupported"],
    ["x", "text/markdown; charset=latin1", "media_type_unsupported"],
    [new Uint8Array([0xff, 0xfe]), "text/plain", "invalid_argument"],
  ] as const) {
    assert.match((await check(body, "application/json", type)).text, new RegExp(code));
  }
  assert.equal((await service.ask("/v1/verify-cites")).status, 405);
  assert.equal((await service.ask("/v1/verify-cites?strict=1", { method: "POST", body: "x" })).status, 400);
});

test("as Markdown: a table in which text of the notes stays text", async () => {
  const hostile = cite("<img src=x onerror=alert(1)>|[a](javascript:b).md:1")
    .replaceAll(" ", "%20")
    .replaceAll("%20@%20", " @ ");
  const answer = await check(`${cite("README.md:3")}\n\n\`${hostile}\`\n`, "text/markdown");
  assert.equal(answer.type, "text/markdown; charset=utf-8");
  assert.doesNotMatch(answer.text, /<img|\]\(javascript|onerror=alert\(1\)>\|/);
  const rows = answer.text
    .trimEnd()
    .split("\n")
    .filter((line) => line.startsWith("| "));
  assert.equal(rows.length, 3);
  for (const row of rows) assert.equal(row.match(/\|/g)?.length, 5, row);
});

/** Not `execFileSync`: the host that the service asks runs in this very process. */
const curl = (...args: string[]): Promise<{ code: number; out: string }> =>
  new Promise((resolve) => {
    execFile("curl", ["-fsS", ...args], (error, out) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : -1, out });
    });
  });

test("curl alone is the gate: exit 0 when all hold, 22 when not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gitpin-notes-"));
  try {
    const file = join(folder, "notes.md");
    const url = `${service.worker.url}/v1/verify-cites`;
    writeFileSync(file, `${cite("README.md:3")}\n`);
    const good = await curl("--data-binary", `@${file}`, url);
    assert.equal(good.code, 0);
    assert.equal((JSON.parse(good.out) as CitationsReport).status, "ok");
    writeFileSync(file, `${cite("README.md:3")} and ${cite("README.md:99")}\n`);
    assert.equal((await curl("--data-binary", `@${file}`, url)).code, 22);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
