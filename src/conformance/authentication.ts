import type { Check, Section } from './check.ts';
import { expectStatus, expectSuccess } from './expectations.ts';
import { requireNotRemoved } from './get-pet.ts';
import { addPet, createPetRequest, getPetRequest, listPetsRequest, requireId } from './pets.ts';
import type { ApiRequest } from './round-trip.ts';
import type { Session } from './session.ts';

const OPERATIONS: Readonly<Record<string, (session: Session) => Promise<ApiRequest>>> = {
  listPets: async () => listPetsRequest(),
  createPet: async () => createPetRequest(),
  getPet: async (session) => {
    requireNotRemoved(session);
    return getPetRequest(requireId(await addPet(session)));
  },
};

export const AUTHENTICATION: Section = {
  title: 'Authentication',
  checks: [
    ...forEachOperation(
      'accepted',
      'accepts an API key as a bearer token',
      async (session, request) => {
        expectSuccess(await session.sendCached(request));
      },
    ),
    ...forEachOperation('missing', 'without a key returns 401', async (session, request) => {
      expectStatus(await session.sendCached({ ...request, credential: 'none' }), 401);
    }),
    ...forEachOperation('invalid', 'with an invalid key returns 401', async (session, request) => {
      expectStatus(await session.sendCached({ ...request, credential: 'wrong' }), 401);
    }),
    {
      id: 'authentication.scheme',
      statement: 'A key that is not a bearer token returns 401',
      async run(session) {
        const request = listPetsRequest();
        expectStatus(await session.sendCached({ ...request, credential: 'bare' }), 401);
      },
    },
  ],
};

function forEachOperation(
  name: string,
  claim: string,
  check: (session: Session, request: ApiRequest) => Promise<void>,
): Check[] {
  return Object.entries(OPERATIONS).map(([operation, makeRequest]) => ({
    id: `authentication.${name}.${operation}`,
    statement: `${operation} ${claim}`,
    run: async (session) => check(session, await makeRequest(session)),
  }));
}
