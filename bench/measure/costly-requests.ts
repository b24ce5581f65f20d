import { MAX_BODY_BYTES } from '../../src/contract/api.ts';
import { cpuMicroseconds } from './processes.ts';
import { create, get, type PlannedRequest } from './request.ts';
import type { Server } from './server.ts';

/** A request that makes the service work hard. */
export interface CostlyRequest {
  readonly title: string;
  /** The request must cost at most this many times as much as a getPet. */
  readonly most: number;
  readonly request: PlannedRequest;
}

/** Reading 64 KiB in pieces, in order to count the pieces, takes about three of these. */
const MOST = 25;
/** The bound for bodies in many pieces, and for bodies that only a reader of our parser would think of. */
export const MOST_OF_ODD = 60;

const MAX_QUERY_BYTES = 15_000;
const PET = '"name":"Rex","categoryId":1';

/** The most costly requests that we have found: every kind of value, and mistakes in every place. */
export const COSTLY_REQUESTS: readonly CostlyRequest[] = [
  body('an unknown field [1,1,…]', `{${PET},"x":[`, '1,', '1]}'),
  body('an unknown field [[],[],…]', `{${PET},"x":[`, '[],', '[]]}'),
  body('6,500 unknown fields', `{${PET}`, (place) => `,"f${place}":1`, '}'),
  body('6,000 strings with escapes', `{${PET},"x":[`, '"\\u0041",', '1]}'),
  body('one string of escapes', `{${PET},"x":"`, '\\u0041', '"}', MOST_OF_ODD),
  body('one string of escaped quotes', `{${PET},"x":"`, '\\"', '"}', MOST_OF_ODD),
  body('one string with an escape', `{${PET},"x":"\\n`, '1', '"}'),
  body('fields with escapes and fractions', `{${PET}`, costlyField, '}', MOST_OF_ODD),
  body('one string of 64 KiB', `{${PET},"x":"`, 'a', '"}'),
  body('a name of 64 KiB', '{"categoryId":1,"name":"', 'n', '"}'),
  body('a number of 64 KiB', `{"name":"Rex","categoryId":1`, '0', '}'),
  body('a fraction of 64 KiB', `{"name":"Rex","categoryId":1.`, '0', '}', MOST_OF_ODD),
  body('an exponent of 64 KiB', `{"name":"Rex","categoryId":1e`, '9', '}', MOST_OF_ODD),
  body('397 fractions of zeros', `{${PET},"x":[`, `-0.${'0'.repeat(161)},`, '0]}', MOST_OF_ODD),
  body('white space', `{${PET}`, ' ', '}'),
  body('a mistake after many values', `{${PET},"x":[`, '1,', ']}'),
  body('a mistake after many fields', `{${PET}`, (place) => `,"f${place}":1`, ',}'),
  body('a mistake in the last escape', `{${PET},"x":"`, '\\u0041', '\\u00"}'),
  body('a string without an end', `{${PET},"x":"`, 'a', ''),
  {
    title: 'createPet: 64 KiB of UTF-8 and a wrong byte',
    most: MOST,
    request: { ...create(1), body: Buffer.from([...Buffer.from('漢'.repeat(21_000)), 0xff]) },
  },
  {
    title: 'listPets with 1,400 encoded parameters',
    most: 8,
    request: get(`/v1/pets?limit=1${fill('', '&%61=%62', '', MAX_QUERY_BYTES)}`),
  },
  {
    title: 'listPets with 7,000 empty parameters',
    most: 8,
    request: get(`/v1/pets?limit=1${fill('', '&a', '', MAX_QUERY_BYTES)}`),
  },
];

export const CHEAP_REQUEST = get('/v1/pets/1');

/** A field whose name has escapes and a character of three bytes, and whose value is a long fraction. */
function costlyField(place: number): string {
  return `,"${'\\n'.repeat(3)}漢${place}":1.${'0'.repeat(90)}`;
}

function body(
  title: string,
  start: string,
  part: string | ((place: number) => string),
  end: string,
  most = MOST,
): CostlyRequest {
  const { path, headers, method } = create(1);
  const request = { path, headers, method, body: fill(start, part, end, MAX_BODY_BYTES) };
  return { title: `createPet: ${title}`, most, request };
}

/** Repeats a part as many times as fit into a body. */
function fill(
  start: string,
  part: string | ((place: number) => string),
  end: string,
  bytes: number,
): string {
  let text = start;
  let left = bytes - start.length - end.length;
  for (let place = 0; ; place++) {
    const next = typeof part === 'string' ? part : part(place);
    left -= Buffer.byteLength(next);
    if (left < 0) break;
    text += next;
  }
  return text + end;
}

/** The CPU microseconds that the server takes for one request, averaged over many. */
export async function costOf(
  { pid }: Server,
  send: () => Promise<unknown>,
  count: number,
  connections: number,
): Promise<number> {
  let left = count;
  const before = cpuMicroseconds(pid);
  const sender = async () => {
    while (left-- > 0) await send();
  };
  await Promise.all(Array.from({ length: connections }, sender));
  return (cpuMicroseconds(pid) - before) / count;
}
