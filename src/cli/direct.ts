/**
 * The tools in this process, straight over the hosted git: a registry file, `GITHUB_TOKEN` from the environment, memory
 * as the only cache. The same core and the same schemas as the service; the file's owner sees all of it.
 */
import { readFileSync } from "node:fs";
import { MemoryTier } from "../cache/memory-tier.ts";
import { readConfig } from "../config.ts";
import { GitpinError } from "../errors.ts";
import { createGitHub } from "../github/github.ts";
import { newLedger } from "../ports/ledger.ts";
import { ANONYMOUS } from "../ports/registry.ts";
import { fileRegistry } from "../registry/file-registry.ts";
import { parseRegistry } from "../registry/parse-registry.ts";
import { createTools } from "../tools/index.ts";
import { invoke } from "../tools/invoke.ts";
import { VERSION } from "../version.ts";
import type { Environment } from "./output.ts";

export type RunTool = (name: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>;

export async function directTools(registryPath: string, environment: Environment): Promise<RunTool> {
  const { GITHUB_API_URL, GITHUB_WEB_URL, GITHUB_TOKEN, HEAD_MAX_AGE } = environment;
  const config = readConfig({
    GITHUB_API_URL,
    GITHUB_WEB_URL,
    GITHUB_TOKEN,
    HEAD_MAX_AGE,
    // Required of a service; nothing here prints it.
    PUBLIC_URL: "http://localhost",
  });
  const tools = createTools({
    registry: fileRegistry(parseRegistry(readRegistry(registryPath), registryPath), "all"),
    open: (entry, call) => github.open(entry, call),
    webUrl: config.webUrl,
    publicUrl: null,
  });
  const github = createGitHub({
    ...config,
    fetch: (input, init) => fetch(input, init),
    memory: new MemoryTier(config.memoryCacheBytes),
    clock: { now: () => Date.now() },
    userAgent: `gitpin-edge/${VERSION}`,
  });
  return async (name, input) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new TypeError(`no tool ${name}`);
    return await invoke(tool, input, {
      caller: ANONYMOUS,
      spelling: "dotted",
      ledger: newLedger(),
      // The process waits for its open work by itself.
      background: { keepAlive: () => undefined },
    });
  };
}

function readRegistry(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new GitpinError(
      "invalid_argument",
      `The registry file ${path} cannot be read.`,
      "Set GITPIN_REGISTRY to the path of a registry file.",
      { field: "GITPIN_REGISTRY" },
      { cause },
    );
  }
}
