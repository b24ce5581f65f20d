import type { ErrorCode } from '../domain/error.ts';
import { PLANS } from '../domain/plan.ts';
import { describeInterface } from './description.ts';
import { ERRORS } from './errors.ts';
import {
  HEADERS,
  HEADERS_OF_DEPRECATION,
  HEADERS_OF_EVERY_ANSWER,
  type HeaderName,
  headersOfError,
} from './headers.ts';
import { type JsonSchema, namedSchemas, refTo, schemaOf } from './json-schema.ts';
import {
  API_PREFIX,
  COMMON_ERRORS,
  INTERFACE_VERSION,
  OPERATIONS,
  type Operation,
  type Parameter,
  petsSchema,
} from './operations.ts';

export type Document = { readonly [member: string]: unknown };

/** The addresses at which the interface is served, without the version prefix. */
export interface ServedAt {
  readonly production?: string | undefined;
  readonly staging?: string | undefined;
}

const TAG = 'pets';
export const EXAMPLE_NEW_PET = { name: 'Rex', categoryId: 7, status: 'available' };
const EXAMPLE_PET = { id: 42, ...EXAMPLE_NEW_PET };

/** The interface as an OpenAPI document. Nothing in it is said here: it is all read off the contract. */
export function openApiDocument({
  production = 'https://animal-store.example',
  staging = 'https://staging.animal-store.example',
}: ServedAt): Document {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Animal Store',
      version: INTERFACE_VERSION,
      summary: 'The animals of a shop: list them, add one, look one up.',
      description: describeInterface(),
      contact: { name: 'Animal Store', url: `${production}/docs` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: production + API_PREFIX, description: 'Production', 'x-internal': false },
      { url: staging + API_PREFIX, description: 'Staging', 'x-internal': false },
    ],
    security: [{ apiKey: [] }],
    tags: [{ name: TAG, description: 'The animals of the shop.' }],
    paths: paths(),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, sent as `Authorization: Bearer <API key>`.',
        },
      },
      schemas: { ...namedSchemas(), Error: errorSchema() },
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, { description, schema, example, always }]) => [
          name,
          { description, required: always, schema, example },
        ]),
      ),
      responses: Object.fromEntries(
        statusesOf(COMMON_ERRORS).map((status) => [
          componentName(status),
          errorResponse(status, COMMON_ERRORS, []),
        ]),
      ),
    },
    'x-rate-limits': Object.fromEntries(
      Object.entries(PLANS).map(([plan, { limits }]) => [plan, limits ?? 'custom']),
    ),
  };
}

/** As text: identifiers' bounds are beyond what `JSON.stringify` can write of its own. */
export function documentToJson(document: Document): string {
  const exact = (_: string, value: unknown) =>
    typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value;
  return `${JSON.stringify(document, exact, 2)}\n`;
}

function paths(): Document {
  const byPath = Map.groupBy(Object.entries<Operation>(OPERATIONS), ([, { path }]) => path);
  return Object.fromEntries(
    Array.from(byPath, ([path, operations]) => [
      path,
      Object.fromEntries(
        operations.map(([name, operation]) => [
          operation.method.toLowerCase(),
          describeOperation(name, operation),
        ]),
      ),
    ]),
  );
}

function describeOperation(name: string, operation: Operation): Document {
  const { summary, description, stability, body, deprecation } = operation;
  return {
    operationId: name,
    tags: [TAG],
    summary,
    description: deprecation ? `${description} ${farewell(deprecation)}` : description,
    'x-stability': stability,
    ...(deprecation && {
      deprecated: true,
      'x-deprecated-at': dayOf(deprecation.deprecatedAt),
      'x-removed-at': dayOf(deprecation.removedAt),
      'x-successor': deprecation.successor,
    }),
    parameters: [
      ...parameters('path', operation.pathParameters, true),
      ...parameters('query', operation.query, false),
      ...parameters('header', operation.requestHeaders, false),
    ],
    ...(body && {
      requestBody: {
        required: true,
        description: 'The animal to add.',
        content: { 'application/json': { schema: schemaOf(body), example: EXAMPLE_NEW_PET } },
      },
    }),
    responses: responses(operation),
  };
}

function farewell({ removedAt, advice }: NonNullable<Operation['deprecation']>): string {
  return `Deprecated: it is removed on ${dayOf(removedAt)}. ${advice}`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function parameters(
  place: 'path' | 'query' | 'header',
  given: Readonly<Record<string, Parameter>>,
  required: boolean,
): Document[] {
  return Object.entries(given).map(([name, { description, schema }]) => ({
    name,
    in: place,
    description,
    required,
    schema: schemaOf(schema),
  }));
}

function responses({ success, errors, deprecation }: Operation): Document {
  const further: readonly HeaderName[] = deprecation ? HEADERS_OF_DEPRECATION : [];
  const example = success.schema === petsSchema ? [EXAMPLE_PET] : EXAMPLE_PET;
  const isCommon = (status: number) =>
    further.length === 0 && statusesOf(COMMON_ERRORS).includes(status);
  return {
    [success.status]: {
      description: success.description,
      headers: headerRefs([...HEADERS_OF_EVERY_ANSWER, ...success.headers, ...further]),
      content: { 'application/json': { schema: schemaOf(success.schema), example } },
    },
    ...Object.fromEntries(
      statusesOf(errors).map((status) => [
        status,
        isCommon(status)
          ? { $ref: `#/components/responses/${componentName(status)}` }
          : errorResponse(status, errors, further),
      ]),
    ),
  };
}

function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  further: readonly HeaderName[],
): Document {
  const ofStatus = codes.filter((code) => ERRORS[code].status === status);
  return {
    description: ofStatus.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
    headers: headerRefs([...HEADERS_OF_EVERY_ANSWER, ...headersOfError(status), ...further]),
    content: {
      'application/json': {
        schema: { $ref: refTo('Error') },
        examples: Object.fromEntries(
          ofStatus.map((code) => {
            const { meaning, example } = ERRORS[code];
            return [code, { summary: meaning, value: { code, message: example, status } }];
          }),
        ),
      },
    },
  };
}

function headerRefs(names: readonly HeaderName[]): Document {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function statusesOf(codes: readonly ErrorCode[]): number[] {
  return [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
}

function componentName(status: number): string {
  return `Status${status}`;
}

export function errorSchema(): JsonSchema {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`,
  );
  return {
    type: 'object',
    description: 'What went wrong. Further codes may be added.',
    required: ['code', 'message', 'status'],
    properties: {
      code: {
        type: 'string',
        description: ['| Code | Status | Meaning |', '|---|---|---|', ...rows].join('\n'),
        pattern: '^[a-z]+(_[a-z]+)*$',
        maxLength: 64,
        examples: Object.keys(ERRORS),
      },
      message: {
        type: 'string',
        description: 'What is wrong and what to do, for a person.',
        pattern: '^[^\\u0000-\\u001f\\u007f]+$',
        maxLength: 1024,
      },
      status: {
        type: 'integer',
        format: 'int32',
        minimum: 400,
        maximum: 599,
        description: 'The HTTP status of the answer.',
      },
    },
  };
}
