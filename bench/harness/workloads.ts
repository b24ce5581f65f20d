import { newPetToJson } from '../../src/domain/pet.ts';
import { type Fixture, petOf, secretOf, spentAccountIds, UNKNOWN_SECRET } from './fixture.ts';

export const WORKLOAD_NAMES = [
  'getPet',
  'listPets20',
  'listPets100',
  'listSold20',
  'firstPage',
  'deepPage',
  'firstSold',
  'deepSold',
  'unauthorized',
  'overLimit',
  'banned',
  'mix',
  'createPet',
  'createPetOnce',
] as const;

export type WorkloadName = (typeof WORKLOAD_NAMES)[number];

/** Those that are compared with each other. What adds animals comes last, as it makes stores grow. */
export const RACES: readonly (readonly WorkloadName[])[] = [
  ['getPet', 'unauthorized', 'overLimit', 'banned'],
  ['listPets20', 'listPets100', 'listSold20'],
  ['firstPage', 'deepPage', 'firstSold', 'deepSold'],
  ['mix'],
  ['createPet', 'createPetOnce'],
];

/** One request as the load generators read it: between tabs, in this order. */
export interface PlannedRequest {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly key: string;
  readonly address?: string;
  readonly body?: string;
  readonly isIdempotent?: boolean;
}

export interface Workload {
  readonly title: string;
  /** The animals grow by as many as were answered. */
  readonly creates?: boolean;
  /** Every answer must be a refusal with this status; without it, none. */
  readonly refusedWith?: 401 | 429;
  /** What it takes until the server does what is to be measured. */
  readonly leastWarmUpSeconds?: number;
  /** Sent once before the load, without being measured. */
  readonly before?: (fixture: Fixture) => readonly PlannedRequest[];
  requests(fixture: Fixture): PlannedRequest[];
}

const PLANNED = 1_000;
/** Without a valid key an address may send 60 requests a minute: so many addresses are enough. */
const ADDRESSES = 5_000;
/** More than the service remembers, by far. */
const DISTANT_PAGES = 20_000;

/** Spreads over a range without chance: a prime step visits every place. */
function scattered(index: number, range: number): number {
  return (index * 7_919) % range;
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** In a store of many accounts, each sends in its turn. */
function keyAt(index: number, { busyAccounts }: Fixture): string {
  return secretOf((index % busyAccounts) + 1);
}

function getPets(fixture: Fixture): PlannedRequest[] {
  return times(Math.max(PLANNED, fixture.busyAccounts), (index) => ({
    path: `/v1/pets/${scattered(index, fixture.pets) + 1}`,
    key: keyAt(index, fixture),
  }));
}

function pages(fixture: Fixture, limit: number, filter = ''): PlannedRequest[] {
  return times(PLANNED, (index) => ({
    path: `/v1/pets?${filter}limit=${limit}&after=${scattered(index, fixture.pets / 2)}`,
    key: secretOf(1),
  }));
}

/** Pages that begin one after the other, none of which is remembered when it is asked for again. */
function pagesFrom(start: number, filter = ''): PlannedRequest[] {
  return times(DISTANT_PAGES, (index) => ({
    path: `/v1/pets?${filter}limit=20&after=${start + index}`,
    key: secretOf(1),
  }));
}

function creations(isIdempotent: boolean): PlannedRequest[] {
  return times(PLANNED, (index) => ({
    method: 'POST',
    path: '/v1/pets',
    key: secretOf(1),
    body: newPetToJson(petOf(index + 1)),
    isIdempotent,
  }));
}

function mix(fixture: Fixture): PlannedRequest[] {
  const [gets, lists, creates] = [getPets(fixture), pages(fixture, 20), creations(false)];
  return gets.slice(0, PLANNED).map((get, index) => {
    const place = scattered(index, 100);
    const other = place === 0 ? creates[index] : lists[index];
    return place < 10 && other !== undefined ? other : get;
  });
}

function spent(fixture: Fixture): PlannedRequest[] {
  return spentAccountIds(fixture).map((id) => ({ path: '/v1/pets/1', key: secretOf(id) }));
}

/** Near the end, with more than a page still to follow. */
function deep({ pets }: Fixture): number {
  return pets - 2 * DISTANT_PAGES;
}

export const WORKLOADS: Readonly<Record<WorkloadName, Workload>> = {
  getPet: { title: 'getPet', requests: getPets },
  listPets20: { title: 'listPets of 20', requests: (fixture) => pages(fixture, 20) },
  listPets100: { title: 'listPets of 100', requests: (fixture) => pages(fixture, 100) },
  listSold20: {
    title: 'listPets of 20 of one status',
    requests: (fixture) => pages(fixture, 20, 'status=sold&'),
  },
  firstPage: { title: 'first pages of 20', requests: () => pagesFrom(0) },
  deepPage: {
    title: 'deep pages of 20',
    requests: (fixture) => pagesFrom(deep(fixture)),
  },
  firstSold: {
    title: 'first pages of 20 of one status',
    requests: () => pagesFrom(0, 'status=sold&'),
  },
  deepSold: {
    title: 'deep pages of 20 of one status',
    requests: (fixture) => pagesFrom(deep(fixture), 'status=sold&'),
  },
  unauthorized: {
    title: '401, a key that nobody has',
    refusedWith: 401,
    requests: () =>
      times(ADDRESSES, (index) => ({
        path: '/v1/pets/1',
        key: UNKNOWN_SECRET,
        address: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
      })),
  },
  overLimit: {
    title: '429, many keys over their limit',
    refusedWith: 429,
    before: spent,
    requests: spent,
  },
  banned: {
    title: '429, one key that is banned',
    refusedWith: 429,
    // A key has two seconds to learn that it is over its limit.
    leastWarmUpSeconds: 3,
    requests: (fixture) => spent(fixture).slice(0, 1),
  },
  mix: { title: '90 % getPet, 9 % listPets, 1 % createPet', requests: mix },
  createPet: { title: 'createPet', creates: true, requests: () => creations(false) },
  createPetOnce: {
    title: 'createPet with Idempotency-Key',
    creates: true,
    requests: () => creations(true),
  },
};

export function toLines(requests: readonly PlannedRequest[]): string {
  const lines = requests.map(
    ({ method = 'GET', path, key, address = '10.0.0.1', body = '', isIdempotent = false }) =>
      [method, path, key, address, body, isIdempotent ? 'once' : ''].join('\t'),
  );
  return `${lines.join('\n')}\n`;
}
