import { ERRORS, type ErrorCode, errorBody } from '../contract/errors.ts';
import { HEADERS, type HeaderDefinition, wireName } from '../contract/headers.ts';
import { Code } from './code.tsx';

/** A value as the API sends it, indented. */
export function JsonExample({ of }: { of: unknown }) {
  return <Code language="json" code={writeExample(of)} />;
}

/** As the samples write it. */
export function writeExample(example: unknown): string {
  return JSON.stringify(example, null, 2);
}

/** The body of an error. */
export function errorExample(code: ErrorCode) {
  return errorBody(code, ERRORS[code].example);
}

/** The headers as a response has them. */
export function headersExample(
  names: readonly string[],
  headers: Readonly<Record<string, HeaderDefinition>> = HEADERS,
): string {
  return names.map((name) => `${wireName(name)}: ${headers[name]?.example}`).join('\n');
}
