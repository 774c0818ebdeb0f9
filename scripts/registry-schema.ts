/** Writes registry.schema.json from the zod schema, or with --check fails when the file is not up to date. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { registryFile } from "../src/schema/registry.ts";

const file = join(import.meta.dirname, "../registry.schema.json");
const schema = { title: "GitPin Edge registry", ...z.toJSONSchema(registryFile, { io: "input" }) };
const text = `${JSON.stringify(schema, null, 2)}\n`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
  console.error("registry.schema.json is not what src/schema/registry.ts says. Run: npm run schema");
  process.exitCode = 1;
}
