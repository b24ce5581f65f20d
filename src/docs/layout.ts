import { API_VERSION } from '../contract/api.ts';
import {
  DOCUMENT,
  ERRORS_PAGE,
  LIMITS_PAGE,
  REFERENCE_PAGE,
  STYLE_SHEET,
} from '../contract/page-paths.ts';
import { type Html, html } from './html.ts';

/** A page about the API. */
export interface Page {
  readonly title: string;
  readonly path: string;
  /** The sections of the page. */
  readonly contents: readonly { readonly id: string; readonly title: string }[];
  readonly main: Html;
  readonly script?: string;
}

/** A relative link from one path to another, which works behind a proxy that adds a prefix. */
export function relative(from: string, to: string): string {
  return '../'.repeat(from.split('/').length - 2) + to.slice(1);
}

export function layout({ title, path, contents, main, script }: Page): string {
  const link = (to: string) => relative(path, to);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Animal Store</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${link(STYLE_SHEET)}">
${script && html`<script type="module" src="${link(script)}"></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<p class="brand"><a href="${link(REFERENCE_PAGE)}">Animal Store</a> <span>API ${API_VERSION}</span></p>
<nav aria-label="Pages">
<a href="${link(REFERENCE_PAGE)}">Reference</a>
<a href="${link(ERRORS_PAGE)}">Errors</a>
<a href="${link(LIMITS_PAGE)}">Limits</a>
<a href="${link(DOCUMENT)}">openapi.json</a>
</nav>
</header>
<div class="columns">
<nav class="contents" aria-label="On this page">
<ul>
${contents.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
</nav>
<main id="main">
<h1>${title}</h1>
${main}
</main>
</div>
</body>
</html>
`;
  return page.text;
}
