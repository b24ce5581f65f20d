import { isGetPet, onResponse, withHeader } from '../faults.ts';
import type { BrokenServer } from './broken-server.ts';

export const DEPRECATION_FAULTS: readonly BrokenServer[] = [
  {
    name: 'announces another day for the removal of getPet',
    caughtBy: ['versioning.deprecation'],
    fault: onResponse(
      (_, request) => isGetPet(request),
      withHeader('Sunset', 'Wed, 05 Dec 2029 00:00:00 GMT'),
    ),
  },
  {
    name: 'announces the deprecation of getPet without a day',
    caughtBy: ['versioning.deprecation'],
    fault: onResponse((_, request) => isGetPet(request), withHeader('Deprecation', '@1794614400')),
  },
];
