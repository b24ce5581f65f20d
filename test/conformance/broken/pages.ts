import {
  isListPets,
  onQuery,
  onRequest,
  onResponse,
  query,
  withQuery,
  withText,
} from '../faults.ts';
import type { BrokenServer } from './broken-server.ts';

export const PAGE_FAULTS: readonly BrokenServer[] = [
  {
    name: 'clamps a limit above the maximum',
    caughtBy: ['listPets.limit.aboveMaximum'],
    fault: onRequest((request) => Number(query(request, 'limit')) > 100, withQuery('limit', '100')),
  },
  {
    name: 'clamps a limit below the minimum',
    caughtBy: ['listPets.limit.belowMinimum'],
    fault: onRequest(
      (request) => Number(query(request, 'limit') ?? 1) < 1,
      withQuery('limit', '1'),
    ),
  },
  {
    name: 'rounds a limit',
    caughtBy: ['listPets.limit.integer'],
    fault: onQuery('limit', '1.5', '1'),
  },
  {
    name: 'has 10 pets on a page by default',
    caughtBy: ['listPets.limit.default'],
    fault: onQuery('limit', null, '10'),
  },
  {
    name: 'returns 5 pets for a limit of 100',
    caughtBy: ['listPets.limit.maximum'],
    fault: onQuery('limit', '100', '5'),
  },
  {
    name: 'adds one to the limit',
    caughtBy: ['listPets.limit.number', 'listPets.limit.minimum'],
    fault: onRequest(
      (request) => /^([1-9]|[1-9]\d)$/.test(query(request, 'limit') ?? ''),
      (request) => withQuery('limit', String(Number(query(request, 'limit')) + 1))(request),
    ),
  },
  {
    name: 'returns the same page of a filtered list again',
    caughtBy: ['listPets.paginated'],
    fault: onRequest(isNextFiltered, withQuery('start', '0')),
  },
  {
    name: 'drops the filter on the next page',
    caughtBy: ['listPets.status.filter'],
    fault: onRequest(isNextFiltered, (request) =>
      withQuery('start', '3')(withQuery('status', null)(request)),
    ),
  },
  {
    name: 'wraps the list in an object',
    caughtBy: ['listPets.array'],
    fault: onResponse(
      ({ status }, request) => isListPets(request) && status === 200,
      withText((text) => `{"pets":${text}}`),
    ),
  },
  {
    name: 'does not filter by status',
    caughtBy: ['listPets.status.filter', 'listPets.status.values'],
    fault: onRequest((request) => query(request, 'status') !== null, withQuery('status', null)),
  },
  {
    name: 'lists only available pets by default',
    caughtBy: ['listPets.contains', 'listPets.status.optional'],
    fault: onQuery('status', null, 'available'),
  },
];

function isNextFiltered(request: Request): boolean {
  return query(request, 'start') !== null && query(request, 'status') !== null;
}
