import { type JsonValue, parseJson } from '../../src/domain/json.ts';
import { newPetToJson, type Pet, petSchema } from '../../src/domain/pet.ts';
import type { CapturedAnswer } from './contender.ts';
import { petOf, secretOf, UNKNOWN_SECRET } from './fixture.ts';

/** What a contender can be asked about. `errors` are refusals in the shape of the interface. */
export type Topic = 'getPet' | 'petShape' | 'listPets' | 'createPet' | 'keys' | 'errors' | 'answer';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Ask {
  readonly method?: string;
  readonly key?: string | undefined;
  /** Where it says to come from. */
  readonly address?: string;
  readonly body?: string;
}

type Caller = (path: string, ask?: Ask) => Promise<Answer>;

const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const KEY = secretOf(1);
/** More than any store here comes to hold, and exact in every language. */
const NO_PET = Number.MAX_SAFE_INTEGER;

const TOPICS: Readonly<Record<Topic, (call: Caller, captured: CapturedAnswer) => Promise<void>>> = {
  async getPet(call) {
    for (const id of [1, 500, 999]) {
      const answer = await call(`/v1/pets/${id}`);
      requireJson(answer, 200, toJson(petOf(id)));
      requireLimitHeaders(answer);
    }
  },

  async petShape(call) {
    const { status, text } = await call('/v1/pets/1');
    requireThat(status === 200 && petSchema.safeParse(parseJson(text)).success, 'answer a pet');
  },

  async listPets(call) {
    const pages: [path: string, pets: Pet[]][] = [
      ['/v1/pets?limit=20', petsFrom(1, 20)],
      ['/v1/pets?limit=100&after=300', petsFrom(301, 100)],
      ['/v1/pets?status=sold&limit=20', soldFrom(1, 20)],
      ['/v1/pets?status=sold&limit=5&after=700', soldFrom(701, 5)],
    ];
    for (const [path, pets] of pages) {
      const answer = await call(path);
      requireJson(answer, 200, pets.map(toJson));
      requireLimitHeaders(answer);
    }
  },

  async createPet(call) {
    const newPet = { name: 'Zoë "the" zebra', categoryId: 7n, status: 'pending' } as const;
    const created = await call('/v1/pets', { method: 'POST', body: newPetToJson(newPet) });
    const { id } = parseJson(created.text) as { id: bigint };
    requireJson(created, 201, { id, ...newPet });
    requireThat(created.headers.has('Location'), 'say in Location where the animal is');
    requireJson(await call(`/v1/pets/${id}`), 200, { id, ...newPet });
  },

  async keys(call) {
    for (const key of [undefined, UNKNOWN_SECRET]) {
      const { status } = await call('/v1/pets/1', { key });
      requireThat(status === 401, `answer 401 without a valid key, not ${status}`);
    }
  },

  async errors(call) {
    requireError(await call('/v1/pets/1', { key: UNKNOWN_SECRET }), 401);
    requireError(await call(`/v1/pets/${NO_PET}`), 404);
    requireError(await call('/v1/pets?limit=101'), 400);
    requireError(await call('/v1/pets?status=lost'), 400);
    requireError(await call('/v1/pets', { method: 'POST', body: '{"name":"Rex"}' }), 400);
  },

  async answer(call, { status, headers, body }) {
    const answer = await call('/v1/pets/1');
    requireThat(answer.status === status && answer.text === body, 'send the answer it was given');
    for (const [name, value] of Object.entries(headers)) {
      requireThat(answer.headers.get(name) === value, `send the header ${name}`);
    }
  },
};

/** Asks a contender all that it should know. Throws at the first wrong answer. */
export async function ask(
  url: string,
  topics: readonly Topic[],
  captured: CapturedAnswer,
): Promise<void> {
  for (const topic of topics) await TOPICS[topic]((path, ask) => call(url, path, ask), captured);
}

export async function call(url: string, path: string, ask: Ask = {}): Promise<Answer> {
  const { method = 'GET', key, address, body } = { key: KEY, ...ask };
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(address !== undefined && { 'X-Forwarded-For': address }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function requireThat(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`It does not ${promise}`);
}

function requireJson({ status, headers, text }: Answer, expected: number, body: JsonValue): void {
  requireThat(status === expected, `answer ${expected}, but ${status}: ${text}`);
  requireThat(/^application\/json/.test(headers.get('Content-Type') ?? ''), 'say that it is JSON');
  requireThat(Bun.deepEquals(parseJson(text), body), `answer the right body, but ${text}`);
}

function requireError({ status, text }: Answer, expected: number): void {
  requireThat(status === expected, `answer ${expected}, but ${status}: ${text}`);
  const error = parseJson(text) as { code?: unknown; message?: unknown; status?: unknown };
  const isError =
    typeof error.code === 'string' &&
    typeof error.message === 'string' &&
    error.status === BigInt(expected);
  requireThat(isError, `answer with an Error of the interface, but ${text}`);
}

function requireLimitHeaders({ headers }: Answer): void {
  for (const name of LIMIT_HEADERS) {
    requireThat(/^\d+$/.test(headers.get(name) ?? ''), `send a number in ${name}`);
  }
}

function petsFrom(first: number, count: number): Pet[] {
  return Array.from({ length: count }, (_, index) => petOf(first + index));
}

function soldFrom(first: number, count: number): Pet[] {
  return petsFrom(first, 4 * count)
    .filter(({ status }) => status === 'sold')
    .slice(0, count);
}

function toJson({ id, name, categoryId, status }: Pet): { [member: string]: JsonValue } {
  return { id, name, categoryId, status };
}
