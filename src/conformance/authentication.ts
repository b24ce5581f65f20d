import { type Check, check } from './check.ts';
import { expectStatus, expectSuccess } from './expectations.ts';
import { requireNoRehearsal, requireNotRemoved } from './get-pet.ts';
import { addPet, createPetRequest, getPetRequest, listPetsRequest, requireId } from './pets.ts';
import type { ApiRequest, Credential, RoundTrip } from './round-trip.ts';
import type { Session } from './session.ts';

const OPERATIONS: Readonly<Record<string, (session: Session) => Promise<ApiRequest>>> = {
  listPets: async () => listPetsRequest(),
  createPet: async () => createPetRequest(),
  getPet: async (session) => {
    requireNotRemoved(session);
    return getPetRequest(requireId(await addPet(session)));
  },
};

export const AUTHENTICATION = [
  ...forEachOperation('accepted', 'accepts an API key as a bearer token', expectSuccess),
  ...forEachOperation('missing', 'without a key returns 401', expectRefused, 'none'),
  ...forEachOperation('invalid', 'with an invalid key returns 401', expectRefused, 'wrong'),
  check('authentication.scheme', 'A key that is not a bearer token returns 401', async (session) =>
    expectRefused(await session.sendCached({ ...listPetsRequest(), credential: 'bare' })),
  ),
];

function forEachOperation(
  name: string,
  claim: string,
  expectResponse: (roundTrip: RoundTrip) => void,
  credential?: Credential,
): Check[] {
  return Object.entries(OPERATIONS).map(([operation, makeRequest]) =>
    check(`authentication.${name}.${operation}`, `${operation} ${claim}`, async (session) => {
      const request = await makeRequest(session);
      const sent = { ...request, ...(credential && { credential }) };
      expectResponse(requireNoRehearsal(await session.sendCached(sent)));
    }),
  );
}

function expectRefused(roundTrip: RoundTrip): void {
  expectStatus(roundTrip, 401);
}
