import type { Clock } from '../support/clock.ts';

export const KEY = 'key-of-a-paying-customer';
export const FREE_KEY = 'key-of-the-free-plan';

const STATUSES = ['available', 'pending', 'sold'];
const REMOVAL_MS = Date.UTC(2030, 11, 5);

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
  /** Pets that the store has at the start, of every status in turn. */
  readonly petCount?: number;
  /** createPet returns 500 for every valid pet. */
  readonly isFull?: boolean;
}

export interface ReferenceServer extends Disposable {
  readonly url: string;
}

/**
 * A second implementation of the API, in memory, that shares no code with the service or the checks.
 * Where the contract is silent, it decides differently from the service.
 */
export function startReferenceServer({
  clock,
  fault,
  perMinute,
  petCount = 0,
  isFull = false,
}: ReferenceServerOptions): ReferenceServer {
  const limits = { [KEY]: 10_000, [FREE_KEY]: 60, ...perMinute };
  const conforming = conformingHandler(clock, limits, stock(petCount), isFull);
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => (fault === undefined ? conforming(request) : fault(request, conforming)),
  });
  return { url: `${server.url.origin}/v1`, [Symbol.dispose]: () => void server.stop(true) };
}

function conformingHandler(
  clock: Clock,
  perMinute: Readonly<Record<string, number>>,
  pets: Pet[],
  isFull: boolean,
) {
  const windows = new Map<string, { used: number; reset: number }>();

  function take(subject: string, limit: number) {
    const now = Math.floor(clock.now() / 1000);
    let window = windows.get(subject);
    if (window === undefined || window.reset <= now) window = { used: 0, reset: now + 60 };
    windows.set(subject, window);
    const isRefused = window.used >= limit;
    if (!isRefused) window.used++;
    const headers = {
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': String(limit - window.used),
      'X-RateLimit-Reset': String(window.reset),
    };
    return { isRefused, headers, retryAfter: String(window.reset - now) };
  }

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
    const body = parse(text);
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
    if (isFull) return problem(500, 'The store is full.');
    const id = BigInt(pets.length + 1);
    const pet = { id, name, categoryId, ...(status !== undefined && { status: String(status) }) };
    pets.push(pet);
    return json(201, pet);
  }

  function get(id: string): Response {
    if (clock.now() >= REMOVAL_MS) return problem(410, 'This operation was removed.');
    if (!/^[0-9]{1,19}$/.test(id)) return problem(400, 'The id must be an integer.');
    const pet = pets.find((pet) => String(pet.id) === id);
    return pet === undefined ? problem(404, 'The pet does not exist.') : json(200, pet);
  }

  async function route(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname === '/v1/pets') {
      return request.method === 'POST' ? create(await request.text()) : list(url);
    }
    const id = /^\/v1\/pets\/([^/]+)$/.exec(url.pathname)?.[1];
    return id === undefined ? problem(404, 'The path does not exist.') : get(id);
  }

  return async (request: Request): Promise<Response> => {
    const [, key = ''] = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
    const limit = perMinute[key];
    const { isRefused, headers, retryAfter } = take(limit === undefined ? '' : key, limit ?? 60);
    const respond = async () => {
      if (isRefused) return new Response('Slow down.', { status: 429 });
      return limit === undefined ? problem(401, 'A key is required.') : route(request);
    };
    const response = await respond();
    if (isRefused) response.headers.set('Retry-After', retryAfter);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
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

/** Parses every integer as a bigint. Undefined if the text is not JSON. */
export function parse(text: string): unknown {
  const exact = (_: string, value: unknown, { source = '' }: { source?: string } = {}) =>
    /^-?[0-9]+$/.test(source) ? BigInt(source) : value;
  try {
    return JSON.parse(text, exact);
  } catch {
    return undefined;
  }
}

export function stringify(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'bigint' ? JSON.rawJSON(String(member)) : member,
  );
}
