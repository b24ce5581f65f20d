import { check } from './check.ts';
import { CheckFailed, NotCheckable } from './check-error.ts';
import { isInt64 } from './exact-json.ts';
import {
  expectAsAdded,
  expectField,
  expectStatus,
  isPetStatus,
  PET_STATUSES,
  petProblem,
} from './expectations.ts';
import { REMOVAL_MS } from './get-pet.ts';
import { findInList } from './pages.ts';
import {
  addedPets,
  addPet,
  createPetRequest,
  createPetRequestWith,
  getPetRequest,
  listPetsRequest,
  NAME,
  requireId,
  requirePets,
} from './pets.ts';
import type { RoundTrip } from './round-trip.ts';
import type { Session } from './session.ts';

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
/** Both ends of the range, and the smallest integer that a double cannot hold. */
const HARD_INT64S = [INT64_MAX, INT64_MIN, 2n ** 53n + 1n];
const UNICODE_NAME = `${NAME} Zoë 🐈`;
const CHOSEN_ID = 1_234_567_890_123_456_789n;

export const RESOURCES = [
  check(
    'resources.petStatus.values',
    'A pet can be available, pending or sold',
    async (session) => {
      for (const status of PET_STATUSES) {
        expectStatus(await session.sendCached(createPetRequest({ status })), 201);
      }
    },
  ),
  check('resources.petStatus.others', 'Any other status returns 400', (session) =>
    expectBadRequest(session, bodyWithCategory('1', ',"status":"lost"')),
  ),
  check('resources.newPet.name.required', 'A missing name returns 400', (session) =>
    expectBadRequest(session, '{"categoryId":1}'),
  ),
  check('resources.newPet.name.string', 'A name that is not a string returns 400', (session) =>
    expectBadRequest(session, '{"name":7,"categoryId":1}'),
  ),
  check('resources.newPet.categoryId.required', 'A missing categoryId returns 400', (session) =>
    expectBadRequest(session, `{"name":"${NAME}"}`),
  ),
  check(
    'resources.newPet.categoryId.integer',
    'A categoryId that is not an integer returns 400',
    (session) => expectBadRequest(session, bodyWithCategory('"1"'), bodyWithCategory('1.5')),
  ),
  check(
    'resources.newPet.categoryId.int64',
    'A categoryId can be any int64 and keeps every digit',
    async (session) => {
      const added: RoundTrip[] = [];
      for (const int64 of HARD_INT64S) {
        const request = createPetRequestWith(bodyWithCategory(int64));
        const pet = await session.sendCached(request);
        expectStatus(pet, 201);
        expectField(pet, 'categoryId', String(int64), (value) => value === int64);
        added.push(pet);
      }
      await expectReadBack(session, 'categoryId', added);
    },
  ),
  check('resources.newPet.categoryId.range', 'A categoryId outside int64 returns 400', (session) =>
    expectBadRequest(session, bodyWithCategory(INT64_MAX + 1n), bodyWithCategory(INT64_MIN - 1n)),
  ),
  check(
    'resources.newPet.status.optional',
    'status is optional; without it, the pet has none or one of the three',
    async (session) => {
      const added = await session.sendCached(createPetRequest());
      expectStatus(added, 201);
      expectField(
        added,
        'status',
        'none, or one of the three',
        (value) => value === undefined || isPetStatus(value),
      );
    },
  ),
  check('resources.pet.name', 'A pet keeps its name', async (session) => {
    const added = await addPet(session);
    expectField(added, 'name', JSON.stringify(NAME), (value) => value === NAME);
  }),
  check('resources.pet.name.unicode', 'A name keeps characters beyond ASCII', async (session) => {
    const name = UNICODE_NAME;
    const added = await session.sendCached(createPetRequest({ name }));
    if (added.response.status !== 201) {
      throw new NotCheckable('The name was rejected, and the contract leaves that open.');
    }
    expectField(added, 'name', JSON.stringify(name), (value) => value === name);
    await expectReadBack(session, 'name', [added]);
  }),
  check('resources.pet.categoryId', 'A pet keeps its categoryId', async (session) => {
    const added = await addPet(session);
    expectField(added, 'categoryId', '1', (value) => value === 1n);
  }),
  check('resources.pet.id', 'A pet has an int64 id', async (session) => {
    expectField(await addPet(session), 'id', 'an int64', isInt64);
  }),
  check(
    'resources.pet.id.assigned',
    'The service assigns the id, not the caller',
    async (session) => {
      const body = bodyWithCategory('1', `,"id":${CHOSEN_ID}`);
      const added = await session.sendCached(createPetRequestWith(body));
      if (added.response.status === 400) return;
      expectStatus(added, 201);
      expectField(
        added,
        'id',
        'an int64 that the service assigned',
        (value) => isInt64(value) && value !== CHOSEN_ID,
      );
    },
  ),
  check('resources.pet.id.unique', 'Every pet has a different id', async (session) => {
    await addPet(session);
    await addPet(session, { categoryId: 2 });
    const seen = new Set<bigint>();
    for (const added of addedPets(session)) {
      const id = requireId(added);
      if (seen.has(id)) throw new CheckFailed('a new id', `${id} again`, added);
      seen.add(id);
    }
  }),
  check('resources.pets', 'A list contains complete pets', async (session) => {
    await addPet(session);
    const listed = await session.sendCached(listPetsRequest('?limit=100'));
    for (const pet of requirePets(listed)) {
      const problem = petProblem(pet);
      if (problem === undefined) continue;
      throw new CheckFailed('id, name, categoryId and an optional status', problem, listed);
    }
  }),
];

/** Reads a field again with getPet and listPets. Other checks cover pets that are missing. */
async function expectReadBack(
  session: Session,
  field: string,
  added: readonly RoundTrip[],
): Promise<void> {
  for (const pet of session.nowMs < REMOVAL_MS ? added : []) {
    const found = await session.sendCached(getPetRequest(requireId(pet)));
    if (found.response.status !== 200) continue;
    expectAsAdded({ added: pet, pet: found.response.json, shownBy: found }, [field]);
  }
  const { found } = await findInList(session, '', added);
  for (const readBack of found) expectAsAdded(readBack, [field]);
}

function bodyWithCategory(categoryId: string | bigint, more = ''): string {
  return `{"name":"${NAME}","categoryId":${categoryId}${more}}`;
}

async function expectBadRequest(session: Session, ...bodies: string[]): Promise<void> {
  for (const body of bodies) {
    expectStatus(await session.sendCached(createPetRequestWith(body)), 400);
  }
}
