/** While an archive streams: progress for those who ask, in both eras; and a caller that leaves takes the download along. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { createGzip } from "node:zlib";
import { GitRepository } from "../repositories/git.ts";
import { type Stack, startStack } from "../stack.ts";

let repository: GitRepository;
let commits: string[];
let stack: Stack;

before(async () => {
  repository = new GitRepository("big");
  commits = [];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 4; j++) repository.write(`f${j}.txt`, randomBytes(900_000).toString("hex"));
    commits.push(repository.commit(`commit ${i}`));
  }
  stack = await startStack({
    host: { repositories: [{ owner: "o", name: "big", path: repository.path, id: 1 }] },
    registry: [{ name: "big", owner: "o", repo: "big", id: 1 }],
    vars: { HEAD_MAX_AGE: "3600", UPSTREAM_TIMEOUT_MS: "60000", MAX_ARCHIVE_BYTES: "2000000000" },
  });
});

after(async () => {
  stack?.host.faults.clear();
  await stack?.close();
  repository.remove();
});

interface Message {
  method?: string;
  params?: { progressToken: string | number; progress: number; total?: number };
  result?: { structuredContent: { complete: boolean } };
}

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function post(
  sha: string,
  era: "2025" | "2026",
  token?: string | number,
  signal?: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    connection: "close",
    ...(era === "2025"
      ? { "mcp-protocol-version": "2025-06-18" }
      : { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "pin.search_code" }),
  };
  const meta = {
    ...(era === "2026" ? MODERN : {}),
    ...(token === undefined ? {} : { progressToken: token }),
  };
  const params = {
    name: "pin.search_code",
    arguments: { repository: "big", sha, query: "zzz", count: true },
    _meta: meta,
  };
  return fetch(`${stack.worker.url}/mcp`, {
    method: "POST",
    headers,
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function messagesOf(response: Response): Promise<Message[]> {
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice(6)) as Message);
}

for (const [i, era] of (["2025", "2026"] as const).entries()) {
  test(`progress with a token, JSON without: era of ${era}`, { timeout: 60_000 }, async () => {
    const token = `token-${era}`;
    const messages = await messagesOf(await post(commits[i] ?? "", era, token));
    const last = messages.pop();
    assert.equal(last?.result?.structuredContent.complete, true);
    assert.ok(messages.length >= 2, `${messages.length} notifications`);
    const bytes = messages.map(({ method, params }) => {
      assert.equal(method, "notifications/progress");
      assert.equal(params?.progressToken, token);
      return params?.progress ?? 0;
    });
    assert.deepEqual(
      bytes,
      [...bytes].sort((a, b) => a - b),
    );
    assert.equal(new Set(bytes).size, bytes.length);
    const plain = await post(commits[i] ?? "", era);
    assert.match(plain.headers.get("content-type") ?? "", /^application\/json/);
    await plain.arrayBuffer();
  });
}

const FILE_BYTES = 1_900_000_000;

/** The archive of a commit whose one file goes on for nearly two gigabytes; whoever reads it takes what there is. */
function endlessArchive(tar: Buffer): Readable {
  const header = tar.indexOf("top/f0.txt");
  tar.write(`${FILE_BYTES.toString(8).padStart(11, "0")}\0`, header + 124, "latin1");
  tar.write("        ", header + 148, "latin1");
  const sum = tar.subarray(header, header + 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, "0")}\0 `, header + 148, "latin1");
  let left = FILE_BYTES;
  const piece = Buffer.alloc(64 * 1024, "endless\n");
  const content = new Readable({
    read() {
      left -= piece.length;
      this.push(left > 0 ? piece : null);
    },
  });
  content.unshift(tar.subarray(0, header + 512));
  return content.pipe(createGzip({ level: 0 }));
}

test("a caller that leaves a stream: the download ends, and the next search has its turn", {
  timeout: 50_000,
}, async () => {
  const sha = commits[2] ?? "";
  const endless = endlessArchive(repository.bytes("archive", "--format=tar", "--prefix=top/", sha, "f0.txt"));
  const fault = stack.host.faults.add({
    kind: "rewrite",
    match: (_, path) => path.startsWith("/_codeload/"),
    // What a fault makes may stream as any other answer does.
    rewrite: (answer) => ({ ...answer, body: endless as unknown as Buffer }),
  });
  const leaving = new AbortController();
  const response = await post(sha, "2025", "t", leaving.signal);
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  assert.match(Buffer.from(value ?? []).toString(), /notifications\/progress/);
  const ended = new Promise((resolve) => endless.once("close", resolve));
  leaving.abort();
  await ended;
  assert.equal(endless.readableEnded, false, "the host had more to send");
  fault.remove();
  const next = await post(sha, "2025");
  assert.equal(((await next.json()) as Message).result?.structuredContent.complete, true);
});
