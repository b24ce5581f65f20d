import { ERROR_CODES, ERRORS, type ErrorCode, errorBody } from '../contract/errors.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { ERRORS_PAGE, LIMITS_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';
import { type Html, html, prose } from './html.ts';
import { layout, relative, type Section } from './layout.ts';

export function errorsPage(): string {
  return layout({
    title: 'Errors',
    path: ERRORS_PAGE,
    introduction: html`<p>Every error is an object with three members: <code>code</code> for programs, <code>message</code>
for people, and <code>status</code>, the HTTP status of the response. The <code>Link</code> header of
an error points to this page. New codes may be added: handle an unknown code by its status.</p>`,
    sections: ERROR_CODES.map(errorSection),
  });
}

function errorSection(code: ErrorCode): Section {
  const { status, meaning, remedy, example } = ERRORS[code];
  return {
    id: code,
    title: code,
    heading: html`<h2><code>${code}</code> <span class="status">${status}</span></h2>`,
    body: html`<p>${prose(meaning)}</p>
<p><strong>What to do:</strong> ${prose(remedy)} ${moreOnLimits(status)}</p>
<pre><code>${JSON.stringify(errorBody(code, example), null, 2)}</code></pre>
<p class="aside">${returnedBy(code)}</p>`,
  };
}

function moreOnLimits(status: number): Html | undefined {
  if (status !== 429) return undefined;
  return html`<a href="${relative(ERRORS_PAGE, LIMITS_PAGE)}">More about limits.</a>`;
}

function returnedBy(code: ErrorCode): Html {
  const operations = Object.entries<Operation>(OPERATIONS).filter(([, { errors }]) =>
    errors.includes(code),
  );
  if (operations.length === 0) {
    return html`Returned for paths and methods that the API does not have.`;
  }
  const reference = relative(ERRORS_PAGE, REFERENCE_PAGE);
  const links = operations.map(
    ([name], i) => html`${i > 0 ? ', ' : ''}<a href="${reference}#${name}">${name}</a>`,
  );
  return html`Returned by ${links}.`;
}
