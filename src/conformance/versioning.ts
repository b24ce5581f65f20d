import { addedAnimal, idOf } from './animals.ts';
import { neverCheckable, type Section } from './check.ts';
import { REMOVAL_MS, retrieved } from './get-pet.ts';
import { httpDate } from './headers.ts';
import { Failed, NotCheckable } from './verdict.ts';

const HOUR_MS = 3_600_000;

export const VERSIONING: Section = {
  title: 'Versioning',
  checks: [
    {
      id: 'versioning.version',
      sentence: 'This is version 1.0.0 of the interface',
      check: neverCheckable('No answer is said to carry the version.'),
    },
    {
      id: 'versioning.deprecation',
      sentence: 'getPet is flagged deprecated, with its removal on 5 December 2030',
      async check(session) {
        const found = await retrieved(session, idOf(await addedAnimal(session)));
        const { headers } = found.answer;
        if (!headers.has('deprecation') && !headers.has('sunset')) {
          throw new NotCheckable('No header tells of it, and where it is told is left open.');
        }
        const sunset = headers.get('sunset') ?? 'no such header';
        const hours = ((httpDate(sunset) ?? 0) - REMOVAL_MS) / HOUR_MS;
        // Of whose day it is nothing is said: it begins 14 hours earlier in the far east.
        if (hours >= -14 && hours < 36) return;
        throw new Failed('Sunset: a time of 5 December 2030', sunset, found);
      },
    },
    {
      id: 'versioning.stability',
      sentence: 'Some endpoints beyond this interface are marked experimental or beta',
      check: neverCheckable('Which ones is left open.'),
    },
  ],
};
