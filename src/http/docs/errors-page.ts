import { ERRORS, errorBody } from '../../contract/errors.ts';
import { OPERATIONS, type Operation } from '../../contract/operations.ts';
import type { ErrorCode } from '../../domain/error.ts';
import { type Html, html, prose } from './html.ts';
import { layout, relative } from './layout.ts';
import { ERRORS_PAGE, LIMITS_PAGE, REFERENCE_PAGE } from './paths.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

export function errorsPage(): string {
  return layout({
    title: 'Errors',
    path: ERRORS_PAGE,
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
<p><strong>What to do:</strong> ${prose(remedy)} ${moreOnLimits(status)}</p>
<pre><code>${JSON.stringify(errorBody(code, example), null, 2)}</code></pre>
<p class="aside">${whereItComesFrom(code)}</p>
</section>
`;
}

function moreOnLimits(status: number): Html | undefined {
  if (status !== 429) return undefined;
  return html`<a href="${relative(ERRORS_PAGE, LIMITS_PAGE)}">More on limits.</a>`;
}

function whereItComesFrom(code: ErrorCode): Html {
  const operations = Object.entries<Operation>(OPERATIONS).filter(([, { errors }]) =>
    errors.includes(code),
  );
  if (operations.length === 0) {
    return html`Answers paths and methods that the interface does not have.`;
  }
  const reference = relative(ERRORS_PAGE, REFERENCE_PAGE);
  const links = operations.map(
    ([name], i) => html`${i > 0 ? ', ' : ''}<a href="${reference}#${name}">${name}</a>`,
  );
  return html`Answers ${links}.`;
}
