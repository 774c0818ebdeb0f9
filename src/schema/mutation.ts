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

const sourceBase = z.looseObject({}).describe("Unchanged source_base from a current get_entity_source read.");
const repositoryBase = z
  .looseObject({})
  .describe("Unchanged repository_base from session, status or the last mutate.");
const unit = z
  .looseObject({})
  .describe('{language:"go", package:"." or "internal/store", name: package name, role:"source" or "test"}');
const importUnit = z
  .looseObject({})
  .describe(
    '{language:"go", package:"." or "internal/store", name: package name, role:"source" or "test"}, or any file: {language, path}, target the path',
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
    name: z.string().max(MUTATION_LIMITS.nameUnits).describe("Name, or Receiver.Method."),
    kind: z
      .enum(["function", "method", "struct", "class", "interface", "type", "const", "var"])
      .describe("What is declared, in the language's own word."),
    body: z
      .string()
      .min(1)
      .max(MUTATION_LIMITS.bodyUnits)
      .describe("The declaration only: no package clause or imports."),
    imports: z.array(importEntry).max(MUTATION_LIMITS.imports).optional().describe("Import paths it needs."),
    placement: z
      .enum(["sibling_after", "new_source_unit"])
      .optional()
      .describe("Behind the anchor in its file, or in a new file beside it."),
    repository_base: repositoryBase.optional(),
    source_base: sourceBase.optional(),
    unit: unit.optional(),
  })
  .describe(
    "Unit form (empty repository, any Go kind): repository_base and unit, target the name. Anchored form (functions): source_base and placement, target the anchor UUID.",
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
  .describe("Add or remove imports on a unit; Kin writes its import block. Target the package name.");

const payload = z
  .strictObject({
    EntitySourcePatch: patchPayload.optional().describe("Edits inside one entity; verb patch."),
    EntitySourceBase: z
      .looseObject({})
      .describe(
        "Unchanged source_base from a current get_entity_source read; verb update with the complete body.",
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
      "Required. body only with EntitySourceBase. In an empty repository, create with EntityCreate addressed to a unit.",
    oneOf: ["EntitySourcePatch", "EntitySourceBase", "EntityCreate", "UnitImports", "EntityRemove"].map(
      (name) => ({ required: [name] }),
    ),
  });

export const operationInput = z.strictObject({
  verb: z.enum(["patch", "update", "create", "remove"]).describe("Patch, update, create or remove."),
  target: z.string().min(1).max(4_096).describe("UUID, or the declared or package name."),
  payload,
  description: z.string().max(MUTATION_LIMITS.descriptionUnits).describe("What this op changes."),
  body: z
    .string()
    .max(MUTATION_LIMITS.bodyUnits)
    .optional()
    .describe("Complete new entity source for update."),
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
