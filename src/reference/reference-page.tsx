import {
  API_PREFIX,
  CHANGES_PAGE,
  DOCUMENT,
  ERRORS_PAGE,
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
import type { Environment } from '../domain/environment.ts';
import { INT64_MAX } from '../formats/int64.ts';
import { Island } from './browser/islands.tsx';
import { Code, CodeBlock } from './code.tsx';
import { ErrorExample, headersExample } from './example.tsx';
import { headersSection, objectSections } from './object-section.tsx';
import { operationSection, requestOf } from './operation-section.tsx';
import { quickstartSection } from './quickstart.tsx';
import { rehearseSections } from './rehearse.tsx';
import { installClient } from './samples/sample-request.ts';
import { DefinitionList, type Page, type Section } from './section.tsx';
import { UNSUPPORTED_SECTION } from './unsupported.tsx';

export function referencePage(
  publicUrl: string,
  environment: Environment,
  pinnedClient: string,
): Page {
  const baseUrl = publicUrl + API_PREFIX;
  const { operations } = CONTRACTS[environment];
  return {
    path: REFERENCE_PAGE,
    title: API_TITLE,
    summary: API_SUMMARY,
    words: 'api production endpoints https',
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
          BROWSERS,
          pagination(baseUrl),
          NUMBERS,
          retries(baseUrl),
          clients(baseUrl, pinnedClient),
          COMPATIBILITY,
          ...rehearseSections(baseUrl, environment),
          UNSUPPORTED_SECTION,
          SUPPORT,
        ],
      },
      {
        title: 'Operations',
        sections: Object.entries(operations).map(([name, operation]) =>
          operationSection(name as OperationName, operation, baseUrl),
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
    words:
      'bearer key token secret accesstoken oauth openid sso jwt hmac session cookie leaked compromised stolen rotate revoke',
    side: <Code language="http" code={httpRequest(OPERATIONS.listPets, baseUrl)} />,
    prose: [
      `${API_TEXTS.keys} Without a valid key, every path of the API returns 401:`,
      <DefinitionList
        of={codes.map((code) => [code, ERRORS[code].meaning, { href: `${ERRORS_PAGE}#${code}` }])}
      />,
      'There is no login, no OAuth and no token to refresh. Keep keys out of source code, URLs and ' +
        'logs. If a key leaks, tell the operator at once, so that they can revoke it and give you ' +
        'another one.',
    ],
  };
}

const BROWSERS: Section = {
  id: 'web-pages',
  title: 'Browsers and CORS',
  words:
    'frontend clientside mobile cross-origin preflight ajax failedtofetch read-only permission localhost react vue angular',
  side: <ErrorExample code="read_only_key" />,
  prose: [
    'A web page of any origin can call the API (CORS), but everyone who opens it can read its ' +
      'key. Ask the operator for a read-only key of an account that has no other keys. It can ' +
      `list and get pets, and adding one returns 403 [\`read_only_key\`](${ERRORS_PAGE}#read_only_key). All ` +
      'visitors share the limits of that account, so they cannot use up those of your other keys.',
  ],
};

function pagination(baseUrl: string): Section {
  const firstPage = requestOf('listPets', baseUrl, {
    query: { limit: String(PAGE_SIZE.maximum) },
  });
  return {
    id: 'pagination',
    title: 'Pagination',
    words: 'page pagenumber offset results iterate loop scroll hasmore loadmore skip keyset',
    side: <Island name="loop-panel" props={{ loop: 'pageLoop', request: firstPage }} />,
    prose: [
      API_TEXTS.pages,
      <Code language="http" code={headersExample(['LinkNext'])} />,
      'To paginate, follow that URL until a response has no such link. Its cursor is `after`, the ' +
        'last id of the page before. There is no offset, so you miss no pet and read none twice ' +
        'while others are added.',
    ],
  };
}

const EXACT_NUMBERS = `const text = '{"id":${INT64_MAX}}';

JSON.parse(text).id;
// ${BigInt(Number(INT64_MAX))}: rounded

JSON.parse(text, (name, value, { source }) =>
  name === 'id' ? BigInt(source) : value).id;
// ${INT64_MAX}n: exact`;

const NUMBERS: Section = {
  id: 'numbers',
  title: 'JSON and 64-bit ids',
  words:
    'big number precision digits rounded snowflake content-type charset utf8 unicode emoji format overflow bodysize requestsize null',
  side: <CodeBlock language="fetch" code={EXACT_NUMBERS} />,
  prose: [
    `${API_TEXTS.bodies} ${API_TEXTS.ids}`,
    'Python and Go read ids exactly. In JavaScript, the client returns them as `bigint`, and so does the ' +
      'second call of `JSON.parse`, which needs Node.js 21, Chrome 114, Firefox 135 or Safari 18.4. This ' +
      'page keeps every digit.',
  ],
};

function retries(baseUrl: string): Section {
  const { createPet } = OPERATIONS;
  const request = `${httpRequest(createPet, baseUrl)}
Content-Type: application/json
Idempotency-Key: order-1042-rex

${JSON.stringify(createPet.body.example)}`;
  return {
    id: 'retries',
    title: 'Safe retries',
    words:
      'retry idempotent duplicate exactlyonce atleastonce network connection connectionreset sockethangup lost interrupted replay econnreset etimedout',
    side: <Code language="http" code={request} />,
    prose: [
      'A GET is always safe to repeat. So is any operation that takes an `Idempotency-Key`, if you ' +
        `send one. The page about limits has [samples of a retry loop](${LIMITS_PAGE}#refusals).`,
      <DefinitionList
        of={[
          ['Idempotency-Key', idempotencyKey.description],
          ['Idempotent-Replayed', HEADERS['Idempotent-Replayed'].description],
        ]}
      />,
    ],
  };
}

/** The first lines of a request in HTTP. */
function httpRequest({ method, path }: Operation, baseUrl: string): string {
  const { pathname, host } = new URL(`${baseUrl}${path}`);
  return `${method} ${pathname} HTTP/1.1\nHost: ${host}\nAuthorization: Bearer ask_…`;
}

function clients(baseUrl: string, pinnedClient: string): Section {
  const root = baseUrl.slice(0, -API_PREFIX.length);
  const code = `${installClient(baseUrl)}

# This version, until the service is updated. Keep the file:
curl -O ${root}${pinnedClient}
npm install .${pinnedClient}`;
  return {
    id: 'clients',
    title: 'Clients and languages',
    words:
      'typescript javascript node axios deno npm python go golang curl openapi spec specification yaml swagger oas ' +
      'postman insomnia java kotlin spring android c# .net php laravel ruby rails rust swift ios flutter dart django ' +
      'powershell httpie wget commandline types definition apischema jsonschema license',
    side: <CodeBlock language="curl" code={code} />,
    prose: [
      'For TypeScript and JavaScript there is an SDK, `@animal-store/client`. It keeps to the ' +
        'limits, retries without adding a pet twice, and reads ids exactly. Install it from here; ' +
        'its `README.md` explains the rest.',
      'Each operation has its request in curl, TypeScript, JavaScript (`fetch`), Python and Go. ' +
        'For other languages, generate a client from the OpenAPI 3.1 document, which Postman and ' +
        'similar programs import:',
      <p class="line">
        <a class="button secondary" href={DOCUMENT} download="openapi.json">
          Download openapi.json
        </a>
        <a href={YAML_DOCUMENT}>openapi.yaml</a>
      </p>,
    ],
  };
}

const COMPATIBILITY: Section = {
  id: 'compatibility',
  title: 'Paths and versions',
  words: 'options head verb slash redirect',
  side: <ErrorExample code="method_not_allowed" />,
  prose: [API_TEXTS.methods, `${API_TEXTS.versions} See [the changes](${CHANGES_PAGE}).`],
};

const SUPPORT: Section = {
  id: 'support',
  title: 'Support and prices',
  words:
    'invoice trial upgrade downgrade account email bug sla servicelevel incident maintenance latency ' +
    'statuspage apistatus health ping community forum ticket github opensource region roadmap feature terms privacy retention ' +
    'vulnerability security whitelist team docker selfhosted',
  prose: [
    'The operator of this service gave you your key. They also decide about prices and plans, and ' +
      'help when something is down. If a request failed, send them its ' +
      '[`X-Request-Id`](#header-X-Request-Id). There is no public status page or health check.',
    'Report a vulnerability of the program in private, as `SECURITY.md` in its repository says.',
  ],
};
