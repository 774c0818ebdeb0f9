/** Imports run downwards only. The table is the rule; a new folder must be given its place in it. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

const src = join(import.meta.dirname, "../src");

/** What each part may import from `src`, beside itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  "errors.ts": [],
  "version.ts": [],
  schema: ["errors.ts"],
  core: ["errors.ts", "schema"],
  ports: ["errors.ts", "schema", "core"],
  "config.ts": ["errors.ts", "schema"],
  github: ["errors.ts", "schema", "core", "ports", "cache"],
  cache: ["errors.ts", "core", "ports"],
  auth: ["errors.ts", "schema", "core", "ports"],
  registry: ["errors.ts", "schema", "core", "ports", "auth"],
  commits: ["errors.ts", "core", "ports"],
  parsing: ["errors.ts", "core", "ports"],
  service: ["errors.ts", "schema", "core", "ports"],
  tools: ["errors.ts", "schema", "core", "ports", "service"],
  mcp: ["errors.ts", "schema", "ports", "tools", "http"],
  clients: ["core"],
  http: ["errors.ts", "schema", "core", "ports", "tools", "clients"],
  cli: [
    "errors.ts",
    "schema",
    "core",
    "ports",
    "service",
    "tools",
    "clients",
    "github",
    "cache",
    "registry",
    "config.ts",
    "version.ts",
  ],
  local: ["errors.ts", "schema", "registry", "config.ts"],
  assemble: ["*"],
  "worker.ts": ["*"],
  "entities-worker.ts": ["core", "ports", "parsing"],
};

/** What core must not touch: it computes the same answer everywhere, for ever. */
const IMPURE =
  /\b(fetch\(|Date\.now|new Date\(\)|Math\.random|randomUUID|process\.env|performance\.now|setTimeout)/;

const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

const partOf = (file: string): string => file.split("/")[0] ?? "";

test("every part of src has its place in the table", () => {
  assert.deepEqual(
    [...new Set(files.map(partOf))].filter((part) => !(part in MAY_IMPORT) && !part.endsWith(".test.ts")),
    [],
  );
});

test("imports run downwards only", () => {
  const wrong: string[] = [];
  for (const file of files.filter((name) => !/\.(test|fixture)\.ts$|\/testing\//.test(name))) {
    const text = readFileSync(join(src, file), "utf8");
    for (const [, specifier = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)) {
      const target = partOf(relative(src, join(src, dirname(file), specifier)));
      const part = partOf(file);
      const allowed = MAY_IMPORT[part] ?? [];
      if (
        target !== part &&
        !allowed.includes(target) &&
        !allowed.includes("*") &&
        !specifier.endsWith(".json")
      ) {
        wrong.push(`${file} imports ${specifier}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

test("core is pure", () => {
  const impure = files
    .filter((file) => partOf(file) === "core" && !file.endsWith(".test.ts"))
    .filter((file) => IMPURE.test(readFileSync(join(src, file), "utf8")));
  assert.deepEqual(impure, []);
});

test("no file of the Worker imports what only Node has, nor the local host", () => {
  const nodeOnly = files
    .filter((file) => !["local", "cli"].includes(partOf(file)) && !/\.(test|fixture)\.ts$/.test(file))
    .filter((file) => /"node:(?!crypto"|buffer"|zlib")/.test(readFileSync(join(src, file), "utf8")));
  assert.deepEqual(nodeOnly, []);
});
