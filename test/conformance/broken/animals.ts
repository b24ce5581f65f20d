import {
  answering,
  asking,
  hasStatus,
  isCreation,
  isList,
  isOne,
  isSuccess,
  query,
  withField,
  withText,
} from '../faults.ts';
import type { Fault } from '../small-server.ts';
import type { BrokenServer } from './broken-server.ts';

/** Animals that are shown, or found, otherwise than they are. */
export const WRONG_ANIMALS: readonly BrokenServer[] = [
  {
    name: 'rounds int64 values to doubles',
    caughtBy: ['resources.newPet.categoryId.int64', 'resources.pets'],
    fault: answering(isSuccess, withText(roundIntegers)),
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
    fault: answering(isSuccess, withField('categoryId', String)),
  },
  {
    name: 'writes ids as strings',
    caughtBy: ['resources.pet.id', 'resources.pet.id.assigned', 'resources.pets', 'createPet.pet'],
    fault: answering(isSuccess, withField('id', String)),
  },
  {
    name: 'does not tell the id of a new animal',
    caughtBy: ['resources.pet.id', 'resources.pet.id.assigned', 'createPet.pet'],
    fault: answering(
      hasStatus(201),
      withField('id', () => undefined),
    ),
  },
  {
    name: 'gives every animal the same id',
    caughtBy: [
      'resources.newPet.categoryId.int64',
      'resources.pet.name.unicode',
      'resources.pet.id.unique',
      'states.supplied',
      'listPets.contains',
      'getPet.found',
      'getPet.replacement',
    ],
    fault: answering(
      hasStatus(201),
      withField('id', () => 1n),
    ),
  },
  {
    name: 'takes the id that the caller chose',
    caughtBy: ['resources.pet.id.assigned'],
    fault: takeChosenId,
  },
  {
    name: 'leaks null for a status that was left out',
    caughtBy: ['resources.newPet.status.optional', 'resources.pets', 'createPet.pet'],
    fault: answering(
      isSuccess,
      withField('status', (status) => status ?? null),
    ),
  },
  {
    name: 'has a default status that is none of the three',
    caughtBy: ['resources.newPet.status.optional', 'resources.pets', 'createPet.pet'],
    fault: answering(
      isSuccess,
      withField('status', (status) => status ?? 'unknown'),
    ),
  },
  {
    name: 'leaves the name out of lists',
    caughtBy: [
      'resources.pet.name.unicode',
      'resources.pets',
      'listPets.contains',
      'getPet.replacement',
    ],
    fault: answering(
      isListed,
      withField('name', () => undefined),
    ),
  },
  {
    name: 'rounds int64 values in lists alone',
    caughtBy: ['resources.newPet.categoryId.int64', 'resources.pets'],
    fault: answering(isListed, withText(roundIntegers)),
  },
  {
    name: 'rounds int64 values where one animal is asked for',
    caughtBy: ['resources.newPet.categoryId.int64'],
    fault: answering(isFound, withText(roundIntegers)),
  },
  {
    name: 'lists every animal in the same category',
    caughtBy: ['resources.newPet.categoryId.int64', 'listPets.contains', 'getPet.replacement'],
    fault: answering(
      isListed,
      withField('categoryId', () => 5n),
    ),
  },
  {
    name: 'lists every animal under another name',
    caughtBy: ['resources.pet.name.unicode', 'listPets.contains', 'getPet.replacement'],
    fault: answering(
      isListed,
      withField('name', () => 'Rex'),
    ),
  },
  {
    name: 'lists as pending what is sold, unless a status is asked for',
    caughtBy: ['listPets.contains'],
    fault: answering(
      (response, request) => isListed(response, request) && query(request, 'status') === null,
      withField('status', (status) => (status === 'sold' ? 'pending' : status)),
    ),
  },
  {
    name: 'knows ASCII alone',
    caughtBy: ['resources.pet.name.unicode'],
    fault: answering(isSuccess, withText(toAscii)),
  },
  {
    name: 'knows ASCII alone where animals are read',
    caughtBy: ['resources.pet.name.unicode'],
    fault: answering(hasStatus(200), withText(toAscii)),
  },
  {
    name: 'knows ASCII alone in lists',
    caughtBy: ['resources.pet.name.unicode'],
    fault: answering(isListed, withText(toAscii)),
  },
  {
    name: 'finds an animal with another status than it has',
    caughtBy: ['states.supplied'],
    fault: answering(
      isFound,
      withField('status', (status) => status && 'sold'),
    ),
  },
  {
    name: 'finds the wrong animal',
    caughtBy: ['resources.newPet.categoryId.int64', 'states.supplied', 'getPet.found'],
    fault: asking(
      isOne,
      withId((id) => id + 1n),
    ),
  },
  {
    name: 'confirms animals and does not find them',
    caughtBy: ['states.supplied', 'getPet.found', 'authentication.accepted.getPet'],
    fault: asking(
      isOne,
      withId(() => 999_999n),
    ),
  },
];

function isListed({ status }: Response, request: Request): boolean {
  return isList(request) && status === 200;
}

function isFound({ status }: Response, request: Request): boolean {
  return isOne(request) && status === 200;
}

function roundIntegers(text: string): string {
  return JSON.stringify(JSON.parse(text));
}

function toAscii(text: string): string {
  return text.replace(/[^ -~]/gu, '?');
}

async function takeChosenId(...[request, honest]: Parameters<Fault>): Promise<Response> {
  const [, chosen] = /"id":(\d+)/.exec(await request.clone().text()) ?? [];
  const response = await honest(request);
  if (!isCreation(request) || chosen === undefined) return response;
  return withField('id', () => BigInt(chosen))(response);
}

function withId(change: (id: bigint) => bigint): (request: Request) => Request {
  return (request) => {
    const url = request.url.replace(/\d+$/, (id) => String(change(BigInt(id))));
    return new Request(url, request);
  };
}
