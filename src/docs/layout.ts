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
  readonly introduction?: Html;
  readonly sections: readonly Section[];
  readonly script?: string;
}

export interface Section {
  readonly id: string;
  /** For the list of contents. */
  readonly title: string;
  /** Default: an `h2` with the title. */
  readonly heading?: Html;
  readonly body: Html;
}

/** A relative link from one path to another, which works behind a proxy that adds a prefix. */
export function relative(from: string, to: string): string {
  return '../'.repeat(from.split('/').length - 2) + to.slice(1);
}

export function layout({ title, path, introduction, sections, script }: Page): string {
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
${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
</nav>
<main id="main">
<h1>${title}</h1>
${introduction}
${sections.map(
  ({ id, title, heading = html`<h2>${title}</h2>`, body }) => html`<section id="${id}">
${heading}
${body}
</section>
`,
)}</main>
</div>
</body>
</html>
`;
  return page.text;
}
