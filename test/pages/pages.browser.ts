/**
 * Every page in a real browser, at phone and desktop width, light and dark: no accessibility finding, nothing wider than the
 * window, no script run and no request made beyond the page, whatever a repository holds. `SCREENSHOTS=folder` keeps pictures.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { printHandle } from "../../src/core/citation/cite.ts";
import { addHostile, HOSTILE_PATH } from "../http/hostile-repository.ts";
import { type Service, startService } from "../http/service.ts";
import { type Browser, openBrowser, pictureOf, READERS } from "./browser.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let service: Service;
let browser: Browser;
let hostile = "";
before(async () => {
  service = await startService({
    file: true,
    prepare: (example) => {
      hostile = addHostile(example);
    },
  });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await service?.close();
});

const at = (sourcePath: string, line: number | null, lineEnd: number | null, sha: string): string =>
  `/c/${encodeURIComponent(printHandle({ repository: "example", sourcePath, sha, line, lineEnd }))}`;

const PAGES: Record<string, () => string> = {
  landing: () => "/",
  docs: () => "/docs",
  problem: () => "/nothing",
  "still-so": () => at("README.md", 1, 3, service.example.first),
  moved: () => at("src/greet.ts", 1, 3, service.example.first),
  changed: () => at("src/greet.ts", null, null, service.example.first),
  missing: () => at("README.md", 99, 99, service.example.first),
  blocked: () => at(".env", null, null, service.example.first),
  absent: () => `/c/${encodeURIComponent(`gitpin-absence:example@${service.example.first}?q=goodbye`)}`,
  hostile: () => at(HOSTILE_PATH, 1, 8, hostile),
  "many-lines": () => at("many.txt", null, null, hostile),
  directory: () => at("src", null, null, hostile),
  binary: () => at("binary.bin", null, null, hostile),
};

interface Finding {
  id: string;
  impact: string | null;
  nodes: { target: string[]; failureSummary?: string }[];
}

/** axe runs by the debugger's hand, which the page's policy does not bind. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const violations = (await page.evaluate("axe.run().then((result) => result.violations)")) as Finding[];
  return violations.map(
    ({ id, impact, nodes }) =>
      `${id} (${impact}): ${nodes.map(({ target, failureSummary }) => `${target.join(" ")} ${failureSummary ?? ""}`).join("; ")}`,
  );
}

interface Watched {
  page: Page;
  requests: string[];
  alarms: string[];
}

async function open(url: string, reader: (typeof READERS)[number]): Promise<Watched> {
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: reader.width, height: reader.height });
  await page.emulateMedia({ colorScheme: reader.scheme });
  const requests: string[] = [];
  const alarms: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("dialog", (dialog) => {
    alarms.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => alarms.push(`error ${error.message}`));
  page.on("console", (message) => {
    // A status of its own is a verdict's, not a fault of the page.
    if (!/Failed to load resource: the server responded with a status of/.test(message.text()))
      alarms.push(`console ${message.text()}`);
  });
  await page.goto(`${service.worker.url}${url}`, { waitUntil: "load" });
  return { page, requests, alarms };
}

for (const [name, path] of Object.entries(PAGES)) {
  describe(name, () => {
    for (const reader of READERS) {
      test(reader.name, async () => {
        const url = path();
        const { page, requests, alarms } = await open(url, reader);
        try {
          const picture = pictureOf(`${name}-${reader.name}`);
          if (picture !== null) await page.screenshot({ path: picture, fullPage: name !== "docs" });
          assert.deepEqual(alarms, []);
          // Chromium asks for an icon by itself.
          const further = requests.slice(1).filter((asked) => !asked.endsWith("/favicon.ico"));
          assert.deepEqual(further, [], "a page asks for nothing but itself");
          const { scroll, width } = (await page.evaluate(
            "({ scroll: document.documentElement.scrollWidth, width: innerWidth })",
          )) as { scroll: number; width: number };
          assert.ok(scroll <= width, `${scroll} wide in a window of ${width}`);
          assert.doesNotMatch(await page.title(), /owned/);
          assert.notEqual(await page.evaluate("getComputedStyle(document.body).display"), "none");
          assert.deepEqual(await findings(page), []);
        } finally {
          await page.close();
        }
      });
    }
  });
}

test("the check for accessibility finds what it should", async () => {
  const [phone] = READERS;
  if (phone === undefined) throw new Error("no reader");
  const { page } = await open("/", phone);
  try {
    await page.evaluate(
      "document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=data:,x><p style=color:#eee>faint</p>')",
    );
    const found = (await findings(page)).map((finding) => finding.split(" ")[0]);
    assert.deepEqual(found, ["image-alt"]);
  } finally {
    await page.close();
  }
});

test("light and dark differ, and follow the reader", async () => {
  const colours = new Set<unknown>();
  for (const reader of READERS.slice(2)) {
    const { page } = await open("/", reader);
    colours.add(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
    await page.close();
  }
  assert.deepEqual([...colours], ["rgb(255, 255, 255)", "rgb(20, 23, 28)"]);
});

test("by keyboard: the first stop skips to what matters, lines and links can be reached, and it shows where one is", async () => {
  const [, , desktop] = READERS;
  if (desktop === undefined) throw new Error("no reader");
  const { page } = await open(at("src/greet.ts", 1, 3, service.example.first), desktop);
  try {
    const stops: string[] = [];
    for (let stop = 0; stop < 8; stop++) {
      await page.keyboard.press("Tab");
      stops.push(
        String(
          await page.evaluate(
            "(() => { const at = document.activeElement; return at === document.body ? '' : (at.getAttribute('aria-label') ?? at.textContent) + '|' + getComputedStyle(at).outlineStyle; })()",
          ),
        ),
      );
    }
    assert.deepEqual(stops.slice(0, 2), ["Skip to content|solid", "Cited lines|solid"]);
    for (const name of ["The same place at the hosting site", "JSON", "Text", "Badge (SVG)", "GitPin"])
      assert.ok(stops.includes(`${name}|solid`), `${name} in ${stops.join(", ")}`);
  } finally {
    await page.close();
  }
});

test("a reader who copies the lines gets them without their numbers", async () => {
  const [, , desktop] = READERS;
  if (desktop === undefined) throw new Error("no reader");
  const { page } = await open(at("src/greet.ts", 1, 3, service.example.first), desktop);
  try {
    const copied = await page.evaluate(
      "(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('.lines')); getSelection().removeAllRanges(); getSelection().addRange(range); return getSelection().toString(); })()",
    );
    assert.match(String(copied), /export function greet\(name: string\): string \{/);
    assert.doesNotMatch(String(copied), /^\s*[123]\s/m);
  } finally {
    await page.close();
  }
});

test("the badge is an image with words, the same in an img", async () => {
  const [, , desktop] = READERS;
  if (desktop === undefined) throw new Error("no reader");
  const { page, alarms } = await open(`${at("src/greet.ts", 1, 3, service.example.first)}.svg`, desktop);
  try {
    const picture = pictureOf("badge");
    if (picture !== null)
      await page.screenshot({ path: picture, clip: { x: 0, y: 0, width: 300, height: 60 } });
    assert.equal(await page.evaluate("document.documentElement.getAttribute('role')"), "img");
    assert.match(
      String(await page.evaluate("document.querySelector('title').textContent")),
      /^gitpin [0-9a-f]{7}: moved$/,
    );
    assert.deepEqual(alarms, []);
  } finally {
    await page.close();
  }
});
