import { getPet, REMOVAL_MS } from './call-get-pet.ts';
import { check } from './check.ts';
import { attempt, CheckFailed, NotCheckable } from './check-error.ts';
import { requireDocument, valuesInOperations } from './document.ts';
import { isObject, type Json } from './exact-json.ts';
import { httpDate } from './headers.ts';
import { describe } from './pet.ts';
import { requirePet } from './read-back.ts';

const HOUR_MS = 3_600_000;
const STABILITIES: readonly Json[] = ['stable', 'beta', 'experimental'];

export const VERSIONING = [
  check('versioning.version', 'The API version is 1.0.0', async (session) => {
    const { info } = await requireDocument(session);
    const version = isObject(info) ? info['version'] : undefined;
    if (version === '1.0.0') return;
    throw new CheckFailed('version 1.0.0 in the OpenAPI document', describe(version));
  }),
  check(
    'versioning.deprecation',
    'getPet is deprecated, with removal on 5 December 2030',
    async (session) => {
      const { id = '1' } = (await attempt(() => requirePet(session))) ?? {};
      const found = await getPet(session, id);
      const { headers } = found.response;
      if (!headers.has('deprecation') && !headers.has('sunset')) {
        throw new NotCheckable('No header announces it, and the contract does not require one.');
      }
      const sunset = headers.get('sunset') ?? 'no such header';
      const hours = ((httpDate(sunset) ?? 0) - REMOVAL_MS) / HOUR_MS;
      // The contract names no time zone. The earliest one starts the day 14 hours before UTC.
      if (hours >= -14 && hours < 36) return;
      throw new CheckFailed('Sunset: a time on 5 December 2030', sunset, found);
    },
  ),
  check(
    'versioning.stability',
    'An operation that is not stable is marked experimental or beta',
    async (session) => {
      const markers = valuesInOperations(await requireDocument(session), 'x-stability');
      const other = markers.find((marker) => !STABILITIES.includes(marker));
      if (other === undefined) return;
      throw new CheckFailed('x-stability: stable, beta or experimental', describe(other));
    },
  ),
];
