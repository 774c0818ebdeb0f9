/**
 * Debian's Chromium through playwright-core, for tests of pages as readers have them. A fresh profile each time; it reaches
 * loopback only. `npm run test:pages` needs a Chromium: at /usr/bin/chromium, or where CHROMIUM says.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";

export interface Reader {
  name: string;
  width: number;
  height: number;
  scheme: "light" | "dark";
}

export const READERS: readonly Reader[] = [
  { name: "phone-light", width: 360, height: 740, scheme: "light" },
  { name: "phone-dark", width: 360, height: 740, scheme: "dark" },
  { name: "desktop-light", width: 1280, height: 900, scheme: "light" },
  { name: "desktop-dark", width: 1280, height: 900, scheme: "dark" },
];

export interface Browser {
  context: BrowserContext;
  close(): Promise<void>;
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    throw new Error(
      `There is no browser at ${executablePath}: install Chromium, or set CHROMIUM to its path.`,
    );
  }
  const profile = mkdtempSync(join(tmpdir(), "gitpin-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Where pictures go when SCREENSHOTS names a folder; null without. */
export function pictureOf(name: string): string | null {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return null;
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
}
