import { addedAnimal, creation, idOf, listing, retrieval } from './animals.ts';
import type { Check, Section } from './check.ts';
import type { Request } from './exchange.ts';
import { expectStatus, expectSuccess } from './expectations.ts';
import { requireGetPet } from './get-pet.ts';
import type { Session } from './session.ts';

const OPERATIONS: Readonly<Record<string, (session: Session) => Promise<Request>>> = {
  listPets: async () => listing(),
  createPet: async () => creation(),
  getPet: async (session) => {
    requireGetPet(session);
    return retrieval(idOf(await addedAnimal(session)));
  },
};

export const AUTHENTICATION: Section = {
  title: 'Authentication',
  checks: [
    ...forEachOperation(
      'accepted',
      'takes an API key as a bearer token',
      async (session, request) => {
        expectSuccess(await session.askOnce(request));
      },
    ),
    ...forEachOperation('missing', 'without a key is answered 401', async (session, request) => {
      expectStatus(await session.askOnce({ ...request, credential: 'none' }), 401);
    }),
    ...forEachOperation('invalid', 'with a wrong key is answered 401', async (session, request) => {
      expectStatus(await session.askOnce({ ...request, credential: 'wrong' }), 401);
    }),
    {
      id: 'authentication.scheme',
      sentence: 'A key that is not sent as a bearer token is none: 401',
      async check(session) {
        expectStatus(await session.askOnce({ ...listing(), credential: 'bare' }), 401);
      },
    },
  ],
};

function forEachOperation(
  name: string,
  claim: string,
  judge: (session: Session, request: Request) => Promise<void>,
): Check[] {
  return Object.entries(OPERATIONS).map(([operation, makeRequest]) => ({
    id: `authentication.${name}.${operation}`,
    sentence: `${operation} ${claim}`,
    check: async (session) => judge(session, await makeRequest(session)),
  }));
}
