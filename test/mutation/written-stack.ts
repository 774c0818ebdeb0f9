/**
 * The whole product with a repository that may be written: a bare clone behind the local host, both Workers, callers who may write.
 * The clone's own git is the judge of what was committed.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import type { LocalHostOptions } from "../../src/local/host.ts";
import type { EntitySource, KinStatus } from "../../src/schema/entities.ts";
import type { OperationInput } from "../../src/schema/mutation.ts";
import type { MutationResult } from "../../src/schema/mutation-result.ts";
import { GitRepository } from "../repositories/git.ts";
import { type Answer, type Stack, startStack } from "../stack.ts";
import { outputOf } from "../support/small-shell.ts";

export const REPOSITORY_ID = 4711;
const TOKEN = "host-token";

export interface WrittenOptions {
  files: Readonly<Record<string, string>>;
  /** Of the registry's row. */
  entry?: Readonly<Record<string, unknown>>;
  vars?: Readonly<Record<string, string>>;
  host?: Partial<LocalHostOptions>;
  /** No memory and no KV. */
  uncached?: boolean;
  /** Branches that take pull requests only. */
  protectedBranches?: string[];
}

export class WrittenStack {
  readonly stack: Stack;
  /** The bare clone that is served. */
  readonly path: string;
  readonly #source: GitRepository;

  private constructor(stack: Stack, source: GitRepository, path: string) {
    this.stack = stack;
    this.#source = source;
    this.path = path;
  }

  static async start({
    files,
    entry = {},
    vars = {},
    host = {},
    uncached = false,
    protectedBranches = [],
  }: WrittenOptions): Promise<WrittenStack> {
    const source = new GitRepository("app");
    for (const [path, content] of Object.entries(files)) source.write(path, content);
    if (Object.keys(files).length > 0) source.commit("first");
    const path = `${source.path}.git`;
    source.git("clone", "--bare", "--quiet", source.path, path);
    const stack = await startStack({
      host: {
        repositories: [{ owner: "octo", name: "app", path, id: REPOSITORY_ID, protectedBranches }],
        tokens: [TOKEN],
        writable: true,
        ...host,
      },
      registry: [
        {
          name: "app",
          owner: "octo",
          repo: "app",
          id: REPOSITORY_ID,
          visibility: "public",
          writable: { branches: ["**"] },
          ...entry,
        },
      ],
      vars: { GITHUB_TOKEN: TOKEN, ANONYMOUS_WRITES: "1", HEAD_MAX_AGE: "3600", ...vars },
      durableObjects: { BRANCH_QUEUES: "BranchQueueObject", REQUESTS: "RequestLedgerObject" },
      entities: true,
      uncached,
    });
    return new WrittenStack(stack, source, path);
  }

  /** In the served clone. */
  git(...args: string[]): string {
    return outputOf("git", args, {
      cwd: this.path,
      env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    })
      .toString()
      .replace(/\n$/, "");
  }

  head(branch = "main"): string {
    return this.git("rev-parse", `refs/heads/${branch}`);
  }

  /** Somebody outside pushes a file, through no service of ours. */
  push(path: string, content: string, branch = "main"): string {
    this.#source.git("fetch", "--quiet", this.path, branch);
    this.#source.git("checkout", "--quiet", "--force", "-B", branch, "FETCH_HEAD");
    const sha = this.#source.write(path, content).commit(`outside: ${path}`);
    this.#source.git("push", "--quiet", this.path, `HEAD:${branch}`);
    return sha;
  }

  async mutate(given: Record<string, unknown>): Promise<Answer<MutationResult>> {
    return await this.stack.post<MutationResult>("/v1/kin/mutate", given);
  }

  /** The source of an entity with its base, as a caller reads it. */
  async source(path: string, name: string): Promise<EntitySource> {
    const { status, body } = await this.stack.post<EntitySource>("/v1/kin/source", {
      repository: "app",
      entity_id: name,
      path,
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  async status(): Promise<KinStatus> {
    return (await this.stack.post<KinStatus>("/v1/kin/status", { repository: "app" })).body;
  }

  /** A patch of what was read. */
  patchOf({ id, source_base: base }: EntitySource, old_text: string, new_text: string): OperationInput {
    return {
      verb: "patch",
      target: id ?? "",
      description: "",
      payload: { EntitySourcePatch: { source_base: base ?? {}, edits: [{ old_text, new_text }] } },
    };
  }

  /** Git finds nothing wrong with the clone. */
  assertSound(): void {
    assert.equal(this.git("fsck", "--strict", "--no-dangling"), "");
  }

  async close(): Promise<void> {
    await this.stack.close();
    this.#source.remove();
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Ids differ from run to run; their place in the request does not. */
export const shapeOf = (requests: readonly string[]): string[] =>
  requests.map((request) => request.replaceAll(/[0-9a-f]{40}/g, "SHA").replace(/\?.*/, ""));
