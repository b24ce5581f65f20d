import { readFileSync } from 'node:fs';
import type { JsonSchema } from '../../src/contract/json-schema.ts';
import { parseJson } from '../../src/domain/json.ts';
import { violation } from './json-schema.ts';

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

/** The committed document, as any reader of it has it. */
export const DOCUMENT = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Responses }>>>
  >;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/** Of HTTP itself, or of a connection: no interface documents them. */
const HEADERS_OF_HTTP = ['content-type', 'content-length', 'date', 'connection'];

/** What answers where the document has no operation: nothing there, or not with this method. */
const CODES_WITHOUT_OPERATION = new Map([
  [404, 'route_not_found'],
  [405, 'method_not_allowed'],
]);

/** With the methods of a path. Browsers that ask for them are also told the headers to send. */
const HEADERS_OF_OPTIONS = [
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

function responseOf(responses: Responses, status: number): DocumentedResponse | undefined {
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

/** How an answer differs from what the document says of it; undefined when it does not. */
export function undocumented(
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
    const ofSuccess = responseOf(any, 200);
    return ofSuccess && headerProblem(ofSuccess, headers, HEADERS_OF_OPTIONS);
  }
  if (code !== undefined) {
    const ofError = responseOf(any, 500);
    const further = status === 405 ? ['allow'] : [];
    if (further.some((name) => !headers.has(name))) return 'the header allow is missing';
    return (
      ofError && (headerProblem(ofError, headers, further) ?? errorProblem(ofError, text, [code]))
    );
  }
  const documented = responseOf(responses ?? any, status);
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
  further: readonly string[],
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
    if (HEADERS_OF_HTTP.includes(name) || further.includes(name)) continue;
    const header = known.get(name);
    if (header === undefined) return `the header ${name} is not documented`;
    const typed = header.schema.type === 'integer' ? parseJson(value) : value;
    const problem = violation(typed, header.schema, resolve, `the header ${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function bodyProblem({ content }: DocumentedResponse, text: string): string | undefined {
  return violation(parseJson(text), content['application/json'].schema, resolve);
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
