/**
 * The two spellings of tool names (contract: "Names"): `pin.prove` and `pin_prove`.
 * Owns the way between them, and re-spelling of names inside prose. Only names of tools that exist are touched.
 */
import type { Spelling } from "../ports/call.ts";
import { spell } from "../service/next.ts";

/** `pin.prove_set` as this caller spells it. Names without a dot have one spelling only. */
export const spellName = spell;

/** How the caller spelled a name that may be either form. */
export const spellingOf = (written: string): Spelling => (written.includes(".") ? "dotted" : "underscore");

/**
 * Re-spells tool names in prose that was written with underscore names. `names` are the dotted ones of all tools
 * that exist; other words, and longer words that merely begin like a name, stay as they are.
 */
export function respellProse(names: readonly string[], spelling: Spelling): (prose: string) => string {
  const dotted = new Map(names.map((name) => [spellName(name, "underscore"), name]));
  if (spelling === "underscore" || dotted.size === 0) return (prose) => prose;
  const written = [...dotted.keys()].map((name) => name.replace(/[^A-Za-z0-9_]/g, "\\$&"));
  const whole = new RegExp(`(?<![A-Za-z0-9_])(?:${written.join("|")})(?![A-Za-z0-9_])`, "g");
  return (prose) => prose.replace(whole, (name) => dotted.get(name) ?? name);
}
