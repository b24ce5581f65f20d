import { answering, isOne, withHeader } from '../faults.ts';
import type { BrokenServer } from './broken-server.ts';

export const WRONG_DEPRECATION: readonly BrokenServer[] = [
  {
    name: 'ends getPet on another day',
    caughtBy: ['versioning.deprecation'],
    fault: answering(
      (_, request) => isOne(request),
      withHeader('Sunset', 'Wed, 05 Dec 2029 00:00:00 GMT'),
    ),
  },
  {
    name: 'ends getPet on no day',
    caughtBy: ['versioning.deprecation'],
    fault: answering((_, request) => isOne(request), withHeader('Deprecation', '@1794614400')),
  },
];
