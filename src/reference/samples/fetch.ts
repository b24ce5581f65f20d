import type { JsonValue } from '../../domain/json.ts';
import { JAVASCRIPT, javascriptString } from './javascript.ts';
import { exactValue, type LiteralStyle, literal } from './literal.ts';
import { type SampleRequest, urlOf } from './sample-request.ts';

const STYLE: LiteralStyle = { ...JAVASCRIPT, integer: String };

export function fetchSample(request: SampleRequest): string {
  const { method, values, body } = request;
  const headers = Object.entries(values.header).map(
    ([name, value]) => `    ${STYLE.field(name)}: ${javascriptString(value)},\n`,
  );
  return `const response = await fetch(${javascriptString(urlOf(request))}, {
${method === 'GET' ? '' : `  method: '${method}',\n`}  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
${headers.join('')}${body === undefined ? '' : "    'Content-Type': 'application/json',\n"}  },
${body === undefined ? '' : bodyLines(body)}});

const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);

// JSON.parse rounds ids beyond 2^53. With a reviver you get every digit
// (Node.js 22, browsers of 2025, and later ones):
// JSON.parse(text, (key, value, { source }) =>
//   Number.isInteger(value) ? BigInt(source) : value);
`;
}

function bodyLines(body: string): string {
  const value = exactValue(body);
  if (value === undefined) return `  body: ${javascriptString(body)},\n`;
  if (isSafe(value)) return `  body: JSON.stringify(${literal(value, STYLE, '  ')}),\n`;
  return `  // As text, because a number beyond 2^53 would be rounded.
  body: ${javascriptString(body)},\n`;
}

/** True if every integer is exact as a `number`. */
function isSafe(value: JsonValue): boolean {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value));
  return value === null || typeof value !== 'object' || Object.values(value).every(isSafe);
}
