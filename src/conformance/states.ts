import { check } from './check.ts';
import { PET_STATUSES } from './pet.ts';
import { expectKept } from './read-back.ts';
import { addSamples } from './samples.ts';

export const STATES = [
  check('states.supplied', 'A pet has the status that the request gave it', async (session) => {
    for (const sample of await addSamples(session, PET_STATUSES)) {
      await expectKept(session, sample, 'status');
    }
  }),
];
