/**
 * Headings of a documentation file, by its markup: Markdown (`#` and underlined), AsciiDoc (`=`), reStructuredText
 * (underlined). Line by line, without rendering: what stands in a code block, comment block or front matter is no heading.
 * Plain text has none. Lines are 1-based and split at LF only, as everywhere.
 */
import type { Heading } from "../../schema/doc.ts";

/** Longest heading told, in UTF-16 units; a longer line is cut, as it is no heading that a reader would miss. */
const TEXT_UNITS = 300;

/** `path` tells the markup; `text` is the whole file. */
export function headingsOf(path: string, text: string): Heading[] {
  const lines = text
    .replace(/^\ufeff/, "")
    .split("\n")
    .map((line) => line.replace(/\r$/, ""));
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  if (extension === "md" || extension === "mdx") return markdown(lines);
  if (extension === "adoc") return asciidoc(lines);
  if (extension === "rst") return restructured(lines);
  return [];
}

/** The first heading of the highest level there is. */
export function titleOf(headings: readonly Heading[]): string | null {
  const highest = Math.min(...headings.map(({ level }) => level));
  return headings.find(({ level }) => level === highest)?.text ?? null;
}

const heading = (level: number, text: string, line: number): Heading => ({
  level,
  text: text.slice(0, TEXT_UNITS).toWellFormed().trim(),
  line,
});

/** Number of lines that a YAML front matter takes at the start; 0 without one. */
function frontMatter(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  return end === -1 ? 0 : end + 1;
}

/** `# Text #`: the marks at the end belong to the markup when a space, or nothing, stands before them. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return end === 0 || /[ \t]/.test(text[end - 1] ?? "") ? text.slice(0, end).trimEnd() : text;
}

const THEMATIC_BREAK = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

function markdown(lines: readonly string[]): Heading[] {
  const found: Heading[] = [];
  let fence: string | null = null;
  let paragraph: number | null = null;
  for (let at = frontMatter(lines); at < lines.length; at++) {
    const line = lines[at] ?? "";
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== null) {
      const [, bar = "", rest = ""] = mark ?? [];
      if (bar.startsWith(fence) && rest.trim() === "") fence = null;
      continue;
    }
    if (mark !== null && !(mark[1]?.startsWith("`") && mark[2]?.includes("`"))) {
      fence = mark[1] ?? null;
      paragraph = null;
      continue;
    }
    const hashes = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line);
    if (hashes !== null) {
      const text = withoutClosing((hashes[2] ?? "").trim());
      if (text !== "") found.push(heading((hashes[1] ?? "").length, text, at + 1));
      paragraph = null;
      continue;
    }
    const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(line);
    if (underline !== null && paragraph !== null) {
      const text = lines
        .slice(paragraph, at)
        .map((one) => one.trim())
        .join(" ");
      found.push(heading(underline[1]?.startsWith("=") ? 1 : 2, text, paragraph + 1));
      paragraph = null;
    } else if (
      line.trim() === "" ||
      THEMATIC_BREAK.test(line) ||
      /^(?: {0,3}(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]|\||<)| {4}|\t)/.test(line)
    ) {
      // Quotes, lists, tables, HTML and indented code start no paragraph that an underline could make a heading.
      if (paragraph === null || !/^(?: {4}|\t)/.test(line)) paragraph = null;
    } else paragraph ??= at;
  }
  return found;
}

function asciidoc(lines: readonly string[]): Heading[] {
  const found: Heading[] = [];
  let block: string | null = null;
  for (const [at, line] of lines.entries()) {
    const bar = /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,}|={4,}|\*{4,}|_{4,}|```)\s*$/.test(line)
      ? line.trimEnd()
      : null;
    if (bar !== null) {
      if (block === null) block = bar;
      else if (block === bar) block = null;
      continue;
    }
    const marks = block === null ? /^(={1,6})[ \t]+(\S.*)$/.exec(line) : null;
    if (marks !== null) found.push(heading((marks[1] ?? "").length, marks[2] ?? "", at + 1));
  }
  return found;
}

/** Levels follow the order in which kinds of underline first appear, with and without a line above counted apart. */
function restructured(lines: readonly string[]): Heading[] {
  const found: Heading[] = [];
  const kinds: string[] = [];
  for (const [at, line] of lines.entries()) {
    const bar = /^([!-/:-@[-`{-~])\1*\s*$/.exec(line);
    const text = lines[at - 1] ?? "";
    if (bar === null || text.trim() === "" || /^[!-/:-@[-`{-~]+\s*$/.test(text)) continue;
    const above = lines[at - 2] ?? "";
    const overlined = above.trimEnd() === line.trimEnd();
    if (!overlined && (above.trim() !== "" || /^\s/.test(text))) continue;
    if (line.trimEnd().length < text.trim().length) continue;
    const kind = `${bar[1]}${overlined ? "2" : ""}`;
    if (!kinds.includes(kind)) kinds.push(kind);
    found.push(heading(Math.min(kinds.indexOf(kind) + 1, 6), text, at));
  }
  return found;
}
