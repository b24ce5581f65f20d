import { check } from './check.ts';
import { attempt, CheckFailed, NotCheckable } from './check-error.ts';
import { isInt64 } from './exact-json.ts';
import { expectStatus, expectSuccess } from './expectations.ts';
import { firstPage, requirePets } from './lists.ts';
import {
  describe,
  fieldOf,
  idOf,
  isPetStatus,
  PET_STATUSES,
  petProblem,
  type Shown,
} from './pet.ts';
import { expectKept, requireShown } from './read-back.ts';
import { createPetRequestWith, NAME } from './requests.ts';
import { isSuccess } from './round-trip.ts';
import {
  addSample,
  addSamples,
  CHOSEN_ID,
  INT64_MAX,
  INT64_MIN,
  INT64_SAMPLES,
  sendSample,
  UNICODE_SAMPLE,
} from './samples.ts';
import type { Session } from './session.ts';

export const RESOURCES = [
  check(
    'resources.petStatus.values',
    'A pet can be available, pending or sold',
    async (session) => {
      for (const status of PET_STATUSES) expectSuccess((await sendSample(session, status)).created);
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
      for (const label of INT64_SAMPLES) {
        const sample = await sendSample(session, label);
        expectSuccess(sample.created);
        await expectKept(session, sample, 'categoryId');
      }
    },
  ),
  check('resources.newPet.categoryId.range', 'A categoryId outside int64 returns 400', (session) =>
    expectBadRequest(session, bodyWithCategory(INT64_MAX + 1n), bodyWithCategory(INT64_MIN - 1n)),
  ),
  check(
    'resources.newPet.status.optional',
    'status is optional; without it, the pet has none or one of the three',
    async (session) => {
      const sample = await sendSample(session, 'plain');
      expectSuccess(sample.created);
      const { pet, shownBy } = await requireShown(session, sample);
      const status = fieldOf(pet, 'status');
      if (status === undefined || isPetStatus(status)) return;
      throw new CheckFailed('status: none, or one of the three', describe(status), shownBy);
    },
  ),
  check('resources.pet.name', 'A pet keeps its name', async (session) =>
    expectKept(session, await addSample(session), 'name'),
  ),
  check('resources.pet.name.unicode', 'A name keeps characters beyond ASCII', async (session) => {
    const sample = await sendSample(session, UNICODE_SAMPLE);
    if (!isSuccess(sample.created)) {
      throw new NotCheckable('The name was rejected, and the contract leaves that open.');
    }
    await expectKept(session, sample, 'name');
  }),
  check('resources.pet.categoryId', 'A pet keeps its categoryId', async (session) =>
    expectKept(session, await addSample(session), 'categoryId'),
  ),
  check('resources.pet.id', 'A pet has an int64 id', async (session) => {
    const { pet, shownBy } = await anyShownPet(session);
    const id = fieldOf(pet, 'id');
    if (!isInt64(id)) throw new CheckFailed('id: an int64', describe(id), shownBy);
  }),
  check(
    'resources.pet.id.assigned',
    'The service assigns the id, not the caller',
    async (session) => {
      const sample = await sendSample(session, 'with an id');
      if (sample.created.response.status === 400) return;
      expectSuccess(sample.created);
      const { pet, shownBy } = await requireShown(session, sample);
      if (String(idOf(pet)) !== String(CHOSEN_ID)) return;
      throw new CheckFailed('id: one that the service assigned', `${CHOSEN_ID}`, shownBy);
    },
  ),
  check('resources.pet.id.unique', 'Every pet has a different id', async (session) => {
    await attempt(() => addSamples(session));
    const added = session.roundTrips.filter(
      (one) => one.request.method === 'POST' && idOf(one.response.json) !== undefined,
    );
    const fromResponses = added.map((one) => ({ pet: one.response.json, shownBy: one }));
    const shown = fromResponses.length > 1 ? fromResponses : await firstPageShown(session);
    const seen = new Set<string>();
    for (const { pet, shownBy } of shown) {
      const id = String(idOf(pet));
      if (seen.has(id)) throw new CheckFailed('a new id', `${id} again`, shownBy);
      seen.add(id);
    }
    if (seen.size < 2)
      throw new NotCheckable('This check needs the ids of two pets: see createPet.pet.');
  }),
  check('resources.pets', 'A list contains complete pets', async (session) => {
    await attempt(() => addSample(session));
    const listed = await firstPage(session);
    const pets = requirePets(listed);
    if (pets.length === 0) throw new NotCheckable('The list is empty: see listPets.contains.');
    for (const pet of pets) {
      const problem = petProblem(pet);
      if (problem === undefined) continue;
      throw new CheckFailed('id, name, categoryId and an optional status', problem, listed);
    }
  }),
];

/** A pet in the response of createPet, or else in the list. */
async function anyShownPet(session: Session): Promise<Shown> {
  const sample = await attempt(() => addSample(session));
  if (sample !== undefined) return requireShown(session, sample);
  const [shown] = await firstPageShown(session);
  if (shown !== undefined) return shown;
  throw new NotCheckable('This check needs a pet: see createPet.created.');
}

async function firstPageShown(session: Session): Promise<readonly Shown[]> {
  const shownBy = await firstPage(session);
  return requirePets(shownBy).map((pet) => ({ pet, shownBy }));
}

function bodyWithCategory(categoryId: string | bigint, more = ''): string {
  return `{"name":"${NAME}","categoryId":${categoryId}${more}}`;
}

async function expectBadRequest(session: Session, ...bodies: string[]): Promise<void> {
  for (const body of bodies) {
    expectStatus(await session.sendCached(createPetRequestWith(body)), 400);
  }
}
