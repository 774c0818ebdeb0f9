/**
 * The one style sheet of all pages, and the policy that lets it and nothing else through: no script, no image, no font, no
 * form, no frame. Light and dark follow the reader's own setting. The hash of the policy is computed from the text itself.
 */
import { createHash } from "node:crypto";

export const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--faint:#555c66;--paper:#fff;--shade:#f3f4f6;--line:#c8cdd4;--link:#0550ae;--ok:#116329;--warn:#7d4e00;--bad:#a40e26;--mark:#6e1a8f}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--faint:#a6adb8;--paper:#14171c;--shade:#1f242b;--line:#3d444d;--link:#79b8ff;--ok:#6fdd8b;--warn:#eac54f;--bad:#ff938a;--mark:#e2a8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
header,main,footer{max-width:60rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.5rem}footer{padding-top:1rem;padding-bottom:2rem;color:var(--faint)}
h1{font-size:1.5rem;line-height:1.3;margin:.5rem 0;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1.5rem 0 .25rem;overflow-wrap:anywhere}
p{margin:.5rem 0}a{color:var(--link)}a:focus-visible,[tabindex]:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}
code,pre{font:.875rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
pre{margin:.25rem 0 .75rem;padding:.75rem;background:var(--shade);border:1px solid var(--line);border-radius:4px;white-space:pre-wrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:1rem 0}dt{color:var(--faint)}dd{margin:0;overflow-wrap:anywhere;min-width:0}
table{border-collapse:collapse;width:100%}caption{text-align:left;color:var(--faint);padding:.25rem 0}th,td{text-align:left;vertical-align:top;padding:.25rem .5rem;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
details{border:1px solid var(--line);border-radius:4px;padding:.25rem .75rem;margin:.5rem 0}summary{cursor:pointer;padding:.25rem 0}
h3 code{font-size:1rem}
.skip{position:absolute;left:-999rem}.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.25rem .5rem}
.verdict{border-left:.4rem solid var(--faint);background:var(--shade);padding:.75rem 1rem;margin:1rem 0}.verdict strong{font-size:1.1rem}
.verdict.ok{border-color:var(--ok)}.verdict.ok strong{color:var(--ok)}.verdict.warn{border-color:var(--warn)}.verdict.warn strong{color:var(--warn)}.verdict.bad{border-color:var(--bad)}.verdict.bad strong{color:var(--bad)}
.lines{overflow-x:auto;border:1px solid var(--line);border-radius:4px;background:var(--shade)}.lines table{width:auto;min-width:100%}.lines th,.lines td{border:0;padding:0 .75rem;font:.875rem/1.5 ui-monospace,monospace;white-space:pre;overflow-wrap:normal}.lines th{width:1%;text-align:right;color:var(--faint);user-select:none;border-right:1px solid var(--line);font-weight:400}.lines td{tab-size:4;unicode-bidi:isolate}
.mark{color:var(--mark);border:1px solid currentcolor;border-radius:3px;padding:0 .2em;font-size:.8em;white-space:nowrap;unicode-bidi:isolate}
.wide{overflow-x:auto}
.note{color:var(--faint)}
@media (max-width:40rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}}
@media (forced-colors:active){.verdict,.mark{border-color:CanvasText}}
`.trim();

let policy = "";

/** `content-security-policy` of every page. */
export function pagePolicy(): string {
  if (policy === "") {
    const hash = createHash("sha256").update(STYLE).digest("base64");
    policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  }
  return policy;
}
