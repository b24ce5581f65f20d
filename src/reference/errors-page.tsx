import { ERRORS_PAGE, LIMITS_PAGE, REFERENCE_PAGE } from '#contract/api.ts';
import { ERROR_CODES, ERRORS, type ErrorCode } from '#contract/errors.ts';
import { errorHeaderNames } from '#contract/headers.ts';
import { OPERATIONS, type Operation } from '#contract/operations.ts';
import { StatusBadge } from './badge.tsx';
import { errorText } from './example.tsx';
import { fenced, Prose } from './markdown.tsx';
import markdown from './pages/errors.md' with { type: 'text' };
import { parsePage } from './parse-page.tsx';
import { RETRIED_STATUSES } from './samples/sample-request.ts';
import type { Page, Section } from './section.tsx';
import { Table } from './table.tsx';

export function errorsPage(): Page {
  const page = parsePage(ERRORS_PAGE, markdown, {
    table: (
      <Table
        name="errors"
        columns={['Code', 'Status', 'Meaning', 'Retry']}
        rows={ERROR_CODES.map(errorRow)}
      />
    ),
  });
  const sections = ERROR_CODES.map(errorSection);
  return { ...page, groups: [{ title: page.title, isLong: true, sections }] };
}

function errorRow(code: ErrorCode) {
  const { status, meaning } = ERRORS[code];
  return [
    <Prose text={`[\`${code}\`](#${code})`} />,
    <StatusBadge status={status} />,
    meaning,
    <Prose text={retryAdvice(status)} />,
  ];
}

function retryAdvice(status: number): string {
  const headers = errorHeaderNames(status);
  if (headers.includes('RetryAfterBrownout')) return 'no; in a brownout, after `Retry-After`';
  if (!RETRIED_STATUSES.includes(status)) return 'no';
  return headers.includes('Retry-After') ? 'only after `Retry-After`' : 'yes';
}

/** Words for a status that its error codes do not contain, among them its name in HTTP. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'badrequest',
  401: 'unauthorized',
  403: 'forbidden insufficient denied',
  408: 'timedout',
  410: 'gone brownout',
  422: 'unprocessable',
  429: 'toomanyrequests',
  500: 'internalservererror server',
  503: 'overloaded',
};

function errorSection(code: ErrorCode): Section {
  const { status, meaning, remedy } = ERRORS[code];
  const more = status === 429 ? ` [More about limits](${LIMITS_PAGE})` : '';
  return {
    id: code,
    title: code,
    status,
    words: REASONS[status],
    side: [fenced('json', errorText(code))],
    prose: [
      meaning,
      `**What to do:** ${remedy}${more}`,
      <p class="note">
        <Prose text={returnedBy(code)} />
      </p>,
    ],
  };
}

function returnedBy(code: ErrorCode): string {
  const operations = Object.entries<Operation>(OPERATIONS)
    .filter(([, { errors }]) => errors.includes(code))
    .map(([name, { summary }]) => `[${summary}](${REFERENCE_PAGE}#${name})`);
  if (operations.length === 0) return 'Returned for paths and methods that the API does not have.';
  return `Returned by ${operations.join(', ')}.`;
}
