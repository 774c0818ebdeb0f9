/** The pages of the documentation and the commands in them (the convention is in CONTRIBUTING.md). */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const checkout = join(import.meta.dirname, "../..");

/** Pages whose commands need a deployment with teams, which `test/teams/` has. */
const ELSEWHERE = ["docs/how-to/first-day-of-a-team.md"];

export interface ShellBlock {
  /** Line of the opening fence, 1-based. */
  line: number;
  script: string;
  /** Exit code that it must end with; null: any command that fails ends the page. */
  exit: number | null;
}

export const allPages: string[] = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(checkout, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`)
    .sort(),
];

export const runnablePages = allPages.filter((page) => !ELSEWHERE.includes(page) && !/decisions/.test(page));

export const textOf = (page: string): string => readFileSync(join(checkout, page), "utf8");

/** Throws for a block whose fence does not follow the convention: a command must not go unrun by a slip. */
export function shellBlocks(text: string): ShellBlock[] {
  const blocks: ShellBlock[] = [];
  const fence = /^```(sh|bash|shell|console)\b([^\n]*)\n(.*?)^```$/gms;
  for (const { 0: whole, 1: language, 2: info = "", 3: script = "", index } of text.matchAll(fence)) {
    const line = text.slice(0, index).split("\n").length;
    const exit = /^ exit=(\d)$/.exec(info)?.[1];
    if (language !== "sh" || !(info === "" || exit !== undefined || /^ no-test: \S/.test(info))) {
      throw new Error(`line ${line}: ${whole.split("\n")[0]} is not of the convention`);
    }
    if (info.startsWith(" no-test")) continue;
    blocks.push({ line, script, exit: exit === undefined ? null : Number(exit) });
  }
  return blocks;
}

/** One page as one script. Each block says its line first, so that a failure names it. */
export function pageScript(blocks: readonly ShellBlock[]): string {
  const parts = blocks.map(({ line, script, exit }) => {
    const say = `echo "line ${line}:" >&2\n`;
    return exit === null
      ? `${say}${script}`
      : `${say}code=0\n(\n${script}) || code=$?\nif [ "$code" != ${exit} ]; then echo "exit $code, not ${exit}" >&2; exit 99; fi\n`;
  });
  return `set -eu\n${parts.join("")}`;
}
