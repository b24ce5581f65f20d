import { API_PREFIX } from '../contract/api.ts';
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import {
  DEPRECATION_HEADERS,
  errorHeaderNames,
  HEADERS,
  type HeaderName,
  wireName,
} from '../contract/headers.ts';
import { nameOfRef } from '../contract/json-schema.ts';
import { OPERATIONS, type Operation, parametersOf } from '../contract/operations.ts';
import { ERRORS_PAGE, REFERENCE_PAGE } from '../contract/page-paths.ts';
import { schemaOf } from '../contract/schemas.ts';
import { calendarDay } from './calendar-day.ts';
import { MethodChip, StatusChip } from './chips.tsx';
import { CodeLink } from './code-link.tsx';
import { CodePanel } from './code-panel.tsx';
import { DefinitionList } from './definition-list.tsx';
import { writeExample } from './example.tsx';
import { Island } from './island.tsx';
import { FieldTable } from './object-section.tsx';
import type { Section } from './page.tsx';
import { ParameterTables } from './parameter-table.tsx';
import { Prose } from './prose.tsx';
import { relative } from './relative.ts';
import { headerId } from './response-headers.tsx';
import { RequestRow, SectionHeading, titleId } from './row.tsx';
import type { SampleRequest } from './samples/sample-request.ts';
import { resolve, TypeOf } from './shape.tsx';

const ERRORS_HREF = relative(REFERENCE_PAGE, ERRORS_PAGE);

export function operationSections(
  baseUrl: string,
  operations: Readonly<Record<string, Operation>>,
): Section[] {
  return Object.entries(operations).map(([name, operation]) => {
    const { summary, description, method, deprecation } = operation;
    return {
      ...{ id: name, title: summary, method, summary: description.replaceAll('`', '') },
      removedAt: deprecation?.removedAt,
      body: <OperationBody name={name} operation={operation} baseUrl={baseUrl} />,
    };
  });
}

interface OperationProps {
  readonly name: string;
  readonly operation: Operation;
}

function OperationBody({ name, operation, baseUrl }: OperationProps & { baseUrl: string }) {
  const { method, path, summary, description, body, success } = operation;
  const values = firstValues(operation);
  const request: SampleRequest = {
    ...{ operation: name, method, baseUrl, path },
    values: { path: values, query: {}, header: {} },
    body: body && writeExample(body.example),
  };
  const example = { status: success.status, body: writeExample(success.example) };
  return (
    <RequestRow
      labelledBy={titleId(name)}
      side={
        <Island
          name="code-panel"
          of={CodePanel}
          props={{ request, errorsHref: ERRORS_HREF, example }}
        />
      }
    >
      <SectionHeading id={name}>{summary}</SectionHeading>
      <p class="endpoint">
        <MethodChip method={method} />
        <code class="path">
          {API_PREFIX}
          {path}
        </code>
        <code class="operation-id" title="The operationId">
          {name}
        </code>
        <Stability operation={operation} />
      </p>
      <DeprecationNotice operation={operation} />
      <p>
        <Prose text={description} />
      </p>
      <ParameterTables operation={name} parameters={parametersOf(operation)} values={values} />
      {body && <BodyFields name={name} body={body} />}
      <h3>Response</h3>
      <SuccessResponse operation={operation} />
      <ErrorList operation={operation} />
    </RequestRow>
  );
}

/** A deprecated operation has its notice instead. */
function Stability({ operation: { stability, deprecation } }: Pick<OperationProps, 'operation'>) {
  return deprecation === undefined ? <span class="stability">{stability}</span> : null;
}

function DeprecationNotice({ operation }: Pick<OperationProps, 'operation'>) {
  const { deprecation } = operation;
  if (deprecation === undefined) return null;
  return (
    <div class="notice">
      <p>
        <strong>Deprecated.</strong> It will be removed on{' '}
        <strong>{calendarDay(deprecation.removedAt)}</strong>.
      </p>
      <p>
        <Prose text={deprecation.advice} />{' '}
        <a href={`#${deprecation.successor}`}>{OPERATIONS[deprecation.successor].summary}</a>
      </p>
    </div>
  );
}

function BodyFields({ name, body }: { name: string; body: NonNullable<Operation['body']> }) {
  const shape = schemaOf(body.schema);
  const id = `${name}-body`;
  const text = writeExample(body.example);
  return (
    <>
      <h3>Body</h3>
      <FieldTable of={nameOfRef(shape.$ref ?? '')} shape={resolve(shape)} hasAnchors={false} />
      <div class="body-field needs-script">
        <label for={id}>Body to send, as JSON</label>
        <textarea
          id={id}
          name="body"
          rows={text.split('\n').length}
          spellcheck={false}
          autocomplete="off"
          defaultValue={text}
        />
      </div>
    </>
  );
}

function SuccessResponse({ operation }: Pick<OperationProps, 'operation'>) {
  const { success, deprecation } = operation;
  const headers: HeaderName[] = [
    ...success.headers,
    ...(deprecation === undefined ? [] : DEPRECATION_HEADERS),
  ];
  return (
    <>
      <p class="success">
        <StatusChip status={success.status} />{' '}
        <span>
          <TypeOf shape={schemaOf(success.schema)} />. <Prose text={success.description} />
        </span>
      </p>
      <p class="aside">
        {headers.length > 0 ? 'These headers, and ' : 'With '}
        <a href="#headers">those of every response</a>
        {headers.length > 0 ? ':' : '.'}
      </p>
      {headers.length > 0 && (
        <DefinitionList
          definitions={headers.map((header) => ({
            name: wireName(header),
            href: `#${headerId(header)}`,
            meaning: HEADERS[header].description,
          }))}
        />
      )}
    </>
  );
}

function ErrorList({ operation }: Pick<OperationProps, 'operation'>) {
  const { errors, errorExamples = {} } = operation;
  const byStatus = [...errors].sort((a, b) => ERRORS[a].status - ERRORS[b].status);
  return (
    <details class="fold">
      <summary>
        Errors <span class="count">{errors.length}</span>
      </summary>
      <ul>
        {byStatus.map((code) => (
          <li key={code}>
            <StatusChip status={ERRORS[code].status} />
            <div>
              <CodeLink href={`${ERRORS_HREF}#${code}`} name={code} />{' '}
              <Prose text={ERRORS[code].meaning} />
              <p class="message">“{errorExamples[code] ?? ERRORS[code].example}”</p>
              <SpecialHeaders code={code} />
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Every error has a link to its explanation, so only further headers are worth a line. */
function SpecialHeaders({ code }: { code: ErrorCode }) {
  const headers = errorHeaderNames(ERRORS[code].status).filter((name) => name !== 'LinkHelp');
  if (headers.length === 0) return null;
  return (
    <p class="aside">
      With{' '}
      {headers.map((header) => (
        <CodeLink key={header} href={`#${headerId(header)}`} name={wireName(header)} />
      ))}
    </p>
  );
}

/** The id of the example, so that the first sample is complete. */
function firstValues({ pathParameters, success }: Operation): Record<string, string> {
  const { id } = success.example as { id?: number };
  return Object.fromEntries(Object.keys(pathParameters).map((name) => [name, String(id)]));
}
