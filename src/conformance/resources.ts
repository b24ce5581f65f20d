import { createPet, isInt64, stringify } from './http.ts';
import {
  CHOSEN_ID,
  created,
  INT64_MAX,
  INT64_MIN,
  isOptionalStatus,
  isPet,
  isReturned,
  keeps,
  largestPage,
  PET_STATUSES,
  petsOn,
  samplesWithId,
} from './samples.ts';
import { expect, isStaging, need, type Session } from './session.ts';
import { field, type Section, statement, success } from './statement.ts';

/** The service, and the pets that it stores. */
export const RESOURCES: readonly Section[] = [
  {
    title: 'The service',
    statements: [
      statement(
        'service.addresses',
        'Production and staging each have an address that ends in /v1',
        otherAddress,
        401,
        (response, { hasClocks }) =>
          expect(!hasClocks || !isStaging(response), 'production', 'staging', response),
      ),
      statement(
        'service.prefix',
        'The base address ends in /v1',
        ({ options }) => [options.baseUrl],
        hasPrefix,
      ),
    ],
  },
  {
    title: 'Resources',
    statements: [
      statement(
        'resources.petStatus.values',
        'A pet can be available, pending or sold',
        created(...PET_STATUSES),
        success,
      ),
      statement(
        'resources.petStatus.others',
        'Any other status returns 400',
        createPet({ status: 'lost' }),
        400,
      ),
      statement(
        'resources.newPet.name.required',
        'A missing name returns 400',
        createPet({ name: undefined }),
        400,
      ),
      statement(
        'resources.newPet.name.string',
        'A name that is not a string returns 400',
        createPet({ name: 7 }),
        400,
      ),
      statement(
        'resources.newPet.categoryId.required',
        'A missing categoryId returns 400',
        createPet({ categoryId: undefined }),
        400,
      ),
      statement(
        'resources.newPet.categoryId.integer',
        'A categoryId that is not an integer returns 400',
        [createPet({ categoryId: '1' }), createPet({ categoryId: 1.5 })],
        400,
      ),
      statement(
        'resources.newPet.categoryId.int64',
        'A categoryId can be any int64 and keeps every digit',
        created('largest int64', 'smallest int64', 'above 2^53'),
        success,
        keeps('categoryId'),
      ),
      statement(
        'resources.newPet.categoryId.range',
        'A categoryId outside int64 returns 400',
        [createPet({ categoryId: INT64_MAX + 1n }), createPet({ categoryId: INT64_MIN - 1n })],
        400,
      ),
      statement(
        'resources.newPet.status.optional',
        'status is optional; without it, the pet has none or one of the three',
        created('without a status'),
        success,
        field('status', 'none, or one of the three', isOptionalStatus),
      ),
      statement('resources.pet.name', 'A pet keeps its name', created('available'), keeps('name')),
      statement(
        'resources.pet.name.unicode',
        'A name keeps characters beyond ASCII',
        created('Zoë 🐈'),
        keeps('name'),
      ),
      statement(
        'resources.pet.categoryId',
        'A pet keeps its categoryId',
        created('available'),
        keeps('categoryId'),
      ),
      statement(
        'resources.pet.id',
        'A pet has an int64 id',
        created('available'),
        isReturned,
        field('id', 'an int64', isInt64),
      ),
      statement(
        'resources.pet.id.assigned',
        'The service assigns the id, not the caller',
        created('with an id'),
        isReturned,
        field('id', 'one that the service assigned', (id) => id !== CHOSEN_ID),
      ),
      statement(
        'resources.pet.id.unique',
        'Every pet has a different id',
        async (session) => [await samplesWithId(session)],
        (samples) => {
          const ids = samples.map(({ id }) => id);
          need(ids.length > 1, 'This check needs two ids: see createPet.pet.');
          const areDifferent = new Set(ids).size === ids.length;
          expect(areDifferent, 'different ids', ids.join(', '), samples.at(-1));
        },
      ),
      statement(
        'resources.pets',
        'A list contains complete pets',
        (session) => largestPage(session),
        (page) => {
          const pets = petsOn(page);
          need(pets.length > 0, 'The list is empty: see listPets.contains.');
          const other = pets.find((pet) => !isPet(pet));
          expect(other === undefined, 'complete pets', stringify(other), page);
        },
      ),
    ],
  },
  {
    title: 'States',
    statements: [
      statement(
        'states.supplied',
        'A pet has the status that the request gave it',
        created(...PET_STATUSES),
        keeps('status'),
      ),
    ],
  },
];

async function otherAddress(session: Session) {
  const { baseUrl, otherUrl } = session.options;
  need(otherUrl !== undefined, 'This run knows only one address: pass the other with --other.');
  expect(otherUrl !== baseUrl, 'two addresses', `${baseUrl} twice`);
  hasPrefix(otherUrl);
  const path = `${otherUrl}/pets`;
  return session.sendNow({ path, credential: 'none' });
}

function hasPrefix(url: string): void {
  expect(new URL(url).pathname.endsWith('/v1'), 'an address that ends in /v1', url);
}
