/** For tests: a branch in memory that plans can be made on, and the operations a caller would send after reading it. */
import assert from "node:assert/strict";
import { entitySource, mintRepositoryBase, mintSourceBase } from "../../src/core/entity/bases.ts";
import type { FileAtHead, HeadView } from "../../src/core/entity/edit/head-view.ts";
import type { MutationPlan, Outcome } from "../../src/core/entity/edit/outcome.ts";
import { type PlanRequest, planMutation } from "../../src/core/entity/edit/plan-mutation.ts";
import { type Located, readSourceUnit, type SourceUnit } from "../../src/core/entity/entity.ts";
import { sha256 } from "../../src/core/git/hash.ts";
import { createSyntaxReader } from "../../src/parsing/syntax-reader.ts";
import type { OperationInput } from "../../src/schema/mutation.ts";
import { nodeGrammars } from "./node-grammars.ts";

export const reader = createSyntaxReader(nodeGrammars);
export const REPOSITORY_ID = 4711;

type Content = string | Uint8Array | FileAtHead;
type Payload = OperationInput["payload"];
type Create = NonNullable<Payload["EntityCreate"]>;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export class MemoryHead implements HeadView {
  readonly files = new Map<string, FileAtHead>();
  readonly head: string;
  readonly tree: string;
  /** Heads that `directoryId` can be asked about. */
  readonly history = new Map<string, MemoryHead>();

  constructor(files: Record<string, Content>, earlier?: MemoryHead) {
    for (const [path, content] of Object.entries(files)) {
      if (typeof content === "string")
        this.files.set(path, { mode: "100644", bytes: encoder.encode(content) });
      else if (content instanceof Uint8Array) this.files.set(path, { mode: "100644", bytes: content });
      else this.files.set(path, content);
    }
    this.tree = this.#fingerprint("");
    this.head = sha256(`commit ${this.tree} ${earlier?.head ?? ""}`).slice(0, 40);
    for (const [head, view] of earlier?.history ?? []) this.history.set(head, view);
    this.history.set(this.head, this);
  }

  #fingerprint(directory: string): string {
    const prefix = directory === "" ? "" : `${directory}/`;
    const below = [...this.files].filter(([path]) => path.startsWith(prefix)).sort();
    return sha256(
      below.map(([path, { mode, bytes }]) => `${mode} ${path} ${sha256(bytes)}`).join("\n"),
    ).slice(0, 40);
  }

  async file(path: string) {
    return this.files.get(path) ?? null;
  }

  async directory(path: string) {
    const prefix = path === "" ? "" : `${path}/`;
    const entries = new Map<string, string>();
    for (const [name, { mode }] of this.files) {
      if (!name.startsWith(prefix)) continue;
      const slash = name.indexOf("/", prefix.length);
      if (slash < 0) entries.set(name, mode);
      else entries.set(name.slice(0, slash), "040000");
    }
    return [...entries].map(([entry, mode]) => ({ path: entry, mode }));
  }

  async directoryId(commit: string, path: string) {
    const view = this.history.get(commit);
    if (view === undefined) return null;
    const prefix = path === "" ? "" : `${path}/`;
    return [...view.files.keys()].some((name) => name.startsWith(prefix)) ? view.#fingerprint(path) : null;
  }

  async goModules() {
    return [...this.files.keys()].filter((path) => path === "go.mod" || path.endsWith("/go.mod"));
  }

  async unit(path: string): Promise<SourceUnit> {
    const file = this.files.get(path);
    assert.ok(file, `no ${path}`);
    return readSourceUnit(reader, REPOSITORY_ID, path, file.bytes, file.mode);
  }

  /** `name` is a qualified name, `name#2` the second of that name. */
  async entity(path: string, name: string): Promise<{ unit: SourceUnit; located: Located }> {
    const unit = await this.unit(path);
    const [, plain = name, ordinal] =
      /^(.*?)(?:#(\d+))?$/s.exec(name.startsWith("#") ? `\0${name}` : name) ?? [];
    const wanted = plain.replace(/^\0/, "");
    const named = unit.located.filter(({ entity }) => entity.qualifiedName === wanted);
    const located = named[Number(ordinal ?? 1) - 1];
    assert.ok(located, `no ${name} in ${path}: ${unit.located.map(({ entity }) => entity.qualifiedName)}`);
    return { unit, located };
  }

  async base(path: string, name: string) {
    const { unit, located } = await this.entity(path, name);
    const base = mintSourceBase(
      { repository: "demo", branch: "main", head: this.head },
      located.entity,
      entitySource(unit, located),
    );
    return { base, id: located.entity.id };
  }

  repositoryBase() {
    const { head, tree } = this;
    return mintRepositoryBase({ repository: "demo", branch: "main", head, tree });
  }

  async patch(path: string, name: string, ...edits: [string, string][]): Promise<OperationInput> {
    const { base, id } = await this.base(path, name);
    const pairs = edits.map(([old_text, new_text]) => ({ old_text, new_text }));
    return {
      verb: "patch",
      target: id,
      description: "",
      payload: { EntitySourcePatch: { source_base: base, edits: pairs } },
    };
  }

  async update(path: string, name: string, body: string): Promise<OperationInput> {
    const { base, id } = await this.base(path, name);
    return { verb: "update", target: id, description: "", payload: { EntitySourceBase: base }, body };
  }

  async remove(path: string, name: string): Promise<OperationInput> {
    const { base, id } = await this.base(path, name);
    return { verb: "remove", target: id, description: "", payload: { EntityRemove: { source_base: base } } };
  }

  async create(
    path: string,
    anchor: string,
    kind: Create["kind"],
    name: string,
    body: string,
    placement: Create["placement"] = "sibling_after",
  ): Promise<OperationInput> {
    const { base, id } = await this.base(path, anchor);
    const create = { name, kind, body, placement, source_base: base };
    return { verb: "create", target: id, description: "", payload: { EntityCreate: create } };
  }

  createInUnit(
    unit: Record<string, unknown>,
    kind: Create["kind"],
    name: string,
    body: string,
    imports?: string[],
  ): OperationInput {
    const create: Create = { name, kind, body, repository_base: this.repositoryBase(), unit };
    if (imports !== undefined) create.imports = imports;
    return { verb: "create", target: name, description: "", payload: { EntityCreate: create } };
  }

  imports(unit: Record<string, unknown>, change: { add?: string[]; remove?: string[] }): OperationInput {
    const target = String(unit.path ?? unit.name);
    const payload = { UnitImports: { repository_base: this.repositoryBase(), unit, ...change } };
    return { verb: "update", target, description: "", payload };
  }

  async outcome(operations: OperationInput[], request: Partial<PlanRequest> = {}): Promise<Outcome> {
    const { head, tree } = this;
    return planMutation(
      { repositoryId: REPOSITORY_ID, repository: "demo", branch: "main", head, tree, operations, ...request },
      this,
      reader,
    );
  }

  async plan(...operations: OperationInput[]): Promise<MutationPlan> {
    const outcome = await this.outcome(operations);
    assert.equal(outcome.status, "planned", JSON.stringify(outcome, null, 2));
    return (outcome as Extract<Outcome, { status: "planned" }>).plan;
  }

  async refusal(...operations: OperationInput[]) {
    const outcome = await this.outcome(operations);
    assert.equal(outcome.status, "refused", JSON.stringify(outcome, null, 1).slice(0, 2_000));
    return (outcome as Extract<Outcome, { status: "refused" }>).refusal;
  }

  async conflict(...operations: OperationInput[]) {
    const outcome = await this.outcome(operations);
    assert.equal(outcome.status, "conflict", JSON.stringify(outcome, null, 1).slice(0, 2_000));
    return (outcome as Extract<Outcome, { status: "conflict" }>).conflict;
  }
}

/** New text of each file of a plan. */
export const textsOf = (plan: MutationPlan): Record<string, string> =>
  Object.fromEntries(plan.files.map(({ path, bytes }) => [path, decoder.decode(bytes)]));
