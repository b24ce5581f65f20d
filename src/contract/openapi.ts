import type { Environment } from '#domain/environment.ts';
import { PLANS } from '#domain/plan.ts';
import { formatDay } from '#domain/time-text.ts';
import { exactJson } from '#formats/json.ts';
import { API_PREFIX, API_VERSION } from './api.ts';
import { API_DESCRIPTION, API_SUMMARY } from './description.ts';
import { CONTRACTS } from './environment.ts';
import { ERRORS, type ErrorCode, errorBody } from './errors.ts';
import {
  DEPRECATION_HEADERS,
  EXAMPLE_URL,
  errorHeaderNames,
  type HeaderDefinition,
  wireName,
} from './headers.ts';
import { COMMON_ERRORS, exampleOf, type Operation, parametersOf } from './operations.ts';
import { namedSchemas, refTo, schemaOf } from './schemas.ts';

type Document = { readonly [member: string]: unknown };

const EXAMPLE_STAGING_URL = 'https://staging.animal-store.example';

const TAG = 'pets';

/** Errors of every operation, described once under these names. */
const SHARED_RESPONSES: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

/**
 * Derives the OpenAPI document from the contract. The two URLs, of this deployment and of staging, do not
 * include the version prefix.
 */
export function openApiDocument(
  environment: Environment,
  publicUrl?: string,
  stagingUrl?: string,
): Document {
  const { operations, headers, commonHeaders } = CONTRACTS[environment];
  const common = headerRefs(commonHeaders);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Animal Store',
      version: API_VERSION,
      summary: API_SUMMARY,
      description: API_DESCRIPTION,
      contact: { name: 'Animal Store' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: servers(environment, publicUrl, stagingUrl),
    security: [{ apiKey: [] }],
    tags: [{ name: TAG, description: 'The pets of the store.' }],
    paths: paths(operations, common),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, sent as `Authorization: Bearer <API key>`.',
        },
      },
      schemas: namedSchemas(),
      headers: Object.fromEntries(
        Object.entries<HeaderDefinition>(headers).map(
          ([component, { description, schema, example, optional = false }]) => [
            component,
            {
              description,
              required: !optional,
              schema,
              example:
                typeof example === 'string'
                  ? example.replaceAll(EXAMPLE_URL, () => publicUrl ?? EXAMPLE_URL)
                  : example,
            },
          ],
        ),
      ),
      responses: Object.fromEntries(
        Object.entries(SHARED_RESPONSES).map(([status, name]) => [
          name,
          errorResponse(Number(status), byStatus(COMMON_ERRORS).get(Number(status)) ?? [], common),
        ]),
      ),
    },
    'x-rate-limits': Object.fromEntries(
      Object.entries(PLANS).map(([plan, { limits }]) => [plan, limits ?? 'custom']),
    ),
    'x-errors': Object.fromEntries(
      Object.entries(ERRORS).map(([code, { message, ...shown }]) => [code, shown]),
    ),
  };
}

export function documentToJson(document: Document): string {
  return `${exactJson(document, 2)}\n`;
}

/**
 * Writes the document as YAML. Bun's own function throws for a bigint, and it writes a date without quotes,
 * which a parser of YAML 1.1 would read as a date instead of text.
 */
export function documentToYaml(document: Document): string {
  const marked = JSON.stringify(document, (_, value) =>
    typeof value === 'bigint' ? `int64:${value}` : value,
  );
  const yaml = Bun.YAML.stringify(JSON.parse(marked), null, 2)
    .replace(/\bint64:(-?\d+)$/gm, '$1')
    .replace(/: (\d{4}-\d\d-\d\d)$/gm, ': "$1"');
  return `${yaml}\n`;
}

/** Lists the deployments that exist. If not even the URL of this one is known, both are examples. */
function servers(environment: Environment, publicUrl?: string, stagingUrl?: string): Document[] {
  if (environment === 'staging') return [server('Staging', publicUrl ?? EXAMPLE_STAGING_URL)];
  const production = server('Production', publicUrl ?? EXAMPLE_URL);
  const staging = stagingUrl ?? (publicUrl === undefined ? EXAMPLE_STAGING_URL : undefined);
  return staging === undefined ? [production] : [production, server('Staging', staging)];
}

function server(description: string, url: string): Document {
  return { url: url + API_PREFIX, description, 'x-internal': false };
}

function paths(operations: Readonly<Record<string, Operation>>, common: Document): Document {
  const byPath = Map.groupBy(Object.entries(operations), ([, { path }]) => path);
  return Object.fromEntries(
    Array.from(byPath, ([path, operations]) => [
      path,
      Object.fromEntries(
        operations.map(([name, operation]) => [
          operation.method.toLowerCase(),
          describeOperation(name, operation, common),
        ]),
      ),
    ]),
  );
}

function describeOperation(name: string, operation: Operation, common: Document): Document {
  const { summary, description, stability, body, deprecation } = operation;
  return {
    operationId: name,
    tags: [TAG],
    summary,
    description: deprecation
      ? `${description} Deprecated: it will be removed on ${formatDay(deprecation.removedAt)}. ${deprecation.advice}`
      : description,
    'x-stability': stability,
    ...(deprecation && {
      deprecated: true,
      'x-deprecated-at': formatDay(deprecation.deprecatedAt),
      'x-removed-at': formatDay(deprecation.removedAt),
      'x-successor': deprecation.successor,
    }),
    parameters: parametersOf(operation).map(({ name, place, ...others }) => ({
      name,
      in: place,
      ...others,
    })),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(body.schema), example: body.example } },
      },
    }),
    responses: responses(operation, common),
  };
}

function responses(operation: Operation, common: Document): Document {
  const { success, errors, deprecation } = operation;
  const further = deprecation ? DEPRECATION_HEADERS : [];
  const { status, description, schema, example } = success;
  return {
    [status]: {
      description,
      headers: { ...common, ...headerRefs([...success.headers, ...further]) },
      content: { 'application/json': { schema: schemaOf(schema), example } },
    },
    ...Object.fromEntries(
      Array.from(byStatus(errors), ([status, codes]) => {
        const shared = deprecation ? undefined : SHARED_RESPONSES[status];
        return shared === undefined
          ? [status, errorResponse(status, codes, common, operation)]
          : [status, { $ref: `#/components/responses/${shared}` }];
      }),
    ),
  };
}

function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  return Map.groupBy(codes, (code) => ERRORS[code].status);
}

function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  common: Document,
  operation?: Operation,
): Document {
  const further = operation?.deprecation ? DEPRECATION_HEADERS : [];
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
    headers: { ...common, ...headerRefs([...errorHeaderNames(status), ...further]) },
    content: {
      'application/json': {
        schema: { $ref: refTo('Error') },
        examples: Object.fromEntries(
          codes.map((code) => {
            const { meaning, example } = ERRORS[code];
            const message = operation ? exampleOf(code, operation) : example;
            return [code, { summary: meaning, value: errorBody(code, message) }];
          }),
        ),
      },
    },
  };
}

/** If two components describe the same header, the later one is used, because it is more specific. */
function headerRefs(headers: readonly string[]): Document {
  return Object.fromEntries(
    headers.map((header) => [wireName(header), { $ref: `#/components/headers/${header}` }]),
  );
}
