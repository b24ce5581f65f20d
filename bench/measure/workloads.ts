import { type Fixture, keyOf, newPetOf, spentAccountIds, UNKNOWN_KEY } from './fixture.ts';

/** A request that the load generator sends. */
export interface PlannedRequest {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly key: string;
  readonly address?: string;
  readonly body?: string;
  readonly isIdempotent?: boolean;
}

export interface Workload {
  /** Every response adds a pet. */
  readonly creates?: boolean;
  /** Every response has this status. Without it, every response is a success. */
  readonly refusedWith?: 401 | 429;
  /** The time until the server does what is to be measured. */
  readonly leastWarmUpSeconds?: number;
  /** Every planned request is sent once before the load. */
  readonly isPrimed?: boolean;
  requests(fixture: Fixture): PlannedRequest[];
}

const PLANNED = 1_000;
/** Without a valid key, an address may send 60 requests a minute: these addresses are enough. */
const ADDRESSES = 30_000;
/** More pages than any cache holds. */
const DISTANT_PAGES = 20_000;

const ALL = {
  // Primed, so that every account of a large store has sent a request.
  getPet: { isPrimed: true, requests: getPets },
  listPets20: { requests: (fixture) => pages(fixture, 20) },
  listPets100: { requests: (fixture) => pages(fixture, 100) },
  listSold20: { requests: (fixture) => pages(fixture, 20, 'status=sold&') },
  firstPage: { requests: () => pagesFrom(0) },
  deepPage: { requests: (fixture) => pagesFrom(deep(fixture)) },
  firstSold: { requests: () => pagesFrom(0, 'status=sold&') },
  deepSold: { requests: (fixture) => pagesFrom(deep(fixture), 'status=sold&') },
  unauthorized: {
    refusedWith: 401,
    requests: () =>
      times(ADDRESSES, (index) => ({
        path: '/v1/pets/1',
        key: UNKNOWN_KEY,
        address: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
      })),
  },
  overLimit: { refusedWith: 429, isPrimed: true, requests: spent },
  banned: {
    refusedWith: 429,
    // Strikes only count from the second second on.
    leastWarmUpSeconds: 3,
    isPrimed: true,
    requests: (fixture) => spent(fixture).slice(0, 1),
  },
  mix: { requests: mix },
  createPet: { creates: true, requests: () => creations(false) },
  createPetOnce: { creates: true, requests: () => creations(true) },
} as const satisfies Record<string, Workload>;

export type WorkloadName = keyof typeof ALL;
export const WORKLOADS: Readonly<Record<WorkloadName, Workload>> = ALL;
export const WORKLOAD_NAMES = Object.keys(ALL) as WorkloadName[];

/** The line that replay.lua reads: six fields between tabs. */
export function toLine(request: PlannedRequest): string {
  const { method = 'GET', path, key, address = '10.0.0.1', body = '', isIdempotent } = request;
  return `${[method, path, key, address, body, isIdempotent ? 'once' : ''].join('\t')}\n`;
}

/** Visits a range in a fixed but scattered order: the step is a prime. */
function scattered(index: number, range: number): number {
  return (index * 7_919) % range;
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function getPets({ pets, busyAccounts }: Fixture): PlannedRequest[] {
  return times(Math.max(PLANNED, busyAccounts), (index) => ({
    path: `/v1/pets/${scattered(index, pets) + 1}`,
    key: keyOf((index % busyAccounts) + 1),
  }));
}

function pages({ pets }: Fixture, limit: number, filter = ''): PlannedRequest[] {
  return times(PLANNED, (index) => ({
    path: `/v1/pets?${filter}limit=${limit}&after=${scattered(index, pets / 2)}`,
    key: keyOf(1),
  }));
}

function pagesFrom(start: number, filter = ''): PlannedRequest[] {
  return times(DISTANT_PAGES, (index) => ({
    path: `/v1/pets?${filter}limit=20&after=${start + index}`,
    key: keyOf(1),
  }));
}

/** Close to the end, with more than a page still to come. */
function deep({ pets }: Fixture): number {
  return pets - 2 * DISTANT_PAGES;
}

function creations(isIdempotent: boolean): PlannedRequest[] {
  return times(PLANNED, (index) => {
    const body = JSON.stringify(newPetOf(index));
    return { method: 'POST', path: '/v1/pets', key: keyOf(1), body, isIdempotent };
  });
}

function mix(fixture: Fixture): PlannedRequest[] {
  const [lists, creates] = [pages(fixture, 20), creations(false)];
  return getPets(fixture)
    .slice(0, PLANNED)
    .map((get, index) => {
      const place = scattered(index, 100);
      const other = place === 0 ? creates[index] : lists[index];
      return place < 10 && other !== undefined ? other : get;
    });
}

function spent(fixture: Fixture): PlannedRequest[] {
  return spentAccountIds(fixture).map((id) => ({ path: '/v1/pets/1', key: keyOf(id) }));
}
