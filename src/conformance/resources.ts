import {
  addedAnimal,
  animalsOf,
  creation,
  creationOf,
  creations,
  idOf,
  listing,
  NAME,
  retrieval,
} from './animals.ts';
import type { Section } from './check.ts';
import { isInt64 } from './exact-json.ts';
import type { Exchange } from './exchange.ts';
import {
  expectAsAdded,
  expectField,
  expectStatus,
  isPetStatus,
  PET_STATUSES,
  petProblem,
} from './expectations.ts';
import { REMOVAL_MS } from './get-pet.ts';
import { seekInList } from './pages.ts';
import type { Session } from './session.ts';
import { Failed, NotCheckable } from './verdict.ts';

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
/** The ends of the range, and a number that a double has no room for, small as it is. */
const WIDE = [INT64_MAX, INT64_MIN, 2n ** 53n + 1n];
const NAME_BEYOND_ASCII = `${NAME} Zoë 🐈`;
const ID_OF_OUR_OWN = 1_234_567_890_123_456_789n;

export const RESOURCES: Section = {
  title: 'Resources',
  checks: [
    {
      id: 'resources.petStatus.values',
      sentence: 'An animal may be available, pending or sold',
      async check(session) {
        for (const status of PET_STATUSES) {
          expectStatus(await session.askOnce(creation({ status })), 201);
        }
      },
    },
    {
      id: 'resources.petStatus.others',
      sentence: 'No other status is taken: 400',
      check: (session) => expectBadBody(session, withCategory('1', ',"status":"lost"')),
    },
    {
      id: 'resources.newPet.name.required',
      sentence: 'An animal without a name is not taken: 400',
      check: (session) => expectBadBody(session, '{"categoryId":1}'),
    },
    {
      id: 'resources.newPet.name.string',
      sentence: 'A name that is no string is not taken: 400',
      check: (session) => expectBadBody(session, '{"name":7,"categoryId":1}'),
    },
    {
      id: 'resources.newPet.categoryId.required',
      sentence: 'An animal without a categoryId is not taken: 400',
      check: (session) => expectBadBody(session, `{"name":"${NAME}"}`),
    },
    {
      id: 'resources.newPet.categoryId.integer',
      sentence: 'A categoryId that is no integer is not taken: 400',
      async check(session) {
        for (const wrong of ['"1"', '1.5']) await expectBadBody(session, withCategory(wrong));
      },
    },
    {
      id: 'resources.newPet.categoryId.int64',
      sentence: 'A categoryId may have 64 bits, and comes back digit for digit',
      async check(session) {
        const additions: Exchange[] = [];
        for (const wide of WIDE) {
          const added = await session.askOnce(creationOf(withCategory(String(wide))));
          expectStatus(added, 201);
          expectField(added, 'categoryId', String(wide), (value) => value === wide);
          additions.push(added);
        }
        await expectReadBack(session, 'categoryId', additions);
      },
    },
    {
      id: 'resources.newPet.categoryId.range',
      sentence: 'A categoryId of more than 64 bits is not taken: 400',
      async check(session) {
        for (const wide of [INT64_MAX + 1n, INT64_MIN - 1n]) {
          await expectBadBody(session, withCategory(String(wide)));
        }
      },
    },
    {
      id: 'resources.newPet.status.optional',
      sentence: 'The status may be left out; the animal then has none, or one of the three',
      async check(session) {
        const added = await session.askOnce(creation());
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
      sentence: 'An animal has the name that it was given',
      async check(session) {
        const added = await addedAnimal(session);
        expectField(added, 'name', JSON.stringify(NAME), (value) => value === NAME);
      },
    },
    {
      id: 'resources.pet.name.unicode',
      sentence: 'A name keeps its letters, whatever their script',
      async check(session) {
        const name = NAME_BEYOND_ASCII;
        const added = await session.askOnce(creation({ name }));
        if (added.answer.status !== 201) {
          throw new NotCheckable('The name was refused, and which names are allowed is left open.');
        }
        expectField(added, 'name', JSON.stringify(name), (value) => value === name);
        await expectReadBack(session, 'name', [added]);
      },
    },
    {
      id: 'resources.pet.categoryId',
      sentence: 'An animal has the categoryId that it was given',
      async check(session) {
        const added = await addedAnimal(session);
        expectField(added, 'categoryId', '1', (value) => value === 1n);
      },
    },
    {
      id: 'resources.pet.id',
      sentence: 'An animal has an id, an integer of at most 64 bits',
      async check(session) {
        expectField(await addedAnimal(session), 'id', 'an int64', isInt64);
      },
    },
    {
      id: 'resources.pet.id.assigned',
      sentence: 'The service chooses the id, not the caller',
      async check(session) {
        const body = withCategory('1', `,"id":${ID_OF_OUR_OWN}`);
        const added = await session.askOnce(creationOf(body));
        if (added.answer.status === 400) return;
        expectStatus(added, 201);
        expectField(
          added,
          'id',
          'an int64 that the service chose',
          (value) => isInt64(value) && value !== ID_OF_OUR_OWN,
        );
      },
    },
    {
      id: 'resources.pet.id.unique',
      sentence: 'No two animals have the same id',
      async check(session) {
        await addedAnimal(session);
        await addedAnimal(session, { categoryId: 2 });
        const seen = new Set<bigint>();
        for (const added of creations(session)) {
          const id = idOf(added);
          if (seen.has(id)) throw new Failed('an id that is new', `${id} again`, added);
          seen.add(id);
        }
      },
    },
    {
      id: 'resources.pets',
      sentence: 'A list holds animals, each with all that an animal has',
      async check(session) {
        await addedAnimal(session);
        const listed = await session.askOnce(listing('?limit=100'));
        for (const pet of animalsOf(listed)) {
          const problem = petProblem(pet);
          if (problem === undefined) continue;
          throw new Failed('id, name, categoryId and perhaps status', problem, listed);
        }
      },
    },
  ],
};

/** Looks at a field again, by id and in the list. Whether animals are there is judged elsewhere. */
async function expectReadBack(
  session: Session,
  field: string,
  additions: readonly Exchange[],
): Promise<void> {
  for (const added of session.nowMs < REMOVAL_MS ? additions : []) {
    const found = await session.askOnce(retrieval(idOf(added)));
    if (found.answer.status !== 200) continue;
    expectAsAdded({ added, pet: found.answer.json, shownBy: found }, [field]);
  }
  const { sightings } = await seekInList(session, '', additions);
  for (const sighting of sightings) expectAsAdded(sighting, [field]);
}

function withCategory(categoryId: string, more = ''): string {
  return `{"name":"${NAME}","categoryId":${categoryId}${more}}`;
}

async function expectBadBody(session: Session, body: string): Promise<void> {
  expectStatus(await session.askOnce(creationOf(body)), 400);
}
