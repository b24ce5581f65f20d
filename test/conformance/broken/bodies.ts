import { asking, isCreation, withBody } from '../faults.ts';
import type { BrokenServer } from './broken-server.ts';

const INT64_MIN = -(2n ** 63n);

/** What is taken for a new animal and must not be, or the other way round. */
export const WRONG_BODIES: readonly BrokenServer[] = [
  {
    name: 'names an animal that has no name',
    caughtBy: ['resources.newPet.name.required'],
    fault: reading('name', (name) => (name === undefined ? 'nameless' : name)),
  },
  {
    name: 'takes a number for a name',
    caughtBy: ['resources.newPet.name.string'],
    fault: reading('name', (name) => (typeof name === 'bigint' ? String(name) : name)),
  },
  {
    name: 'takes null for a name',
    caughtBy: ['createPet.body.invalidValues'],
    fault: reading('name', (name) => (name === null ? '' : name)),
  },
  {
    name: 'writes names in capitals',
    caughtBy: [
      'resources.pet.name',
      'resources.pet.name.unicode',
      'listPets.contains',
      'getPet.found',
      'getPet.replacement',
    ],
    fault: reading('name', (name) => (typeof name === 'string' ? name.toUpperCase() : name)),
  },
  {
    name: 'has a category for animals without one',
    caughtBy: ['resources.newPet.categoryId.required'],
    fault: reading('categoryId', (categoryId) => (categoryId === undefined ? 0n : categoryId)),
  },
  {
    name: 'fills in whatever a body lacks',
    caughtBy: [
      'resources.newPet.name.required',
      'resources.newPet.categoryId.required',
      'createPet.body.missingFields',
    ],
    fault: asking(
      isCreation,
      withBody((body) => {
        if (!('name' in body)) body['name'] = 'nameless';
        if (!('categoryId' in body)) body['categoryId'] = 0n;
      }),
    ),
  },
  {
    name: 'reads a categoryId from a string',
    caughtBy: ['resources.newPet.categoryId.integer'],
    fault: reading('categoryId', (categoryId) => (categoryId === '1' ? 1n : categoryId)),
  },
  {
    name: 'cuts a categoryId to an integer',
    caughtBy: ['resources.newPet.categoryId.integer'],
    fault: reading('categoryId', (categoryId) => (categoryId === 1.5 ? 1n : categoryId)),
  },
  {
    name: 'cuts a categoryId to 64 bits',
    caughtBy: ['resources.newPet.categoryId.range'],
    fault: reading('categoryId', (categoryId) =>
      typeof categoryId === 'bigint' ? BigInt.asIntN(64, categoryId) : categoryId,
    ),
  },
  {
    name: 'has no room for a categoryId of 64 bits',
    caughtBy: ['resources.newPet.categoryId.int64'],
    fault: reading('categoryId', (categoryId) =>
      typeof categoryId === 'bigint' && categoryId > 2n ** 31n ? null : categoryId,
    ),
  },
  {
    name: 'has no room for the least int64',
    caughtBy: ['resources.newPet.categoryId.int64'],
    fault: reading('categoryId', (categoryId) => (categoryId === INT64_MIN ? null : categoryId)),
  },
  {
    name: 'has room for one less than the least int64',
    caughtBy: ['resources.newPet.categoryId.range'],
    fault: reading('categoryId', (categoryId) =>
      categoryId === INT64_MIN - 1n ? INT64_MIN : categoryId,
    ),
  },
  {
    name: 'takes an unknown status for available',
    caughtBy: ['resources.petStatus.others'],
    fault: reading('status', (status) => (status === 'lost' ? 'available' : status)),
  },
  {
    name: 'refuses animals that are pending',
    caughtBy: ['resources.petStatus.values'],
    fault: reading('status', (status) => (status === 'pending' ? 'lost' : status)),
  },
  {
    name: 'makes every animal available',
    caughtBy: [
      'states.supplied',
      'listPets.contains',
      'listPets.status.filter',
      'listPets.status.optional',
      'getPet.replacement',
    ],
    fault: reading('status', (status) => (status === 'lost' ? status : 'available')),
  },
  {
    name: 'demands a status',
    caughtBy: [
      'resources.newPet.categoryId.int64',
      'resources.newPet.status.optional',
      'createPet.created',
      'authentication.accepted.createPet',
    ],
    fault: reading('status', (status) => status ?? 'lost'),
  },
];

/** Reads something else from a field of a new animal than its caller wrote. */
function reading(field: string, change: (value: unknown) => unknown) {
  return asking(
    isCreation,
    withBody((body) => {
      const value = change(body[field]);
      if (value !== undefined) body[field] = value;
    }),
  );
}
