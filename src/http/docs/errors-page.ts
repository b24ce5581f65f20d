import { ERRORS } from '../../contract/errors.ts';
import { OPERATIONS, type Operation } from '../../contract/operations.ts';
import type { ErrorCode } from '../../domain/error.ts';
import { type Html, html, prose } from './html.ts';
import { layout } from './layout.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

export function errorsPage(): string {
  return layout({
    title: 'Errors',
    root: '../',
    contents: CODES.map((code) => ({ id: code, title: code })),
    main: html`
<p>An error is an object of three members: <code>code</code> for programs, <code>message</code> for
people, and <code>status</code>, the HTTP status of the answer. Its <code>Link</code> header leads
here. Codes may be added; treat one you do not know by its status.</p>
${CODES.map(errorSection)}`,
  });
}

function errorSection(code: ErrorCode): Html {
  const { status, meaning, remedy, example } = ERRORS[code];
  return html`
<section id="${code}">
<h2><code>${code}</code> <span class="status">${status}</span></h2>
<p>${prose(meaning)}</p>
<p><strong>What to do:</strong> ${prose(remedy)}</p>
<pre><code>${JSON.stringify({ code, message: example, status }, null, 2)}</code></pre>
<p class="aside">${whereItComesFrom(code)}</p>
</section>
`;
}

function whereItComesFrom(code: ErrorCode): Html {
  const operations = Object.entries<Operation>(OPERATIONS).filter(([, { errors }]) =>
    errors.includes(code),
  );
  if (operations.length === 0)
    return html`Answers paths and methods that the interface does not have.`;
  const links = operations.map(
    ([name], i) => html`${i > 0 ? ', ' : ''}<a href="../docs#${name}">${name}</a>`,
  );
  return html`Answers ${links}.`;
}
