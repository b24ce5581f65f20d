import { getPet, REMOVAL_MS } from './call-get-pet.ts';
import { check } from './check.ts';
import { NotCheckable } from './check-error.ts';
import { expectClientError, expectFields, expectStatus } from './expectations.ts';
import { isPetStatus } from './pet.ts';
import { requirePet } from './read-back.ts';
import { getPetRequest } from './requests.ts';
import { INT64_MAX } from './samples.ts';
import { expectFound, searchList } from './search.ts';

export const GET_PET = [
  check('getPet.found', 'getPet returns 200 and the pet, unchanged', async (session) => {
    const pet = await requirePet(session);
    const found = await getPet(session, pet.id);
    expectStatus(found, 200);
    expectFields({ pet: found.response.json, shownBy: found }, pet);
  }),
  check(
    'getPet.notFound',
    'An unknown id returns 404, up to the largest int64',
    async (session) => {
      expectStatus(await getPet(session, INT64_MAX), 404);
    },
  ),
  check('getPet.petId.integer', 'An id that is not an integer is rejected', async (session) => {
    expectClientError(await getPet(session, 'conformance'));
  }),
  check(
    'getPet.replacement',
    'listPets with the status filter also returns the pet, unchanged',
    async (session) => {
      const pet = await requirePet(session, ({ fields }) => isPetStatus(fields['status']));
      const filter = `&status=${pet.fields['status']}`;
      expectFound(await searchList(session, [pet], filter), [pet]);
    },
  ),
  check('getPet.removed', 'getPet is gone from 5 December 2030', async (session) => {
    if (session.nowMs < REMOVAL_MS) throw new NotCheckable('That day is in the future.');
    const { id } = await requirePet(session);
    expectClientError(await session.sendCached(getPetRequest(id)));
  }),
];
