import { hasStatus, isCreatePet, isSuccess, onResponse, withField, withText } from '../faults.ts';
import type { Fault } from '../reference-server.ts';
import type { BrokenServer } from './broken-server.ts';

/** Servers that return a pet other than the one added. */
export const PET_FAULTS: readonly BrokenServer[] = [
  {
    name: 'rounds int64 values to doubles',
    caughtBy: [
      'resources.newPet.categoryId.int64',
      'resources.pets',
      'listPets.contains',
      'getPet.found',
    ],
    fault: onResponse(isSuccess, withText(roundIntegers)),
  },
  {
    name: 'writes categoryId as a string',
    caughtBy: [
      'resources.newPet.categoryId.int64',
      'resources.pet.categoryId',
      'resources.pets',
      'listPets.contains',
      'createPet.pet',
      'getPet.found',
      'getPet.replacement',
    ],
    fault: onResponse(isSuccess, withField('categoryId', String)),
  },
  {
    name: 'writes ids as strings',
    caughtBy: ['resources.pet.id', 'resources.pets', 'createPet.pet'],
    fault: onResponse(isSuccess, withField('id', String)),
  },
  {
    name: 'gives every pet the same id',
    caughtBy: ['resources.pet.id.unique', 'listPets.contains', 'getPet.found'],
    fault: onResponse(hasStatus(201), withField('id', 1n)),
  },
  {
    name: 'uses an id that the caller chose',
    caughtBy: ['resources.pet.id.assigned', 'listPets.contains', 'getPet.found'],
    fault: useChosenId,
  },
];

function roundIntegers(text: string): string {
  return JSON.stringify(JSON.parse(text));
}

async function useChosenId(...[request, conforming]: Parameters<Fault>): Promise<Response> {
  const [, chosen] = /"id":(\d+)/.exec(await request.clone().text()) ?? [];
  const response = await conforming(request);
  if (!isCreatePet(request) || chosen === undefined) return response;
  return withField('id', () => BigInt(chosen))(response);
}
