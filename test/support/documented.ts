import { readFileSync } from 'node:fs';
import type { JsonSchema } from '../../src/contract/json-schema.ts';
import { type JsonValue, parseJson } from '../../src/domain/json.ts';
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
const CODES_WITHOUT_OPERATION: Readonly<Record<number, string>> = {
  404: 'route_not_found',
  405: 'method_not_allowed',
};

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
  if (method === 'OPTIONS' && status === 204) return undefined;
  const responses = responsesFor(method, path);
  const elsewhere = DOCUMENT.paths['/pets']?.['get']?.responses ?? {};
  const expected = CODES_WITHOUT_OPERATION[status];
  const isStray = responses === undefined && expected !== undefined;
  const documented = isStray
    ? responseOf(elsewhere, 500)
    : responseOf(responses ?? elsewhere, status);
  if (documented === undefined) return `${method} ${path} does not document ${status}`;

  const further = isStray ? ['allow'] : [];
  return (
    headerProblem(documented, headers, further) ??
    (method === 'HEAD'
      ? undefined
      : bodyProblem(documented, status, text, isStray ? expected : undefined))
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

function bodyProblem(
  documented: DocumentedResponse,
  status: number,
  text: string,
  codeWithoutOperation: string | undefined,
): string | undefined {
  const { schema, examples = {} } = documented.content['application/json'];
  const body: JsonValue = parseJson(text);
  const problem = violation(body, schema, resolve);
  if (problem !== undefined || status < 400) return problem;
  const { code } = body as { code: string };
  const isKnown =
    codeWithoutOperation === undefined ? code in examples : code === codeWithoutOperation;
  return isKnown ? undefined : `the code ${code} is not documented for ${status}`;
}
