import { answering, asking, isList, query, withQuery, withText } from '../faults.ts';
import type { BrokenServer } from './broken-server.ts';

export const WRONG_PAGES: readonly BrokenServer[] = [
  {
    name: 'clamps a limit above the maximum',
    caughtBy: ['listPets.limit.aboveMaximum'],
    fault: asking((request) => Number(query(request, 'limit')) > 100, withQuery('limit', '100')),
  },
  {
    name: 'clamps a limit below the minimum',
    caughtBy: ['listPets.limit.belowMinimum'],
    fault: asking((request) => Number(query(request, 'limit') ?? 1) < 1, withQuery('limit', '1')),
  },
  {
    name: 'rounds a limit',
    caughtBy: ['listPets.limit.integer'],
    fault: asking((request) => query(request, 'limit') === '1.5', withQuery('limit', '1')),
  },
  {
    name: 'takes a limit of letters for none',
    caughtBy: ['listPets.limit.integer'],
    fault: asking((request) => query(request, 'limit') === 'abc', withQuery('limit', null)),
  },
  {
    name: 'has 10 animals on a page by default',
    caughtBy: ['listPets.limit.default'],
    fault: asking(
      (request) => isList(request) && query(request, 'limit') === null,
      withQuery('limit', '10'),
    ),
  },
  {
    name: 'has all animals on a page by default',
    caughtBy: ['listPets.limit.default'],
    fault: asking(
      (request) => isList(request) && query(request, 'limit') === null,
      withQuery('limit', '100'),
    ),
  },
  {
    name: 'has no more than 5 animals on a page where 100 were asked for',
    caughtBy: ['listPets.limit.maximum'],
    fault: asking((request) => query(request, 'limit') === '100', withQuery('limit', '5')),
  },
  {
    name: 'refuses a limit of 100',
    caughtBy: ['listPets.status.filter', 'listPets.limit.maximum'],
    fault: asking((request) => query(request, 'limit') === '100', withQuery('limit', '101')),
  },
  {
    name: 'refuses a limit of 1',
    caughtBy: ['listPets.limit.minimum', 'limits.free.perMinute', 'limits.exceeded'],
    fault: asking((request) => query(request, 'limit') === '1', withQuery('limit', '0')),
  },
  {
    name: 'adds one to the limit',
    caughtBy: ['listPets.limit.number', 'listPets.limit.minimum'],
    fault: asking(
      (request) => /^([1-9]|[1-9]\d)$/.test(query(request, 'limit') ?? ''),
      (request) => withQuery('limit', String(Number(query(request, 'limit')) + 1))(request),
    ),
  },
  {
    name: 'shows the same page again',
    caughtBy: ['listPets.paginated'],
    fault: asking((request) => query(request, 'start') !== null, withQuery('start', '0')),
  },
  {
    name: 'shows the same page of a filtered list again',
    caughtBy: ['listPets.paginated'],
    fault: asking(isNextFiltered, withQuery('start', '0')),
  },
  {
    name: 'forgets the filter on the next page',
    caughtBy: ['listPets.status.filter'],
    fault: asking(isNextFiltered, (request) =>
      withQuery('start', '2')(withQuery('status', null)(request)),
    ),
  },
  {
    name: 'forgets the limit where a status is given',
    caughtBy: ['listPets.limit.number'],
    fault: asking(
      (request) => query(request, 'status') !== null && query(request, 'limit') === '1',
      withQuery('limit', '100'),
    ),
  },
  {
    name: 'wraps the list in an object',
    caughtBy: [
      'listPets.array',
      'listPets.limit.default',
      'listPets.limit.number',
      'listPets.limit.minimum',
      'listPets.status.filter',
      'listPets.limit.maximum',
    ],
    fault: answering(
      ({ status }, request) => isList(request) && status === 200,
      withText((text) => `{"pets":${text}}`),
    ),
  },
  {
    name: 'does not filter by status',
    caughtBy: ['listPets.status.filter', 'listPets.status.values'],
    fault: asking((request) => query(request, 'status') !== null, withQuery('status', null)),
  },
  {
    name: 'finds nothing where the filter is none',
    caughtBy: ['listPets.status.values'],
    fault: answering(
      (_, request) => query(request, 'status') === 'lost',
      ({ headers }) => new Response('[]', { headers }),
    ),
  },
  {
    name: 'lists what is available unless told otherwise',
    caughtBy: [
      'listPets.contains',
      'listPets.limit.default',
      'listPets.limit.number',
      'listPets.status.optional',
      'listPets.limit.maximum',
    ],
    fault: asking(
      (request) => isList(request) && query(request, 'status') === null,
      withQuery('status', 'available'),
    ),
  },
];

function isNextFiltered(request: Request): boolean {
  return query(request, 'start') !== null && query(request, 'status') !== null;
}
