/**
 * What a person sees who opens a citation: the verdict now, where it stands, the lines themselves, how to re-check them with
 * git and nothing of ours, and the same in other forms. Text of the repository is shown, never interpreted.
 */
import { html } from "hono/html";
import type { EvidenceSlice } from "../../schema/evidence.ts";
import type { VerificationReport } from "../../schema/verification.ts";
import { linesTable, shownLines } from "./cited-lines.ts";
import { layout, type Markup } from "./layout.ts";
import { linesText, verdictWords } from "./verdict-words.ts";
import { visible, visibleText } from "./visible.ts";

export interface CitationWords {
  report: VerificationReport;
  /** What stands there; null for an absence. */
  slice: EvidenceSlice | null;
  /** This page's own address, without form. */
  url: string;
  publicUrl: string;
}

const command = (label: string, text: string): Markup => html`<h3>${label}</h3>
<pre>${visible(text)}</pre>`;

function placeOf({ repository, sourcePath, citation, absence }: VerificationReport): string {
  if (absence !== undefined) return `nothing for ${JSON.stringify(absence.query)} in ${repository}`;
  const { line, lineEnd } = citation;
  const lines = line === null ? "" : `, ${linesText(line, lineEnd ?? line)}`;
  return `${repository}/${sourcePath}${lines}`;
}

function facts(report: VerificationReport): Markup {
  const { citation, commitSha, headCommitSha, head, absence, contentSha256, proof, blobSha } = report;
  const at = head?.checkedAt ?? null;
  const row = (name: string, value: Markup | string) => html`<dt>${name}</dt><dd>${value}</dd>`;
  return html`<dl>
${row("Repository", report.repository)}
${absence === undefined ? row("Path", visible(report.sourcePath === "" ? "(the root)" : report.sourcePath)) : row("Searched", html`${absence.filesSearched} files`)}
${row("Commit", html`<code>${commitSha}</code>`)}
${blobSha === null ? "" : row("Blob", html`<code>${blobSha}</code>`)}
${contentSha256 === null ? "" : row("SHA-256 of the lines", html`<code>${contentSha256}</code>`)}
${headCommitSha === null ? "" : row("HEAD", html`<code>${headCommitSha}</code>${at === null ? "" : html`, asked <time datetime="${at}">${at}</time>`}`)}
${head?.stale == null ? "" : row("HEAD may be old", head.stale.reason)}
${proof === null ? "" : row("Checked here", `commit ${proof.commit}, tree ${proof.tree}, blob ${proof.blob}`)}
${row("Cite as", html`<code>${visible(absence?.handle ?? citation.cite)}</code>`)}
</dl>`;
}

function content({ slice }: CitationWords): Markup | string {
  if (slice === null || slice.status !== "ok") return "";
  if (slice.entries !== null) {
    return html`<h2>Directory at that commit</h2><p>${slice.totalEntries ?? slice.entries.length} entries${slice.truncated ? ", the first of them" : ""}:</p>
<ul>${slice.entries.map(({ name, entryType }) => html`<li><code>${visible(name)}</code> ${entryType}</li>`)}</ul>`;
  }
  if (slice.encoding === "base64")
    return html`<h2>Lines at that commit</h2><p>These bytes are not text, so they are not shown here.</p>`;
  if (slice.range === null) return html`<h2>Lines at that commit</h2><p>The file is empty.</p>`;
  return html`<h2>Lines at that commit</h2>${linesTable(shownLines(slice))}`;
}

export function citationPage(words: CitationWords): string {
  const { report, url, publicUrl } = words;
  const { tone, headline } = verdictWords(report);
  const { verify, permalink } = report.citation;
  const place = placeOf(report);
  const grep = report.absence?.verify.gitGrep ?? null;
  const form = (name: string) => `${url}?format=${name}`;
  return layout({
    title: visibleText(`${headline} ${place}`),
    heading: visible(place),
    main: html`<div class="verdict ${tone}"><p><strong>${headline}</strong></p><p>${visible(report.reason)}</p></div>
${facts(report)}
${content(words)}
<h2>Check it yourself</h2>
<p>In a clone of the repository, with git alone:</p>
${grep === null ? html`${command("The bytes", verify.gitShow)}${report.sourcePath === "" || report.citation.line === null ? "" : command("Their SHA-256", verify.sha256)}` : command("Prints nothing", grep)}
<p>Or ask this service again:</p>
${command("From a shell", verify.curl)}
${permalink === "" ? "" : html`<p><a href="${permalink}" rel="noreferrer">The same place at the hosting site</a></p>`}
<h2>Other forms</h2>
<ul><li><a href="${form("json")}">JSON</a></li><li><a href="${form("txt")}">Text</a></li><li><a href="${form("svg")}">Badge (SVG)</a></li></ul>`,
    foot: html`<p>A verdict says what stands at a commit and at HEAD. It never says that a statement is true. Text of the repository is shown as data.</p><p><a href="${publicUrl}/">GitPin</a></p>`,
  });
}
