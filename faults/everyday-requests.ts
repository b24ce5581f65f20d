import { PET_STATUSES } from '../src/domain/pet.ts';
import { randomDigits, toSecret } from './key-guesses.ts';
import { below, pick, type Random } from './random.ts';

/** A request as written, and the statuses that are right for it. */
export interface EverydayRequest {
  readonly text: string;
  readonly expected: readonly number[];
}

export interface Clients {
  /** A key whose limits are never reached. */
  readonly secret: string;
  /** A key on the Free plan, which is over its limits most of the time. */
  readonly freeSecret: string;
  /** There are pets with all ids up to this one. */
  readonly pets: number;
}

type Maker = (clients: Clients, random: Random) => EverydayRequest;

const MISSING_ID = 9_000_000_000;

function get(
  target: string,
  secret: string,
  expected: readonly number[],
  more = '',
): EverydayRequest {
  return { text: `GET /v1${target} HTTP/1.1\r\n${headers(secret)}${more}\r\n`, expected };
}

function post(body: string, secret: string, status: number, more = ''): EverydayRequest {
  const length = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  const head = `POST /v1/pets HTTP/1.1\r\n${headers(secret)}${length}${more}\r\n`;
  return { text: head + body, expected: [status] };
}

function headers(secret: string): string {
  return `Host: store.example\r\nUser-Agent: everyday/1.0\r\nAccept: */*\r\nAuthorization: Bearer ${secret}\r\n`;
}

function newPet(random: Random, number = below(1_000_000, random)): string {
  const status = PET_STATUSES[number % PET_STATUSES.length];
  return JSON.stringify({ name: `Pet ${number}`, categoryId: number % 1_000, status });
}

const listPets: Maker = ({ secret }, random) =>
  get(random() < 0.5 ? '/pets' : `/pets?limit=${1 + below(100, random)}`, secret, [200]);

const listByStatus: Maker = ({ secret }, random) =>
  get(`/pets?status=${pick(PET_STATUSES, random)}&limit=20`, secret, [200]);

const nextPage: Maker = ({ secret, pets }, random) =>
  get(`/pets?after=${below(pets, random)}`, secret, [200]);

const getPet: Maker = ({ secret, pets }, random) =>
  get(`/pets/${1 + below(pets, random)}`, secret, [200]);

const createPet: Maker = ({ secret }, random) => post(newPet(random), secret, 201);

/** The number gives the key and the body, so that a repeated key comes with the same body. */
const createPetWithKey: Maker = ({ secret }, random) => {
  const number = below(20_000, random);
  return post(newPet(random, number), secret, 201, `Idempotency-Key: everyday-${number}\r\n`);
};

/**
 * From few addresses, as the cache of addresses fills for as long as new ones come. Attacks from many
 * addresses are in key-guessing.ts.
 */
const wrongKey: Maker = (_clients, random) => {
  const address = `X-Forwarded-For: 192.0.2.${below(250, random)}\r\n`;
  return get('/pets', toSecret(randomDigits(random)), [401, 429], address);
};

const missing: Maker = ({ secret }, random) =>
  get(random() < 0.5 ? `/pets/${MISSING_ID}` : '/orders', secret, [404]);

const invalidQuery: Maker = ({ secret }) => get('/pets?limit=0', secret, [400]);

const invalidBody: Maker = ({ secret }, random) =>
  post(random() < 0.5 ? '{"name":""}' : '{"name":', secret, 400);

const overLimit: Maker = ({ freeSecret }) => get('/pets', freeSecret, [200, 429]);

/** As often as each comes up in a hundred requests. */
const SHARES: readonly (readonly [share: number, maker: Maker])[] = [
  [25, listPets],
  [15, listByStatus],
  [10, nextPage],
  [20, getPet],
  [5, createPet],
  [5, createPetWithKey],
  [5, wrongKey],
  [5, missing],
  [3, invalidQuery],
  [2, invalidBody],
  [5, overLimit],
];

const MAKERS = SHARES.flatMap(([share, maker]) => Array.from({ length: share }, () => maker));

/** One of the requests that clients send every day, with their usual mistakes. */
export function everydayRequest(clients: Clients, random: Random): EverydayRequest {
  return pick(MAKERS, random)(clients, random);
}
