/** The licences of what a bundle holds: who passes a library on passes its licence on. Fails for a library that has none. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const manifest = z.object({ name: z.string(), version: z.string(), license: z.string() });

/** `node_modules/@scope/name/lib/x.js` -> `node_modules/@scope/name`; null for what is ours. */
const packageOf = (input: string): string | null =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? null;

/** `inputs` as esbuild's metafile names them, from `root`. One text for all of them, by name. */
export function licencesOf(root: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.map(packageOf).filter((folder) => folder !== null));
  const parts = [...folders].sort().map((folder) => {
    const { name, version, license } = manifest.parse(
      JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")),
    );
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text =
      file === undefined
        ? `${license} (the package holds no text)`
        : readFileSync(join(root, folder, file), "utf8");
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return `Libraries in gitpin.mjs, and their licences.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}
