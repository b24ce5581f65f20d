import { getPet, REMOVAL_MS } from './call-get-pet.ts';
import { check } from './check.ts';
import { expectClientError, expectFields, expectStatus } from './expectations.ts';
import { isPetStatus } from './pet.ts';
import { requirePet } from './read-back.ts';
import { removalDay } from './removal-day.ts';
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
    const isOver = session.timeMs() >= REMOVAL_MS;
    const { after } = isOver
      ? { after: await session.sendCached(getPetRequest((await requirePet(session)).id)) }
      : await removalDay(session);
    expectClientError(after);
  }),
  check('getPet.untilRemoval', 'getPet still works on 4 December 2030', async (session) => {
    expectStatus((await removalDay(session)).before, 200);
  }),
];
