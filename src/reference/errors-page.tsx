import { API_TEXTS } from '../contract/description.ts';
import { ERROR_CODES, ERRORS, type ErrorCode } from '../contract/errors.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { ERRORS_PAGE, LIMITS_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';
import { errorExample, JsonExample } from './example.tsx';
import { Prose, relative } from './prose.tsx';
import { type Page, proseSection, type Section } from './section.tsx';

const REFERENCE_HREF = relative(ERRORS_PAGE, REFERENCE_PAGE);
const LIMITS_HREF = relative(ERRORS_PAGE, LIMITS_PAGE);

export function errorsPage(): Page {
  return {
    path: ERRORS_PAGE,
    title: 'Errors',
    summary: 'Every error code of the Animal Store API, and what to do about it.',
    introduction: (
      <p class="lead">
        <Prose text={API_TEXTS.errors} /> New codes may be added: handle an unknown code by its
        status.
      </p>
    ),
    groups: [{ title: 'Errors', isLong: true, sections: ERROR_CODES.map(errorSection) }],
  };
}

function errorSection(code: ErrorCode): Section {
  const { status, meaning, remedy } = ERRORS[code];
  return proseSection({
    id: code,
    title: code,
    status,
    side: <JsonExample of={errorExample(code)} />,
    prose: (
      <>
        <p>
          <Prose text={meaning} />
        </p>
        <p>
          <strong>What to do:</strong> <Prose text={remedy} />{' '}
          {status === 429 && <a href={LIMITS_HREF}>More about limits</a>}
        </p>
        <p class="note">
          <ReturnedBy code={code} />
        </p>
      </>
    ),
  });
}

function ReturnedBy({ code }: { code: ErrorCode }) {
  const operations = Object.entries<Operation>(OPERATIONS).filter(([, { errors }]) =>
    errors.includes(code),
  );
  if (operations.length === 0)
    return <>Returned for paths and methods that the API does not have.</>;
  return (
    <>
      Returned by{' '}
      {operations.map(([name, { summary }], i) => (
        <>
          {i > 0 && ', '}
          <a href={`${REFERENCE_HREF}#${name}`}>{summary}</a>
        </>
      ))}
      .
    </>
  );
}
