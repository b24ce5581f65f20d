import {
  API_PREFIX,
  CHANGES_PAGE,
  DOCUMENT,
  LIMITS_PAGE,
  REFERENCE_PAGE,
  YAML_DOCUMENT,
} from '../contract/api.ts';
import { API_SUMMARY, API_TEXTS, API_TITLE } from '../contract/description.ts';
import { CONTRACTS } from '../contract/environment.ts';
import { ERROR_CODES, ERRORS } from '../contract/errors.ts';
import { HEADERS } from '../contract/headers.ts';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import { idempotencyKey, PAGE_SIZE } from '../contract/parameters.ts';
import { refTo } from '../contract/schemas.ts';
import type { Environment } from '../domain/environment.ts';
import { INT64_MAX } from '../domain/int64.ts';
import { Island } from './browser/islands.tsx';
import { Code, CodeBlock } from './code.tsx';
import { errorExample, headersExample, JsonExample } from './example.tsx';
import { fieldsOf, headersSection, objectSections, resolve } from './object-section.tsx';
import { operationSection, type RequestPanel, requestPanel } from './operation-section.tsx';
import { PROGRAM, rehearseSections, USE_STAGING } from './rehearse.tsx';
import { installClient } from './samples/sample-request.ts';
import {
  DefinitionList,
  ERRORS_HREF,
  type Page,
  type Part,
  relative,
  type Section,
} from './section.tsx';

export function referencePage(publicUrl: string, environment: Environment): Page {
  const baseUrl = publicUrl + API_PREFIX;
  const { operations } = CONTRACTS[environment];
  return {
    path: REFERENCE_PAGE,
    title: API_TITLE,
    summary: API_SUMMARY,
    introduction: [
      API_SUMMARY,
      `Base address: \`${baseUrl}\``,
      <noscript>
        <p class="notice">To send requests from this page, allow it to run JavaScript.</p>
      </noscript>,
    ],
    groups: [
      {
        title: 'Start',
        sections: [
          quickstartSection(baseUrl, environment),
          authentication(baseUrl),
          pagination(baseUrl),
          numbers(),
          retries(baseUrl),
          clients(baseUrl),
          compatibility(),
          ...rehearseSections(baseUrl, environment),
        ],
      },
      {
        title: 'Operations',
        sections: Object.entries(operations).map(([name, operation]) =>
          operationSection(name, operation, baseUrl),
        ),
      },
      { title: 'Objects', sections: [...objectSections(), headersSection(environment)] },
    ],
  };
}

function authentication(baseUrl: string): Section {
  const codes = ERROR_CODES.filter((code) => ERRORS[code].status === 401);
  return {
    id: 'authentication',
    title: 'Authentication',
    words: 'authorization bearer api key',
    side: <Code language="http" code={httpRequest(OPERATIONS.listPets, baseUrl)} />,
    prose: [
      `${API_TEXTS.keys} Without a valid key, every path of the API returns 401:`,
      <DefinitionList
        of={codes.map((code) => [code, ERRORS[code].meaning, { href: `${ERRORS_HREF}#${code}` }])}
      />,
      'Keep keys out of source code, URLs and logs. If one leaks, ask the operator to rotate it.',
    ],
  };
}

function pagination(baseUrl: string): Section {
  return {
    id: 'pagination',
    title: 'Pagination',
    side: <Island name="loop-panel" props={{ id: 'page-loop', baseUrl }} />,
    prose: [
      API_TEXTS.pages,
      <Code language="http" code={headersExample(['LinkNext'])} />,
      'To paginate, follow that URL until a response has no such link. Its cursor is `after`, the ' +
        'last id of the page before. There is no offset, so you miss no pet and read none twice ' +
        'while others are added.',
    ],
  };
}

function numbers(): Section {
  const exact = INT64_MAX;
  const code = `const text = '{"id":${exact}}';

JSON.parse(text).id;
// ${BigInt(Number(exact))}: rounded

JSON.parse(text, (name, value, { source }) =>
  name === 'id' ? BigInt(source) : value).id;
// ${exact}n: exact`;
  return {
    id: 'numbers',
    title: 'JSON and 64-bit ids',
    words: 'int64',
    side: <CodeBlock language="fetch" code={code} />,
    prose: [
      `${API_TEXTS.bodies} ${API_TEXTS.ids}`,
      'Python and Go read them exactly. In JavaScript, the client reads them as `bigint`, and so ' +
        'does the second call of `JSON.parse` from Node.js 21, Chrome 114, Firefox 135 and Safari ' +
        '18.4 on. This page keeps every digit.',
    ],
  };
}

function retries(baseUrl: string): Section {
  const { createPet } = OPERATIONS;
  const request = `${httpRequest(createPet, baseUrl)}
Content-Type: application/json
Idempotency-Key: order-1042-rex

${JSON.stringify(createPet.body.example)}`;
  return {
    id: 'retries',
    title: 'Safe retries',
    words: 'retry idempotency',
    side: <Code language="http" code={request} />,
    prose: [
      'A GET is always safe to repeat. To repeat a POST, send the header `Idempotency-Key`. It ' +
        lowerCaseFirst(idempotencyKey.description),
      'If the response has `Idempotent-Replayed`, ' +
        lowerCaseFirst(HEADERS['Idempotent-Replayed'].description),
    ],
  };
}

/** The first lines of a request, as it is sent. */
function httpRequest({ method, path }: Operation, baseUrl: string): string {
  const { pathname, host } = new URL(`${baseUrl}${path}`);
  return `${method} ${pathname} HTTP/1.1\nHost: ${host}\nAuthorization: Bearer ask_…`;
}

/** A sentence of the contract, as the rest of another one. */
function lowerCaseFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function clients(baseUrl: string): Section {
  const href = relative(REFERENCE_PAGE, DOCUMENT);
  return {
    id: 'clients',
    title: 'Clients and languages',
    words: 'sdk typescript javascript fetch python go curl openapi',
    side: <CodeBlock language="curl" code={installClient(baseUrl)} />,
    prose: [
      'For TypeScript and JavaScript there is an SDK, `@animal-store/client`. It keeps to the ' +
        'limits, retries without adding a pet twice, and reads ids exactly. Install it from here.',
      'Each operation has its request in curl, TypeScript, JavaScript (`fetch`), Python and Go. ' +
        'For other languages, generate a client from the OpenAPI 3.1 document:',
      <p class="line">
        <a class="button secondary" href={href} download="openapi.json">
          Download openapi.json
        </a>
        <a href={relative(REFERENCE_PAGE, YAML_DOCUMENT)}>openapi.yaml</a>
      </p>,
    ],
  };
}

function compatibility(): Section {
  return {
    id: 'compatibility',
    title: 'Paths and versions',
    side: <JsonExample of={errorExample('method_not_allowed')} />,
    prose: [
      API_TEXTS.methods,
      `${API_TEXTS.versions} See [the changes](${relative(REFERENCE_PAGE, CHANGES_PAGE)}).`,
    ],
  };
}

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
  return {
    id: 'quickstart',
    title: 'Quickstart',
    prose: [],
    steps: [
      {
        id: 'get-a-key',
        title: 'Get a key',
        side: <CodeBlock language="curl" code={commands(baseUrl, environment)} />,
        prose: [
          'Ask the operator for a key. If you run the service, its first start may have printed one. ' +
            'Create more in the console or with these commands. Each is shown only once.',
          <p class="needs-script">
            Enter it at the top of this page to send the requests below from here.
          </p>,
        ],
      },
      requestStep({
        id: 'first-request',
        title: 'Send your first request',
        name: 'createPet',
        baseUrl,
        prose: [
          'Add a pet. [All fields](#createPet)',
          <DefinitionList
            of={[
              [`${createPet.success.status}`, createPet.success.description],
              ['Location', HEADERS.Location.description],
            ]}
          />,
        ],
      }),
      requestStep({
        id: 'first-page',
        title: 'Read your first page',
        name: 'listPets',
        baseUrl,
        query: { limit: '2' },
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
      }),
      requestStep({
        id: 'first-error',
        title: 'Get your first error',
        name: 'listPets',
        baseUrl,
        query: { limit: String(10 * PAGE_SIZE.maximum) },
        response: {
          status: ERRORS.invalid_parameter.status,
          example: errorExample('invalid_parameter'),
        },
        prose: [
          `A limit above ${PAGE_SIZE.maximum} is invalid. Every error has the same three fields:`,
          <DefinitionList of={fieldsOf(resolve({ $ref: refTo('Error') }))} />,
          'Handle 429 first: wait for the time in `Retry-After`. See ' +
            `[all errors](${ERRORS_HREF}) and [the limits](${relative(REFERENCE_PAGE, LIMITS_PAGE)}).`,
        ],
      }),
    ],
  };
}

interface RequestStep extends Omit<RequestPanel, 'operation' | 'response'> {
  readonly title: string;
  readonly prose: Part['prose'];
  readonly name: OperationName;
  /** Default: the success. */
  readonly response?: RequestPanel['response'];
}

function requestStep({ title, prose, ...panel }: RequestStep): Part {
  const operation = OPERATIONS[panel.name];
  const side = requestPanel({ response: operation.success, ...panel, operation });
  return { id: panel.id, title, prose, side, isRequest: true };
}
