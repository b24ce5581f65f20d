import { ERRORS_PAGE, LIMITS_PAGE } from '../contract/api.ts';
import { PROGRAM } from '../contract/description.ts';
import { ERRORS } from '../contract/errors.ts';
import { HEADERS, type HeaderName, wireName } from '../contract/headers.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { PAGE_SIZE } from '../contract/parameters.ts';
import { refTo } from '../contract/schemas.ts';
import type { Environment } from '../domain/environment.ts';
import { CodeBlock } from './code.tsx';
import { errorExample } from './example.tsx';
import { definitionOf, fieldsOf, resolve } from './object-section.tsx';
import { type ExampleResponse, requestOf, requestPanel } from './operation-section.tsx';
import { USE_STAGING } from './rehearse.tsx';
import { installClient, type SampleRequest } from './samples/sample-request.ts';
import { DefinitionList, type Paragraph, type Part, type Section } from './section.tsx';

function commands(baseUrl: string, environment: Environment): string {
  return `${environment === 'staging' ? USE_STAGING : ''}# As the operator, create a key:
${PROGRAM} accounts create shop --plan free
${PROGRAM} keys create shop

# The samples read the key from here:
export ANIMAL_STORE_API_KEY=ask_…

# For TypeScript, in your project:
${installClient(baseUrl)}`;
}

/** Leads from nothing to the first error, in four steps. */
export function quickstartSection(baseUrl: string, environment: Environment): Section {
  const { createPet, listPets } = OPERATIONS;
  const listWith = (limit: number) =>
    requestOf('listPets', baseUrl, { query: { limit: String(limit) } });
  return {
    id: 'quickstart',
    title: 'Quickstart',
    words: 'example try hello',
    prose: [],
    steps: [
      {
        id: 'get-a-key',
        title: 'Get a key',
        words:
          'environment variable register signup obtain requestaccess getaccess createkey newkey',
        side: <CodeBlock language="curl" code={commands(baseUrl, environment)} />,
        prose: [
          'Ask the operator for a key. If you run the service, its first start may have printed one, and ' +
            'you can create more in the console or with these commands. Each key is shown only once. To ' +
            'send the requests below from this page, enter your key next to Send.',
        ],
      },
      requestStep(
        { id: 'first-request', title: 'Send your first request' },
        requestOf('createPet', baseUrl),
        createPet.success,
        'Add a pet. [All fields](#createPet)',
        successList(createPet, 'Location'),
      ),
      requestStep(
        { id: 'first-page', title: 'Read your first page' },
        listWith(2),
        listPets.success,
        `List the pets. A page has ${PAGE_SIZE.default} pets unless you set a \`limit\`. ` +
          '[All parameters](#listPets)',
        successList(listPets, 'LinkNext'),
      ),
      requestStep(
        { id: 'first-error', title: 'Get your first error' },
        listWith(10 * PAGE_SIZE.maximum),
        {
          status: ERRORS.invalid_parameter.status,
          example: errorExample('invalid_parameter'),
        },
        `A limit above ${PAGE_SIZE.maximum} is invalid. Every error has the same three fields:`,
        <DefinitionList of={ERROR_FIELDS} />,
        'Handle 429 first: wait for the time in `Retry-After`. See ' +
          `[all errors](${ERRORS_PAGE}) and [the limits](${LIMITS_PAGE}).`,
      ),
    ],
  };
}

const ERROR_FIELDS = fieldsOf(resolve({ $ref: refTo('Error') })).map((field) =>
  definitionOf(field),
);

function requestStep(
  { id, title }: Pick<Part, 'id' | 'title'>,
  request: SampleRequest,
  response: ExampleResponse,
  ...prose: Paragraph[]
): Part {
  return { id, title, isRequest: true, side: requestPanel(id, request, response), prose };
}

/** The success of an operation, and a header that comes with it. */
function successList({ success }: Operation, header: HeaderName) {
  return (
    <DefinitionList
      of={[
        [`${success.status}`, success.description],
        [wireName(header), HEADERS[header].description],
      ]}
    />
  );
}
