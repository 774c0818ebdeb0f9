/** For tests: `kin_mutate` over a repository in memory, with the real planner, queue and ledger, and the calls to make of it. */
import assert from "node:assert/strict";
import { inProcessQueue } from "../../src/commits/queue/commit-queue.ts";
import { entitySource, mintRepositoryBase, mintSourceBase } from "../../src/core/entity/bases.ts";
import { readSourceUnit } from "../../src/core/entity/entity.ts";
import { createEntityParser } from "../../src/parsing/entity-parser.ts";
import type { Call, Spelling } from "../../src/ports/call.ts";
import type { CommitEvent } from "../../src/ports/commit-audit.ts";
import { newLedger } from "../../src/ports/ledger.ts";
import type { Caller } from "../../src/ports/registry.ts";
import { type MutateInput, mutateInput, type OperationInput } from "../../src/schema/mutation.ts";
import { type MutationResult, mutationResult } from "../../src/schema/mutation-result.ts";
import { type RepositoryEntry, repositoryEntry } from "../../src/schema/registry.ts";
import { mutate } from "../../src/service/mutation/mutate.ts";
import type { ServicePorts, WritingPorts } from "../../src/service/service-ports.ts";
import { reader as syntax } from "../support/memory-head.ts";
import { type RequestsInNode, requestsInNode } from "../support/requests-in-node.ts";
import type { MemoryHost } from "./memory-host.ts";

export const WRITER: Caller = {
  id: "token:0123456789abcdef",
  team: null,
  scopes: ["pin:read", "kin:write"],
};

type Create = NonNullable<OperationInput["payload"]["EntityCreate"]>;

export interface ServiceOptions {
  /** Of the registry's entry; default every branch and path. */
  entry?: Partial<Record<keyof RepositoryEntry, unknown>>;
  caller?: Caller;
  ports?: Partial<ServicePorts>;
  writing?: Partial<WritingPorts>;
}

export class Service {
  readonly host: MemoryHost;
  readonly entry: RepositoryEntry;
  readonly caller: Caller;
  readonly requests: RequestsInNode = requestsInNode();
  /** Waits between races, in milliseconds. */
  readonly waits: number[] = [];
  readonly audited: CommitEvent[] = [];
  readonly unrecorded: { commit: string; code: string }[] = [];
  readonly kept: Promise<unknown>[] = [];
  readonly #ports: ServicePorts;

  constructor(host: MemoryHost, options: ServiceOptions = {}) {
    this.host = host;
    this.caller = options.caller ?? WRITER;
    this.entry = repositoryEntry.parse({
      name: "app",
      owner: "octo",
      repo: "app",
      id: host.id,
      writable: { branches: ["**"] },
      ...options.entry,
    });
    const writing: WritingPorts = {
      open: () => host.writer(),
      queue: inProcessQueue({
        after(milliseconds, work) {
          const timer = setTimeout(work, milliseconds).unref();
          return () => clearTimeout(timer);
        },
      }),
      requests: this.requests.ledger,
      audit: { committed: async (event) => void this.audited.push(event) },
      unrecorded: ({ commit }, { code }) => void this.unrecorded.push({ commit, code }),
      random: (below) => Math.floor(below / 2),
      wait: async (milliseconds) => void this.waits.push(milliseconds),
      ...options.writing,
    };
    this.#ports = {
      registry: {
        visible: async () => [this.entry],
        find: async (_, name) => (name === this.entry.name ? this.entry : null),
        status: () => ({ source: "file", readAt: null, stale: null }),
      },
      open: () => host.reader(),
      webUrl: "https://github.example",
      publicUrl: null,
      entities: createEntityParser(syntax),
      writing,
      ...options.ports,
    };
  }

  /** As a transport calls it: arguments are checked before, the result after. */
  async call(given: Partial<MutateInput>, spelling: Spelling = "underscore"): Promise<MutationResult> {
    const call: Call = {
      caller: this.caller,
      spelling,
      ledger: newLedger(),
      background: { keepAlive: (work) => void this.kept.push(work) },
    };
    const result = await mutate(this.#ports, mutateInput.parse(given), call);
    // Nothing but what is published, and JSON.
    assert.deepEqual(mutationResult.strict().parse(JSON.parse(JSON.stringify(result))), result);
    return result;
  }

  async mutate(...operations: OperationInput[]): Promise<MutationResult> {
    return await this.call({ operations });
  }

  #head(branch: string): string {
    const head = this.host.refs.get(branch);
    assert.ok(head, `no branch ${branch}`);
    return head;
  }

  /** What `get_entity_source` would hand out. `name` is qualified. */
  async source(path: string, name: string, branch = "main") {
    const head = this.#head(branch);
    const file = this.host.snapshots.get(head)?.get(path);
    assert.ok(file, `no ${path}`);
    const unit = await readSourceUnit(syntax, this.host.id, path, file.bytes, file.mode);
    const located = unit.located.find(({ entity }) => entity.qualifiedName === name);
    assert.ok(located, `no ${name} in ${path}`);
    const base = mintSourceBase(
      { repository: this.entry.name, branch, head },
      located.entity,
      entitySource(unit, located),
    );
    return { base, id: located.entity.id };
  }

  repositoryBase(branch = "main") {
    const head = this.host.refs.get(branch) ?? null;
    const tree = head === null ? null : (this.host.commits.get(head)?.tree ?? null);
    return mintRepositoryBase({ repository: this.entry.name, branch, head, tree });
  }

  async patch(path: string, name: string, old_text: string, new_text: string): Promise<OperationInput> {
    const { base, id } = await this.source(path, name);
    return {
      verb: "patch",
      target: id,
      description: "",
      payload: { EntitySourcePatch: { source_base: base, edits: [{ old_text, new_text }] } },
    };
  }

  async update(path: string, name: string, body: string): Promise<OperationInput> {
    const { base, id } = await this.source(path, name);
    return { verb: "update", target: id, description: "", payload: { EntitySourceBase: base }, body };
  }

  async remove(path: string, name: string): Promise<OperationInput> {
    const { base, id } = await this.source(path, name);
    return { verb: "remove", target: id, description: "", payload: { EntityRemove: { source_base: base } } };
  }

  async create(
    path: string,
    anchor: string,
    kind: Create["kind"],
    name: string,
    body: string,
  ): Promise<OperationInput> {
    const { base, id } = await this.source(path, anchor);
    const create: Create = { name, kind, body, placement: "sibling_after", source_base: base };
    const payload = { EntityCreate: create };
    return {
      verb: "create",
      target: id,
      description: "",
      payload,
    } satisfies OperationInput as OperationInput;
  }

  createInUnit(
    unit: Record<string, unknown>,
    kind: Create["kind"],
    name: string,
    body: string,
  ): OperationInput {
    const payload = { EntityCreate: { name, kind, body, repository_base: this.repositoryBase(), unit } };
    return { verb: "create", target: name, description: "", payload };
  }

  imports(path: string, language: string, add: string[]): OperationInput {
    const payload = {
      UnitImports: { repository_base: this.repositoryBase(), unit: { language, path }, add },
    };
    return { verb: "update", target: path, description: "", payload };
  }
}
