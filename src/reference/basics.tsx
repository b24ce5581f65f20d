import { API_TEXTS } from '../contract/description.ts';
import { ERROR_CODES, ERRORS } from '../contract/errors.ts';
import { HEADERS } from '../contract/headers.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { CHANGES_PAGE, DOCUMENT, REFERENCE_PAGE, YAML_DOCUMENT } from '../contract/page-paths.ts';
import { idempotencyKey } from '../contract/parameters.ts';
import { INT64_MAX } from '../domain/int64.ts';
import { prefixOf } from '../domain/key-secret.ts';
import { Code, CodeBlock } from './code.tsx';
import { errorExample, headersExample, JsonExample } from './example.tsx';
import { DefinitionList, ERRORS_HREF, Prose, relative } from './prose.tsx';
import { proseSection, type Section } from './section.tsx';

/** Facts about all operations. */
export function basicsSections(baseUrl: string): Section[] {
  return [
    authentication(baseUrl),
    pagination(),
    numbers(),
    retries(baseUrl),
    clients(),
    compatibility(),
  ];
}

function authentication(baseUrl: string): Section {
  const codes = ERROR_CODES.filter((code) => ERRORS[code].status === 401);
  return proseSection({
    id: 'authentication',
    title: 'Authentication',
    words: 'authorization bearer api key',
    side: <Code language="http" code={httpRequest(OPERATIONS.listPets, baseUrl)} />,
    prose: (
      <>
        <p>
          <Prose text={API_TEXTS.keys} /> Without a valid key, every path of the API returns 401:
        </p>
        <DefinitionList
          definitions={codes.map((code) => ({
            name: code,
            href: `${ERRORS_HREF}#${code}`,
            meaning: ERRORS[code].meaning,
          }))}
        />
        <p>
          Keep keys out of source code, URLs and logs. If one leaks, ask the operator of the service
          to rotate it.
        </p>
      </>
    ),
  });
}

function pagination(): Section {
  return proseSection({
    id: 'pagination',
    title: 'Pagination',
    side: <Code language="http" code={headersExample(['LinkNext'])} />,
    prose: (
      <>
        <p>
          <Prose text={API_TEXTS.pages} />
        </p>
        <p>
          To paginate, follow that URL until a response has no such link. Its cursor is{' '}
          <code>after</code>, the last id of the page before. There is no offset, so you miss no pet
          and read none twice while others are added.
        </p>
      </>
    ),
  });
}

function numbers(): Section {
  const exact = INT64_MAX;
  const code = `const text = '{"id":${exact}}';

JSON.parse(text).id;
// ${BigInt(Number(exact))}: rounded

JSON.parse(text, (name, value, { source }) =>
  name === 'id' ? BigInt(source) : value).id;
// ${exact}n: exact`;
  return proseSection({
    id: 'numbers',
    title: 'JSON and 64-bit ids',
    words: 'int64',
    side: <CodeBlock language="fetch" code={code} />,
    prose: (
      <>
        <p>
          {API_TEXTS.bodies} {API_TEXTS.ids}
        </p>
        <p>
          Python and Go read them exactly. In JavaScript, the client reads them as{' '}
          <code>bigint</code>, and so does the second call of <code>JSON.parse</code> in current
          engines. This page keeps every digit.
        </p>
      </>
    ),
  });
}

function retries(baseUrl: string): Section {
  const { createPet } = OPERATIONS;
  const request = `${httpRequest(createPet, baseUrl)}
Content-Type: application/json
Idempotency-Key: order-1042-rex

${JSON.stringify(createPet.body.example)}`;
  return proseSection({
    id: 'retries',
    title: 'Safe retries',
    words: 'retry idempotency',
    side: <Code language="http" code={request} />,
    prose: (
      <>
        <p>
          A GET is always safe to repeat. To repeat a POST, send the header{' '}
          <code>Idempotency-Key</code>. It <LowerCaseFirst text={idempotencyKey.description} />
        </p>
        <p>
          If the response has <code>Idempotent-Replayed</code>,{' '}
          <LowerCaseFirst text={HEADERS['Idempotent-Replayed'].description} />
        </p>
      </>
    ),
  });
}

/** The first lines of a request, as it is sent. */
function httpRequest({ method, path }: Operation, baseUrl: string): string {
  const { pathname, host } = new URL(`${baseUrl}${path}`);
  return `${method} ${pathname} HTTP/1.1\nHost: ${host}\nAuthorization: Bearer ask_…`;
}

/** A sentence of the contract, as the rest of another one. */
function LowerCaseFirst({ text }: { text: string }) {
  return <Prose text={text.charAt(0).toLowerCase() + text.slice(1)} />;
}

function clients(): Section {
  return proseSection({
    id: 'clients',
    title: 'Clients and languages',
    words: 'sdk typescript javascript fetch python go curl openapi',
    prose: (
      <>
        <p>
          For TypeScript and JavaScript there is an SDK, <code>@animal-store/client</code>. It keeps
          to the limits, retries without adding a pet twice, and reads ids exactly.
        </p>
        <p>
          Each operation has its request in curl, TypeScript, JavaScript (<code>fetch</code>),
          Python and Go. For other languages, generate a client from the OpenAPI 3.1 document:
        </p>
        <p class="buttons">
          <a
            class="button secondary"
            href={relative(REFERENCE_PAGE, DOCUMENT)}
            download="openapi.json"
          >
            Download openapi.json
          </a>
          <a href={relative(REFERENCE_PAGE, YAML_DOCUMENT)}>openapi.yaml</a>
        </p>
      </>
    ),
  });
}

function compatibility(): Section {
  return proseSection({
    id: 'compatibility',
    title: 'Paths and versions',
    side: <JsonExample of={errorExample('method_not_allowed')} />,
    prose: (
      <>
        <p>
          <Prose text={API_TEXTS.methods} />
        </p>
        <p>
          <Prose text={API_TEXTS.versions} /> See{' '}
          <a href={relative(REFERENCE_PAGE, CHANGES_PAGE)}>the changes</a>.
        </p>
      </>
    ),
  });
}

/** In production. The pages of staging have a section that says much more. */
export function stagingSection(): Section {
  return proseSection({
    id: 'staging',
    title: 'Staging',
    words: 'environment test sandbox',
    prose: (
      <p>
        A staging deployment runs the same program, to test a client: you can move the clock of your
        account, and get each failure on demand. Its keys begin with <code>{prefixOf(true)}</code>{' '}
        and work only there. Ask the operator of the service for one.
      </p>
    ),
  });
}
