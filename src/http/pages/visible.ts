/**
 * Text of a repository as a page may show it: what cannot be seen, or makes text show as another than it is (control and
 * format characters, bidirectional controls, line separators, default-ignorable ones), stands as its code point in a mark.
 * Whatever else is escaped by hono's template. Tabs stay.
 */
import { html } from "hono/html";
import type { Markup } from "./layout.ts";

const HIDDEN = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}])/u;
const SHOWN_AS_IT_IS = "\t";

/** `U+202E` */
export const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Inline markup. */
export function visible(text: string): Markup {
  // Split by a group: every second piece is a hidden character.
  const pieces = text.split(HIDDEN);
  return html`${pieces.map((piece, index) =>
    index % 2 === 0 || piece === SHOWN_AS_IT_IS ? piece : html`<span class="mark">${codePoint(piece)}</span>`,
  )}`;
}

/** The same for titles and images, where there is no markup. */
export const visibleText = (text: string): string =>
  text
    .split(HIDDEN)
    .map((piece, index) => (index % 2 === 0 ? piece : `[${codePoint(piece)}]`))
    .join("");
