/** `GET /c/{handle}`: the address, the forms, the statuses, and that nothing of a repository gets into markup. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as fc from "fast-check";
import { printHandle } from "../../src/core/citation/cite.ts";
import { anyPath } from "../../src/core/citation/nasty-paths.fixture.ts";
import { readCitationAddress } from "../../src/http/citation-route.ts";
import type { EvidenceSlice } from "../../src/schema/evidence.ts";
import type { VerificationReport } from "../../src/schema/verification.ts";
import type { ExampleRepository } from "./example-repository.ts";
import { addHostile, HOSTILE_PATH } from "./hostile-repository.ts";
import { type Service, startService } from "./service.ts";

let service: Service;
let hostile = "";
const prepare = (example: ExampleRepository): void => {
  hostile = addHostile(example);
};
before(async () => {
  service = await startService({ file: true, prepare });
});
after(() => service.close());

const handleOf = (
  sourcePath: string,
  line: number | null = null,
  lineEnd = line,
  sha = service.example.first,
) => printHandle({ repository: "example", sourcePath, sha, line, lineEnd });

async function open(handle: string, more = "", accept = "*/*") {
  const response = await service.ask(`/c/${encodeURIComponent(handle)}${more}`, { headers: { accept } });
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    headers: response.headers,
    text: await response.text(),
  };
}

describe("the address", () => {
  const read = (handle: string, more = "") =>
    readCitationAddress(new URL(`https://x.example/c/${encodeURIComponent(handle)}${more}`).pathname, "");

  test("gives back every handle that was percent-encoded whole", () => {
    void fc.assert(
      fc.property(anyPath, fc.option(fc.integer({ min: 1, max: 9999 })), (sourcePath, line) => {
        const handle = printHandle({ repository: "r", sourcePath, sha: "a".repeat(40), line, lineEnd: line });
        assert.equal(read(handle).handle, handle);
        if (line === null) return;
        assert.deepEqual(read(handle, ".svg"), { handle, form: "svg" });
        assert.deepEqual(read(handle), { handle, form: null });
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test("takes a handle that was pasted as it is without decoding it twice", () => {
    const sha = "a".repeat(40);
    for (const [path, expected] of [
      [`/c/gitpin:r@${sha}:a%20b.md:3`, `gitpin:r@${sha}:a%20b.md:3`],
      [`/c/gitpin:r@${sha}:a%2520b.md`, `gitpin:r@${sha}:a%2520b.md`],
      [`/c/gitpin%3Ar%40${sha}%3Aa%2520b.md%3A3`, `gitpin:r@${sha}:a%20b.md:3`],
    ] as const) {
      assert.equal(readCitationAddress(path, "").handle, expected);
    }
  });

  test("without line numbers a suffix is part of the path", () => {
    const sha = "a".repeat(40);
    assert.deepEqual(read(`gitpin:r@${sha}:data.json`), { handle: `gitpin:r@${sha}:data.json`, form: null });
    assert.throws(() => readCitationAddress(`/c/gitpin:r@${sha}:a:3.svg`, "?format=json"), /twice/);
    assert.throws(() => readCitationAddress("/c/gitpin:x", "?format=pdf"), /one of html/);
    assert.throws(() => readCitationAddress("/c/gitpin:x", "?line=3"), /not a parameter/);
    assert.throws(() => readCitationAddress("/c/%ff", ""), /UTF-8/);
  });
});

test("four forms of one verdict, by Accept, by suffix and by format", async () => {
  const handle = handleOf("src/greet.ts", 1, 3);
  for (const [type, suffix, format] of [
    ["text/html", ".html", "html"],
    ["application/json", ".json", "json"],
    ["text/plain", ".txt", "txt"],
    ["image/svg+xml", ".svg", "svg"],
  ] as const) {
    for (const answer of [
      await open(handle, "", type),
      await open(handle, suffix),
      await open(handle, `?format=${format}`, "video/mp4"),
    ]) {
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.type?.split(";")[0], type);
      assert.equal(answer.headers.get("cache-control"), "private, no-store");
    }
  }
  assert.equal((await open(handle, "", "video/mp4")).status, 406);
  const json = JSON.parse((await open(handle, ".json")).text) as {
    report: VerificationReport;
    slice: EvidenceSlice;
  };
  assert.equal(json.report.freshness, "moved");
  assert.deepEqual(json.report.movedTo, { start: 2, end: 4 });
  assert.equal(
    json.slice.content,
    'export function greet(name: string): string {\n  return "Hello, " + name;\n}\n',
  );
  const text = (await open(handle, ".txt")).text;
  assert.match(text, /^ok {2}moved {2}example\/src\/greet\.ts:1-3 @ /);
  assert.match(text, /\n2 {4}return "Hello, " \+ name;\n/);
  assert.match(text, new RegExp(`\ngit show '?${service.example.first}:src/greet\\.ts'? \\| tail`));
});

test("each verdict has its words, its status and its badge", async () => {
  const first = service.example.first;
  for (const [handle, status, headline, badge] of [
    [handleOf("README.md", 3), 200, "Still so at HEAD.", "still so"],
    [handleOf("src/greet.ts", 1, 3), 200, "Still there: the lines moved to lines 2 to 4.", "moved"],
    [
      handleOf("src/greet.ts", null, null),
      409,
      "It stands at that commit; at HEAD it was changed.",
      "changed",
    ],
    [handleOf("README.md", 99), 404, "Missing: there is no such commit, path or line.", "missing"],
    [handleOf(".env"), 403, "Blocked: this may not be shown.", "blocked"],
    [`gitpin-absence:example@${first}?q=goodbye`, 200, "Still absent", "absent"],
  ] as const) {
    const page = await open(handle, "", "text/html");
    assert.equal(page.status, status, handle);
    assert.ok(page.text.includes(headline), `${handle}: ${page.text}`);
    const image = await open(handle, "?format=svg");
    assert.equal(image.status, 200, "an image that is refused shows nothing");
    assert.ok(image.text.includes(`: ${badge}</title>`), image.text);
    assert.equal((await open(handle, "?format=json")).status, status);
  }
  const blocked = await open(handleOf(".env"), "", "text/html");
  assert.doesNotMatch(blocked.text, /SECRET=1/);
});

test("what is no citation, or not to be seen, is a problem like everywhere", async () => {
  for (const [handle, status, code] of [
    ["nonsense", 400, "invalid_citation"],
    ["gitpin:", 400, "invalid_citation"],
    [handleOf("../x"), 400, "invalid_citation"],
    [`gitpin:closed@${service.example.first}:README.md`, 404, "repository_unknown"],
    ["gitpin-absence:example@nonsense?q=x", 400, "invalid_citation"],
  ] as const) {
    const answer = await open(handle);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, new RegExp(code));
    if (code === "invalid_citation") {
      const field = handle.startsWith("gitpin-absence:") ? "absence" : "handle";
      assert.equal(JSON.parse(answer.text).error.data.field, field);
    }
    const page = await open(handle, "", "text/html");
    assert.equal(page.status, status);
    assert.equal(page.type, "text/html; charset=utf-8");
  }
});

test("a citation that cannot be read is told by the argument it was", async () => {
  for (const field of ["cite", "handle", "absence"]) {
    const answer = await service.ask(`/v1/verify?${field}=nonsense`, {
      headers: { accept: "application/json" },
    });
    const { error } = (await answer.json()) as { error: { code: string; data: { field: string } } };
    assert.deepEqual([answer.status, error.code, error.data.field], [400, "invalid_citation", field]);
  }
});

/** Whatever a reader cannot see, but for line ends and tabs. */
const HIDDEN = /[^\n\t\P{Cc}]|\p{Cf}/u;

/** Markup of our own templates only: every tag and attribute that a page may have. */
const TAGS =
  /^(!doctype|html|head|meta|title|style|body|header|a|h1|h2|h3|main|div|p|strong|dl|dt|dd|code|time|table|tr|th|td|span|pre|ul|li|footer|small|details|summary|nav|section|caption|thead|tbody)$/;

function assertSafe(page: string): void {
  const style = /<style>.*?<\/style>/s;
  assert.equal(page.match(/<style/g)?.length, 1);
  for (const [tag, name = ""] of page.replace(style, "<style></style>").matchAll(/<\/?([^\s>/]*)[^>]*>/g)) {
    assert.match(name.toLowerCase(), TAGS);
    assert.doesNotMatch(tag, /\son\w+\s*=|\sstyle\s*=|\ssrc\s*=/i);
  }
  assert.equal(HIDDEN.exec(page)?.[0], undefined, "a hidden character");
  for (const [, href = ""] of page.matchAll(/href="([^"]*)"/g)) assert.match(href, /^(https?:\/\/|#|\/)/);
}

test("hostile names and text stay text, hidden characters show, and everything has its bound", async () => {
  const whole = await open(handleOf(HOSTILE_PATH, 1, 8, hostile), "", "text/html");
  assert.equal(whole.status, 200, whole.text.slice(0, 400));
  assertSafe(whole.text);
  assert.match(whole.text, /&lt;script&gt;document\.title=&#39;owned&#39;&lt;\/script&gt;/);
  for (const mark of ["U+202E", "U+2066", "U+200B", "U+E0041", "U+0007", "U+001B", "U+00AD", "U+000D"])
    assert.ok(whole.text.includes(`<span class="mark">${mark}</span>`), mark);
  assert.match(whole.text, /\ttab, then caf\u00e9/);
  assert.match(whole.text, /1 long line is cut after 2000 characters/);
  assert.doesNotMatch(whole.text, /x{2500}/);
  assert.match(/<title>(.*)<\/title>/.exec(whole.text)?.[1] ?? "", /\[U\+202E\]/);

  const many = await open(handleOf("many.txt", null, null, hostile), "", "text/html");
  assertSafe(many.text);
  assert.match(many.text, /Only up to line 1000 of 3000 is shown/);
  assert.ok(many.text.length < 200_000);
  const text = await open(handleOf(HOSTILE_PATH, 1, 8, hostile), "?format=txt");
  assert.doesNotMatch(text.text, HIDDEN);
});

test("bytes that are no text, an empty file, a directory and a file that ends like a form", async () => {
  const at = async (path: string) => (await open(handleOf(path, null, null, hostile), "", "text/html")).text;
  assert.match(await at("binary.bin"), /These bytes are not text/);
  assert.match(await at("empty.txt"), /The file is empty/);
  assert.match(await at("src"), /<code>greet\.ts<\/code> file/);
  assert.match(await at(""), /entries/);
  assert.match(await at("data.json"), /Still so at HEAD/);
  for (const page of await Promise.all(["binary.bin", "empty.txt", "src", "", "data.json"].map(at)))
    assertSafe(page);
});

test("only GET and HEAD; the policy lets the page's own style through and nothing else", async () => {
  const path = `/c/${encodeURIComponent(handleOf("README.md", 3))}`;
  const refused = await service.ask(path, { method: "POST" });
  assert.equal(refused.status, 405);
  assert.equal(refused.headers.get("allow"), "GET, HEAD");
  const { text, headers } = await open(handleOf("README.md", 3), "", "text/html");
  const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? "";
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style))).toString(
    "base64",
  );
  assert.equal(
    headers.get("content-security-policy"),
    `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  assert.equal(
    (await open(handleOf("README.md", 3), ".svg")).headers.get("content-security-policy"),
    "default-src 'none'; frame-ancestors 'none'",
  );
});
