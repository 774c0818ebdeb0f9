/**
 * Before a run of all tests (`--test-global-setup`): bundles the Workers that many test files run, once, as the sources are then; the
 * files find them through the environment. Gone after the run. A file that is run by itself bundles for itself.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUNDLES_FOLDER, writeBundle } from "../../src/local/bundle.ts";

const ENTRIES = ["src/worker.ts", "src/entities-worker.ts"];
let folder: string | undefined;

export async function globalSetup(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "gitpin-bundles-"));
  for (const entry of ENTRIES) await writeBundle(entry, folder);
  process.env[BUNDLES_FOLDER] = folder;
}

export async function globalTeardown(): Promise<void> {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}
