import { ERRORS, type ErrorCode, EXAMPLE_REFUSALS, errorBody } from '#contract/errors.ts';
import {
  EXAMPLE_URL,
  errorHeaderNames,
  fixedErrorHeaders,
  HEADERS,
  type HeaderDefinition,
  wireName,
} from '#contract/headers.ts';
import { Island } from './browser/islands.tsx';
import type { SampleRequest } from './samples/sample-request.ts';

/** Writes a value as the API sends it, indented. */
export function writeExample(example: unknown): string {
  return JSON.stringify(example, null, 2);
}

/** The body of an error. */
export function errorExample(code: ErrorCode) {
  return errorBody(code, ERRORS[code].example);
}

/** An error as the API sends it, with the headers that other responses lack. */
export function errorText(code: ErrorCode): string {
  const headers = Object.entries(errorHeaders(code)).map(([name, value]) => `${name}: ${value}\n`);
  return `${headers.join('')}\n${writeExample(errorExample(code))}`;
}

interface RequestPanelProps {
  readonly request: SampleRequest;
  readonly response: { readonly status: number; readonly example: unknown };
}

/** The samples of a request, and the response to it. */
export function RequestPanel({ request, response }: RequestPanelProps) {
  const { status, example } = response;
  const outcome = {
    title: String(status),
    status,
    note: 'Example response',
    body: writeExample(example),
  };
  return <Island name="code-panel" props={{ request, example: outcome }} />;
}

/** The time of the examples. At this time, the day has as many seconds left as the used-up day of the example. */
const NOW_SECONDS = 1_794_671_488;

export function errorHeaders(code: ErrorCode) {
  const { status } = ERRORS[code];
  const [limit, seconds = 1] = new Map(Object.entries(EXAMPLE_REFUSALS)).get(code) ?? [];
  return {
    ...fixedErrorHeaders(code, EXAMPLE_URL),
    ...(errorHeaderNames(status).includes('Retry-After') && { 'Retry-After': seconds }),
    ...(status === 405 && { Allow: 'GET, HEAD, POST, OPTIONS' }),
    ...(limit !== undefined && {
      'X-RateLimit-Limit': limit,
      'X-RateLimit-Remaining': 0,
      'X-RateLimit-Reset': NOW_SECONDS + seconds,
    }),
  };
}

/** Writes example headers as a response contains them. */
export function headersExample(
  names: readonly string[],
  headers: Readonly<Record<string, HeaderDefinition>> = HEADERS,
): string {
  return names.map((name) => `${wireName(name)}: ${headers[name]?.example}`).join('\n');
}
