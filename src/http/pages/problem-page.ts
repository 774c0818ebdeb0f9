/** An error as a page, for a person with a browser: what went wrong, and what to do. The status stays the error's own. */
import { html } from "hono/html";
import type { ProblemDetails } from "../problem.ts";
import { layout, pageHeaders } from "./layout.ts";
import { visible, visibleText } from "./visible.ts";

export function problemPage(
  { title, status, detail, instance, error, type }: ProblemDetails,
  headers: Readonly<Record<string, string>>,
): Response {
  const page = layout({
    title: `${visibleText(title)} - GitPin`,
    heading: title,
    main: html`<div class="verdict bad"><p><strong>${visible(detail)}</strong></p><p>${visible(error.nextStep)}</p></div>
<dl><dt>Status</dt><dd>${String(status)}</dd><dt>Code</dt><dd><a href="${type}"><code>${error.code}</code></a></dd><dt>Request</dt><dd><code>${instance}</code></dd></dl>`,
    foot: html`<a href="/">GitPin</a>`,
  });
  return new Response(page, { status, headers: { ...headers, ...pageHeaders() } });
}
