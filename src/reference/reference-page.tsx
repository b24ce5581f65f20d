import { ERRORS_PAGE, OVERVIEW, REFERENCE_PAGE } from '#contract/api.ts';
import { API_SUMMARY, API_TITLE, PROGRAM } from '#contract/description.ts';
import { CONTRACTS, REHEARSALS } from '#contract/environment.ts';
import { ERROR_CODES, ERRORS } from '#contract/errors.ts';
import type { HeaderName } from '#contract/headers.ts';
import { OPERATIONS, type Operation, type OperationName } from '#contract/operations.ts';
import { idempotencyKey, PAGE_SIZE } from '#contract/parameters.ts';
import { refTo } from '#contract/schemas.ts';
import type { Environment } from '#domain/environment.ts';
import { INT64_MAX } from '#formats/int64.ts';
import { Island } from './browser/islands.tsx';
import { errorExample, errorText, headersExample, RequestPanel } from './example.tsx';
import {
  definitionOf,
  fieldsOf,
  headerDefinition,
  headersSection,
  objectSections,
  resolve,
} from './object-section.tsx';
import { operationSection, requestOf } from './operation-section.tsx';
import overview from './pages/overview.md' with { type: 'text' };
import markdown from './pages/reference.md' with { type: 'text' };
import staging from './pages/staging.md' with { type: 'text' };
import { type PageValues, parsePage } from './parse-page.tsx';
import type { SampleRequest } from './samples/sample-request.ts';
import { DefinitionList, type Page } from './section.tsx';

export function referencePage(environment: Environment, pinnedClient: string): Page {
  const values = { ...generalValues(environment), ...quickstartValues(), pinnedClient };
  const page = parsePage(REFERENCE_PAGE, markdown, values);
  const [rehearsals] = parsePage(REFERENCE_PAGE, staging, values).groups;
  return {
    ...page,
    groups: [
      {
        title: 'Start',
        sections: page.groups[0].sections.flatMap((section) =>
          environment === 'staging' && section.id === 'staging' ? rehearsals.sections : section,
        ),
      },
      {
        title: 'Operations',
        sections: Object.entries(CONTRACTS[environment].operations).map(([name, operation]) =>
          operationSection(name as OperationName, operation),
        ),
      },
      { title: 'Objects', sections: [...objectSections(), headersSection(environment)] },
    ],
  };
}

/** The page that a program reads first. It has the most important rules, and lists the pages. */
export function overviewPage(pages: readonly Page[]): Page {
  return parsePage(OVERVIEW, overview, {
    ...generalValues('production'),
    documents: pages.map(({ title, path, summary }) => `[${title}](${path}): ${summary}`),
  });
}

function generalValues(environment: Environment): PageValues {
  const keyErrors = ERROR_CODES.filter((code) => ERRORS[code].status === 401);
  const request = listRequest(PAGE_SIZE.maximum);
  return {
    title: API_TITLE,
    summary: API_SUMMARY,
    program: PROGRAM,
    // Without it, a command uses the store of production.
    chooseStore:
      environment === 'staging'
        ? '# The store of staging:\nexport DATABASE_URL=sqlite:data/staging.db\n\n'
        : '',
    keyErrors: (
      <DefinitionList
        of={keyErrors.map((code) => [
          code,
          ERRORS[code].meaning,
          { href: `${ERRORS_PAGE}#${code}` },
        ])}
      />
    ),
    read_only_key: errorText('read_only_key'),
    nextPageHeader: headersExample(['LinkNext']),
    pageLoop: <Island name="loop-panel" props={{ loop: 'pageLoop', request }} />,
    largestId: `${INT64_MAX}`,
    roundedId: String(Number(INT64_MAX)),
    retryHeaders: (
      <DefinitionList
        of={[
          ['Idempotency-Key', idempotencyKey.description],
          headerDefinition('Idempotent-Replayed'),
        ]}
      />
    ),
    newPet: JSON.stringify(OPERATIONS.createPet.body.example),
    method_not_allowed: errorText('method_not_allowed'),
    failures: <DefinitionList of={Object.entries(REHEARSALS)} />,
  };
}

/** A request for a page of up to `limit` pets. */
function listRequest(limit: number): SampleRequest {
  return requestOf('listPets', { query: { limit: `${limit}` } });
}

/** The steps from nothing to the first error. */
function quickstartValues(): PageValues {
  const { createPet, listPets } = OPERATIONS;
  const { default: defaultPageSize, maximum } = PAGE_SIZE;
  const example = errorExample('invalid_parameter');
  const errorFields = fieldsOf(resolve({ $ref: refTo('Error') }));
  return {
    firstRequest: <RequestPanel request={requestOf('createPet')} response={createPet.success} />,
    firstRequestSuccess: successList(createPet, 'Location'),
    firstPage: <RequestPanel request={listRequest(2)} response={listPets.success} />,
    defaultPageSize: `${defaultPageSize}`,
    firstPageSuccess: successList(listPets, 'LinkNext'),
    firstError: (
      <RequestPanel
        request={listRequest(10 * maximum)}
        response={{ status: example.status, example }}
      />
    ),
    maxPageSize: `${maximum}`,
    errorFields: <DefinitionList of={errorFields.map((field) => definitionOf(field))} />,
  };
}

/** The success of an operation, and a header that comes with it. */
function successList({ success }: Operation, header: HeaderName) {
  return (
    <DefinitionList of={[[`${success.status}`, success.description], headerDefinition(header)]} />
  );
}
