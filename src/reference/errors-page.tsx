import { ERRORS_PAGE, LIMITS_PAGE, REFERENCE_PAGE } from '../contract/api.ts';
import { API_TEXTS } from '../contract/description.ts';
import { ERROR_CODES, ERRORS, type ErrorCode } from '../contract/errors.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { ErrorExample } from './example.tsx';
import { type Page, Prose, type Section } from './section.tsx';

export function errorsPage(): Page {
  return {
    path: ERRORS_PAGE,
    title: 'Errors',
    summary: 'Every error code, and what to do about it.',
    introduction: [
      `${API_TEXTS.errors} New codes may be added: handle an unknown code by its status.`,
    ],
    groups: [{ title: 'Errors', isLong: true, sections: ERROR_CODES.map(errorSection) }],
  };
}

function errorSection(code: ErrorCode): Section {
  const { status, meaning, remedy } = ERRORS[code];
  const more = status === 429 ? ` [More about limits](${LIMITS_PAGE})` : '';
  return {
    id: code,
    title: code,
    status,
    side: <ErrorExample code={code} />,
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
