/**
 * Which tools there are for a caller: one that needs a scope does not exist for who lacks it, in listings, documents and calls alike.
 * Pure. What a tool then does for its caller is the service's to decide.
 */
import type { Caller } from "../ports/registry.ts";
import type { Tool } from "./tool.ts";

type Holder = Pick<Caller, "scopes">;

export const hasTool = ({ scope }: Tool, { scopes }: Holder): boolean =>
  scope === undefined || scopes.includes(scope);

export const toolsFor = (tools: readonly Tool[], caller: Holder): readonly Tool[] =>
  tools.filter((tool) => hasTool(tool, caller));

/** Callers with the same key have the same tools. */
export const toolsKey = (tools: readonly Tool[], { scopes }: Holder): string =>
  [...new Set(tools.flatMap(({ scope }) => (scope !== undefined && scopes.includes(scope) ? [scope] : [])))]
    .toSorted()
    .join(" ");

/** Most bytes of one call, where some of the tools take larger ones than is usual. */
export const callBytes = (tools: readonly Tool[], usual: number): number =>
  Math.max(usual, ...tools.map(({ bodyBytes = 0 }) => bodyBytes));
