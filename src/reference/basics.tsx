import { API_TEXTS } from '../contract/description.ts';
import { ERROR_CODES, ERRORS } from '../contract/errors.ts';
import { HEADERS } from '../contract/headers.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import { CHANGES_PAGE, ERRORS_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';
import { idempotencyKey } from '../contract/parameters.ts';
import { INT64_MAX } from '../domain/int64.ts';
import { Code } from './code.tsx';
import { CodeBlock } from './code-block.tsx';
import { DefinitionList } from './definition-list.tsx';
import { errorExample, JsonExample } from './example.tsx';
import { Island } from './island.tsx';
import type { Section } from './page.tsx';
import { Prose } from './prose.tsx';
import { proseSection } from './prose-section.tsx';
import { relative } from './relative.ts';

const ERRORS_HREF = relative(REFERENCE_PAGE, ERRORS_PAGE);
const CHANGES_HREF = relative(REFERENCE_PAGE, CHANGES_PAGE);

/** What holds for all operations. */
export function basicsSections(baseUrl: string): Section[] {
  return [authentication(baseUrl), numbers(), retries(baseUrl), compatibility()];
}

function authentication(baseUrl: string): Section {
  const codes = ERROR_CODES.filter((code) => ERRORS[code].status === 401);
  return proseSection({
    id: 'authentication',
    title: 'Authentication',
    summary: 'Send the API key as a bearer token',
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
    summary: 'Read ids without rounding them',
    side: <Island name="code-block" of={CodeBlock} props={{ language: 'fetch', code }} />,
    prose: (
      <>
        <p>
          {API_TEXTS.bodies} {API_TEXTS.ids}
        </p>
        <p>
          Python and Go read them exactly. In JavaScript, the client{' '}
          <code>@animal-store/client</code> reads them as <code>bigint</code>, and so does the
          second call of <code>JSON.parse</code> in current engines. This page keeps every digit.
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
    summary: 'Repeat a request without adding a pet twice',
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

function compatibility(): Section {
  return proseSection({
    id: 'compatibility',
    title: 'Paths and versions',
    summary: 'What may change, and what does not',
    side: <JsonExample of={errorExample('method_not_allowed')} />,
    prose: (
      <>
        <p>
          <Prose text={API_TEXTS.methods} />
        </p>
        <p>
          <Prose text={API_TEXTS.versions} /> See <a href={CHANGES_HREF}>the changes</a>.
        </p>
      </>
    ),
  });
}
