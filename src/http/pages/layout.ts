/**
 * The frame of every page: language, title, one style sheet, a link that skips to what matters, a heading and a foot. Values
 * go through hono's template, which escapes them; only the style sheet is put in as it is, for it is ours and constant.
 */
import { html, raw } from "hono/html";
import { pagePolicy, STYLE } from "./style.ts";

/** What hono's template makes: already escaped. */
export type Markup = ReturnType<typeof html>;

export interface PageWords {
  title: string;
  heading: Markup | string;
  main: Markup;
  foot: Markup | string;
}

export const pageHeaders = (): Record<string, string> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": pagePolicy(),
});

export const layout = ({ title, heading, main, foot }: PageWords): string =>
  String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<header><a class="skip" href="#main">Skip to content</a><h1>${heading}</h1></header>
<main id="main">${main}</main>
<footer>${foot}</footer>
</body>
</html>
`);
