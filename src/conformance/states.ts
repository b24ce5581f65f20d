import { check } from './check.ts';
import { expectField, expectStatus, PET_STATUSES } from './expectations.ts';
import { getPet } from './get-pet.ts';
import { addPet, requireId } from './pets.ts';

export const STATES = [
  check('states.supplied', 'A pet has the status that the request gave it', async (session) => {
    for (const status of PET_STATUSES) {
      const added = await addPet(session, { status });
      expectField(added, 'status', status, (value) => value === status);
      const found = await getPet(session, requireId(added));
      expectStatus(found, 200);
      expectField(found, 'status', status, (value) => value === status);
    }
  }),
];
