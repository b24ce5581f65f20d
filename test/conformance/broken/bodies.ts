import { isCreatePet, onRequest, withBody } from '../faults.ts';
import type { BrokenServer } from './broken-server.ts';

/** Servers that accept invalid bodies or reject valid ones. */
export const BODY_FAULTS: readonly BrokenServer[] = [
  {
    name: 'accepts a number as the name',
    caughtBy: ['resources.newPet.name.string'],
    fault: changeField('name', (name) => (typeof name === 'bigint' ? String(name) : name)),
  },
  {
    name: 'accepts null as the name',
    caughtBy: ['createPet.body.invalidValues'],
    fault: replaceField('name', null, ''),
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
    fault: replaceField('categoryId', '1', 1n),
  },
  {
    name: 'truncates a categoryId to 64 bits',
    caughtBy: ['resources.newPet.categoryId.range'],
    fault: changeField('categoryId', (categoryId) =>
      typeof categoryId === 'bigint' ? BigInt.asIntN(64, categoryId) : categoryId,
    ),
  },
  {
    name: 'accepts an unknown status as available',
    caughtBy: ['resources.petStatus.others'],
    fault: replaceField('status', 'lost', 'available'),
  },
  {
    name: 'rejects pending pets',
    caughtBy: ['resources.petStatus.values'],
    fault: replaceField('status', 'pending', 'lost'),
  },
  {
    name: 'makes every pet available',
    caughtBy: ['states.supplied', 'listPets.contains', 'getPet.found'],
    fault: changeField('status', (status) => (status === 'lost' ? status : 'available')),
  },
  {
    name: 'requires a status',
    caughtBy: ['resources.newPet.status.optional'],
    fault: replaceField('status', undefined, 'lost'),
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

/** Reads one value of a field as another. */
function replaceField(field: string, sent: unknown, read: unknown) {
  return changeField(field, (value) => (value === sent ? read : value));
}
