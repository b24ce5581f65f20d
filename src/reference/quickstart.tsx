import { ERRORS_PAGE, LIMITS_PAGE } from '../contract/api.ts';
import { PROGRAM } from '../contract/description.ts';
import { ERRORS } from '../contract/errors.ts';
import { HEADERS } from '../contract/headers.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { PAGE_SIZE } from '../contract/parameters.ts';
import { refTo } from '../contract/schemas.ts';
import type { Environment } from '../domain/environment.ts';
import { CodeBlock } from './code.tsx';
import { errorExample } from './example.tsx';
import { definitionOf, fieldsOf, resolve } from './object-section.tsx';
import { requestOf, requestPanel } from './operation-section.tsx';
import { USE_STAGING } from './rehearse.tsx';
import { installClient } from './samples/sample-request.ts';
import { DefinitionList, type Section } from './section.tsx';

function commands(baseUrl: string, environment: Environment): string {
  return `${environment === 'staging' ? USE_STAGING : ''}# As the operator, create a key:
${PROGRAM} accounts create shop --plan free
${PROGRAM} keys create shop

# The samples read the key from here:
export ANIMAL_STORE_API_KEY=ask_…

# For TypeScript, in your project:
${installClient(baseUrl)}`;
}

/** From nothing to the first error, in four steps. */
export function quickstartSection(baseUrl: string, environment: Environment): Section {
  const { createPet, listPets } = OPERATIONS;
  const firstPage = requestOf('listPets', baseUrl, { query: { limit: '2' } });
  const tooLarge = requestOf('listPets', baseUrl, {
    query: { limit: String(10 * PAGE_SIZE.maximum) },
  });
  const errorFields = fieldsOf(resolve({ $ref: refTo('Error') }));
  return {
    id: 'quickstart',
    title: 'Quickstart',
    words: 'started example try hello',
    prose: [],
    steps: [
      {
        id: 'get-a-key',
        title: 'Get a key',
        words:
          'environment variable register signup obtain requestaccess getaccess createkey newkey console',
        side: <CodeBlock language="curl" code={commands(baseUrl, environment)} />,
        prose: [
          'Ask the operator for a key. If you run the service, its first start may have printed one. ' +
            'Create more in the console or with these commands. Each is shown only once. To send the ' +
            'requests below from here, enter it next to Send.',
        ],
      },
      {
        id: 'first-request',
        title: 'Send your first request',
        isRequest: true,
        side: requestPanel('first-request', requestOf('createPet', baseUrl), createPet.success),
        prose: [
          'Add a pet. [All fields](#createPet)',
          <DefinitionList
            of={[
              [`${createPet.success.status}`, createPet.success.description],
              ['Location', HEADERS.Location.description],
            ]}
          />,
        ],
      },
      {
        id: 'first-page',
        title: 'Read your first page',
        isRequest: true,
        side: requestPanel('first-page', firstPage, listPets.success),
        prose: [
          `List the pets. A page has ${PAGE_SIZE.default} pets unless you set a \`limit\`. ` +
            '[All parameters](#listPets)',
          <DefinitionList
            of={[
              [`${listPets.success.status}`, listPets.success.description],
              ['Link', HEADERS.LinkNext.description],
            ]}
          />,
        ],
      },
      {
        id: 'first-error',
        title: 'Get your first error',
        isRequest: true,
        side: requestPanel('first-error', tooLarge, {
          status: ERRORS.invalid_parameter.status,
          example: errorExample('invalid_parameter'),
        }),
        prose: [
          `A limit above ${PAGE_SIZE.maximum} is invalid. Every error has the same three fields:`,
          <DefinitionList of={errorFields.map((field) => definitionOf(field))} />,
          'Handle 429 first: wait for the time in `Retry-After`. See ' +
            `[all errors](${ERRORS_PAGE}) and [the limits](${LIMITS_PAGE}).`,
        ],
      },
    ],
  };
}
