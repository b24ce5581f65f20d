import type { OperationName } from '../../contract/operations.ts';
import type { JsonValue } from '../../domain/json.ts';
import { PET_COLUMNS } from '../../domain/pet-columns.ts';
import {
  doubleQuoted,
  exactValue,
  INTEGER,
  type LiteralStyle,
  literal,
  singleQuoted,
} from './literal.ts';
import { headersOf, installClient, type SampleRequest, urlOf } from './sample-request.ts';

/** How JavaScript and TypeScript write values, apart from integers. */
const JAVASCRIPT: Omit<LiteralStyle, 'integer'> = {
  indent: '  ',
  string: javascriptString,
  field: javascriptField,
  word: String,
};

function javascriptString(text: string): string {
  return text.includes("'") && !text.includes('"') ? doubleQuoted(text) : singleQuoted(text);
}

function javascriptField(name: string): string {
  // As a plain field it would set the prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : javascriptString(name);
}

const FETCH_STYLE: LiteralStyle = { ...JAVASCRIPT, integer: String };

export function fetchSample(request: SampleRequest): string {
  const { method, body } = request;
  const headers = headersOf(request).map(
    ([name, value]) => `    ${JAVASCRIPT.field(name)}: ${javascriptString(value)},\n`,
  );
  return `const response = await fetch(${javascriptString(urlOf(request))}, {
${method === 'GET' ? '' : `  method: '${method}',\n`}  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
${headers.join('')}  },
${body === undefined ? '' : bodyLines(body)}});

const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);

// JSON.parse rounds ids beyond 2^53. With a reviver you get every digit
// (Node.js 21, browsers of 2025, and later ones):
// JSON.parse(text, (key, value, { source }) =>
//   Number.isInteger(value) ? BigInt(source) : value);
`;
}

function bodyLines(body: string): string {
  const value = exactValue(body, (integer) => Number.isSafeInteger(Number(integer)));
  return value === undefined
    ? `  // As text, which keeps every digit.\n  body: ${javascriptString(body)},\n`
    : `  body: JSON.stringify(${literal(value, FETCH_STYLE, '  ')}),\n`;
}

const CLIENT_STYLE: LiteralStyle = { ...JAVASCRIPT, integer: (value) => `${value}n` };

/** The client cannot send a body that is not a pet, or has other fields, so `fetch` sends it. */
export function typescriptSample(request: SampleRequest): string {
  const call = CALLS[request.operation](request);
  if (call === undefined) return `// The client sends only pets.\n${fetchSample(request)}`;
  const install = `// ${installClient(request.baseUrl)}\n`;
  return `${install}import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: ${javascriptString(request.baseUrl)} });

${call}
`;
}

/** The call of each operation with the client. Undefined if the client cannot send it. */
const CALLS: Readonly<Record<OperationName, (request: SampleRequest) => string | undefined>> = {
  listPets({ values }) {
    const options = Object.entries(values.query).map(([name, value]) => [
      name,
      queryValue(name, value),
    ]);
    const given = options.length === 0 ? '' : literal(Object.fromEntries(options), CLIENT_STYLE);
    return `const page = await store.listPets(${given});\nconsole.log(page.pets);`;
  },

  createPet({ values, body = '' }) {
    const pet = clientPet(exactValue(body));
    if (pet === undefined) return undefined;
    const key = values.header['Idempotency-Key'];
    const given =
      key === undefined
        ? literal(pet, CLIENT_STYLE)
        : `\n  ${literal(pet, CLIENT_STYLE, '  ')},\n  ${literal({ idempotencyKey: key }, CLIENT_STYLE, '  ')},\n`;
    return `const pet = await store.createPet(${given});\nconsole.log(pet);`;
  },

  getPet({ values }) {
    const id = literal(integerOr(values.path['petId'] ?? '', BigInt), CLIENT_STYLE);
    return `// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${id});
console.log(pet); // undefined if there is none`;
  },
};

/** Only an int64 is a bigint. Undefined if the value is not a pet, or has other fields. */
function clientPet(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { id: _, ...columns }: Readonly<Record<string, string>> = PET_COLUMNS;
  const fields = Object.entries(value);
  if (!fields.every(([name]) => Object.hasOwn(columns, name))) return undefined;
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      columns[name]?.startsWith('integer') && typeof field === 'bigint' ? Number(field) : field,
    ]),
  );
}

function queryValue(name: string, value: string): JsonValue {
  if (name === 'limit') return integerOr(value, Number);
  return name === 'after' ? integerOr(value, BigInt) : value;
}

/** Any other text stays a string, which the client refuses before it sends anything. */
function integerOr(value: string, convert: (text: string) => number | bigint): JsonValue {
  return INTEGER.test(value) ? convert(value) : value;
}
