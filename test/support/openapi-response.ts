import { readFileSync } from 'node:fs';
import type { JsonSchema } from '../../src/contract/schemas.ts';
import { parseJson } from '../../src/domain/json.ts';
import { schemaViolation } from './json-schema.ts';

interface DocumentedHeader {
  readonly required: boolean;
  readonly schema: JsonSchema;
}

interface DocumentedResponse {
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content: {
    readonly 'application/json': {
      readonly schema: JsonSchema;
      readonly examples?: Readonly<Record<string, unknown>>;
    };
  };
}

type Responses = Readonly<Record<string, DocumentedResponse | { readonly $ref: string }>>;

/** The committed OpenAPI document. */
const DOCUMENT = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Responses }>>>
  >;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/** HTTP itself defines these, so the document does not list them. */
const HTTP_HEADERS = ['content-type', 'content-length', 'date', 'connection'];

/** The errors of paths and methods that are not in the document. */
const CODES_WITHOUT_OPERATION = new Map([
  [404, 'route_not_found'],
  [405, 'method_not_allowed'],
]);

/** Sent only in responses to OPTIONS, which the document does not describe. */
const OPTIONS_HEADERS = [
  'allow',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-max-age',
];

function resolve<T>(ref: string): T {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(ref) ?? [];
  const found = DOCUMENT.components[kind]?.[name];
  if (found === undefined) throw new Error(`The document has no ${ref}`);
  return found as T;
}

function documentedResponse(responses: Responses, status: number): DocumentedResponse | undefined {
  const response = responses[status];
  return response && '$ref' in response ? resolve(response.$ref) : response;
}

function responsesFor(method: string, path: string): Responses | undefined {
  const entry = Object.entries(DOCUMENT.paths).find(([template]) =>
    new RegExp(`^${template.replace(/\{\w+\}/, '[^/]+')}$`).test(path),
  );
  const operation = entry?.[1][method === 'HEAD' ? 'get' : method.toLowerCase()];
  return operation?.responses;
}

/** The first difference between a response and the document, if any. */
export function openapiProblem(
  method: string,
  path: string,
  response: Response,
  text: string,
): string | undefined {
  const { status, headers } = response;
  const responses = responsesFor(method, path);
  const any = DOCUMENT.paths['/pets']?.['get']?.responses ?? {};
  const code = responses === undefined ? CODES_WITHOUT_OPERATION.get(status) : undefined;
  if (method === 'OPTIONS' && status === 204) {
    const success = documentedResponse(any, 200);
    return success && headerProblem(success, headers, OPTIONS_HEADERS);
  }
  if (code !== undefined) {
    const error = documentedResponse(any, 500);
    const alsoAllowed = status === 405 ? ['allow'] : [];
    if (alsoAllowed.some((name) => !headers.has(name))) return 'the header allow is missing';
    return (
      error && (headerProblem(error, headers, alsoAllowed) ?? errorProblem(error, text, [code]))
    );
  }
  const documented = documentedResponse(responses ?? any, status);
  if (documented === undefined) return `${method} ${path} does not document ${status}`;
  const codes = Object.keys(documented.content['application/json'].examples ?? {});
  return (
    headerProblem(documented, headers, []) ??
    (method === 'HEAD'
      ? undefined
      : status < 400
        ? bodyProblem(documented, text)
        : errorProblem(documented, text, codes))
  );
}

function headerProblem(
  { headers: documented }: DocumentedResponse,
  headers: Headers,
  alsoAllowed: readonly string[],
): string | undefined {
  const known = new Map(
    Object.entries(documented).map(([name, { $ref }]) => [
      name.toLowerCase(),
      resolve<DocumentedHeader>($ref),
    ]),
  );
  for (const [name, { required }] of known) {
    if (required && !headers.has(name)) return `the header ${name} is documented and missing`;
  }
  for (const [name, value] of headers) {
    if (HTTP_HEADERS.includes(name) || alsoAllowed.includes(name)) continue;
    const header = known.get(name);
    if (header === undefined) return `the header ${name} is not documented`;
    const typed = header.schema.type === 'integer' ? parseJson(value) : value;
    const problem = schemaViolation(typed, header.schema, resolve, `the header ${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function bodyProblem({ content }: DocumentedResponse, text: string): string | undefined {
  return schemaViolation(parseJson(text), content['application/json'].schema, resolve);
}

function errorProblem(
  documented: DocumentedResponse,
  text: string,
  codes: readonly string[],
): string | undefined {
  const problem = bodyProblem(documented, text);
  if (problem !== undefined) return problem;
  const { code } = parseJson(text) as { code: string };
  return codes.includes(code) ? undefined : `the code ${code} is not documented here`;
}
