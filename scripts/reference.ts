/**
 * Writes the reference pages that are made from the code, and the table of tools in README.md; with --check fails when one is not
 * up to date. Owns which pages there are; what stands in them is said by `reference/`.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileRegistry } from "../src/registry/file-registry.ts";
import { createTools } from "../src/tools/index.ts";
import { cliPage } from "./reference/cli-page.ts";
import { restPage } from "./reference/rest-page.ts";
import { toolsPage, toolsTable } from "./reference/tools-page.ts";

const root = join(import.meta.dirname, "..");
const tools = createTools({
  registry: fileRegistry({ version: 1, repositories: [] }, "all"),
  open: () => {
    throw new TypeError("definitions are read here, tools are not run");
  },
  webUrl: "https://github.com",
  publicUrl: null,
  entities: null,
  writing: null,
});

const note = (page: string): string =>
  page.replace("\n", "\n\n<!-- Made by scripts/reference.ts from the code: npm run reference -->\n");

const START = "<!-- tools -->";
const END = "<!-- /tools -->";
const readme = readFileSync(join(root, "README.md"), "utf8");
const rows = readme.slice(0, readme.indexOf(START) + START.length);
const rest = readme.slice(readme.indexOf(END));

const PAGES: Record<string, string> = {
  "README.md": `${rows}\n${toolsTable(tools)}\n${rest}`,
  "docs/reference/tools.md": note(toolsPage(tools)),
  "docs/reference/rest.md": note(restPage(tools)),
  "docs/reference/cli.md": note(cliPage()),
};

for (const [name, text] of Object.entries(PAGES)) {
  const path = join(root, name);
  if (!process.argv.includes("--check")) {
    writeFileSync(path, text);
  } else if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
    console.error(`${name} is not what the code says. Run: npm run reference`);
    process.exitCode = 1;
  }
}
