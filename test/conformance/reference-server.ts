import { parseJson, stringify } from '../../src/conformance/http.ts';
import type { Clock } from '../support/clock.ts';
import { ReferenceLimits } from './reference-limits.ts';

export const KEY = 'key-of-a-paying-customer';
export const FREE_KEY = 'key-of-the-free-plan';

/** With this suffix, a key has no requests left today on staging. */
export const FULL_DAY = '~rate_limit_day';
export const PLAN_KEYS = {
  pro: 'key-of-the-pro-plan',
  business: 'key-of-the-business-plan',
  enterprise: 'key-of-an-enterprise',
};
export const ENTERPRISE_LIMITS = { perMinute: 7, perDay: 70 };

const PER_MINUTE = {
  [KEY]: 10_000,
  [FREE_KEY]: 60,
  [PLAN_KEYS.pro]: 300,
  [PLAN_KEYS.business]: 1_000,
  [PLAN_KEYS.enterprise]: ENTERPRISE_LIMITS.perMinute,
};
const PER_DAY = {
  [FREE_KEY]: 1_000,
  [PLAN_KEYS.pro]: 10_000,
  [PLAN_KEYS.business]: 100_000,
  [PLAN_KEYS.enterprise]: ENTERPRISE_LIMITS.perDay,
};

const STATUSES = ['available', 'pending', 'sold'];
const REMOVAL_MS = Date.UTC(2030, 11, 5);

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  paths: {
    '/pets': { get: {}, post: { 'x-stability': 'stable' } },
    '/orders': { get: { 'x-stability': 'beta' } },
  },
};

interface Pet {
  readonly id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status?: string;
}

/** Sits in front of the conforming server and can change requests and responses. */
export type Fault = (
  request: Request,
  conforming: (request: Request) => Promise<Response>,
) => Promise<Response> | Response;

export interface ReferenceServerOptions {
  readonly clock: Clock;
  readonly fault?: Fault;
  /** Requests a minute for each key. */
  readonly perMinute?: Readonly<Record<string, number>>;
  /** Requests a day for each key. */
  readonly perDay?: Readonly<Record<string, number>>;
  /** Has test clocks and an OpenAPI document. */
  readonly isStaging?: boolean;
  /** Pets that the store has at the start, of every status in turn. */
  readonly petCount?: number;
}

export interface ReferenceServer extends Disposable {
  readonly url: string;
}

/**
 * A second implementation of the API, in memory. It shares no code with the service, and only the exact
 * JSON with the checks. Where the contract is silent, it decides differently from the service.
 */
export function startReferenceServer({
  clock,
  fault,
  perMinute,
  petCount = 0,
  perDay,
  isStaging = false,
}: ReferenceServerOptions): ReferenceServer {
  const limits = new ReferenceLimits(
    clock,
    { ...PER_MINUTE, ...perMinute },
    { ...PER_DAY, ...perDay },
  );
  const conforming = conformingHandler(limits, stock(petCount), isStaging);
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => (fault === undefined ? conforming(request) : fault(request, conforming)),
  });
  return { url: `${server.url.origin}/v1`, [Symbol.dispose]: () => void server.stop(true) };
}

function conformingHandler(limits: ReferenceLimits, pets: Pet[], isStaging: boolean) {
  function list({ searchParams, pathname }: URL): Response {
    const limit = searchParams.get('limit') ?? '20';
    const status = searchParams.get('status');
    if (!/^([1-9][0-9]?|100)$/.test(limit)) return problem(422, 'limit must be from 1 to 100.');
    if (status !== null && !STATUSES.includes(status))
      return problem(422, 'The status is unknown.');
    const start = Number(searchParams.get('start') ?? 0);
    const all = pets.filter((pet) => status === null || pet.status === status);
    const end = start + Number(limit);
    const next = new URLSearchParams({ ...Object.fromEntries(searchParams), start: String(end) });
    const link = `<${pathname}?${next}>; rel="next"`;
    return json(200, all.slice(start, end), end < all.length ? { Link: link } : {});
  }

  function create(text: string): Response {
    const body = parseJson(text);
    if (typeof body !== 'object' || body === null)
      return problem(400, 'The body must be a JSON object.');
    const { name, categoryId, status } = body as Record<string, unknown>;
    if (typeof name !== 'string') return problem(400, 'name must be a string.');
    if (typeof categoryId !== 'bigint' || BigInt.asIntN(64, categoryId) !== categoryId) {
      return problem(400, 'categoryId must be an int64.');
    }
    if (status !== undefined && !STATUSES.includes(status as string)) {
      return problem(400, 'The status is unknown.');
    }
    const id = BigInt(pets.length + 1);
    const pet = { id, name, categoryId, ...(status !== undefined && { status: String(status) }) };
    pets.push(pet);
    return json(201, pet);
  }

  function get(id: string, nowMs: number): Response {
    if (nowMs >= REMOVAL_MS) return problem(410, 'This operation was removed.');
    if (!/^[0-9]{1,19}$/.test(id)) return problem(400, 'The id must be an integer.');
    const pet = pets.find((pet) => String(pet.id) === id);
    return pet === undefined ? problem(404, 'The pet does not exist.') : json(200, pet);
  }

  async function route(request: Request, nowMs: number): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname === '/v1/pets') {
      return request.method === 'POST' ? create(await request.text()) : list(url);
    }
    const id = /^\/v1\/pets\/([^/]+)$/.exec(url.pathname)?.[1];
    return id === undefined ? problem(404, 'The path does not exist.') : get(id, nowMs);
  }

  async function serve(request: Request): Promise<Response> {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
    const isDayFull = isStaging && token.endsWith(FULL_DAY);
    const key = isDayFull ? token.slice(0, -FULL_DAY.length) : token;
    const testTime = isStaging ? request.headers.get('x-test-time') : null;
    const isPast = testTime !== null && !limits.moveClock(key, testTime);
    const { status, headers } = isDayFull ? limits.fullDay(key) : limits.take(key);
    const respond = async () => {
      if (status === 429) return new Response('Slow down.', { status });
      if (status === 403) return problem(status, 'The key is banned.');
      if (!limits.knows(key)) return problem(401, 'A key is required.');
      return isPast ? problem(400, 'The time is past.') : route(request, limits.timeMs(key));
    };
    const response = await respond();
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  }

  return async (request: Request): Promise<Response> => {
    if (!isStaging) return serve(request);
    const isDocument = new URL(request.url).pathname === '/openapi.json';
    const response = isDocument ? json(200, DOCUMENT) : await serve(request);
    response.headers.set('X-Environment', 'staging');
    return response;
  };
}

function stock(count: number): Pet[] {
  return Array.from({ length: count }, (_, index) => ({
    id: BigInt(index + 1),
    name: 'Rex',
    categoryId: 1n,
    status: STATUSES[index % STATUSES.length] as string,
  }));
}

function problem(status: number, message: string): Response {
  return json(status, { code: `reference-${status}`, message, status });
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}) {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  return new Response(stringify(value), { status, headers: { ...type, ...headers } });
}
