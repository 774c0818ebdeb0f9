/**
 * The tools in this process, straight over the hosted git: a registry file, `GITHUB_TOKEN` from the environment, memory
 * as the only cache. The same core and the same schemas as the service; the file's owner sees all of it.
 */
import { readFileSync } from "node:fs";
import { MemoryTier } from "../cache/memory-tier.ts";
import { type Config, isLoopback, readConfig } from "../config.ts";
import { GitpinError } from "../errors.ts";
import { createGitHub } from "../github/github.ts";
import { newLedger } from "../ports/ledger.ts";
import { ANONYMOUS } from "../ports/registry.ts";
import { fileRegistry } from "../registry/file-registry.ts";
import { parseRegistry } from "../registry/parse-registry.ts";
import type { RegistryFile } from "../schema/registry.ts";
import { createTools } from "../tools/index.ts";
import { invoke } from "../tools/invoke.ts";
import { VERSION } from "../version.ts";
import type { Environment } from "./environment.ts";

export type RunTool = (name: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** The settings that also hold without a service. Throws `invalid_argument` naming the variable. */
export function directConfig(environment: Environment): Config {
  const { GITHUB_API_URL, GITHUB_WEB_URL, GITHUB_TOKEN, HEAD_MAX_AGE, UPSTREAM_TIMEOUT_MS, MAX_BLOB_BYTES } =
    environment;
  const config = readConfig({
    GITHUB_API_URL,
    GITHUB_WEB_URL,
    GITHUB_TOKEN,
    HEAD_MAX_AGE,
    UPSTREAM_TIMEOUT_MS,
    MAX_BLOB_BYTES,
    // Required of a service; nothing here prints it.
    PUBLIC_URL: "http://localhost",
  });
  if (config.token !== null && config.apiUrl.startsWith("http:") && !isLoopback(config.apiUrl)) {
    throw new GitpinError(
      "invalid_argument",
      "GITHUB_API_URL is plain http to another machine, and GITHUB_TOKEN is set.",
      "Use https in GITHUB_API_URL; a token over http can be read on the way.",
      { field: "GITHUB_API_URL" },
    );
  }
  return config;
}

/** Throws `invalid_argument` when the file cannot be read or is no registry, with the field's path. */
export function readRegistryFile(path: string): RegistryFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new GitpinError(
      "invalid_argument",
      `The registry file ${path} cannot be read.`,
      "Set GITPIN_REGISTRY to the path of a registry file.",
      { field: "GITPIN_REGISTRY" },
      { cause },
    );
  }
  return parseRegistry(text, path);
}

export async function directTools(registryPath: string, environment: Environment): Promise<RunTool> {
  const config = directConfig(environment);
  const github = createGitHub({
    ...config,
    fetch: (input, init) => fetch(input, init),
    memory: new MemoryTier(config.memoryCacheBytes),
    clock: { now: () => Date.now() },
    userAgent: `gitpin-edge/${VERSION}`,
  });
  const tools = createTools({
    registry: fileRegistry(readRegistryFile(registryPath), "all"),
    open: (entry, call) => github.open(entry, call),
    webUrl: config.webUrl,
    publicUrl: null,
    entities: null,
    writing: null,
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
