import type { JsonValue } from '../../domain/json.ts';
import { fetchSample } from './fetch.ts';
import { JAVASCRIPT, javascriptString } from './javascript.ts';
import { exactValue, type LiteralStyle, literal } from './literal.ts';
import type { SampleRequest } from './sample-request.ts';

const STYLE: LiteralStyle = { ...JAVASCRIPT, integer: (value) => `${value}n` };
const FIELDS = ['name', 'categoryId', 'status'];
const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;

/** The client cannot send a body that is not a pet, or has other fields, so `fetch` sends it. */
export function typescriptSample(request: SampleRequest): string {
  const call = callOf(request);
  if (call === undefined) return `// The client sends only pets.\n${fetchSample(request)}`;
  return `import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: ${javascriptString(request.baseUrl)} });

${call}
`;
}

function callOf({ operation, values, body }: SampleRequest): string | undefined {
  if (operation === 'listPets') {
    const options = Object.entries(values.query).map(([name, value]) => [
      name,
      queryValue(name, value),
    ]);
    const given = options.length === 0 ? '' : literal(Object.fromEntries(options), STYLE);
    return `const page = await store.listPets(${given});\nconsole.log(page.pets);`;
  }
  if (operation === 'getPet') {
    const id = literal(integerOr(values.path['petId'] ?? '', BigInt), STYLE);
    return `// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${id});
console.log(pet); // undefined if there is none`;
  }
  const pet = exactValue(body ?? '');
  if (!isPet(pet)) return undefined;
  const key = values.header['Idempotency-Key'];
  const given =
    key === undefined
      ? literal(pet, STYLE)
      : `\n  ${literal(pet, STYLE, '  ')},\n  ${literal({ idempotencyKey: key }, STYLE, '  ')},\n`;
  return `const pet = await store.createPet(${given});\nconsole.log(pet);`;
}

function isPet(value: JsonValue | undefined): value is { [name: string]: JsonValue } {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).every((name) => FIELDS.includes(name))
  );
}

function queryValue(name: string, value: string): JsonValue {
  if (name === 'limit') return integerOr(value, Number);
  return name === 'after' ? integerOr(value, BigInt) : value;
}

/** What is not an integer stays a string, which the client refuses before it sends anything. */
function integerOr(value: string, convert: (text: string) => number | bigint): JsonValue {
  return INTEGER.test(value) ? convert(value) : value;
}
