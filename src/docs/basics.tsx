import { API_TEXTS } from '../contract/description.ts';
import { ERROR_CODES, ERRORS, errorBody } from '../contract/errors.ts';
import { HEADERS } from '../contract/headers.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { CHANGES_PAGE, ERRORS_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';
import { idempotencyKey } from '../contract/parameters.ts';
import { INT64_MAX } from '../domain/int64.ts';
import { Code } from './code.tsx';
import { CodeBlock } from './code-block.tsx';
import { Island } from './island.tsx';
import { writeExample } from './object-section.tsx';
import type { Section } from './page.tsx';
import { Prose } from './prose.tsx';
import { relative } from './relative.ts';
import { Row, SectionHeading } from './row.tsx';

const ERRORS_HREF = relative(REFERENCE_PAGE, ERRORS_PAGE);
const CHANGES_HREF = relative(REFERENCE_PAGE, CHANGES_PAGE);

/** What holds for all operations. */
export function basicsSections(baseUrl: string): Section[] {
  return [authentication(baseUrl), numbers(), retries(baseUrl), compatibility()];
}

function authentication(baseUrl: string): Section {
  const id = 'authentication';
  const title = 'Authentication';
  const codes = ERROR_CODES.filter((code) => ERRORS[code].status === 401);
  const { method, path } = OPERATIONS.listPets;
  const { pathname, host } = new URL(`${baseUrl}${path}`);
  const request = `${method} ${pathname} HTTP/1.1\nHost: ${host}\nAuthorization: Bearer ask_…`;
  return {
    ...{ id, title, summary: 'Send the API key as a bearer token' },
    body: (
      <Row side={<Code language="http" code={request} />}>
        <SectionHeading id={id}>{title}</SectionHeading>
        <p>
          <Prose text={API_TEXTS.keys} /> Without a valid key, every path of the API returns 401:
        </p>
        <dl class="headers">
          {codes.map((code) => (
            <div key={code}>
              <dt>
                <a href={`${ERRORS_HREF}#${code}`}>
                  <code>{code}</code>
                </a>
              </dt>
              <dd>
                <Prose text={ERRORS[code].meaning} />
              </dd>
            </div>
          ))}
        </dl>
        <p>
          Keep keys out of source code, URLs and logs. If one leaks, ask the operator of the service
          to rotate it.
        </p>
      </Row>
    ),
  };
}

function numbers(): Section {
  const id = 'numbers';
  const title = 'JSON and 64-bit ids';
  const exact = INT64_MAX;
  const code = `const text = '{"id":${exact}}';

JSON.parse(text).id;
// ${BigInt(Number(exact))}: rounded

JSON.parse(text, (name, value, { source }) =>
  name === 'id' ? BigInt(source) : value).id;
// ${exact}n: exact`;
  return {
    ...{ id, title, summary: 'Read ids without rounding them' },
    body: (
      <Row side={<Island name="code-block" of={CodeBlock} props={{ language: 'fetch', code }} />}>
        <SectionHeading id={id}>{title}</SectionHeading>
        <p>
          {API_TEXTS.bodies} {API_TEXTS.ids}
        </p>
        <p>
          Python and Go read them exactly. In JavaScript, the client{' '}
          <code>@animal-store/client</code> reads them as <code>bigint</code>, and so does the
          second call of <code>JSON.parse</code> in current engines. This page keeps every digit.
        </p>
      </Row>
    ),
  };
}

function retries(baseUrl: string): Section {
  const id = 'retries';
  const title = 'Safe retries';
  const { method, path, body } = OPERATIONS.createPet;
  const { pathname, host } = new URL(`${baseUrl}${path}`);
  const request = `${method} ${pathname} HTTP/1.1
Host: ${host}
Authorization: Bearer ask_…
Content-Type: application/json
Idempotency-Key: order-1042-rex

${JSON.stringify(body.example)}`;
  return {
    ...{ id, title, summary: 'Repeat a request without adding a pet twice' },
    body: (
      <Row side={<Code language="http" code={request} />}>
        <SectionHeading id={id}>{title}</SectionHeading>
        <p>
          A GET is always safe to repeat. To repeat a POST, send the header{' '}
          <code>Idempotency-Key</code>. It <LowerCaseFirst text={idempotencyKey.description} />
        </p>
        <p>
          If the response has <code>Idempotent-Replayed</code>,{' '}
          <LowerCaseFirst text={HEADERS['Idempotent-Replayed'].description} />
        </p>
      </Row>
    ),
  };
}

/** A sentence of the contract, as the rest of another one. */
function LowerCaseFirst({ text }: { text: string }) {
  return <Prose text={text.charAt(0).toLowerCase() + text.slice(1)} />;
}

function compatibility(): Section {
  const id = 'compatibility';
  const title = 'Paths and versions';
  const example = errorBody('method_not_allowed', ERRORS.method_not_allowed.example);
  return {
    ...{ id, title, summary: 'What may change, and what does not' },
    body: (
      <Row side={<Code language="json" code={writeExample(example)} />}>
        <SectionHeading id={id}>{title}</SectionHeading>
        <p>
          <Prose text={API_TEXTS.methods} />
        </p>
        <p>
          <Prose text={API_TEXTS.versions} /> See <a href={CHANGES_HREF}>the changes</a>.
        </p>
      </Row>
    ),
  };
}
