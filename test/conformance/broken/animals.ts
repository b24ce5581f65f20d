import {
  answering,
  asking,
  hasStatus,
  isCreation,
  isList,
  isOne,
  isSuccess,
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
    fault: answering(
      isSuccess,
      withText((text) => JSON.stringify(JSON.parse(text))),
    ),
  },
  {
    name: 'writes categoryId as a string',
    caughtBy: [
      'resources.newPet.categoryId.int64',
      'resources.pet.categoryId',
      'resources.pets',
      'createPet.pet',
    ],
    fault: answering(isSuccess, withField('categoryId', String)),
  },
  {
    name: 'writes ids as strings',
    caughtBy: ['resources.pet.id', 'resources.pets', 'createPet.pet'],
    fault: answering(isSuccess, withField('id', String)),
  },
  {
    name: 'gives every animal the same id',
    caughtBy: ['resources.pet.id.unique', 'states.supplied', 'getPet.found', 'getPet.replacement'],
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
    caughtBy: ['resources.pets'],
    fault: answering(
      ({ status }, request) => isList(request) && status === 200,
      withField('name', () => undefined),
    ),
  },
  {
    name: 'knows ASCII alone',
    caughtBy: ['resources.pet.name.unicode'],
    fault: answering(
      isSuccess,
      withText((text) => text.replace(/[^ -~]/gu, '?')),
    ),
  },
  {
    name: 'finds an animal with another status than it has',
    caughtBy: ['states.supplied'],
    fault: answering(
      ({ status }, request) => isOne(request) && status === 200,
      withField('status', (status) => status && 'sold'),
    ),
  },
  {
    name: 'finds the wrong animal',
    caughtBy: ['states.supplied', 'getPet.found'],
    fault: asking(
      isOne,
      withId((id) => id + 1n),
    ),
  },
  {
    name: 'confirms animals and does not find them',
    caughtBy: ['states.supplied', 'getPet.found'],
    fault: asking(
      isOne,
      withId(() => 999_999n),
    ),
  },
];

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
