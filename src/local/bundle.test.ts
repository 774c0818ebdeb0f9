import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { BUNDLES_FOLDER, type Bundle, bundle, writeBundle } from "./bundle.ts";

const usual = process.env[BUNDLES_FOLDER];
let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "gitpin-bundle-"));
  process.env[BUNDLES_FOLDER] = folder;
});
after(() => {
  if (usual === undefined) delete process.env[BUNDLES_FOLDER];
  else process.env[BUNDLES_FOLDER] = usual;
  rmSync(folder, { recursive: true, force: true });
});

function entry(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const code = ({ modules }: Bundle): string => String(modules["worker.js"]?.contents);

test("bundles that were written are those that processes of the run take, with their modules", async () => {
  writeFileSync(join(folder, "empty.wasm"), new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  const path = entry("written.ts", `import wasm from "./empty.wasm";\nexport default ["é", wasm];\n`);
  await writeBundle(path, folder);
  writeFileSync(path, "export default 'later';\n");
  const read = await bundle(path);
  assert.equal(read.mainModule, "worker.js");
  assert.deepEqual(Object.keys(read.modules).sort(), ["empty.wasm", "worker.js"]);
  assert.deepEqual(read.modules["empty.wasm"], {
    type: "wasm",
    contents: new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]),
  });
  assert.match(code(read), /from "\.\/empty\.wasm"/);
  assert.match(code(read), /"(?:é|\\xE9)"/);
  assert.doesNotMatch(code(read), /later/);
});

test("an entry of which none was written is bundled from its sources as they are", async () => {
  const inner = entry("inner.ts", "export const inner: number = 41;\n");
  const path = entry("not-written.ts", `export { inner } from ${JSON.stringify(inner)};\n`);
  writeFileSync(inner, "export const inner: number = 42;\n");
  assert.match(code(await bundle(path)), /inner = 42/);
});

test("without such a run every entry is bundled from its sources", async (t) => {
  const path = entry("alone.ts", "export default 'then';\n");
  await writeBundle(path, folder);
  writeFileSync(path, "export default 'now';\n");
  delete process.env[BUNDLES_FOLDER];
  t.after(() => {
    process.env[BUNDLES_FOLDER] = folder;
  });
  assert.match(code(await bundle(path)), /"now"/);
});

test("an entry that is not there is esbuild's error, in both", async () => {
  await assert.rejects(bundle(join(folder, "none.ts")), /Could not resolve/);
  await assert.rejects(writeBundle(join(folder, "none.ts"), folder), /Could not resolve/);
});
