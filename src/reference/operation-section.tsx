import { API_PREFIX, ERRORS_PAGE, REFERENCE_PAGE } from '#contract/api.ts';
import { ERRORS } from '#contract/errors.ts';
import { DEPRECATION_HEADERS, EXAMPLE_URL, errorHeaderNames, wireName } from '#contract/headers.ts';
import {
  exampleOf,
  OPERATIONS,
  type Operation,
  type OperationName,
  parametersOf,
} from '#contract/operations.ts';
import { schemaOf } from '#contract/schemas.ts';
import { MethodBadge, StatusBadge } from './badge.tsx';
import { RequestPanel, writeExample } from './example.tsx';
import { type Block, Blocks, Prose } from './markdown.tsx';
import {
  definitionOf,
  type Field,
  fieldsOf,
  headerDefinition,
  headerId,
  resolve,
  typeOf,
} from './object-section.tsx';
import type { SampleRequest } from './samples/sample-request.ts';
import { calendarDay, DefinitionList, type Section } from './section.tsx';

/** Further words that readers use for an operation. */
const WORDS: Readonly<Record<OperationName, string>> = {
  listPets: 'getpets queryparameter',
  createPet: 'postpets newpet addnew register',
  getPet: 'fetch single onepet details petbyid getbyid',
};

export function operationSection(name: OperationName, operation: Operation): Section {
  const { summary, method, description, deprecation, body, success } = operation;
  const request = requestOf(name);
  return {
    id: name,
    title: summary,
    words: `${name} ${WORDS[name]}`,
    method,
    removedAt: deprecation?.removedAt,
    side: [<RequestPanel request={request} response={success} />],
    prose: [
      endpoint(name, operation),
      ...deprecationNotice(name, operation),
      description,
      ...fieldLists(name, operation, request.values),
      ...(body === undefined ? [] : [otherBody(body.example)]),
      ...successResponse(operation),
      errorList(operation),
    ],
  };
}

/**
 * A request with the values of the examples, so that its samples are complete before a reader changes them. Like all
 * examples, it is sent to `EXAMPLE_URL`, which stands for the address of the deployment.
 */
export function requestOf(
  name: OperationName,
  given: Partial<SampleRequest['values']> = {},
): SampleRequest {
  const { method, path, pathParameters, body, success }: Operation = OPERATIONS[name];
  const { id } = success.example as { id?: number };
  const ids = Object.keys(pathParameters).map((parameter) => [parameter, String(id)]);
  const values = {
    path: Object.fromEntries(ids),
    query: {},
    header: {},
    body: body?.example as SampleRequest['values']['body'],
    ...given,
  };
  return { operation: name, method, baseUrl: EXAMPLE_URL + API_PREFIX, path, values };
}

function endpoint(name: string, { method, path, stability, deprecation }: Operation) {
  return (
    <p class="line">
      <MethodBadge method={method} />{' '}
      <b>
        <code>{API_PREFIX + path}</code>
      </b>{' '}
      <span class="note">{deprecation === undefined ? stability : 'deprecated'}</span>{' '}
      <code class="note" title="The operationId">
        {name}
      </code>
    </p>
  );
}

/** Announces the removal of an operation. Empty if the operation is not deprecated. */
export function deprecationNotice(name: string, { summary, deprecation }: Operation): Block[] {
  if (deprecation === undefined) return [];
  const { deprecatedAt, removedAt, advice, successor } = deprecation;
  const paragraphs = [
    `[${summary}](${REFERENCE_PAGE}#${name}) was deprecated on ${calendarDay(deprecatedAt)} and will be ` +
      `removed on **${calendarDay(removedAt)}**.`,
    `${advice} [${OPERATIONS[successor].summary}](${REFERENCE_PAGE}#${successor})`,
  ];
  return [
    <div class="notice">
      <Blocks of={paragraphs} />
    </div>,
  ];
}

const PLACES = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Request headers',
  body: 'Body',
} as const;

interface PlacedField extends Field {
  readonly place: keyof typeof PLACES;
}

/** A list for each part of a request. Readers fill in the fields where they read about them. */
function fieldLists(name: string, operation: Operation, values: SampleRequest['values']): Block[] {
  const { body } = operation;
  const bodyFields = body === undefined ? [] : fieldsOf(resolve(schemaOf(body.schema)));
  const fields: PlacedField[] = [
    ...parametersOf(operation),
    ...bodyFields.map((field) => ({ ...field, place: 'body' as const })),
  ];
  return [...Map.groupBy(fields, ({ place }) => place)].flatMap(([place, fields]) => [
    `### ${PLACES[place]}`,
    <DefinitionList
      of={fields.map((field) => {
        const id = `${name}-${field.name}`;
        const value = values[place]?.[field.name];
        return definitionOf(field, `parameter-${id}`, inputOf(id, field, String(value ?? '')));
      })}
    />,
  ]);
}

function inputOf(id: string, { name, place, required, schema }: PlacedField, value: string) {
  const { enum: values, type, default: absent = '' } = resolve(schema);
  const attributes = {
    id,
    name,
    required,
    'data-place': place,
    'data-type': type,
    'aria-label': name,
    'aria-describedby': `parameter-${id}-meaning`,
  };
  const choices = type === 'boolean' ? ['true', 'false'] : values;
  if (choices !== undefined) {
    return (
      <select {...attributes}>
        <option value="">not given</option>
        {choices.map((choice) => (
          <option selected={choice === value}>{choice}</option>
        ))}
      </select>
    );
  }
  return (
    <input
      {...attributes}
      value={value}
      inputMode={type === 'integer' ? 'numeric' : 'text'}
      placeholder={String(absent)}
      autocomplete="off"
      spellcheck={false}
    />
  );
}

/** Lets readers send a body that the fields cannot express, such as one with an unknown field. */
function otherBody(example: unknown) {
  return (
    <details class="fold needs-script">
      <summary>Send other JSON</summary>
      <textarea
        aria-label="JSON to send instead of these fields"
        rows={6}
        spellcheck={false}
        autocomplete="off"
        placeholder={writeExample(example)}
      />
    </details>
  );
}

function successResponse({ success, deprecation }: Operation): Block[] {
  const headers = [...success.headers, ...(deprecation ? DEPRECATION_HEADERS : [])];
  return [
    '### Response',
    <p>
      <StatusBadge status={success.status} />{' '}
      <Prose text={`${typeOf(schemaOf(success.schema))}. ${success.description}`} />
    </p>,
    <p class="note">
      Headers: <a href="#headers">those of every response</a>
      {headers.length === 0 ? '.' : ', and these:'}
    </p>,
    <DefinitionList
      of={headers.map((header) => headerDefinition(header, `#${headerId(header)}`))}
    />,
  ];
}

function errorList(operation: Operation) {
  const { errors } = operation;
  const byStatus = errors.toSorted((a, b) => ERRORS[a].status - ERRORS[b].status);
  return (
    <details class="fold">
      <summary>
        Errors <span class="note">{errors.length}</span>
      </summary>
      <DefinitionList
        of={byStatus.map((code) => {
          const { status, meaning } = ERRORS[code];
          const note = `“${exampleOf(code, operation)}” ${specialHeaders(status)}`;
          return [code, meaning, { status, href: `${ERRORS_PAGE}#${code}`, note }];
        })}
      />
    </details>
  );
}

/** Names the headers that only some errors have. Every error has a link to its explanation. */
function specialHeaders(status: number): string {
  const headers = errorHeaderNames(status)
    .filter((header) => header !== 'LinkHelp')
    .map((header) => `[\`${wireName(header)}\`](#${headerId(header)})`);
  return headers.length === 0 ? '' : `With ${headers.join(', ')}`;
}
