/**
 * Input of `kin_mutate`: the published schema of Kin's tool (v0.7.17) with its names, words and required fields, plus
 * `dry_run`, `request_id`, `branch`, `create_branch` and `pull_request`. Every string is bounded.
 * What a schema cannot say without top-level combinators (verb and payload belong together) is checked by the planner.
 */
import * as z from "zod";

/** Bounds in UTF-16 units and counts. */
export const MUTATION_LIMITS = {
  /** Bytes of a whole call as JSON: an isolate holds it several times while it is read and planned. */
  callBytes: 4 * 1024 * 1024,
  operations: 1_024,
  bodyUnits: 512 * 1024,
  anchorUnits: 128 * 1024,
  edits: 500,
  nameUnits: 500,
  importUnits: 2_000,
  imports: 100,
  descriptionUnits: 4_000,
} as const;

const sourceBase = z.looseObject({}).describe("Unchanged source_base of get_entity_source or a receipt.");
const repositoryBase = z.looseObject({}).describe("Unchanged repository_base of kin_status or a receipt.");
const unit = z
  .looseObject({})
  .describe(
    'A Go package, there or new: {language:"go", package: its directory below go.mod ("." or "internal/store"), name: package name, role:"source" or "test"}. Goes into <package>/<name>.go, of tests <name>_test.go (with a `_` in the name, <name>_unit...), made if need be.',
  );
const importUnit = z
  .looseObject({})
  .describe(
    'A file that is there: {language, path}, language go, python, rust, typescript, tsx or javascript. Or the file of a Go package: {language:"go", package, name, role}.',
  );
const importEntry = z
  .string()
  .max(MUTATION_LIMITS.importUnits)
  .describe("A Go import path, or a whole import statement of the unit's language.");

const patchPayload = z.strictObject({
  source_base: sourceBase,
  edits: z
    .array(
      z.strictObject({
        old_text: z
          .string()
          .min(1)
          .max(MUTATION_LIMITS.anchorUnits)
          .describe("Literal text of the entity's body."),
        new_text: z.string().max(MUTATION_LIMITS.bodyUnits).describe("Literal text in its place."),
      }),
    )
    .min(1)
    .max(MUTATION_LIMITS.edits)
    .describe(
      "Each old_text must occur exactly once. Anchors must not overlap; all address the original entity body.",
    ),
});

const createPayload = z
  .strictObject({
    name: z
      .string()
      .max(MUTATION_LIMITS.nameUnits)
      .describe("Declared name, a member's with its owner: Cart.Total; in Go Receiver.Method without `*`."),
    kind: z
      .enum(["function", "method", "struct", "class", "interface", "type", "const", "var"])
      .describe(
        "What the body declares. Enum, union and alias: type. Rust trait: interface; impl block: method. Rust static, JS let, Python constant: var. Value of export default: const.",
      ),
    body: z
      .string()
      .min(1)
      .max(MUTATION_LIMITS.bodyUnits)
      .describe(
        "The declaration only, flush left: it is indented for its place. No package clause, no imports. For the first method of a Rust type, or a trait's: the whole impl block; name is one of its methods, <P as Display>.fmt if of a trait, or its own: Send for P.",
      ),
    imports: z
      .array(importEntry)
      .max(MUTATION_LIMITS.imports)
      .optional()
      .describe("Unit form only: Go import paths it needs."),
    placement: z
      .enum(["sibling_after", "new_source_unit"])
      .optional()
      .describe(
        "sibling_after: behind the anchor; a method anchored at its class, impl or trait becomes the last member. new_source_unit: in a new file <name>.<ext> in the anchor's directory; no methods, no Rust.",
      ),
    repository_base: repositoryBase.optional(),
    source_base: sourceBase.optional(),
    unit: unit.optional(),
  })
  .describe(
    "Unit form (Go only, any kind; the one way into an empty repository): repository_base and unit. Anchored form (Go, Python, Rust, TypeScript, JavaScript; beside any entity): source_base of the anchor and placement.",
  );

const importsPayload = z
  .strictObject({
    repository_base: repositoryBase,
    unit: importUnit,
    add: z.array(importEntry).max(MUTATION_LIMITS.imports).optional().describe("Imports it shall have."),
    remove: z
      .array(importEntry)
      .max(MUTATION_LIMITS.imports)
      .optional()
      .describe("Imports it shall not have."),
  })
  .describe(
    "Add or remove imports of one file; they are placed as its language's formatter would. Verb update.",
  );

const payload = z
  .strictObject({
    EntitySourcePatch: patchPayload.optional().describe("Edits inside one entity; verb patch."),
    EntitySourceBase: z
      .looseObject({})
      .describe(
        "Unchanged source_base of get_entity_source or a receipt; verb update with the complete body in `body`.",
      )
      .optional(),
    EntityCreate: createPayload.optional(),
    UnitImports: importsPayload.optional(),
    EntityRemove: z
      .strictObject({ source_base: sourceBase })
      .describe(
        "Remove one declaration (function, method, class, type, constant), preserving its file and siblings. No whole-file removal is admitted.",
      )
      .optional(),
  })
  .meta({
    description:
      "Exactly one of them. body only with EntitySourceBase. In an empty repository, create with EntityCreate addressed to a Go unit.",
    oneOf: ["EntitySourcePatch", "EntitySourceBase", "EntityCreate", "UnitImports", "EntityRemove"].map(
      (name) => ({ required: [name] }),
    ),
  });

export const operationInput = z.strictObject({
  verb: z
    .enum(["patch", "update", "create", "remove"])
    .describe(
      "patch: EntitySourcePatch. update: EntitySourceBase with body, or UnitImports. create: EntityCreate. remove: EntityRemove.",
    ),
  target: z
    .string()
    .min(1)
    .max(4_096)
    .describe(
      "UUID: entity_id of the source_base, on create that of the anchor. Create in a unit: the declared name. UnitImports: unit.path or unit.name.",
    ),
  payload,
  description: z.string().max(MUTATION_LIMITS.descriptionUnits).describe("What this op changes."),
  body: z
    .string()
    .max(MUTATION_LIMITS.bodyUnits)
    .optional()
    .describe(
      "Complete new source of the entity, as it was read: first line bare, the others indented as in the file.",
    ),
});

export const mutateInput = z.strictObject({
  operations: z.array(operationInput).min(1).max(MUTATION_LIMITS.operations).describe("Applied atomically."),
  summary: z
    .string()
    .max(MUTATION_LIMITS.descriptionUnits)
    .optional()
    .describe("One sentence for the history."),
  dry_run: z.boolean().optional().describe("Plan, diff and checks; no commit."),
  request_id: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe(
      "Your id of this call: a repeat returns the first receipt, commits nothing, and tries a pull request again that failed.",
    ),
  branch: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe("Branch to commit to; default the one of the bases."),
  create_branch: z.boolean().optional().describe("Make `branch` new, from the bases' branch."),
  pull_request: z
    .strictObject({
      title: z.string().min(1).max(256).describe("Title of the pull request."),
      body: z.string().max(60_000).optional().describe("Its text, Markdown."),
      draft: z.boolean().optional().describe("Open it as a draft."),
    })
    .optional()
    .describe("Open a pull request from `branch` to the bases' branch."),
});

export type OperationInput = z.infer<typeof operationInput>;
export type MutateInput = z.infer<typeof mutateInput>;
