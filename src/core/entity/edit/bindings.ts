/**
 * What binds forwards (attributes, decorators, directives of a compiler: `binds` of the language) keeps what it is about:
 * the grammar shows it beside a declaration, so that the shape of the tree does not tell.
 */
import { type Span, within } from "../declaration.ts";
import type { SourceUnit } from "../entity.ts";
import type { Regions } from "./regions.ts";

/** A binding comment or attribute outside the regions, and what it is about. */
interface Binding {
  at: number;
  /** Number of the region it is about, or where the code behind it stands after the splices. */
  about: string;
}

/** Position, before the edit, of one that would be about something else; null when there is none. */
export function rebound(before: SourceUnit, after: SourceUnit, regions: Regions): number | null {
  const now = bindings(after, regions.after, (at) => at);
  const others = bindings(before, regions.before, regions.moved).entries();
  for (const [index, { at, about }] of others) if (now[index]?.about !== about) return at;
  return null;
}

function bindings(unit: SourceUnit, regions: readonly Span[], moved: (at: number) => number): Binding[] {
  const { binds } = unit.spec;
  if (binds === undefined) return [];
  const { text } = unit.source;
  const { trivia } = unit.outline;
  const found: Binding[] = [];
  /** Where the first code behind a comment begins, by where the comment does: a run of them is walked once. */
  const codeBehind = new Map<number, number>();
  for (let index = trivia.length - 1; index >= 0; index--) {
    const { start, end } = trivia[index] as Span;
    let next = end;
    while (next < text.length && /\s/.test(text[next] ?? "")) next += 1;
    next = codeBehind.get(next) ?? next;
    codeBehind.set(start, next);
    if (!binds.test(text.slice(start, end))) continue;
    if (regions.some((region) => region.end > region.start && within({ start, end }, region))) continue;
    const about = regions.findIndex((region) => next >= region.start && next < region.end);
    found.push({ at: start, about: about < 0 ? `${moved(next)}` : `region ${about}` });
  }
  return found.reverse();
}
