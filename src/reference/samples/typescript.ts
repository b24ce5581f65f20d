import { API_PREFIX, CLIENT } from '#contract/api.ts';
import type { OPERATIONS, OperationName } from '#contract/operations.ts';
import type { Pet } from '#domain/pet.ts';
import { PET_COLUMNS } from '#domain/pet-columns.ts';
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
    const options = objectOf(query, (name, value) => LIST_OPTIONS[name as ListOption](value));
    return `const page = await store.listPets(${options});\nconsole.log(page.pets);`;
  },

  createPet({ body = {}, header }) {
    const pet = objectOf(body, fieldOf);
    const key = header['Idempotency-Key'];
    const options = key === undefined ? '' : `, { idempotencyKey: ${singleQuoted(key)} }`;
    return `const pet = await store.createPet(${pet}${options});\nconsole.log(pet);`;
  },

  getPet: ({ path }) => `// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${bigintOf(path['petId'] ?? '')});
console.log(pet); // undefined if there is none`,
};

type ListOption = keyof typeof OPERATIONS.listPets.query;

/** How to write each option of the list. */
const LIST_OPTIONS: Readonly<Record<ListOption, (value: string) => string>> = {
  limit: integerOf,
  status: singleQuoted,
  after: bigintOf,
};

function bigintOf(value: string): string {
  return integerOf(value, 'n');
}

/** Any other text stays a string, which the client refuses before it sends anything. */
function integerOf(value: string, suffix = ''): string {
  return INTEGER.test(value) ? value + suffix : singleQuoted(value);
}

/** Writes the value of a field. Only a field that is an int64 becomes a bigint. */
function fieldOf(name: string, value: string | number | bigint | boolean): string {
  if (typeof value === 'string') return singleQuoted(value);
  return PET_COLUMNS[name as keyof Pet].startsWith('int64') ? `${value}n` : `${value}`;
}

/** Writes an object. If it would have no fields, the argument is left out. */
function objectOf<Value>(
  fields: Readonly<Record<string, Value>>,
  write: (name: string, value: Value) => string,
): string {
  const lines = Object.entries(fields).map(
    ([name, value]) => `  ${name}: ${write(name, value)},\n`,
  );
  return lines.length === 0 ? '' : `{\n${lines.join('')}}`;
}
