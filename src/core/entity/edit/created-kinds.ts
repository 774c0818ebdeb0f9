/** Which declared kinds satisfy the `kind` of an EntityCreate: the published words, mapped on each language's own. */
import type { OperationInput } from "../../../schema/mutation.ts";
import type { LanguageName } from "../language/spec.ts";

export type CreateKind = NonNullable<OperationInput["payload"]["EntityCreate"]>["kind"];

const FUNCTIONS = { function: ["function"], method: ["method"] };

/** `default` is the value of an `export default`. */
const ECMASCRIPT = {
  ...FUNCTIONS,
  class: ["class"],
  const: ["const", "default"],
  var: ["var", "let"],
};

const TYPESCRIPT = { ...ECMASCRIPT, interface: ["interface"], type: ["type", "enum", "interface"] };

const KINDS: Partial<Record<LanguageName, Partial<Record<CreateKind, readonly string[]>>>> = {
  go: {
    ...FUNCTIONS,
    struct: ["struct"],
    class: ["struct"],
    interface: ["interface"],
    type: ["type", "struct", "interface"],
    const: ["const"],
    var: ["var"],
  },
  python: { ...FUNCTIONS, class: ["class"], type: ["type", "class"], const: ["var"], var: ["var"] },
  javascript: ECMASCRIPT,
  typescript: TYPESCRIPT,
  tsx: TYPESCRIPT,
  rust: {
    ...FUNCTIONS,
    // A block has no word of its own there, and is what methods stand in.
    method: ["method", "impl"],
    struct: ["struct"],
    class: ["struct"],
    interface: ["trait"],
    type: ["type", "struct", "enum", "union", "trait"],
    const: ["const", "static"],
    var: ["static"],
  },
};

/** Published kinds that can be created in a language. */
export const creatableKinds = (language: LanguageName): readonly CreateKind[] =>
  Object.keys(KINDS[language] ?? {}) as CreateKind[];

/** The published kind that stands for a declared one, its own word where there is that; null where none does. */
export function publishedKind(language: LanguageName, declared: string): CreateKind | null {
  const fitting = creatableKinds(language).filter((kind) => declaredKinds(language, kind).includes(declared));
  return fitting.find((kind) => kind === declared) ?? fitting[0] ?? null;
}

/** Declared kinds that fit; empty where the language has no such thing. */
export const declaredKinds = (language: LanguageName, kind: CreateKind): readonly string[] =>
  KINDS[language]?.[kind] ?? [];
