import { API_PREFIX, CLIENT } from '#contract/api.ts';
import type { OperationName } from '#contract/operations.ts';
import { INTEGER, type SampleRequest, singleQuoted } from './sample-request.ts';
import { FETCH, languageOf } from './templates.ts';
import typescript from './typescript.md' with { type: 'text' };

const CLIENT_SAMPLES = languageOf('typescript', 'TypeScript', typescript, (request) => {
  const { operation, baseUrl, values } = request;
  return {
    package: baseUrl.slice(0, -API_PREFIX.length) + CLIENT,
    baseUrl: singleQuoted(baseUrl),
    call: CALLS[operation](values),
  };
});

export const TYPESCRIPT = {
  ...CLIENT_SAMPLES,
  request: (request: SampleRequest) =>
    request.otherBody === undefined
      ? CLIENT_SAMPLES.request(request)
      : `// The client sends only pets. Other JSON needs fetch.\n${FETCH.request(request)}`,
};

/** The call of each operation with the client. */
const CALLS: Readonly<Record<OperationName, (values: SampleRequest['values']) => string>> = {
  listPets({ query }) {
    const options = objectOf(query, textLiteral);
    return `const page = await store.listPets(${options});\nconsole.log(page.pets);`;
  },

  createPet({ body = {}, header }) {
    const pet = objectOf(body, literal);
    const key = header['Idempotency-Key'];
    const options = key === undefined ? '' : `, { idempotencyKey: ${singleQuoted(key)} }`;
    return `const pet = await store.createPet(${pet}${options});\nconsole.log(pet);`;
  },

  getPet: ({ path }) => `// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${textLiteral(path['petId'] ?? '')});
console.log(pet); // undefined if there is none`,
};

/** Any other text stays a string, which the client refuses before it sends anything. */
function textLiteral(text: string): string {
  return INTEGER.test(text) ? literal(BigInt(text)) : singleQuoted(text);
}

/** The client takes a small integer as a number, too. A large one must be a bigint. */
function literal(value: string | number | bigint | boolean): string {
  if (typeof value === 'string') return singleQuoted(value);
  return Number.isSafeInteger(Number(value)) ? `${value}` : `${value}n`;
}

/** Writes an object. If it would have no fields, the argument is left out. */
function objectOf<Value>(
  fields: Readonly<Record<string, Value>>,
  write: (value: Value) => string,
): string {
  const lines = Object.entries(fields).map(([name, value]) => `  ${name}: ${write(value)},\n`);
  return lines.length === 0 ? '' : `{\n${lines.join('')}}`;
}
