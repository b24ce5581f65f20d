import type { VNode } from 'preact';
import { API_PREFIX, REFERENCE_PAGE } from '../contract/api.ts';
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import {
  DEPRECATION_HEADERS,
  errorHeaderNames,
  HEADERS,
  type HeaderName,
  wireName,
} from '../contract/headers.ts';
import {
  COMMON_ERRORS,
  OPERATIONS,
  type Operation,
  type OperationName,
  type PlacedParameter,
  parametersOf,
} from '../contract/operations.ts';
import { type JsonSchema, schemaOf } from '../contract/schemas.ts';
import { Island } from './browser/islands.tsx';
import { writeExample } from './example.tsx';
import { factsOf, fieldsOf, headerId, resolve, typeOf } from './object-section.tsx';
import {
  calendarDay,
  DefinitionList,
  ERRORS_HREF,
  MethodBadge,
  Paragraphs,
  Prose,
  relative,
  type Section,
  StatusBadge,
} from './section.tsx';

export function operationSection(
  name: OperationName,
  operation: Operation,
  baseUrl: string,
): Section {
  const { summary, method, description, deprecation, body, pathParameters, success } = operation;
  // The id of the example, so that the first sample is complete.
  const { id } = success.example as { id?: number };
  const values = Object.fromEntries(Object.keys(pathParameters).map((name) => [name, String(id)]));
  return {
    id: name,
    title: summary,
    method,
    removedAt: deprecation?.removedAt,
    isRequest: true,
    side: requestPanel({ id: name, name, baseUrl, path: values, response: success }),
    prose: [
      endpoint(name, operation),
      ...deprecationNotice(REFERENCE_PAGE, name, operation),
      description,
      ...parameterLists(name, operation, values),
      ...(body === undefined ? [] : [bodyFields(name, body)]),
      successResponse(operation),
      errorList(operation),
    ],
  };
}

export interface RequestPanel {
  /** Unique on the page. */
  readonly id: string;
  readonly name: OperationName;
  readonly baseUrl: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** The example. */
  readonly response: { readonly status: number; readonly example: unknown };
}

/** The samples of a request, and the response to it. */
export function requestPanel(panel: RequestPanel) {
  const { id, name, baseUrl, path = {}, query = {}, response } = panel;
  const operation: Operation = OPERATIONS[name];
  const request = {
    operation: name,
    method: operation.method,
    baseUrl,
    path: operation.path,
    values: { path, query, header: {} },
    body: operation.body && writeExample(operation.body.example),
  };
  const example = {
    title: String(response.status),
    status: response.status,
    note: 'Example response',
    body: writeExample(response.example),
    isJson: true,
  };
  return <Island name="code-panel" props={{ id, request, example }} />;
}

function endpoint(name: string, { method, path, stability, deprecation }: Operation) {
  return (
    <p class="line">
      <MethodBadge method={method} />
      <code class="path">{API_PREFIX + path}</code>
      {deprecation === undefined && <span class="note">{stability}</span>}
      <code class="note" title="The operationId">
        {name}
      </code>
    </p>
  );
}

/** Nothing for an operation that stays. */
export function deprecationNotice(
  page: string,
  name: string,
  { summary, deprecation }: Operation,
): VNode[] {
  if (deprecation === undefined) return [];
  const { deprecatedAt, removedAt, advice, successor } = deprecation;
  const href = relative(page, REFERENCE_PAGE);
  const paragraphs = [
    `[${summary}](${href}#${name}) was deprecated on ${calendarDay(deprecatedAt)} and will be ` +
      `removed on **${calendarDay(removedAt)}**.`,
    `${advice} [${OPERATIONS[successor].summary}](${href}#${successor})`,
  ];
  return [
    <div key="deprecation" class="notice">
      <Paragraphs of={paragraphs} />
    </div>,
  ];
}

const PLACES = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Request headers',
} as const;

type Values = Readonly<Record<string, string>>;

/** One list for each place of parameters. You read about them and fill them in. */
function parameterLists(operationName: string, operation: Operation, values: Values) {
  const byPlace = [...Map.groupBy(parametersOf(operation), ({ place }) => place)];
  return byPlace.map(([place, parameters]) => (
    <div key={place}>
      <h3>{PLACES[place]}</h3>
      <DefinitionList
        of={parameters.map((parameter) => {
          const { name, description, required } = parameter;
          const id = `${operationName}-${name}`;
          const shape = schemaOf(parameter.schema);
          const field = fieldOf(id, parameter, shape, values[name]);
          const facts = factsOf(shape, required);
          return [name, description, { id: `parameter-${id}`, ...facts, field }];
        })}
      />
    </div>
  ));
}

function fieldOf(id: string, parameter: PlacedParameter, shape: JsonSchema, value = '') {
  const { name, place, required } = parameter;
  const attributes = {
    id,
    name,
    required,
    'data-place': place,
    'aria-label': name,
    'aria-describedby': `parameter-${id}-meaning`,
  };
  const { enum: choices } = resolve(shape);
  if (choices !== undefined) {
    return (
      <select {...attributes}>
        <option value="">any</option>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...attributes}
      value={value}
      placeholder={shape.default === undefined ? '' : String(shape.default)}
      autocomplete="off"
      spellcheck={false}
    />
  );
}

function bodyFields(name: string, body: NonNullable<Operation['body']>) {
  const shape = resolve(schemaOf(body.schema));
  const fields = Object.entries(shape.properties ?? {}).map(([name, field]) => {
    const { enum: choices, type } = resolve(field);
    return { name, isInteger: type === 'integer', ...(choices && { choices }) };
  });
  const props = { id: `${name}-body`, fields, example: writeExample(body.example) };
  return (
    <>
      <h3>Body</h3>
      <DefinitionList of={fieldsOf(shape)} />
      <div class="needs-script">
        <Island name="body-field" props={props} />
      </div>
    </>
  );
}

function successResponse({ success, deprecation }: Operation) {
  const headers: HeaderName[] = [
    ...success.headers,
    ...(deprecation === undefined ? [] : DEPRECATION_HEADERS),
  ];
  return (
    <>
      <h3>Response</h3>
      <p>
        <StatusBadge status={success.status} />{' '}
        <Prose text={`${typeOf(schemaOf(success.schema))}. ${success.description}`} />
      </p>
      <p class="note">
        These headers, and <a href="#headers">those of every response</a>:
      </p>
      <DefinitionList
        of={headers.map((header) => [
          wireName(header),
          HEADERS[header].description,
          { href: `#${headerId(header)}` },
        ])}
      />
    </>
  );
}

function errorList({ errors, errorExamples = {} }: Operation) {
  const common: readonly ErrorCode[] = COMMON_ERRORS;
  const rank = (code: ErrorCode) => (common.includes(code) ? 1000 : 0) + ERRORS[code].status;
  const ownFirst = errors.toSorted((a, b) => rank(a) - rank(b));
  return (
    <details class="fold">
      <summary>
        Errors <span class="note">{errors.length}</span>
      </summary>
      <DefinitionList
        of={ownFirst.map((code) => {
          const { status, meaning, example } = ERRORS[code];
          const note = `“${errorExamples[code] ?? example}” ${specialHeaders(status)}`;
          return [code, meaning, { status, href: `${ERRORS_HREF}#${code}`, note }];
        })}
      />
    </details>
  );
}

/** Every error has a link to its explanation, so only further headers are worth a line. */
function specialHeaders(status: number): string {
  const headers = errorHeaderNames(status)
    .filter((header) => header !== 'LinkHelp')
    .map((header) => `[\`${wireName(header)}\`](#${headerId(header)})`);
  return headers.length === 0 ? '' : `With ${headers.join(', ')}`;
}
