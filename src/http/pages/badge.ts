/**
 * The verdict as an image for notes and READMEs: plain SVG, no script, no style, no link, nothing of the repository in it but
 * the short commit id. Its words are in `title` and `role`, for who does not see it; contrast is at least 4.5 to 1 either way.
 */
import { html } from "hono/html";
import type { VerificationReport } from "../../schema/verification.ts";
import { verdictWords } from "./verdict-words.ts";

const COLOUR = { ok: "#116329", warn: "#7d4e00", bad: "#a40e26" } as const;
const HEIGHT = 20;
/** Width that a fallback font needs at most, in pixels. */
const widthOf = (text: string): number => Math.ceil(text.length * 6.4) + 12;

export function badge(report: VerificationReport): string {
  const { tone, badge: right } = verdictWords(report);
  const left = `gitpin ${report.commitSha.slice(0, 7)}`;
  const [a, b] = [widthOf(left), widthOf(right)];
  const label = `${left}: ${right}`;
  return String(html`<svg xmlns="http://www.w3.org/2000/svg" width="${a + b}" height="${HEIGHT}" viewBox="0 0 ${a + b} ${HEIGHT}" role="img" aria-label="${label}"><title>${label}</title><rect width="${a + b}" height="${HEIGHT}" rx="3" fill="#30363d"/><path d="M${a} 0h${b - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${b - 3}z" fill="${COLOUR[tone]}"/><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle"><text x="${a / 2}" y="14" textLength="${a - 12}">${left}</text><text x="${a + b / 2}" y="14" textLength="${b - 12}">${right}</text></g></svg>
`);
}
