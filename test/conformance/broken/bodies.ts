import { isCreatePet, onRequest, withBody } from '../faults.ts';
import type { BrokenServer } from './broken-server.ts';

const INT64_MIN = -(2n ** 63n);

/** Servers that accept invalid bodies or reject valid ones. */
export const BODY_FAULTS: readonly BrokenServer[] = [
  {
    name: 'accepts a missing name',
    caughtBy: ['resources.newPet.name.required'],
    fault: changeField('name', (name) => (name === undefined ? 'unnamed' : name)),
  },
  {
    name: 'accepts a number as the name',
    caughtBy: ['resources.newPet.name.string'],
    fault: changeField('name', (name) => (typeof name === 'bigint' ? String(name) : name)),
  },
  {
    name: 'accepts null as the name',
    caughtBy: ['createPet.body.invalidValues'],
    fault: changeField('name', (name) => (name === null ? '' : name)),
  },
  {
    name: 'stores names in capitals',
    caughtBy: [
      'resources.pet.name',
      'resources.pet.name.unicode',
      'listPets.contains',
      'getPet.found',
      'getPet.replacement',
    ],
    fault: changeField('name', (name) => (typeof name === 'string' ? name.toUpperCase() : name)),
  },
  {
    name: 'accepts a missing categoryId',
    caughtBy: ['resources.newPet.categoryId.required'],
    fault: changeField('categoryId', (categoryId) => (categoryId === undefined ? 0n : categoryId)),
  },
  {
    name: 'fills in missing fields',
    caughtBy: [
      'resources.newPet.name.required',
      'resources.newPet.categoryId.required',
      'createPet.body.missingFields',
    ],
    fault: onRequest(
      isCreatePet,
      withBody((body) => {
        if (!('name' in body)) body['name'] = 'unnamed';
        if (!('categoryId' in body)) body['categoryId'] = 0n;
      }),
    ),
  },
  {
    name: 'accepts a string as the categoryId',
    caughtBy: ['resources.newPet.categoryId.integer'],
    fault: changeField('categoryId', (categoryId) => (categoryId === '1' ? 1n : categoryId)),
  },
  {
    name: 'truncates a fractional categoryId',
    caughtBy: ['resources.newPet.categoryId.integer'],
    fault: changeField('categoryId', (categoryId) => (categoryId === 1.5 ? 1n : categoryId)),
  },
  {
    name: 'truncates a categoryId to 64 bits',
    caughtBy: ['resources.newPet.categoryId.range'],
    fault: changeField('categoryId', (categoryId) =>
      typeof categoryId === 'bigint' ? BigInt.asIntN(64, categoryId) : categoryId,
    ),
  },
  {
    name: 'accepts a categoryId of 32 bits only',
    caughtBy: ['resources.newPet.categoryId.int64'],
    fault: changeField('categoryId', (categoryId) =>
      typeof categoryId === 'bigint' && categoryId > 2n ** 31n ? null : categoryId,
    ),
  },
  {
    name: 'rejects the smallest int64',
    caughtBy: ['resources.newPet.categoryId.int64'],
    fault: changeField('categoryId', (categoryId) =>
      categoryId === INT64_MIN ? null : categoryId,
    ),
  },
  {
    name: 'accepts one less than the smallest int64',
    caughtBy: ['resources.newPet.categoryId.range'],
    fault: changeField('categoryId', (categoryId) =>
      categoryId === INT64_MIN - 1n ? INT64_MIN : categoryId,
    ),
  },
  {
    name: 'accepts an unknown status as available',
    caughtBy: ['resources.petStatus.others'],
    fault: changeField('status', (status) => (status === 'lost' ? 'available' : status)),
  },
  {
    name: 'rejects pending pets',
    caughtBy: ['resources.petStatus.values'],
    notCheckable: ['states.supplied', 'listPets.status.optional'],
    fault: changeField('status', (status) => (status === 'pending' ? 'lost' : status)),
  },
  {
    name: 'makes every pet available',
    caughtBy: ['states.supplied', 'listPets.contains', 'getPet.found'],
    fault: changeField('status', (status) => (status === 'lost' ? status : 'available')),
  },
  {
    name: 'requires a status',
    caughtBy: ['resources.newPet.status.optional'],
    notCheckable: ['createPet.pet'],
    fault: changeField('status', (status) => status ?? 'lost'),
  },
];

/** Changes a field of the createPet body before the server reads it. */
function changeField(field: string, change: (value: unknown) => unknown) {
  return onRequest(
    isCreatePet,
    withBody((body) => {
      const value = change(body[field]);
      if (value !== undefined) body[field] = value;
    }),
  );
}
