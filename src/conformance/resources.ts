import type { Section } from './check.ts';
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

export const RESOURCES: Section = {
  title: 'Resources',
  checks: [
    {
      id: 'resources.petStatus.values',
      statement: 'A pet can be available, pending or sold',
      async run(session) {
        for (const status of PET_STATUSES) {
          expectStatus(await session.sendCached(createPetRequest({ status })), 201);
        }
      },
    },
    {
      id: 'resources.petStatus.others',
      statement: 'Any other status returns 400',
      run: (session) => expectBadRequest(session, bodyWithCategory('1', ',"status":"lost"')),
    },
    {
      id: 'resources.newPet.name.required',
      statement: 'A missing name returns 400',
      run: (session) => expectBadRequest(session, '{"categoryId":1}'),
    },
    {
      id: 'resources.newPet.name.string',
      statement: 'A name that is not a string returns 400',
      run: (session) => expectBadRequest(session, '{"name":7,"categoryId":1}'),
    },
    {
      id: 'resources.newPet.categoryId.required',
      statement: 'A missing categoryId returns 400',
      run: (session) => expectBadRequest(session, `{"name":"${NAME}"}`),
    },
    {
      id: 'resources.newPet.categoryId.integer',
      statement: 'A categoryId that is not an integer returns 400',
      async run(session) {
        for (const invalid of ['"1"', '1.5']) {
          await expectBadRequest(session, bodyWithCategory(invalid));
        }
      },
    },
    {
      id: 'resources.newPet.categoryId.int64',
      statement: 'A categoryId can be any int64 and keeps every digit',
      async run(session) {
        const added: RoundTrip[] = [];
        for (const int64 of HARD_INT64S) {
          const request = createPetRequestWith(bodyWithCategory(String(int64)));
          const pet = await session.sendCached(request);
          expectStatus(pet, 201);
          expectField(pet, 'categoryId', String(int64), (value) => value === int64);
          added.push(pet);
        }
        await expectReadBack(session, 'categoryId', added);
      },
    },
    {
      id: 'resources.newPet.categoryId.range',
      statement: 'A categoryId outside int64 returns 400',
      async run(session) {
        for (const integer of [INT64_MAX + 1n, INT64_MIN - 1n]) {
          await expectBadRequest(session, bodyWithCategory(String(integer)));
        }
      },
    },
    {
      id: 'resources.newPet.status.optional',
      statement: 'status is optional; without it, the pet has none or one of the three',
      async run(session) {
        const added = await session.sendCached(createPetRequest());
        expectStatus(added, 201);
        expectField(
          added,
          'status',
          'none, or one of the three',
          (value) => value === undefined || isPetStatus(value),
        );
      },
    },
    {
      id: 'resources.pet.name',
      statement: 'A pet keeps its name',
      async run(session) {
        const added = await addPet(session);
        expectField(added, 'name', JSON.stringify(NAME), (value) => value === NAME);
      },
    },
    {
      id: 'resources.pet.name.unicode',
      statement: 'A name keeps characters beyond ASCII',
      async run(session) {
        const name = UNICODE_NAME;
        const added = await session.sendCached(createPetRequest({ name }));
        if (added.response.status !== 201) {
          throw new NotCheckable('The name was rejected, and the contract leaves that open.');
        }
        expectField(added, 'name', JSON.stringify(name), (value) => value === name);
        await expectReadBack(session, 'name', [added]);
      },
    },
    {
      id: 'resources.pet.categoryId',
      statement: 'A pet keeps its categoryId',
      async run(session) {
        const added = await addPet(session);
        expectField(added, 'categoryId', '1', (value) => value === 1n);
      },
    },
    {
      id: 'resources.pet.id',
      statement: 'A pet has an int64 id',
      async run(session) {
        expectField(await addPet(session), 'id', 'an int64', isInt64);
      },
    },
    {
      id: 'resources.pet.id.assigned',
      statement: 'The service assigns the id, not the caller',
      async run(session) {
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
    },
    {
      id: 'resources.pet.id.unique',
      statement: 'Every pet has a different id',
      async run(session) {
        await addPet(session);
        await addPet(session, { categoryId: 2 });
        const seen = new Set<bigint>();
        for (const added of addedPets(session)) {
          const id = requireId(added);
          if (seen.has(id)) throw new CheckFailed('a new id', `${id} again`, added);
          seen.add(id);
        }
      },
    },
    {
      id: 'resources.pets',
      statement: 'A list contains complete pets',
      async run(session) {
        await addPet(session);
        const listed = await session.sendCached(listPetsRequest('?limit=100'));
        for (const pet of requirePets(listed)) {
          const problem = petProblem(pet);
          if (problem === undefined) continue;
          throw new CheckFailed('id, name, categoryId and an optional status', problem, listed);
        }
      },
    },
  ],
};

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

function bodyWithCategory(categoryId: string, more = ''): string {
  return `{"name":"${NAME}","categoryId":${categoryId}${more}}`;
}

async function expectBadRequest(session: Session, body: string): Promise<void> {
  expectStatus(await session.sendCached(createPetRequestWith(body)), 400);
}
