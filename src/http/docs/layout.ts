import { INTERFACE_VERSION } from '../../contract/operations.ts';
import { type Html, html } from './html.ts';

/** A page about the interface. Its links are relative, so that it may be served under any path. */
export interface Page {
  readonly title: string;
  /** From the page to where the interface begins: '' or '../'. */
  readonly root: string;
  /** The sections of the page. */
  readonly contents: readonly { readonly id: string; readonly title: string }[];
  readonly main: Html;
  readonly script?: string;
}

export function layout({ title, root, contents, main, script }: Page): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Animal Store</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}docs/style.css">
${script && html`<script type="module" src="${root}${script}"></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<p class="brand"><a href="${root}docs">Animal Store</a> <span>${INTERFACE_VERSION}</span></p>
<nav aria-label="Pages">
<a href="${root}docs">Reference</a>
<a href="${root}docs/errors">Errors</a>
<a href="${root}docs/limits">Limits</a>
<a href="${root}openapi.json">openapi.json</a>
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
