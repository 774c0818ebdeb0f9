/** The one-line signature of a declaration: up to its body, white space collapsed, a cut marked with `…`. */
import type { Span } from "./declaration.ts";

const SIGNATURE_UNITS = 300;

export function signatureOf(text: string, declaration: Span, bodyStart: number | undefined): string {
  const cutAtBody = bodyStart !== undefined && bodyStart > declaration.start;
  const head = text.slice(declaration.start, cutAtBody ? bodyStart : declaration.end);
  const line = head.replace(/\s+/g, " ").trim();
  const bare = line.replace(/\s*[{:=]?$/, "").replace(/;$/, "");
  if (bare.length <= SIGNATURE_UNITS) return bare;
  return `${bare.slice(0, SIGNATURE_UNITS).toWellFormed()}…`;
}
