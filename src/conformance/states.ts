import { addedAnimal, idOf } from './animals.ts';
import type { Section } from './check.ts';
import { expectField, expectStatus, PET_STATUSES } from './expectations.ts';
import { retrieved } from './get-pet.ts';

export const STATES: Section = {
  title: 'States',
  checks: [
    {
      id: 'states.supplied',
      sentence: 'An animal that is added with a status has it, and is found with it',
      async check(session) {
        for (const status of PET_STATUSES) {
          const added = await addedAnimal(session, { status });
          expectField(added, 'status', status, (value) => value === status);
          const found = await retrieved(session, idOf(added));
          expectStatus(found, 200);
          expectField(found, 'status', status, (value) => value === status);
        }
      },
    },
  ],
};
