/**
 * Proof that a step changed what it was asked to change and nothing else: every other declaration of the file stands
 * as it stood, an edited one keeps name and kind, a created one is alone in its text, a removed one is gone.
 */
import { type Declaration, type Span, within } from "../declaration.ts";
import type { Located, SourceUnit } from "../entity.ts";
import type { LanguageName } from "../language/spec.ts";
import { publishedKind } from "./created-kinds.ts";
import { isMember } from "./draft.ts";
import { isBlank } from "./lines.ts";
import { refused } from "./outcome.ts";
import type { Splice, Spliced } from "./splice.ts";
import { uncovered } from "./uncovered.ts";

/** What a splice is for. */
export type Purpose =
  | { effect: "edit"; target: Located }
  | { effect: "remove"; target: Located }
  | { effect: "create"; name: string; kinds: readonly string[]; allowGroup: boolean }
  | { effect: "imports" };

type Created = Extract<Purpose, { effect: "create" }>;

export interface Step extends Splice {
  operation: number;
  purpose: Purpose;
}

/** Throws a refusal; returns the created or edited declarations of each step, in their order (none for the others). */
export function assertFootprint(
  before: SourceUnit | null,
  after: SourceUnit,
  steps: readonly Step[],
  spliced: Spliced,
): Located[][] {
  const regions = steps.map((_, index) => spliced.regions[index] as Span);
  assertOthersStand(before, after, steps, spliced, regions);
  return steps.map((step, index) => {
    const region = regions[index] as Span;
    const inside = after.located.filter(({ declaration }) => within(declaration.core, region));
    if (step.purpose.effect === "edit")
      return [edited(before, after, step, step.purpose.target, region, inside)];
    if (step.purpose.effect === "create") return created(after, step, step.purpose, region, inside);
    if (inside.length > 0) throw appeared(step.operation, inside[0] as Located);
    return [];
  });
}

const label = ({ declaration }: Located): string => `${declaration.kind} ${declaration.qualifiedName}`;

const place = ({ kind, qualifiedName }: Declaration, node: Span): string =>
  `${kind}\0${qualifiedName}\0${node.start}`;

function appeared(operation: number | null, located: Located) {
  return refused(
    "footprint_exceeded",
    operation,
    `The edit would make ${label(located)} appear beside what it addresses.`,
    "Make a declaration with EntityCreate, in the same call if they belong together.",
  );
}

function assertOthersStand(
  before: SourceUnit | null,
  after: SourceUnit,
  steps: readonly Step[],
  spliced: Spliced,
  regions: readonly Span[],
): void {
  const standing = new Map<string, Located[]>();
  for (const located of after.located) {
    const { declaration } = located;
    if (regions.some((region) => within(declaration.core, region))) continue;
    const key = place(declaration, declaration.node);
    standing.set(key, [...(standing.get(key) ?? []), located]);
  }
  for (const located of before?.located ?? []) {
    const { declaration } = located;
    if (steps.some((step) => step.start < step.end && within(declaration.core, step))) continue;
    const found = standing.get(place(declaration, spliced.move(declaration.node)))?.pop();
    if (found === undefined || !standsAlike(after, declaration, found.declaration, spliced, steps)) {
      throw refused(
        "footprint_exceeded",
        nearest(steps, declaration),
        `The edit would change ${label(located)}, which it does not address: it would vanish, or other text would become part of it.`,
        "Check for an unclosed comment, string or bracket, and for a comment at the end of the new text.",
      );
    }
  }
  const extra = [...standing.values()].flat()[0];
  if (extra === undefined) return;
  const { core } = extra.declaration;
  const joined = regions.findIndex((region) => region.start < core.end && region.end > core.start);
  if (joined < 0) throw appeared(steps[0]?.operation ?? null, extra);
  throw refused(
    "footprint_exceeded",
    steps[joined]?.operation ?? null,
    `Text that stands outside the edit, up to line ${after.source.lineAt(core.end - 1)} of the resulting file, would become part of ${label(extra)}.`,
    after.spec.semicolons
      ? "End the new text with `;`."
      : "End the new text so that what follows stands for itself.",
  );
}

/**
 * All keep their text, but: the last one left of a list of declarators takes the statement over; an owner without a
 * closing bracket (Python) ends before the blanks that went with its last member, or with the member created there.
 */
function standsAlike(
  unit: SourceUnit,
  before: Declaration,
  after: Declaration,
  spliced: Spliced,
  steps: readonly Step[],
): boolean {
  if (before.grouped && !after.grouped) return true;
  const moved = spliced.move(before.span);
  if (moved.start !== after.span.start) return false;
  const grown = steps.some(({ purpose }, index) => {
    const region = spliced.regions[index] as Span;
    const member = purpose.effect === "create" && purpose.name.startsWith(`${before.qualifiedName}.`);
    return member && after.span.end > region.start && after.span.end <= region.end;
  });
  return grown || (moved.end >= after.span.end && isBlank(unit.source.text.slice(after.span.end, moved.end)));
}

/** The operation whose splice is nearest above a declaration: the likely cause. */
function nearest(steps: readonly Step[], declaration: Declaration): number | null {
  const above = steps.filter((step) => step.start <= declaration.span.end);
  above.sort((a, b) => b.start - a.start);
  return (above[0] ?? steps[0])?.operation ?? null;
}

function edited(
  before: SourceUnit | null,
  after: SourceUnit,
  step: Step,
  target: Located,
  region: Span,
  inside: readonly Located[],
): Located {
  const { kind, qualifiedName } = target.declaration;
  const found = inside.find(
    ({ declaration }) => declaration.kind === kind && declaration.qualifiedName === qualifiedName,
  );
  if (found === undefined) {
    throw refused(
      "identity_changed",
      step.operation,
      `The new text does not declare ${kind} ${qualifiedName}.`,
      "Keep name and kind; to rename, remove the entity and create the other one in one call.",
    );
  }
  const holdsMembers = after.spec.containers.includes(kind);
  const count = (all: readonly Located[], owner: Located): Map<string, number> => {
    const names = new Map<string, number>();
    for (const located of all) {
      if (holdsMembers && isMember(located.declaration, owner.declaration)) continue;
      const key = label(located);
      names.set(key, (names.get(key) ?? 0) + 1);
    }
    return names;
  };
  const stood = count(
    (before?.located ?? []).filter(({ declaration }) => within(declaration.core, step)),
    target,
  );
  for (const [name, number] of count(inside, found)) {
    if (number > (stood.get(name) ?? 0)) {
      const extra = inside.findLast((located) => label(located) === name) as Located;
      throw appeared(step.operation, extra);
    }
    if (number === stood.get(name)) stood.delete(name);
  }
  const lost = [...stood.keys()][0];
  if (lost !== undefined) {
    throw refused(
      "footprint_exceeded",
      step.operation,
      `The new text drops ${lost}, which stands in the same place.`,
      "Keep it. Where one declaration binds both, remove all names that it declares in one call and create there those that are to stay; else remove it with an operation of its own.",
    );
  }
  assertNothingBeside(after, step, region, [found]);
  return found;
}

function created(
  after: SourceUnit,
  step: Step,
  purpose: Created,
  region: Span,
  inside: readonly Located[],
): Located[] {
  const outermost = inside.filter(
    ({ declaration }) => !inside.some((other) => isMember(declaration, other.declaration)),
  );
  const first = outermost[0];
  if (first === undefined) {
    throw refused(
      "kind_mismatch",
      step.operation,
      "The body holds no declaration that is an entity.",
      `Send exactly one complete declaration named ${purpose.name}.`,
    );
  }
  if (outermost.length > 1 && !isOne(after.spec.name, outermost, purpose)) {
    throw refused(
      "footprint_exceeded",
      step.operation,
      `The body declares ${outermost.map(label).join(", ")}.`,
      "Send one EntityCreate for each declaration, in the same call.",
    );
  }
  const named = namedIn(outermost, inside, purpose.name, step.operation);
  const { kind } = named.declaration;
  if (!purpose.kinds.includes(kind)) {
    const published = publishedKind(after.spec.name, kind);
    throw refused(
      "kind_mismatch",
      step.operation,
      `The body declares the ${after.spec.title} ${kind} ${purpose.name}.`,
      published === null ? "It cannot be created; edit what is there." : `Send the kind ${published}.`,
    );
  }
  assertNothingBeside(after, step, region, outermost);
  return [named, ...outermost.filter((one) => one !== named)];
}

/** Kinds that a language lets several declarations of one name be of. */
const REPEATED: Partial<Record<LanguageName, readonly string[]>> = {
  python: ["function", "method"],
  typescript: ["function", "method"],
  tsx: ["function", "method"],
  javascript: ["method"],
  rust: ["function", "method"],
};

/** Several names of one statement, or several declarations of one name: overloads, a property's getter and setter. */
function isOne(language: LanguageName, outermost: readonly Located[], purpose: Created): boolean {
  const [first] = outermost.map(({ declaration }) => declaration);
  const all = (test: (one: Declaration) => boolean) =>
    outermost.every(({ declaration }) => test(declaration));
  if (purpose.allowGroup && all(({ statement }) => statement.start === first?.statement.start)) return true;
  const repeated = REPEATED[language] ?? [];
  return all(({ kind, qualifiedName }) => repeated.includes(kind) && qualifiedName === first?.qualifiedName);
}

/** What the creation is named for: a declaration itself, or a member of the `impl` block that it is. */
function namedIn(
  outermost: readonly Located[],
  inside: readonly Located[],
  name: string,
  operation: number,
): Located {
  const itself = outermost.find(({ declaration }) => declaration.qualifiedName === name);
  if (itself !== undefined) return itself;
  const [block] = outermost.filter(({ declaration }) => declaration.kind === "impl");
  const members =
    block === undefined ? [] : inside.filter((one) => isMember(one.declaration, block.declaration));
  const member = members.find((one) => one.declaration.qualifiedName === name);
  if (member !== undefined) return member;
  const names = (members.length > 0 ? members : outermost).map((one) => one.declaration.qualifiedName);
  const one = names[0] as string;
  throw refused(
    "name_mismatch",
    operation,
    `The body declares ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", ..." : ""} there, not ${name}.`,
    `Send the name ${one}, or a body that declares ${name}.`,
  );
}

/** Around the declaration only blanks and comments may stand: no statement, no import, no package clause. */
function assertNothingBeside(unit: SourceUnit, step: Step, region: Span, declared: readonly Located[]): void {
  const statements = declared.map(({ declaration }) =>
    declaration.grouped && within(declaration.statement, region) ? declaration.statement : declaration.span,
  );
  const rest = uncovered(unit.source.text, region, [...statements, ...unit.outline.trivia]);
  const beside = rest.replace(/[;,]/g, "").trim();
  if (beside === "") return;
  const imports = unit.outline.imports.some((span) => within(span, region));
  throw refused(
    "footprint_exceeded",
    step.operation,
    imports
      ? "The body holds an import statement."
      : "The body holds text beside the declaration that is not part of it.",
    imports
      ? "Change imports with UnitImports, in the same call."
      : "Send the declaration alone, with its comments and decorators.",
  );
}
