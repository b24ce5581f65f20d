import { ADDRESSES, type Fixture, keyOf, SPENT_ACCOUNTS, UNKNOWN_KEY } from './fixture.ts';
import { create, get, type PlannedRequest } from './request.ts';

interface Workload {
  /** True if every request adds a pet. */
  readonly creates?: boolean;
  /** The status that every response must have. If it is missing, every response must be a success. */
  readonly refusedWith?: 401 | 429;
  /** How long the load must run before the server does the work that is to be measured. */
  readonly warmUpSeconds?: number;
  /** True if every planned request is sent once before the load. */
  readonly isPrimed?: boolean;
  /** The number of different requests. By default 1,000, and at least one for each busy account. */
  readonly count?: number;
  request(index: number, fixture: Fixture): PlannedRequest;
}

type Plan = Workload['request'];

/** There are more pages than any cache holds. */
const DISTANT_PAGES = 20_000;
/** With this many accounts, the caches of an instance have expired before an account has its next turn. */
const ACCOUNTS_IN_TURN = 100_000;

const ONCE = { 'Idempotency-Key': '{unique}' };
const listPets20 = pages('limit=20');

const ALL = {
  // Every request is sent once before the load, so that every account of a large store has sent a request.
  getPet: { isPrimed: true, request: getPet },
  ownPet: { count: ACCOUNTS_IN_TURN, request: ownPet },
  listPets20: { request: listPets20 },
  listPets100: { request: pages('limit=100') },
  firstPage: { count: DISTANT_PAGES, request: firstPages('limit=20') },
  deepPage: { count: DISTANT_PAGES, request: deepPages('limit=20') },
  firstSold: { count: DISTANT_PAGES, request: firstPages('status=sold&limit=20') },
  deepSold: { count: DISTANT_PAGES, request: deepPages('status=sold&limit=20') },
  unauthorized: { refusedWith: 401, count: ADDRESSES, request: withUnknownKey },
  overLimit: { refusedWith: 429, isPrimed: true, count: SPENT_ACCOUNTS, request: withSpentKey },
  // A refusal counts as a strike only if it arrives more than a second after the first one.
  banned: { refusedWith: 429, isPrimed: true, count: 1, request: withSpentKey, warmUpSeconds: 3 },
  mix: { request: mix },
  createPet: { creates: true, request: (index) => create(index) },
  createPetOnce: { creates: true, request: (index) => create(index, ONCE) },
} as const satisfies Record<string, Workload>;

export type WorkloadName = keyof typeof ALL;
export const WORKLOADS: Readonly<Record<WorkloadName, Workload>> = ALL;
export const WORKLOAD_NAMES = Object.keys(ALL) as WorkloadName[];

export function requestsOf(name: WorkloadName, fixture: Fixture): PlannedRequest[] {
  const { count = Math.max(1_000, fixture.busyAccounts), request } = WORKLOADS[name];
  return Array.from({ length: count }, (_, index) => request(index, fixture));
}

function getPet(index: number, { pets, busyAccounts }: Fixture): PlannedRequest {
  return get(`/v1/pets/${scattered(index, pets) + 1}`, keyOf((index % busyAccounts) + 1));
}

/** Each account gets its own pet. The store must have as many pets as accounts. */
function ownPet(index: number, { busyAccounts }: Fixture): PlannedRequest {
  const id = scattered(index, busyAccounts) + 1;
  return get(`/v1/pets/${id}`, keyOf(id));
}

function pages(query: string): Plan {
  // The checks send the first planned request, and a page from the middle shows more than the first page.
  return (index, { pets }) => get(`/v1/pets?${query}&after=${scattered(index + 1, pets / 2)}`);
}

function firstPages(query: string): Plan {
  return (index) => get(`/v1/pets?${query}&after=${index}`);
}

/** A place close to the end of the list, with more than a page after it. */
function deepPages(query: string): Plan {
  return (index, { pets }) => get(`/v1/pets?${query}&after=${pets - 2 * DISTANT_PAGES + index}`);
}

/** Visits a range in a fixed but scattered order: the step is a prime. */
function scattered(index: number, range: number): number {
  return (index * 7_919) % range;
}

function withUnknownKey(index: number): PlannedRequest {
  const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  return get('/v1/pets/1', UNKNOWN_KEY, address);
}

function withSpentKey(index: number, { busyAccounts }: Fixture): PlannedRequest {
  return get('/v1/pets/1', keyOf(busyAccounts + index + 1));
}

function mix(index: number, fixture: Fixture): PlannedRequest {
  const place = scattered(index, 100);
  if (place === 0) return create(index);
  return place < 10 ? listPets20(index, fixture) : getPet(index, fixture);
}
